import Camera
import Imaging
import LivenessTestKit
import Platform
import Synchronization

/// A camera that sees a lively synthetic person, and counts how often it is open.
struct LivelyCameras: FrameSourceProvider {
    let open = OpenCount()
    private let cameras: SyntheticCameras

    init(_ performance: SyntheticPerformance = .lively) throws {
        cameras = SyntheticCameras(
            scene: SyntheticScene([try SyntheticPortrait(.first)]), performances: [performance])
    }

    func list() throws(CameraError) -> [CameraDescription] { try cameras.list() }

    func open(_ selector: String?) throws(CameraError) -> any FrameSource {
        CountedSource(try cameras.open(selector), open)
    }
}

/// How many sources are open now.
final class OpenCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func change(by step: Int) { count.add(step, ordering: .sequentiallyConsistent) }
}

/// A source that is counted while it is open.
private final class CountedSource: FrameSource {
    private let source: any FrameSource
    private let open: OpenCount
    private var isOpen = true

    init(_ source: any FrameSource, _ open: OpenCount) {
        self.source = source
        self.open = open
        open.change(by: 1)
    }

    deinit { close() }

    var description: CameraDescription { source.description }
    var interrupt: @Sendable () -> Void { source.interrupt }
    func next(timeout: Duration) throws(CameraError) -> FrameWait { try source.next(timeout: timeout) }

    func close() {
        source.close()
        if isOpen { open.change(by: -1) }
        isOpen = false
    }
}

/// Cameras that fail in one way.
struct FailingCameras: FrameSourceProvider {
    enum Failure: Sendable {
        case opening(CameraFault)
        /// After so many frames.
        case streaming(CameraFault, after: Int)
        /// Nothing comes after so many frames.
        case silence(after: Int)
    }

    let failure: Failure

    func list() throws(CameraError) -> [CameraDescription] {
        if case .opening(let fault) = failure { throw CameraError(fault, "as the test wants it") }
        return [SyntheticCameras.description]
    }

    func open(_ selector: String?) throws(CameraError) -> any FrameSource {
        if case .opening(let fault) = failure { throw CameraError(fault, "as the test wants it") }
        let portrait: SyntheticPortrait
        do {
            portrait = try SyntheticPortrait(.first)
        } catch {
            throw CameraError(.lost, "\(error)")
        }
        let scene = SyntheticScene([portrait])
        return FailingSource(
            try SyntheticSource(scene: scene, performances: [.natural], pace: .realTime), failure)
    }
}

private final class FailingSource: FrameSource {
    private let source: any FrameSource
    private let failure: FailingCameras.Failure
    private var count = 0

    init(_ source: any FrameSource, _ failure: FailingCameras.Failure) {
        self.source = source
        self.failure = failure
    }

    var description: CameraDescription { source.description }
    var interrupt: @Sendable () -> Void { source.interrupt }
    func close() { source.close() }

    func next(timeout: Duration) throws(CameraError) -> FrameWait {
        count += 1
        switch failure {
        case .streaming(let fault, let after) where count > after: throw CameraError(fault, "as the test wants it")
        case .silence(let after) where count > after: return .nothing
        default: return try source.next(timeout: timeout)
        }
    }
}
