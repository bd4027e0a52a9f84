import CV4L2
import Camera
import Glibc

/// What the fake kernel knows; all access is under its lock.
struct FakeKernelState {
    private struct OpenNode {
        let path: String
        let camera: FakeStream
    }

    private struct Action {
        let time: Duration
        let run: @Sendable () -> Void
    }

    private(set) var now: Duration
    /// The cameras that are plugged in, by node.
    var cameras: [String: FakeStream] = [:]
    var faults = FakeFaults()
    var isRecording = true
    private(set) var records: [FakeCallRecord] = []

    private var openNodes: [CInt: OpenNode] = [:]
    private var mappings: [UnsafeRawPointer: FakeMemory] = [:]
    private var actions: [Action] = []
    private var ledger = FakeLedger()
    /// Far from the numbers of real descriptors, which a poll may contain too.
    private var nextDescriptor: CInt = 1_000_000

    init(now: Duration) {
        self.now = now
    }

    mutating func open(_ path: String) -> CInt {
        perform(.open, path) { state in
            guard let camera = state.cameras[path] else { return -ENOENT }
            let descriptor = state.nextDescriptor
            state.nextDescriptor += 1
            state.openNodes[descriptor] = OpenNode(path: path, camera: camera)
            let count = state.openNodes.values.count { $0.path == path }
            state.ledger.mostOpenOfOneNode = max(state.ledger.mostOpenOfOneNode, count)
            return descriptor
        }
    }

    mutating func close(_ descriptor: CInt) -> CInt {
        guard let node = node(descriptor, for: .close) else { return -EBADF }
        let result = perform(.close, node.path) { _ in 0 }
        // Linux closes the descriptor even where it reports an error.
        openNodes[descriptor] = nil
        if node.camera.owner == descriptor {
            node.camera.allocate(0)
            node.camera.owner = nil
        }
        return result
    }

    mutating func ioctl(_ descriptor: CInt, _ request: V4L2Request, _ argument: UnsafeMutableRawPointer) -> CInt {
        let call = FakeCall.request(request)
        guard let node = node(descriptor, for: call) else { return -EBADF }
        return perform(call, node.path, altering: argument) { state in
            let result = node.camera.answer(request, argument, for: descriptor, at: state.now)
            let isMisuse = request == .queueBuffer && result == -EINVAL
            if isMisuse { state.ledger.violations.append("\(call) of a buffer that is not the program's") }
            return result
        } finally: {
            // The driver works with what it answered.
            guard request == .setFormat else { return }
            node.camera.format = argument.assumingMemoryBound(to: v4l2_format.self).pointee.fmt.pix
        }
    }

    mutating func map(_ descriptor: CInt, length: Int, offset: Int64, start: inout UnsafeRawPointer?) -> CInt {
        guard let node = node(descriptor, for: .map) else { return -EBADF }
        var address: UnsafeRawPointer?
        let result = perform(.map, node.path) { state in
            guard !node.camera.isGone else { return -ENODEV }
            guard let memory = node.camera.memory(at: offset), length <= memory.bytes.count,
                let base = memory.bytes.baseAddress
            else { return -EINVAL }
            address = UnsafeRawPointer(base)
            state.mappings[UnsafeRawPointer(base)] = memory
            return 0
        }
        if result >= 0 { start = address }
        return result
    }

    mutating func unmap(_ start: UnsafeRawPointer, length: Int) -> CInt {
        perform(.unmap, "") { state in
            if state.mappings.removeValue(forKey: start) != nil { return 0 }
            state.ledger.violations.append("munmap of memory that is not mapped")
            return -EINVAL
        }
    }

    mutating func beginPoll() -> CInt {
        let held = openNodes.values.map(\.camera.held).max() ?? 0
        ledger.mostHeldAtPoll = max(ledger.mostHeldAtPoll, held)
        return perform(.poll, "") { _ in 0 }
    }

    /// A poll's events of a fake descriptor; nil for a real one.
    func events(of descriptor: CInt) -> Int16? {
        guard let camera = openNodes[descriptor]?.camera else { return nil }
        if camera.isGone { return Int16(POLLERR | POLLHUP) }
        if camera.isBroken || !camera.isStreaming { return Int16(POLLERR) }
        return camera.hasFilled ? Int16(POLLIN) : 0
    }

    mutating func schedule(at time: Duration, _ run: @escaping @Sendable () -> Void) {
        actions.append(Action(time: time, run: run))
    }

    mutating func takeDueAction() -> (@Sendable () -> Void)? {
        guard let index = actions.firstIndex(where: { $0.time <= now }) else { return nil }
        return actions.remove(at: index).run
    }

    /// Whether the clock moved: to the next frame or action, at most to `deadline`.
    mutating func moveToNextEvent(before deadline: Duration?) -> Bool {
        let dues = openNodes.values.compactMap(\.camera.nextDue) + actions.map(\.time)
        guard let next = (dues + [deadline].compactMap { $0 }).min(), next > now else { return false }
        move(to: next)
        return true
    }

    mutating func move(to time: Duration) {
        now = max(now, time)
        for node in openNodes.values { node.camera.advance(to: now) }
    }

    func balance() -> FakeLedger {
        var balance = ledger
        balance.openDescriptors = openNodes.count
        balance.mappings = mappings.count
        balance.buffers = cameras.values.reduce(0) { $0 + $1.memories.count }
        balance.streams = cameras.values.count { $0.isStreaming }
        balance.framesWithoutBuffer = cameras.values.reduce(0) { $0 + $1.withoutBuffer }
        return balance
    }

    private mutating func node(_ descriptor: CInt, for call: FakeCall) -> OpenNode? {
        if let node = openNodes[descriptor] { return node }
        ledger.violations.append("\(call) on a descriptor that is not open")
        return nil
    }

    /// Makes a call, with the faults that are due for it, and records it.
    private mutating func perform(
        _ call: FakeCall, _ path: String, altering argument: UnsafeMutableRawPointer? = nil,
        _ body: (inout FakeKernelState) -> CInt, finally: () -> Void = {}
    ) -> CInt {
        let time = now
        var failure: CInt?
        var alterations: [@Sendable (UnsafeMutableRawPointer) -> Void] = []
        for effect in faults.take(call, path) {
            switch effect {
            case .failure(let errno): failure = failure ?? errno
            case .delay(let delay): move(to: now + delay)
            case .alteration(let change): alterations.append(change)
            }
        }
        let result = failure.map { -$0 } ?? body(&self)
        if result >= 0, let argument {
            for alteration in alterations { alteration(argument) }
            finally()
        }
        if isRecording { records.append(FakeCallRecord(call: call, node: path, result: result, time: time)) }
        return result
    }
}
