import Camera
import Clip
import Imaging
import Liveness
import Platform
import Settings

/// Where faces are found from: the `[tracking]` settings table.
public struct TrackingSettings: Codable, Sendable, Equatable {
    /// dlib's 68-point model. Its training data excludes commercial use, so it is never part of a package.
    public var model = "/var/lib/liveness/models/shape_predictor_68_face_landmarks.dat"

    /// The defaults.
    public init() {}
}

/// How the camera is mounted: the `[mounting]` settings table.
public struct MountingSettings: Codable, Sendable, Equatable {
    /// Clockwise degrees that make its pictures upright: 0, 90, 180 or 270.
    public var rotation = 0
    /// Whether left and right are swapped, after the rotation.
    public var mirrored = false

    /// The defaults.
    public init() {}

    /// The same for the decoder.
    public var orientation: Orientation {
        Orientation(rotation: Orientation.Rotation(rawValue: rotation) ?? .none, mirrored: mirrored)
    }
}

/// Who may talk to the service: the `[socket]` settings table.
public struct SocketSettings: Codable, Sendable, Equatable {
    /// Where the socket is made, unless systemd hands one over.
    public var path = "/run/liveness/livenessd.sock"
    /// The socket's permission bits, in octal as for chmod.
    public var mode = "0660"
    /// The users that are admitted, by name or number; empty for everybody whom the socket's mode lets in.
    public var users: [String] = []

    /// The defaults.
    public init() {}

    /// The permission bits; nil where `mode` is no octal number.
    var permissions: UInt32? { UInt32(mode, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil } }
}

/// How much is told: the `[log]` settings table.
public struct LogSettings: Codable, Sendable, Equatable {
    /// error, warning, notice, info or debug.
    public var level = "info"

    /// The defaults.
    public init() {}
}

/// Everything that the service can be told, from one document.
public struct ServiceSettings: Sendable {
    /// The way of a frame.
    public var pipeline = PipelineSettings()
    /// The models.
    public var tracking = TrackingSettings()
    /// The camera.
    public var camera = CameraSettings()
    /// The socket.
    public var socket = SocketSettings()
    /// The log.
    public var log = LogSettings()

    /// The defaults.
    public init() {}

    /// Reads the settings of a service that was started with `options`.
    ///
    /// - Throws: `SettingsError`.
    public static func load(_ options: ServiceProcess.Options) throws(SettingsError) -> ServiceSettings {
        var settings = try load(options.settingsFile)
        if let path = options.socketPath { settings.socket.path = path }
        return settings
    }

    /// Reads `file`, or the default one, which may be missing.
    ///
    /// - Throws: `SettingsError`.
    public static func load(_ file: String?) throws(SettingsError) -> ServiceSettings {
        var document = try SettingsDocument.load(main: file)
        var settings = ServiceSettings()
        settings.pipeline.liveness = try document.section("liveness", defaults: settings.pipeline.liveness)
        settings.pipeline.clip = try document.section("clip", defaults: settings.pipeline.clip)
        settings.pipeline.stills = try document.section("stills", defaults: settings.pipeline.stills)
        settings.pipeline.orientation = try document.section("mounting", defaults: MountingSettings()).orientation
        settings.tracking = try document.section("tracking", defaults: settings.tracking)
        settings.camera = try document.section("camera", defaults: settings.camera)
        settings.socket = try document.section("socket", defaults: settings.socket)
        settings.log = try document.section("log", defaults: settings.log)
        try document.refuseUnknownSections()
        return settings
    }
}

extension LogSettings {
    /// The level; nil where there is none of that name.
    public var threshold: LogLevel? { LogLevel.allCases.first { $0.name == level } }
}
