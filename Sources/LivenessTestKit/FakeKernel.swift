import CV4L2
import Camera
import Glibc
import Synchronization

// @unchecked: every access to `state` is under `lock`.
/// A kernel whose cameras are scripted, with a clock that moves on only while somebody waits in `poll`.
///
/// Cameras are plugged in by `plug`; faults are added by `fail`, `delay`, `alter`, `breakStream` and `unplug`, at once
/// or, by `schedule`, at a virtual time. Everything that a program does is recorded. Real descriptors in a poll, those
/// of wake-ups, are asked as they are.
public final class FakeKernel: V4L2Kernel, @unchecked Sendable {
    private let lock = Mutex(())
    private var state: FakeKernelState

    /// A machine without cameras, whose clock shows `start`.
    public init(start: Duration = .seconds(1000)) {
        state = FakeKernelState(now: start)
    }

    /// Connects a camera as the node `path`.
    public func plug(_ device: FakeDevice, at path: String) {
        locked { $0.cameras[path] = FakeStream(device) }
    }

    /// Takes a camera away: open descriptors get ENODEV, and opening gets ENOENT.
    public func unplug(_ path: String) {
        locked { $0.cameras.removeValue(forKey: path)?.isGone = true }
    }

    /// Stops a camera's stream by a fatal error: EIO until it is started anew.
    public func breakStream(_ path: String) {
        locked { $0.cameras[path]?.isBroken = true }
    }

    /// Lets `times` calls fail with `errno` after `skipping` ones that go well, on `path` or on any node.
    public func fail(
        _ call: FakeCall, with errno: CInt, skipping: Int = 0, times: Int = 1, on path: String? = nil
    ) {
        add(FakeFault(call: call, node: path, skipping: skipping, times: times, effect: .failure(errno)))
    }

    /// Lets calls take a virtual time before they do what they do.
    public func delay(
        _ call: FakeCall, by time: Duration, skipping: Int = 0, times: Int = 1, on path: String? = nil
    ) {
        add(FakeFault(call: call, node: path, skipping: skipping, times: times, effect: .delay(time)))
    }

    /// Changes the answers of requests that succeed; `Argument` is the struct that the request names. `change` must
    /// not call the kernel.
    public func alter<Argument>(
        _ request: V4L2Request, _: Argument.Type, skipping: Int = 0, times: Int = .max, on path: String? = nil,
        _ change: @escaping @Sendable (inout Argument) -> Void
    ) {
        let effect = FakeFault.Effect.alteration { change(&$0.assumingMemoryBound(to: Argument.self).pointee) }
        add(FakeFault(call: .request(request), node: path, skipping: skipping, times: times, effect: effect))
    }

    /// Forgets all faults that are still to come.
    public func mend() {
        locked { $0.faults.removeAll() }
    }

    /// Runs `action` when somebody's wait reaches the time `delay` from now; it may call the kernel.
    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        locked { $0.schedule(at: $0.now + delay, action) }
    }

    /// Moves the clock on, as work that takes time does.
    public func advance(by time: Duration) {
        locked { $0.move(to: $0.now + time) }
    }

    /// The virtual time.
    public var now: Duration { locked { $0.now } }

    /// The calls so far, oldest first.
    public var records: [FakeCallRecord] { locked { $0.records } }

    /// Stops or resumes recording; long runs don't need the memory.
    public var isRecording: Bool {
        get { locked { $0.isRecording } }
        set { locked { $0.isRecording = newValue } }
    }

    /// What the program holds and did wrong.
    public var ledger: FakeLedger { locked { $0.balance() } }

    /// See `V4L2Kernel`.
    public func open(_ path: String) -> CInt { locked { $0.open(path) } }

    /// See `V4L2Kernel`.
    public func close(_ descriptor: CInt) -> CInt { locked { $0.close(descriptor) } }

    /// See `V4L2Kernel`.
    public func ioctl(_ descriptor: CInt, _ request: V4L2Request, _ argument: UnsafeMutableRawPointer) -> CInt {
        locked { $0.ioctl(descriptor, request, argument) }
    }

    /// See `V4L2Kernel`.
    public func map(_ descriptor: CInt, length: Int, offset: Int64, start: inout UnsafeRawPointer?) -> CInt {
        locked { $0.map(descriptor, length: length, offset: offset, start: &start) }
    }

    /// See `V4L2Kernel`.
    public func unmap(_ start: UnsafeRawPointer, length: Int) -> CInt {
        locked { $0.unmap(start, length: length) }
    }

    /// See `V4L2Kernel`. Where nothing is ever to come and no time limit is given it waits for the real descriptors.
    public func poll(_ entries: UnsafeMutableBufferPointer<pollfd>, milliseconds: CInt) -> CInt {
        let failure = locked { $0.beginPoll() }
        if failure < 0 { return failure }
        let deadline = milliseconds < 0 ? nil : now + .milliseconds(milliseconds)
        while true {
            if let action = locked({ $0.takeDueAction() }) {
                action()
                continue
            }
            let ready = mark(entries, waiting: false)
            if ready > 0 { return ready }
            let moved = locked { $0.moveToNextEvent(before: deadline) }
            if !moved { return deadline == nil ? mark(entries, waiting: true) : 0 }
        }
    }

    /// Sets each entry's events; how many have any.
    private func mark(_ entries: UnsafeMutableBufferPointer<pollfd>, waiting: Bool) -> CInt {
        var count: CInt = 0
        for index in entries.indices {
            if let events = locked({ $0.events(of: entries[index].fd) }) {
                entries[index].revents = events & (entries[index].events | Int16(POLLERR | POLLHUP))
            } else {
                var entry = entries[index]
                Glibc.poll(&entry, 1, waiting ? -1 : 0)
                entries[index].revents = entry.revents
            }
            if entries[index].revents != 0 { count += 1 }
        }
        return count
    }

    private func add(_ fault: FakeFault) {
        locked { $0.faults.add(fault) }
    }

    private func locked<Result: Sendable>(_ body: (inout FakeKernelState) -> Result) -> Result {
        lock.withLock { _ in body(&state) }
    }
}
