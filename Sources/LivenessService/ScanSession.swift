import Camera
import Dispatch
import FaceTracking
import Imaging
import Liveness
import LivenessInterface
import Platform
import Synchronization

/// Who gets to know what happens in a scan. Called on the scan's own thread.
protocol ScanObserver: Sendable {
    func scanStarted(_ camera: CameraDescription)
    func scanHappened(_ event: ScanEvent)
    /// The camera is closed and the scan is over; `last` is its terminal event.
    func scanEnded(_ last: ScanEvent, _ facts: ScanFacts)
}

/// What is counted of one scan.
struct ScanFacts: Sendable {
    var frames = 0
    var dropped = 0
    var damaged = 0
    var undecodable = 0
    var camera: CameraDescription?
}

/// One running scan: a capture thread that owns the camera, a vision thread that judges, a mailbox between them.
final class ScanSession: Sendable {
    private struct Control {
        var interrupt: (@Sendable () -> Void)?
        var ending: (FailureReason, String)?
        var isStopped = false
    }

    /// How often the vision thread looks up while no frame comes.
    private static let patience = Duration.milliseconds(100)
    /// A hung driver may take five seconds to close a device; longer than that nobody waits.
    static let closePatience = DispatchTimeInterval.seconds(6)

    let preview = PreviewFeed()
    private let provider: any FrameSourceProvider
    private let selector: String?
    private let silence: Duration
    private let observer: any ScanObserver
    private let mailbox = FrameMailbox()
    private let cameraClosed = DispatchSemaphore(value: 0)
    private let control = Mutex(Control())
    private let lastSign = Mutex(MonotonicClock.now)

    init(
        provider: any FrameSourceProvider, selector: String?, silence: Duration, observer: any ScanObserver
    ) {
        self.provider = provider
        self.selector = selector
        self.silence = silence
        self.observer = observer
    }

    /// When the vision thread last went round its loop, on the monotonic clock: the watchdog's evidence of progress.
    var lastProgress: Duration { lastSign.withLock { $0 } }

    /// Starts both threads. `model` is waited for on the vision thread.
    ///
    /// - Throws: `SystemError` where no thread can be made; the camera is then closed again.
    func start(
        settings: PipelineSettings, model: @escaping @Sendable () throws(FaceTrackingError) -> FaceModel
    ) throws(SystemError) {
        try BlockingThread.start("capture") { self.capture() }
        do {
            try BlockingThread.start("vision") { self.judge(settings, model) }
        } catch {
            stopCamera()
            throw error
        }
    }

    /// Ends the scan as failed, with `reason`; the camera is released at once. Any thread may call it.
    func end(_ reason: FailureReason, _ message: String) {
        control.withLock { if $0.ending == nil { $0.ending = (reason, message) } }
        stopCamera()
    }

    private func stopCamera() {
        let interrupt = control.withLock { control in
            control.isStopped = true
            return control.interrupt
        }
        interrupt?()
    }
}

// MARK: - Capture thread

extension ScanSession {
    private func capture() {
        defer { cameraClosed.signal() }
        do {
            let source = try provider.open(selector)
            defer { source.close() }
            let isStopped = control.withLock { control in
                control.interrupt = source.interrupt
                return control.isStopped
            }
            mailbox.open(source.description)
            if !isStopped { try pass(from: source) }
            mailbox.close(nil)
        } catch {
            mailbox.close(error)
        }
        control.withLock { $0.interrupt = nil }
    }

    private func pass(from source: any FrameSource) throws(CameraError) {
        while true {
            switch try source.next(timeout: silence) {
            case .frame(let frame): mailbox.put(frame)
            case .ended: return
            case .nothing:
                throw CameraError(
                    .lost, "\(source.description.name) sent no picture for \(silence.wholeMilliseconds) ms")
            }
        }
    }
}

// MARK: - Vision thread

extension ScanSession {
    private func judge(
        _ settings: PipelineSettings, _ model: @Sendable () throws(FaceTrackingError) -> FaceModel
    ) {
        var facts = ScanFacts()
        let last: ScanEvent
        do {
            let pipeline = try ScanPipeline(
                settings: settings, model: try model(), seed: .random(in: .min ... .max))
            last = run(pipeline, &facts)
            facts.damaged = pipeline.damaged
            facts.undecodable = pipeline.undecodable
        } catch {
            last = ScanEvent(time: .zero, kind: .failed(.modelMissing, message: "\(error)"))
        }
        stopCamera()
        if cameraClosed.wait(timeout: .now() + Self.closePatience) != .success {
            Log.error("the camera can't be closed: its driver hangs")
        }
        preview.close()
        facts.dropped = mailbox.dropped
        observer.scanEnded(last, facts)
    }

    /// Judges frames until the terminal event, which is returned and not announced.
    private func run(_ pipeline: ScanPipeline, _ facts: inout ScanFacts) -> ScanEvent {
        while true {
            lastSign.withLock { $0 = MonotonicClock.now }
            for event in step(pipeline, &facts) {
                if event.isTerminal { return event }
                observer.scanHappened(event)
            }
        }
    }

    private func step(_ pipeline: ScanPipeline, _ facts: inout ScanFacts) -> [ScanEvent] {
        let delivery = mailbox.take(timeout: Self.patience)
        if let (reason, message) = control.withLock({ $0.ending }) {
            return pipeline.fail(reason, message, at: MonotonicClock.now)
        }
        switch delivery {
        case .opened(let camera):
            facts.camera = camera
            observer.scanStarted(camera)
            return []
        case .frame(let frame):
            facts.frames += 1
            let events = pipeline.process(frame)
            if let picture = pipeline.picture { preview.publish(picture, at: frame.time) }
            return events
        case .nothing: return pipeline.advance(to: MonotonicClock.now)
        case .closed(let error): return close(pipeline, error)
        }
    }

    private func close(_ pipeline: ScanPipeline, _ error: CameraError?) -> [ScanEvent] {
        pipeline.fail(
            error?.reason ?? .cameraLost, error?.message ?? "the source has no more pictures",
            at: MonotonicClock.now)
    }
}
