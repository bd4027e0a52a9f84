import Camera
import FaceTracking
import Liveness
import LivenessInterface
import Platform
import Synchronization
import Varlink

/// The interface `io.livenessd.Liveness`: calls to running scans, one at a time.
public final class LivenessEndpoint: VarlinkInterface {
    private struct Running {
        var scan: RunningScan
        var session: ScanSession
    }

    private struct State {
        var running: Running?
        var isStopping = false
    }

    /// See `VarlinkInterface`.
    public let name = LivenessInterfaceText.name
    /// See `VarlinkInterface`.
    public let text = LivenessInterfaceText.text
    /// See `VarlinkInterface`.
    public let methods: Set<String> = ["Scan", "Preview", "Cancel", "ListCameras", "GetStatus", "GetMetrics"]

    private let provider: any FrameSourceProvider
    private let source: ReportedSource
    private let settings: PipelineSettings
    private let model: ModelStore
    private let silence: Duration
    private let counters = ServiceCounters()
    private let state = Mutex(State())

    /// Scans what `provider` opens; `source` is what status says of it. A camera that sends nothing for `silence` is
    /// lost.
    public init(
        provider: any FrameSourceProvider, source: ReportedSource, settings: PipelineSettings, modelPath: String,
        silence: Duration = .seconds(5)
    ) {
        self.silence = silence
        self.provider = provider
        self.source = source
        self.settings = settings
        model = ModelStore(path: modelPath)
    }

    /// Begins to read the model.
    ///
    /// - Throws: `SystemError` where no thread can be made.
    public func prepare() throws(SystemError) { try model.preload() }

    /// When the running scan last made progress, on the monotonic clock; nil while none runs.
    public var lastProgress: Duration? { state.withLock { $0.running?.session.lastProgress } }

    /// Refuses new scans, ends the running one and waits for its camera to close.
    public func stop() {
        let running = state.withLock { state in
            state.isStopping = true
            return state.running
        }
        running?.session.end(.stopping, "the service is going down")
        running?.scan.waitForEnd(atMost: ScanSession.closePatience)
    }

    /// See `VarlinkInterface`.
    public func handle(_ call: VarlinkCall) {
        do throws(VarlinkError) {
            switch call.method {
            case "Scan": try scan(call)
            case "Preview": try preview(call)
            case "Cancel": try cancel(call)
            case "ListCameras": try listCameras(call)
            case "GetStatus": call.reply(status)
            default: call.reply(MetricsText(text: counters.text(isBusy: state.withLock { $0.running != nil })))
            }
        } catch {
            call.fail(error)
        }
    }
}

// MARK: - Scan

extension LivenessEndpoint {
    private func scan(_ call: VarlinkCall) throws(VarlinkError) {
        guard call.wantsMore else { throw .expectedMore }
        let request = try call.parameters(ScanRequest.self)
        let scan = RunningScan(
            call: call, transport: request.media, guide: Guide(settings.liveness),
            ended: { [weak self] last, facts in self?.finish(last, facts) })
        let session = ScanSession(
            provider: provider, selector: request.camera, silence: silence, observer: scan)
        try begin(Running(scan: scan, session: session))
        call.onHangUp { session.end(.cancelled, "the client has gone") }
        do {
            let model = model
            try session.start(settings: settings) { () throws(FaceTrackingError) in try model.get() }
        } catch {
            state.withLock { $0.running = nil }
            throw refusal(.internalError, "\(error)")
        }
        Log.info("a scan begins", ["PID": "\(scan.holder.process)", "UID": "\(scan.holder.user)"])
    }

    private func begin(_ running: Running) throws(VarlinkError) {
        let refusal = state.withLock { state -> Refusal? in
            if state.isStopping { return Refusal(reason: .stopping, message: "the service is going down") }
            if let other = state.running {
                let holder = other.scan.holder
                return Refusal(
                    reason: .busy, message: "a scan of process \(holder.process) is running", holder: holder)
            }
            state.running = running
            return nil
        }
        if let refusal { throw VarlinkError(Refusal.name, refusal) }
    }

    private func finish(_ last: ScanEvent, _ facts: ScanFacts) {
        counters.count(last, facts)
        ScanLog.write(last, facts)
        state.withLock { $0.running = nil }
    }

    private func refusal(_ reason: FailureReason, _ message: String) -> VarlinkError {
        VarlinkError(Refusal.name, Refusal(reason: reason, message: message))
    }
}

// MARK: - About a running scan

extension LivenessEndpoint {
    private func running(_ id: String, for peer: PeerCredentials) throws(VarlinkError) -> Running {
        let running = state.withLock { $0.running }
        guard let running, running.scan.id == id, peer.userID == UInt32(running.scan.holder.user) else {
            throw refusal(.unknownScan, "no running scan of this user has that id")
        }
        return running
    }

    private func preview(_ call: VarlinkCall) throws(VarlinkError) {
        guard call.wantsMore else { throw .expectedMore }
        let request = try call.parameters(PreviewRequest.self)
        let rate = request.rate ?? 10
        let width = request.width ?? 640
        guard rate.isFinite, rate >= 0.1, rate <= 120 else { throw .invalidParameter("rate") }
        guard width >= 16, width <= 4096 else { throw .invalidParameter("width") }
        let feed = try running(request.id, for: call.peer).session.preview
        let replies = PreviewReplies(call: call, transport: request.media)
        replies.watch()
        do {
            try feed.add(replies, maximumRate: rate, maximumWidth: width)
        } catch {
            throw refusal(.internalError, "\(error)")
        }
    }

    private func cancel(_ call: VarlinkCall) throws(VarlinkError) {
        let request = try call.parameters(CancelRequest.self)
        try running(request.id, for: call.peer).session.end(.cancelled, "by a call of Cancel")
        call.reply(Nothing())
    }
}

// MARK: - About the service

extension LivenessEndpoint {
    /// Devices are asked on a thread of its own: one whose driver hangs must not hold up the socket.
    private func listCameras(_ call: VarlinkCall) throws(VarlinkError) {
        do {
            try BlockingThread.start("list") { [provider] in
                do throws(CameraError) {
                    call.reply(CameraList(cameras: try provider.list().map(ReportedCamera.init)))
                } catch {
                    call.fail(VarlinkError(Refusal.name, Refusal(reason: error.reason, message: error.message)))
                }
            }
        } catch {
            throw refusal(.internalError, "\(error)")
        }
    }

    private var status: ServiceStatus {
        var status = ServiceStatus(
            version: ServiceVersion.text, source: source, uptimeMs: Int(counters.uptime.wholeMilliseconds),
            scans: counters.scans, modelLoaded: model.isLoaded)
        if let scan = state.withLock({ $0.running?.scan }) {
            status.busy = true
            status.holder = scan.holder
            status.phase = scan.phase
        }
        return status
    }
}
