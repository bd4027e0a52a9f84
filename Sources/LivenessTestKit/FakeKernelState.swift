import CV4L2
import Camera
import Glibc

/// The inside of a `FakeKernel`: one open camera at a time, its buffers and its script.
struct FakeKernelState {
    struct Fault {
        var request: String
        var errno: CInt
        var times: Int
        var skipping: Int
    }

    /// Memory that the program maps.
    private final class Buffer: @unchecked Sendable {
        // @unchecked: reached only under the fake kernel's lock, and by the program between DQBUF and QBUF.
        let memory: UnsafeMutableRawBufferPointer

        init(_ size: Int) {
            memory = .allocate(byteCount: size, alignment: 64)
        }

        deinit {
            memory.deallocate()
        }
    }

    private struct Open {
        var camera: Int
        var format = ""
        var width = 0
        var height = 0
        var buffers: [Buffer] = []
        var queued: [UInt32] = []
    }

    var now = Duration.seconds(1000)
    var record = FakeKernelRecord()
    var faults: [Fault] = []
    var openingFault: CInt?
    private var cameras: [FakeCamera]
    private var open: [CInt: Open] = [:]
    private var unplugged: Set<Int> = []
    private var sequence: UInt32 = 0
    private var nextDescriptor: CInt = 100_000

    init(_ cameras: [FakeCamera]) {
        self.cameras = cameras
    }

    mutating func open(_ path: String) -> CInt {
        if let openingFault { return -openingFault }
        guard let index = cameras.firstIndex(where: { $0.node == path }), !unplugged.contains(index) else {
            return -ENOENT
        }
        nextDescriptor += 1
        open[nextDescriptor] = Open(camera: index)
        record.openDescriptors += 1
        return nextDescriptor
    }

    mutating func close(_ descriptor: CInt) -> CInt {
        guard open.removeValue(forKey: descriptor) != nil else { return -EBADF }
        record.openDescriptors -= 1
        return 0
    }

    mutating func map(_ descriptor: CInt, _ length: Int, _ offset: Int) -> Int? {
        guard let device = open[descriptor], device.buffers.indices.contains(offset) else { return nil }
        record.mappedBuffers += 1
        return device.buffers[offset].memory.baseAddress.map { Int(bitPattern: $0) }
    }

    /// The events that `poll` tells of the device, after as much time as it takes for one to come.
    mutating func wait(_ descriptor: CInt, _ timeout: Duration) -> Int16 {
        guard let device = open[descriptor] else { return Int16(POLLNVAL) }
        record.fewestQueued = min(record.fewestQueued ?? .max, device.queued.count)
        let end = now + timeout
        while let event = cameras[device.camera].events.first {
            switch event {
            case .silence(let length):
                guard now + length <= end else {
                    cameras[device.camera].events[0] = .silence(length - (end - now))
                    now = end
                    return 0
                }
                now += length
                cameras[device.camera].events.removeFirst()
            case .picture(let picture) where device.queued.isEmpty:
                now += picture.interval
                record.dropped += 1
                sequence += 1
                cameras[device.camera].events.removeFirst()
            case .picture, .failure: return Int16(POLLIN)
            case .unplugged:
                unplugged.insert(device.camera)
                return Int16(POLLERR | POLLHUP)
            }
        }
        now = end
        return 0
    }
}

// MARK: - Requests

extension FakeKernelState {
    mutating func run(_ request: V4L2Request, _ descriptor: CInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        record.requests.append(request.name)
        guard let device = open[descriptor] else { return -EBADF }
        if unplugged.contains(device.camera) { return -ENODEV }
        if let errno = takeFault(request.name) { return -errno }
        let camera = cameras[device.camera]
        switch request {
        case .queryCapability: return answer(argument, v4l2_capability.self) { $0.describe(camera) }
        case .enumerateFormats: return answer(argument, v4l2_fmtdesc.self) { $0.describe(camera) }
        case .enumerateSizes: return answer(argument, v4l2_frmsizeenum.self) { $0.describe(camera) }
        case .enumerateIntervals: return answer(argument, v4l2_frmivalenum.self) { $0.describe(camera) }
        case .setFormat: return setFormat(descriptor, argument)
        case .getParameters, .setParameters: return 0
        case .requestBuffers: return requestBuffers(descriptor, argument)
        case .queryBuffer:
            return answer(argument, v4l2_buffer.self) { buffer in
                guard device.buffers.indices.contains(Int(buffer.index)) else { return -EINVAL }
                buffer.length = UInt32(camera.bufferSize)
                buffer.m.offset = buffer.index
                return 0
            }
        case .queueBuffer:
            let index = argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.index
            guard device.buffers.indices.contains(Int(index)), !device.queued.contains(index) else { return -EINVAL }
            open[descriptor]?.queued.append(index)
            return 0
        case .dequeueBuffer: return dequeue(descriptor, argument)
        case .streamOn:
            if device.width > camera.widestOnBus { return -ENOSPC }
            record.isStreaming = true
            return 0
        case .streamOff:
            record.isStreaming = false
            open[descriptor]?.queued = []
            return 0
        }
    }

    private mutating func takeFault(_ request: String) -> CInt? {
        for index in faults.indices where faults[index].request == request && faults[index].times > 0 {
            if faults[index].skipping > 0 {
                faults[index].skipping -= 1
                continue
            }
            faults[index].times -= 1
            return faults[index].errno
        }
        return nil
    }

    private func answer<Argument>(
        _ pointer: UnsafeMutableRawPointer, _ type: Argument.Type, _ body: (inout Argument) -> CInt
    ) -> CInt {
        body(&pointer.assumingMemoryBound(to: type).pointee)
    }

    private mutating func setFormat(_ descriptor: CInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        guard var device = open[descriptor] else { return -EBADF }
        let format = argument.assumingMemoryBound(to: v4l2_format.self)
        if let given = cameras[device.camera].insistsOn {
            format.pointee.fmt.pix.pixelformat = fourCC(given.name)
            format.pointee.fmt.pix.width = UInt32(given.width)
            format.pointee.fmt.pix.height = UInt32(given.height)
        }
        let pixels = format.pointee.fmt.pix
        device.width = Int(pixels.width)
        device.height = Int(pixels.height)
        let isPacked = pixels.pixelformat == fourCC("YUYV")
        format.pointee.fmt.pix.bytesperline = isPacked ? pixels.width * 2 : 0
        format.pointee.fmt.pix.sizeimage = UInt32(cameras[device.camera].bufferSize)
        open[descriptor] = device
        return 0
    }

    private mutating func requestBuffers(_ descriptor: CInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        guard let device = open[descriptor] else { return -EBADF }
        let request = argument.assumingMemoryBound(to: v4l2_requestbuffers.self)
        let size = cameras[device.camera].bufferSize
        open[descriptor]?.buffers = (0..<request.pointee.count).map { _ in Buffer(size) }
        open[descriptor]?.queued = []
        return 0
    }

    private mutating func dequeue(_ descriptor: CInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        guard let device = open[descriptor], let event = cameras[device.camera].events.first else { return -EAGAIN }
        switch event {
        case .failure(let errno):
            cameras[device.camera].events.removeFirst()
            return -errno
        case .picture(let picture):
            guard let index = device.queued.first else { return -EAGAIN }
            cameras[device.camera].events.removeFirst()
            open[descriptor]?.queued.removeFirst()
            now += picture.interval
            sequence += 1
            device.buffers[Int(index)].memory.copyBytes(
                from: picture.bytes.prefix(device.buffers[Int(index)].memory.count))
            argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.fill(picture, index, sequence, now)
            return 0
        case .silence, .unplugged: return -EAGAIN
        }
    }
}
