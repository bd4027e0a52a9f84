/// How the bytes of a captured frame are laid out; the raw value is V4L2's name for it.
public enum PixelFormat: String, Sendable, CaseIterable {
    /// JPEG pictures, with or without Huffman tables.
    case mjpg = "MJPG"
    case jpeg = "JPEG"
    case yuyv = "YUYV"
    case uyvy = "UYVY"
    case nv12 = "NV12"
    /// Three planes, chroma halved both ways.
    case i420 = "YU12"
    case grey = "GREY"
    /// 16 bits a pixel, little endian; the significant bits may be the lower ten or twelve.
    case y16 = "Y16 "

    /// Whether the bytes are a JPEG picture.
    public var isJPEG: Bool { self == .mjpg || self == .jpeg }
}

/// Which values a luma byte takes.
public enum SampleRange: Sendable {
    /// 0-255, as in JPEG.
    case full
    /// 16-235, as in BT.601 video.
    case limited
}

/// Size and layout of a frame's bytes.
public struct FrameLayout: Sendable, Equatable {
    /// The layout's kind.
    public var format: PixelFormat
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Bytes from one row to the next; of the first plane for planar formats, 0 for JPEG.
    public var stride: Int
    /// Which values luma takes; JPEG is always full.
    public var range: SampleRange

    /// All facts at once.
    public init(format: PixelFormat, width: Int, height: Int, stride: Int, range: SampleRange) {
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride
        self.range = range
    }
}

/// One picture as it came from a camera or a file: its bytes, once copied, and when it was taken.
public struct Frame: Sendable {
    /// The picture's bytes.
    public let bytes: FrameBytes
    /// How they are laid out.
    public let layout: FrameLayout
    /// When the picture was taken, on the source's monotonic clock.
    public let time: Duration
    /// The source's own count; a gap means lost frames.
    public let sequence: UInt32
    /// The source said, or the bytes show, that part of the picture is missing or wrong: it is never credited and
    /// never becomes a still.
    public let isDamaged: Bool

    /// All facts at once.
    public init(bytes: FrameBytes, layout: FrameLayout, time: Duration, sequence: UInt32, isDamaged: Bool) {
        self.bytes = bytes
        self.layout = layout
        self.time = time
        self.sequence = sequence
        self.isDamaged = isDamaged
    }
}

// @unchecked: the memory is written only while the pool holds the sole reference, before anybody else sees it.
/// The bytes of one frame, filled once by `FramePool.copy` and read only after that.
public final class FrameBytes: @unchecked Sendable {
    fileprivate var memory: UnsafeMutableRawBufferPointer
    /// How many bytes the frame has.
    public fileprivate(set) var count = 0

    fileprivate init(capacity: Int) {
        memory = .allocate(byteCount: capacity, alignment: 64)
    }

    deinit {
        memory.deallocate()
    }

    /// Calls `body` with the bytes, which stay valid during the call only.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }
}

/// Frame memory that is used again, so that capturing allocates nothing in the steady state.
///
/// A buffer is free as soon as nobody else holds it. One thread owns a pool.
public struct FramePool {
    private var slots: [FrameBytes] = []
    private let leastCapacity: Int

    /// An empty pool; it grows to the number of frames that are held at one time.
    ///
    /// - Parameter leastCapacity: Bytes that each frame's memory has room for, so that frames of varying length don't
    ///   make it grow again and again. Memory that no frame reaches costs address space only.
    public init(leastCapacity: Int = 0) {
        self.leastCapacity = leastCapacity
    }

    /// A copy of `source`, in memory that no one else holds.
    public mutating func copy(_ source: UnsafeRawBufferPointer) -> FrameBytes {
        fill(source.count) { $0.copyMemory(from: source) }
    }

    /// `count` bytes that `writer` sets, for sources that write planes one by one.
    public mutating func fill(_ count: Int, _ writer: (UnsafeMutableRawBufferPointer) -> Void) -> FrameBytes {
        let bytes = take(capacity: count)
        bytes.count = count
        writer(UnsafeMutableRawBufferPointer(rebasing: bytes.memory[..<count]))
        return bytes
    }

    private mutating func take(capacity wanted: Int) -> FrameBytes {
        let capacity = max(wanted, leastCapacity)
        for index in slots.indices where isKnownUniquelyReferenced(&slots[index]) {
            if slots[index].memory.count < capacity { slots[index] = FrameBytes(capacity: capacity) }
            return slots[index]
        }
        let fresh = FrameBytes(capacity: capacity)
        slots.append(fresh)
        return fresh
    }
}
