import Camera
import Dispatch
import Imaging
import Platform
import Synchronization

/// What the capture thread hands to the vision thread: the newest frame, or how capturing ended.
///
/// A frame that was not taken before the next one came is dropped: judging an old picture helps nobody.
final class FrameMailbox: Sendable {
    enum Delivery {
        case opened(CameraDescription)
        case frame(Frame)
        /// Nothing came in the given time.
        case nothing
        /// The source gives no more; nil where it was stopped from this side.
        case closed(CameraError?)
    }

    private struct State {
        var opened: CameraDescription?
        var frame: Frame?
        var isClosed = false
        var error: CameraError?
        var dropped = 0
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)

    /// How many frames were replaced before they were taken.
    var dropped: Int { state.withLock { $0.dropped } }

    func open(_ description: CameraDescription) {
        state.withLock { $0.opened = description }
        filled.signal()
    }

    func put(_ frame: Frame) {
        let replaced = state.withLock { state in
            defer { state.frame = frame }
            if state.frame != nil { state.dropped += 1 }
            return state.frame != nil
        }
        if !replaced { filled.signal() }
    }

    func close(_ error: CameraError?) {
        state.withLock {
            $0.isClosed = true
            $0.error = error
        }
        filled.signal()
    }

    /// The next delivery, waited for at most `timeout`. A frame that came before the end is still delivered.
    func take(timeout: Duration) -> Delivery {
        guard filled.wait(timeout: .now() + .nanoseconds(Int(timeout.wholeNanoseconds))) == .success else {
            return .nothing
        }
        return state.withLock { state in
            if let description = state.opened {
                state.opened = nil
                return .opened(description)
            }
            if let frame = state.frame {
                state.frame = nil
                return .frame(frame)
            }
            return state.isClosed ? .closed(state.error) : .nothing
        }
    }
}
