import Camera
import Glibc
import Imaging
import Platform
import Synchronization

/// Synthetic people before a camera that does not exist.
public final class SyntheticSource: FrameSource {
    /// When the pictures come.
    public enum Pace: Sendable {
        /// As fast as they are asked for; times count from zero.
        case immediate
        /// At the scene's frame rate; times are on the monotonic clock.
        case realTime
    }

    /// What is open.
    public let description: CameraDescription
    private let scene: SyntheticScene
    private let performances: [SyntheticPerformance]
    private let pace: Pace
    private let renderer: SyntheticRenderer
    private let wake: WakeUp
    private let isInterrupted = Interruption()
    private var index = 0
    private var start: Duration?
    private var isClosed = false

    /// A camera that sees `scene`, whose people do what `performances` say.
    ///
    /// - Throws: `CameraError` where no descriptor is left.
    public init(
        scene: SyntheticScene, performances: [SyntheticPerformance], pace: Pace,
        description: CameraDescription = SyntheticCameras.description
    ) throws(CameraError) {
        self.scene = scene
        self.performances = performances
        self.pace = pace
        self.description = description
        renderer = SyntheticRenderer(scene)
        do {
            wake = try WakeUp()
        } catch {
            throw CameraError(.lost, "\(error)")
        }
    }

    /// Ends a wait in `next`, now or when it is next called.
    public var interrupt: @Sendable () -> Void {
        { [wake, isInterrupted] in
            isInterrupted.flag.store(true, ordering: .releasing)
            wake.signal()
        }
    }

    /// The next picture, which never ends by itself.
    public func next(timeout: Duration) throws(CameraError) -> FrameWait {
        guard !isClosed, !isInterrupted.flag.load(ordering: .acquiring) else { return .ended }
        let elapsed = Duration.seconds(Double(index) / scene.frameRate)
        let base = start ?? (pace == .immediate ? .zero : MonotonicClock.now)
        start = base
        if pace == .realTime, !waitUntil(base + elapsed, atMost: timeout) {
            return isInterrupted.flag.load(ordering: .acquiring) ? .ended : .nothing
        }
        index += 1
        return .frame(renderer.draw(performances.compactMap { $0.pose(at: elapsed) }, at: base + elapsed))
    }

    /// Stops the pictures.
    public func close() { isClosed = true }

    /// Whether `time` came within `timeout` and nobody interrupted.
    private func waitUntil(_ time: Duration, atMost timeout: Duration) -> Bool {
        let wait = time - MonotonicClock.now
        guard wait > .zero else { return true }
        var entry = pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0)
        // A signal may end the wait early; the picture then comes a moment before its time.
        _ = poll(&entry, 1, CInt(clamping: (min(wait, timeout).wholeNanoseconds + 999_999) / 1_000_000))
        return wait <= timeout && !isInterrupted.flag.load(ordering: .acquiring)
    }
}

private final class Interruption: Sendable {
    let flag = Atomic(false)
}

/// One camera that sees synthetic people.
public struct SyntheticCameras: FrameSourceProvider {
    /// What the camera is called.
    public static let description = CameraDescription(
        id: "synthetic", name: "Synthetic camera", node: "none", kind: .virtual)

    private let scene: SyntheticScene
    private let performances: [SyntheticPerformance]

    /// A camera that sees `scene` in real time.
    public init(scene: SyntheticScene, performances: [SyntheticPerformance]) {
        self.scene = scene
        self.performances = performances
    }

    /// The one camera.
    public func list() throws(CameraError) -> [CameraDescription] { [Self.description] }

    /// Opens it; people begin anew.
    ///
    /// - Throws: `CameraError`.
    public func open(_ selector: String?) throws(CameraError) -> any FrameSource {
        try SyntheticSource(scene: scene, performances: performances, pace: .realTime)
    }
}
