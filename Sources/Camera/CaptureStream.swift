import CV4L2
import Glibc
import Platform

/// A buffer that the driver has filled; it is the driver's again after `CaptureStream.requeue`.
struct FilledBuffer {
    let index: UInt32
    /// Empty where the driver's word on the length can't be true.
    let bytes: UnsafeRawBufferPointer
    /// The driver's time; nil where it isn't on `CLOCK_MONOTONIC`.
    let stamp: Duration?
    let sequence: UInt32
    /// V4L2_BUF_FLAG_ERROR: data may be missing or wrong.
    let isErroneous: Bool
}

/// The driver's buffers, mapped for reading, and the running stream that fills them. One thread owns it.
final class CaptureStream {
    /// VIDEO_MAX_FRAME of videodev2.h; a driver that says it has more is not believed.
    static let limit = 32

    private let device: V4L2Device
    private var mappings: [UnsafeRawBufferPointer] = []
    private var isAllocated = false

    /// How many buffers there are.
    var count: Int { mappings.count }

    /// Bytes that a frame can have at most.
    var mostBytes: Int { mappings.reduce(0) { max($0, $1.count) } }

    /// Starts the stream with about `wanted` buffers.
    ///
    /// - Throws: `SystemError`; nothing stays allocated then.
    init(_ device: V4L2Device, buffers wanted: Int) throws(SystemError) {
        self.device = device
        let given = try allocate(UInt32(clamping: wanted))
        isAllocated = true
        guard given > 0 else { throw SystemError(call: V4L2Request.requestBuffers.name, errno: ENOMEM) }
        mappings.reserveCapacity(Self.limit)
        for index in 0..<UInt32(min(Int(given), Self.limit)) { mappings.append(try map(index)) }
        for index in mappings.indices { try queue(UInt32(index)) }
        var type = captureType
        try device.call(.streamOn, &type)
    }

    deinit {
        stop()
    }

    /// The next filled buffer; nil where none is ready.
    ///
    /// - Throws: `CameraError`.
    func dequeue() throws(CameraError) -> FilledBuffer? {
        var buffer = empty(index: 0)
        do {
            try device.call(.dequeueBuffer, &buffer)
        } catch {
            if error.errno == EAGAIN { return nil }
            throw CameraError(error, node: device.path)
        }
        guard Int(buffer.index) < count else {
            // Which buffer is filled can't be known, and none can be given back for it.
            throw CameraError(.lost, "\(device.path): the driver gave buffer \(buffer.index) of \(count)")
        }
        let mapping = mappings[Int(buffer.index)]
        let length = Int(buffer.bytesused)
        return FilledBuffer(
            index: buffer.index,
            bytes: UnsafeRawBufferPointer(start: mapping.baseAddress, count: length <= mapping.count ? length : 0),
            stamp: buffer.monotonicStamp, sequence: buffer.sequence,
            isErroneous: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0)
    }

    /// Gives the buffer back to the driver, which may write to it from then on.
    ///
    /// - Throws: `CameraError`.
    func requeue(_ buffer: FilledBuffer) throws(CameraError) {
        try device.reporting { () throws(SystemError) in try queue(buffer.index) }
    }

    /// Stops the stream and gives every buffer back. Safe to call twice.
    func stop() {
        guard isAllocated else { return }
        isAllocated = false
        // Each of these may fail on a camera that is gone; closing the node then frees the same.
        var type = captureType
        try? device.call(.streamOff, &type)
        for mapping in mappings {
            if let start = mapping.baseAddress { _ = device.kernel.unmap(start, length: mapping.count) }
        }
        mappings.removeAll()
        _ = try? allocate(0)
    }

    /// How many buffers the driver made of the wish; 0 frees them.
    private func allocate(_ wanted: UInt32) throws(SystemError) -> UInt32 {
        var request = v4l2_requestbuffers()
        request.count = wanted
        request.type = captureType
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try device.call(.requestBuffers, &request)
        return request.count
    }

    private func map(_ index: UInt32) throws(SystemError) -> UnsafeRawBufferPointer {
        var buffer = empty(index: index)
        try device.call(.queryBuffer, &buffer)
        return try device.map(length: Int(buffer.length), offset: buffer.m.offset)
    }

    private func queue(_ index: UInt32) throws(SystemError) {
        var buffer = empty(index: index)
        try device.call(.queueBuffer, &buffer)
    }

    private func empty(index: UInt32) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        buffer.index = index
        buffer.type = captureType
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        return buffer
    }
}

extension v4l2_buffer {
    /// nil where the driver stamps by another clock or doesn't say by which.
    fileprivate var monotonicStamp: Duration? {
        let clock = flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
        guard clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) else { return nil }
        return .seconds(timestamp.tv_sec) + .microseconds(timestamp.tv_usec)
    }
}
