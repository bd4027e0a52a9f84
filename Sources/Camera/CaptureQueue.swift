import CV4L2
import Glibc
import Imaging
import Platform

/// The buffers that a driver fills: mapped, queued, and queued again as soon as they were copied. One thread owns it.
final class CaptureQueue {
    /// A buffer that the driver has filled.
    struct Filled {
        /// The picture's bytes, valid until the buffer is queued again.
        var bytes: UnsafeRawBufferPointer
        /// On the driver's clock; nil where that is not the monotonic one.
        var stamp: Duration?
        var sequence: UInt32
        /// The driver said that something is missing, or told an impossible length.
        var isDamaged: Bool
        fileprivate var index: UInt32
    }

    private let device: V4L2Device
    private var buffers: [UnsafeRawBufferPointer] = []
    private var isStreaming = false

    /// Maps and queues `count` buffers, or as many as the driver gives, and starts the stream.
    ///
    /// - Throws: `SystemError`; `ENOSPC` of `VIDIOC_STREAMON` where the bus has no room.
    init(_ device: V4L2Device, count: Int) throws(SystemError) {
        self.device = device
        do throws(SystemError) {
            let given = try request(UInt32(clamping: count))
            for index in 0..<given { buffers.append(try map(index)) }
            guard buffers.count > 1 else { throw SystemError(call: "VIDIOC_REQBUFS", errno: ENOMEM) }
            for index in buffers.indices { try queue(UInt32(index)) }
            var type = captureType
            try device.call(.streamOn, &type)
            isStreaming = true
        } catch {
            stop()
            throw error
        }
    }

    deinit {
        stop()
    }

    /// The next filled buffer; nil where there is none for now.
    ///
    /// - Throws: `SystemError`; `EPROTO` where the driver names a buffer that it was not given.
    func dequeue() throws(SystemError) -> Filled? {
        var entry = Self.entry()
        do {
            try device.call(.dequeueBuffer, &entry)
        } catch {
            if error.errno == EAGAIN { return nil }
            throw error
        }
        guard entry.index < buffers.count else { throw SystemError(call: "VIDIOC_DQBUF", errno: EPROTO) }
        let buffer = buffers[Int(entry.index)]
        let used = Int(entry.bytesused)
        let isMonotonic = entry.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC
        return Filled(
            bytes: UnsafeRawBufferPointer(rebasing: buffer[..<min(used, buffer.count)]),
            stamp: isMonotonic
                ? .seconds(entry.timestamp.tv_sec) + .microseconds(Int64(entry.timestamp.tv_usec)) : nil,
            sequence: entry.sequence,
            isDamaged: entry.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 || used > buffer.count, index: entry.index)
    }

    /// Gives a buffer back to the driver.
    ///
    /// - Throws: `SystemError`.
    func requeue(_ filled: Filled) throws(SystemError) { try queue(filled.index) }

    /// Stops the stream and gives everything back. Safe to call twice.
    func stop() {
        if isStreaming {
            var type = captureType
            // A device that was unplugged can't be told to stop; everything else is still given back.
            ignoringFailure { () throws(SystemError) in try device.call(.streamOff, &type) }
        }
        isStreaming = false
        for buffer in buffers {
            if let start = buffer.baseAddress { _ = device.kernel.unmap(start, length: buffer.count) }
        }
        if !buffers.isEmpty { ignoringFailure { () throws(SystemError) in _ = try request(0) } }
        buffers = []
    }

    private func request(_ count: UInt32) throws(SystemError) -> UInt32 {
        var request = v4l2_requestbuffers()
        request.count = count
        request.type = captureType
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try device.call(.requestBuffers, &request)
        return min(request.count, 32)
    }

    private func map(_ index: UInt32) throws(SystemError) -> UnsafeRawBufferPointer {
        var entry = Self.entry()
        entry.index = index
        try device.call(.queryBuffer, &entry)
        return try device.map(length: Int(entry.length), offset: entry.m.offset)
    }

    private func queue(_ index: UInt32) throws(SystemError) {
        var entry = Self.entry()
        entry.index = index
        try device.call(.queueBuffer, &entry)
    }

    private static func entry() -> v4l2_buffer {
        var entry = v4l2_buffer()
        entry.type = captureType
        entry.memory = V4L2_MEMORY_MMAP.rawValue
        return entry
    }

    private func ignoringFailure(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) { try body() } catch { Log.debug("\(device.path): \(error)") }
    }
}
