import Clip
import Imaging
import Liveness
import Platform

/// How stills are encoded: the `[stills]` settings table.
public struct StillSettings: Codable, Sendable, Equatable {
    /// JPEG quality, 0-1.
    public var quality = 0.9

    /// The defaults.
    public init() {}
}

/// Keeps the pictures of one scan: the still from before it, the video of it, the still from its end.
struct ScanRecorder {
    private let stills: StillEncoder
    private let clipSettings: ClipSettings
    private let orientation: Orientation
    private var autoshot: Still?
    private var snapshot: Still?
    private var clip: ClipEncoder?
    private var started: Duration?

    init(stills: StillSettings, clip: ClipSettings, orientation: Orientation) {
        self.stills = StillEncoder(quality: stills.quality)
        clipSettings = clip
        self.orientation = orientation
    }

    /// Takes the autoshot and begins the video anew: both belong to the person in this frame.
    mutating func takeAutoshot(_ frame: Frame) throws {
        autoshot = try stills.encode(frame, orientation: orientation)
        snapshot = nil
        clip = nil
        started = frame.time
    }

    mutating func takeSnapshot(_ frame: Frame) throws {
        snapshot = try stills.encode(frame, orientation: orientation)
    }

    /// Adds a picture of the scan to the video, which is encoded as it goes so that nothing waits at the end.
    mutating func append(_ picture: Picture, at time: Duration) throws {
        let encoder = try clip ?? ClipEncoder(settings: clipSettings, width: picture.width, height: picture.height)
        clip = encoder
        try encoder.append(picture, at: time)
    }

    /// Everything that was kept; nil where the scan took no snapshot.
    mutating func finish(_ actions: [CreditedAction], at time: Duration) throws -> ScanOutcome? {
        guard let autoshot, let snapshot, let clip, let started else { return nil }
        self.clip = nil
        return ScanOutcome(
            actions: actions, autoshot: autoshot, snapshot: snapshot, clip: try clip.finish(at: time),
            duration: time - started)
    }
}
