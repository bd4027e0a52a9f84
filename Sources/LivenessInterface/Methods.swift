import Liveness

/// Parameters of `Scan`.
public struct ScanRequest: Codable, Sendable, Equatable {
    /// An id, name or node; nil for the one that the settings name, or the only one there is.
    public var camera: String?
    /// nil for base64.
    public var media: MediaTransport?

    /// Both parameters at once.
    public init(camera: String? = nil, media: MediaTransport? = nil) {
        self.camera = camera
        self.media = media
    }
}

/// One reply of `Scan`: exactly one member is there.
public struct ScanReply: Codable, Sendable, Equatable {
    /// The first reply.
    public var started: ScanStarted?
    /// A new phase.
    public var phase: Phase?
    /// A new hint.
    public var hint: Hint?
    /// More or fewer actions are done.
    public var progress: ScanProgress?
    /// The last reply, with media.
    public var completed: ScanCompleted?
    /// The last reply.
    public var failed: ScanFailed?

    /// A reply without a member, to set one.
    public init() {}

    /// The first reply.
    public init(started: ScanStarted) { self.started = started }
    /// A new phase.
    public init(phase: Phase) { self.phase = phase }
    /// A new hint.
    public init(hint: Hint) { self.hint = hint }
    /// A new count.
    public init(progress: ScanProgress) { self.progress = progress }
    /// The last reply.
    public init(completed: ScanCompleted) { self.completed = completed }
    /// The last reply.
    public init(failed: ScanFailed) { self.failed = failed }
}

/// Parameters of `Preview`.
public struct PreviewRequest: Codable, Sendable, Equatable {
    /// Of the scan's first reply.
    public var id: String
    /// The most pictures a second; nil for 10.
    public var rate: Double?
    /// The widest picture, pixels; nil for 640.
    public var width: Int?
    /// nil for base64.
    public var media: MediaTransport?

    /// All parameters at once.
    public init(id: String, rate: Double? = nil, width: Int? = nil, media: MediaTransport? = nil) {
        self.id = id
        self.rate = rate
        self.width = width
        self.media = media
    }
}

/// One reply of `Preview`; the last one has no picture.
public struct PreviewReply: Codable, Sendable, Equatable {
    /// A JPEG.
    public var picture: Medium?

    /// A reply with a picture, or the last one.
    public init(picture: Medium?) { self.picture = picture }
}

/// Parameters of `Cancel`.
public struct CancelRequest: Codable, Sendable, Equatable {
    /// Of the scan's first reply.
    public var id: String

    /// For the scan `id`.
    public init(id: String) { self.id = id }
}

/// Parameters or reply of a method that has none.
public struct Nothing: Codable, Sendable, Equatable {
    /// There is one value only.
    public init() {}
}

/// Reply of `ListCameras`.
public struct CameraList: Codable, Sendable, Equatable {
    /// What can be opened now.
    public var cameras: [ReportedCamera]

    /// All cameras at once.
    public init(cameras: [ReportedCamera]) { self.cameras = cameras }
}

/// `Scans` of the interface: how many ended how, since the service started.
public struct ScanCounts: Codable, Sendable, Equatable {
    /// With media.
    public var completed = 0
    /// Without.
    public var failed = 0

    /// None yet.
    public init() {}
}

/// Reply of `GetStatus`.
public struct ServiceStatus: Codable, Sendable, Equatable {
    /// The service's version.
    public var version: String
    /// `replay` where a file stands for the camera.
    public var source: ReportedSource
    /// Milliseconds since the service started.
    public var uptimeMs: Int
    /// Whether a scan runs.
    public var busy: Bool
    /// Who runs it.
    public var holder: Holder?
    /// Where it is.
    public var phase: Phase?
    /// Those that ended.
    public var scans: ScanCounts
    /// Whether the landmark model has been read.
    public var modelLoaded: Bool

    /// A service that does nothing.
    public init(version: String, source: ReportedSource, uptimeMs: Int, scans: ScanCounts, modelLoaded: Bool) {
        self.version = version
        self.source = source
        self.uptimeMs = uptimeMs
        busy = false
        self.scans = scans
        self.modelLoaded = modelLoaded
    }

    private enum CodingKeys: String, CodingKey {
        case version, source, busy, holder, phase, scans
        case uptimeMs = "uptime_ms"
        case modelLoaded = "model_loaded"
    }
}

/// Reply of `GetMetrics`.
public struct MetricsText: Codable, Sendable, Equatable {
    /// Counters in Prometheus' text format.
    public var text: String

    /// The counters' text.
    public init(text: String) { self.text = text }
}

/// Parameters of the error `Refused`.
public struct Refusal: Codable, Sendable, Equatable, Error {
    /// The error's full name.
    public static let name = LivenessInterfaceText.name + ".Refused"

    /// The stable name of what stands in the way.
    public var reason: FailureReason
    /// A sentence for a log.
    public var message: String
    /// With `busy`: who runs a scan.
    public var holder: Holder?

    /// All facts at once.
    public init(reason: FailureReason, message: String, holder: Holder? = nil) {
        self.reason = reason
        self.message = message
        self.holder = holder
    }
}
