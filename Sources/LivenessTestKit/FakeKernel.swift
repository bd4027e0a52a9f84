import CV4L2
import Camera
import Glibc
import Synchronization

/// A kernel that plays scripted cameras, with time that passes only while somebody waits.
public final class FakeKernel: V4L2Kernel {
    private let state: Mutex<FakeKernelState>

    /// A kernel with these cameras.
    public init(_ cameras: [FakeCamera] = [FakeCamera()]) {
        state = Mutex(FakeKernelState(cameras))
    }

    /// What was done so far.
    public var record: FakeKernelRecord { state.withLock { $0.record } }

    /// Makes a request fail with `errno`, the first `times` times after `skipping` others.
    public func fail(_ request: V4L2Request, with errno: CInt, times: Int = 1, skipping: Int = 0) {
        state.withLock {
            $0.faults.append(.init(request: request.name, errno: errno, times: times, skipping: skipping))
        }
    }

    /// Makes `open` fail with `errno` from now on; nil for success again.
    public func failOpening(with errno: CInt?) { state.withLock { $0.openingFault = errno } }

    /// See `V4L2Kernel`.
    public var now: Duration { state.withLock { $0.now } }

    /// See `V4L2Kernel`.
    public func open(_ path: String) -> CInt { state.withLock { $0.open(path) } }

    /// See `V4L2Kernel`.
    public func close(_ descriptor: CInt) -> CInt { state.withLock { $0.close(descriptor) } }

    /// See `V4L2Kernel`.
    public func ioctl(_ descriptor: CInt, _ request: V4L2Request, _ argument: UnsafeMutableRawPointer) -> CInt {
        let place = Int(bitPattern: argument)
        return state.withLock { state in
            // The address crosses as a number: it is used during this call only.
            guard let argument = UnsafeMutableRawPointer(bitPattern: place) else { return -EFAULT }
            return state.run(request, descriptor, argument)
        }
    }

    /// See `V4L2Kernel`.
    public func map(_ descriptor: CInt, length: Int, offset: Int64, start: inout UnsafeRawPointer?) -> CInt {
        guard let place = state.withLock({ $0.map(descriptor, length, Int(offset)) }) else { return -EINVAL }
        start = UnsafeRawPointer(bitPattern: place)
        return 0
    }

    /// See `V4L2Kernel`.
    public func unmap(_ start: UnsafeRawPointer, length: Int) -> CInt {
        state.withLock { $0.record.mappedBuffers -= 1 }
        return 0
    }

    /// See `V4L2Kernel`.
    public func poll(_ entries: UnsafeMutableBufferPointer<pollfd>, milliseconds: CInt) -> CInt {
        // What interrupts a wait is a real descriptor.
        var wake = entries[1]
        if Glibc.poll(&wake, 1, 0) > 0 {
            entries[1].revents = wake.revents
            return 1
        }
        entries[0].revents = state.withLock { $0.wait(entries[0].fd, .milliseconds(Int(milliseconds))) }
        return entries[0].revents == 0 ? 0 : 1
    }
}
