import CV4L2

/// A buffer's memory, which lives as long as the driver or a mapping needs it.
final class FakeMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        bytes = .allocate(byteCount: max(1, count), alignment: 4096)
        scribble()
    }

    deinit {
        bytes.deallocate()
    }

    /// What a driver may do to a buffer as soon as it has it: whoever still reads it sees this.
    func scribble() {
        bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
    }
}

/// A plugged-in camera: its format, its buffers, and the frames on their way. All access is under the kernel's lock.
final class FakeStream {
    let device: FakeDevice
    var format: v4l2_pix_format
    var interval = v4l2_fract(numerator: 1, denominator: 30)
    /// The descriptor that has buffers; others get EBUSY.
    var owner: CInt?
    /// Unplugged.
    var isGone = false
    /// A fatal error, until the stream is stopped.
    var isBroken = false
    private(set) var isStreaming = false
    private(set) var memories: [FakeMemory] = []
    private(set) var withoutBuffer = 0

    private var queued: [Int] = []
    private var filled: [v4l2_buffer] = []
    private var frameNumber = 0
    private var sequence: UInt32 = 0
    private var upcoming: (frame: ScriptedFrame, due: Duration)?

    init(_ device: FakeDevice) {
        self.device = device
        format = v4l2_pix_format()
    }

    var hasFilled: Bool { !filled.isEmpty }

    /// Filled buffers that the program has taken and not given back.
    var held: Int { isStreaming ? memories.count - queued.count - filled.count : 0 }

    /// When the next frame comes; nil for never.
    var nextDue: Duration? { isStreaming && !isGone && !isBroken ? upcoming?.due : nil }

    func allocate(_ count: Int) {
        stop()
        memories = (0..<count).map { _ in FakeMemory(count: Int(format.sizeimage)) }
    }

    func start(at now: Duration) {
        isStreaming = true
        sequence = 0
        if let frame = upcoming?.frame { upcoming = (frame, now + frame.wait) } else { schedule(after: now) }
    }

    func stop() {
        isStreaming = false
        isBroken = false
        queued = []
        filled = []
    }

    /// Whether the buffer was the program's.
    func queue(_ index: Int) -> Bool {
        guard !queued.contains(index), !filled.contains(where: { Int($0.index) == index }) else { return false }
        memories[index].scribble()
        queued.append(index)
        return true
    }

    func dequeue() -> v4l2_buffer? { filled.isEmpty ? nil : filled.removeFirst() }

    /// Fills buffers with the frames that are due.
    func advance(to now: Duration) {
        while let due = nextDue, due <= now, let frame = upcoming?.frame {
            sequence += frame.lostBefore
            if queued.isEmpty {
                withoutBuffer += 1
            } else {
                filled.append(fill(queued.removeFirst(), with: frame, at: due))
            }
            sequence += 1
            schedule(after: due)
        }
    }

    private func schedule(after time: Duration) {
        upcoming = device.frames(frameNumber).map { ($0, time + $0.wait) }
        frameNumber += 1
    }

    private func fill(_ index: Int, with frame: ScriptedFrame, at time: Duration) -> v4l2_buffer {
        let memory = memories[index].bytes
        let count = min(frame.bytes.count, memory.count)
        frame.bytes.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        var buffer = v4l2_buffer()
        buffer.index = UInt32(index)
        buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        buffer.length = UInt32(memory.count)
        buffer.bytesused = frame.claimedLength ?? UInt32(count)
        buffer.sequence = sequence
        buffer.field = V4L2_FIELD_NONE.rawValue
        buffer.flags = UInt32(V4L2_BUF_FLAG_MAPPED)
        if frame.isErroneous { buffer.flags |= UInt32(V4L2_BUF_FLAG_ERROR) }
        switch frame.stamp {
        case .arrival: buffer.stamp(time, clock: V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        case .monotonic(let claimed): buffer.stamp(claimed, clock: V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        case .unknown(let claimed): buffer.stamp(claimed, clock: V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN)
        }
        return buffer
    }
}

extension v4l2_buffer {
    fileprivate mutating func stamp(_ time: Duration, clock: CInt) {
        flags |= UInt32(clock)
        timestamp.tv_sec = Int(time.components.seconds)
        timestamp.tv_usec = Int(time.components.attoseconds / 1_000_000_000_000)
    }
}
