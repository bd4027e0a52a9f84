import Clip
import FaceGeometry
import FaceTracking
import Imaging
import Liveness
import LivenessInterface
import Platform

/// What the way of a frame needs to know.
public struct PipelineSettings: Sendable, Equatable {
    /// The rules.
    public var liveness = LivenessSettings()
    /// The video.
    public var clip = ClipSettings()
    /// The pictures.
    public var stills = StillSettings()
    /// How the camera is mounted.
    public var orientation = Orientation()

    /// The defaults.
    public init() {}
}

/// The way of a frame: decoded once, measured once, judged once, and only then is a person's picture encoded.
///
/// One thread owns a pipeline. It serves a live scan and the replay of a file alike.
public final class ScanPipeline {
    /// The picture of the last frame, for previews.
    public private(set) var picture: Picture?
    /// How many frames could not be decoded at all.
    public private(set) var undecodable = 0
    /// How many frames were decoded with something missing or wrong.
    public private(set) var damaged = 0
    /// Whether the last event was given.
    public private(set) var isOver = false

    private let tracker: FaceTracker
    private let motion = CameraMotion()
    private var decoder: FrameDecoder
    private var scan: LivenessScan
    private var recorder: ScanRecorder
    private var firstTime: Duration?

    /// A pipeline for one scan. `seed` draws the order of the actions.
    ///
    /// - Throws: `FaceTrackingError.outOfMemory`.
    public init(settings: PipelineSettings, model: FaceModel, seed: UInt64) throws(FaceTrackingError) {
        tracker = try FaceTracker(model: model)
        decoder = FrameDecoder(orientation: settings.orientation)
        scan = LivenessScan(settings: settings.liveness, seed: seed)
        recorder = ScanRecorder(stills: settings.stills, clip: settings.clip, orientation: settings.orientation)
    }

    /// What the last frame measured.
    public var trace: LivenessScan.Trace { scan.trace }
    /// Where the scan is.
    public var phase: Phase? { scan.phase }

    /// Judges a frame.
    ///
    /// - Returns: what happened, in order; nearly always nothing.
    public func process(_ frame: Frame) -> [ScanEvent] {
        guard !isOver else { return [] }
        if firstTime == nil { firstTime = frame.time }
        guard let decoded = decode(frame) else { return advance(to: frame.time) }
        picture = decoded.picture
        if decoded.isDamaged { damaged += 1 }
        var observation = tracker.observe(
            decoded.picture, time: frame.time, isDamaged: decoded.isDamaged, cameraMoved: false)
        observation.cameraMoved = motion.hasMoved(in: decoded.picture, person: observation.face, at: frame.time)
        let judged = scan.observe(observation)
        do {
            let events = try judged.compactMap { try handle($0, frame, decoded.picture) }
            if scan.phase == .scanning { try recorder.append(decoded.picture, at: frame.time) }
            return events
        } catch {
            return fail(.internalError, "a picture could not be encoded: \(error)", at: frame.time)
        }
    }

    /// Lets time pass without a frame, so that the cap holds.
    public func advance(to time: Duration) -> [ScanEvent] {
        guard !isOver else { return [] }
        return scan.advance(to: time).compactMap { translate($0, at: time) }
    }

    /// Ends the scan from outside: the camera is gone, or the client.
    public func fail(_ reason: FailureReason, _ message: String, at time: Duration) -> [ScanEvent] {
        guard !isOver else { return [] }
        return [event(.failed(reason, message: message), at: time)]
    }

    private func decode(_ frame: Frame) -> DecodedFrame? {
        do {
            return try decoder.decode(frame)
        } catch {
            undecodable += 1
            Log.debug("a frame could not be decoded: \(error)")
            return nil
        }
    }
}

// MARK: - From the rules' events to the scan's

extension ScanPipeline {
    private func handle(_ judged: LivenessEvent, _ frame: Frame, _ picture: Picture) throws -> ScanEvent? {
        switch judged {
        case .autoshot: try recorder.takeAutoshot(frame)
        case .snapshot:
            try recorder.takeSnapshot(frame)
            try recorder.append(picture, at: frame.time)
        case .completed(let actions): return try complete(actions, at: frame.time)
        default: break
        }
        return translate(judged, at: frame.time)
    }

    private func complete(_ actions: [CreditedAction], at time: Duration) throws -> ScanEvent? {
        let sinceFirst = actions.map { CreditedAction(action: $0.action, time: $0.time - (firstTime ?? .zero)) }
        return try recorder.finish(sinceFirst, at: time).map { event(.completed($0), at: time) }
    }

    private func translate(_ judged: LivenessEvent, at time: Duration) -> ScanEvent? {
        switch judged {
        case .phase(let phase): event(.phase(phase), at: time)
        case .hint(let hint): event(.hint(hint), at: time)
        case .progress(let done, let total): event(.progress(done: done, total: total), at: time)
        case .timedOut: event(.failed(.timeout, message: "not both actions were seen in time"), at: time)
        case .autoshot, .snapshot, .completed: nil
        }
    }

    private func event(_ kind: ScanEvent.Kind, at time: Duration) -> ScanEvent {
        switch kind {
        case .completed, .failed:
            isOver = true
            Log.debug("frames undecodable \(undecodable), damaged \(damaged)")
        default: break
        }
        return ScanEvent(time: time - (firstTime ?? time), kind: kind)
    }
}
