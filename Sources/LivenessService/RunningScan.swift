import Camera
import Dispatch
import Imaging
import Liveness
import LivenessInterface
import Platform
import Synchronization
import Varlink

/// A scan that belongs to a call: says to its peer what the session observes.
final class RunningScan: ScanObserver {
    private struct State {
        var phase: Phase?
        var source = SourceKind.camera
    }

    /// 128 random bits in hexadecimal digits.
    let id: String
    let holder: Holder
    private let call: VarlinkCall
    private let transport: MediaTransport?
    private let guide: Guide
    private let ended: @Sendable (ScanEvent, ScanFacts) -> Void
    private let state = Mutex(State())
    private let answered = DispatchSemaphore(value: 0)

    /// `ended` is called when the camera is closed, before the peer learns the result.
    init(
        call: VarlinkCall, transport: MediaTransport?, guide: Guide,
        ended: @escaping @Sendable (ScanEvent, ScanFacts) -> Void
    ) {
        var generator = SystemRandomNumberGenerator()
        id = (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        holder = Holder(process: Int(call.peer.processID), user: Int(call.peer.userID))
        self.call = call
        self.transport = transport
        self.guide = guide
        self.ended = ended
    }

    /// Where the scan is.
    var phase: Phase? { state.withLock { $0.phase } }

    func scanStarted(_ camera: CameraDescription) {
        state.withLock { $0.source = camera.kind }
        let started = ScanStarted(
            id: id, source: ReportedSource(camera.kind), camera: ReportedCamera(camera), guide: guide)
        call.reply(ScanReply(started: started), continues: true)
    }

    func scanHappened(_ event: ScanEvent) {
        if case .phase(let phase) = event.kind { state.withLock { $0.phase = phase } }
        answer(event, continues: true)
    }

    func scanEnded(_ last: ScanEvent, _ facts: ScanFacts) {
        ended(last, facts)
        answer(last, continues: false)
        answered.signal()
    }

    /// Waits until the last reply is on its way, but not for ever.
    func waitForEnd(atMost patience: DispatchTimeInterval) {
        _ = answered.wait(timeout: .now() + patience)
    }

    private func answer(_ event: ScanEvent, continues: Bool) {
        var parcel = MediaParcel(transport)
        do {
            let reply = try event.reply(from: state.withLock { $0.source }, packing: &parcel)
            call.reply(reply, descriptors: parcel.descriptors, continues: continues)
        } catch {
            Log.error("the media can't be handed over: \(error)")
            call.reply(
                ScanReply(failed: ScanFailed(reason: .internalError, message: "the media can't be handed over")))
        }
    }
}

/// A call of `Preview` as a viewer of a scan's pictures.
final class PreviewReplies: PreviewViewer {
    private let call: VarlinkCall
    private let transport: MediaTransport?
    private let gone = Atomic(false)

    init(call: VarlinkCall, transport: MediaTransport?) {
        self.call = call
        self.transport = transport
    }

    /// Watches for the peer's end.
    func watch() {
        call.onHangUp { [self] in gone.store(true, ordering: .releasing) }
    }

    var isGone: Bool { gone.load(ordering: .acquiring) }

    /// Nothing of the last picture is left on this side.
    var isReady: Bool { call.pendingBytes == 0 }

    func show(_ still: Still) {
        var parcel = MediaParcel(transport)
        do {
            let medium = try parcel.pack(still)
            call.reply(PreviewReply(picture: medium), descriptors: parcel.descriptors, continues: true)
        } catch {
            Log.warning("a preview picture can't be handed over: \(error)")
        }
    }

    func end() { call.reply(PreviewReply(picture: nil)) }
}
