/// A grey picture in somebody else's memory, valid during the call it is passed to.
public struct GreyView {
    /// The first row's first pixel.
    public let pixels: UnsafePointer<UInt8>
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int
    /// Bytes from one row to the next.
    public let stride: Int

    /// `height` rows of `width` pixels, `stride` bytes apart.
    public init(pixels: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int) {
        self.pixels = pixels
        self.width = width
        self.height = height
        self.stride = stride
    }
}

// @unchecked: written only through `PicturePool` while it holds the sole reference, read only after that.
/// A decoded picture, upright: full-range luma, which is the grey picture, and chroma halved both ways (4:2:0).
public final class Picture: @unchecked Sendable {
    /// Pixels.
    public private(set) var width = 0
    /// Pixels.
    public private(set) var height = 0
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int

    init() {
        capacity = 64
        memory = .allocate(capacity: capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// Bytes from one luma row to the next: the width, rounded up to 64 so that rows are aligned.
    public var lumaStride: Int { (width + 63) & ~63 }
    /// Rows of the luma plane in memory: even, since JPEG's 4:2:0 blocks are decoded and encoded whole.
    var lumaRows: Int { (height + 1) & ~1 }
    /// Columns of each chroma plane.
    public var chromaWidth: Int { (width + 1) / 2 }
    /// Rows of each chroma plane.
    public var chromaHeight: Int { (height + 1) / 2 }
    /// Bytes from one chroma row to the next.
    public var chromaStride: Int { (chromaWidth + 63) & ~63 }

    /// Calls `body` with the luma plane.
    public func withGrey<Result, Failure: Error>(
        _ body: (GreyView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(GreyView(pixels: memory, width: width, height: height, stride: lumaStride))
    }

    /// Calls `body` with the planes Y, U and V; strides are `lumaStride` and `chromaStride`.
    public func withPlanes<Result, Failure: Error>(
        _ body: (_ y: UnsafePointer<UInt8>, _ u: UnsafePointer<UInt8>, _ v: UnsafePointer<UInt8>) throws(Failure) ->
            Result
    ) throws(Failure) -> Result {
        let u = memory + lumaStride * lumaRows
        return try body(memory, u, u + chromaStride * chromaHeight)
    }

    /// Makes room for `width` x `height` pixels, whose values are undefined until written.
    func resize(width: Int, height: Int) {
        self.width = width
        self.height = height
        let needed = lumaStride * lumaRows + 2 * chromaStride * chromaHeight
        if needed > capacity {
            memory.deallocate()
            memory = .allocate(capacity: needed)
            capacity = needed
        }
    }

    /// Repeats the last column and row of an odd size, which JPEG's encoder reads with their pairs.
    func extendEdges() {
        withWritablePlanes { y, _, _ in
            if width % 2 == 1 {
                for row in 0..<height { y[row * lumaStride + width] = y[row * lumaStride + width - 1] }
            }
            if height % 2 == 1 {
                (y + height * lumaStride).update(from: y + (height - 1) * lumaStride, count: lumaStride)
            }
        }
    }

    /// Calls `body` with writable planes. Only for a picture that nobody else has seen yet.
    func withWritablePlanes<Result, Failure: Error>(
        _ body: (
            _ y: UnsafeMutablePointer<UInt8>, _ u: UnsafeMutablePointer<UInt8>, _ v: UnsafeMutablePointer<UInt8>
        ) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let u = memory + lumaStride * lumaRows
        return try body(memory, u, u + chromaStride * chromaHeight)
    }
}

/// Pictures whose memory is used again as soon as nobody else holds them. One thread owns a pool.
public struct PicturePool {
    private var slots: [Picture] = []

    /// An empty pool; it grows to the number of pictures that are held at one time.
    public init() {}

    /// A picture of the given size that no one else holds, set by `writer`.
    public mutating func fill<Failure: Error>(
        width: Int, height: Int, _ writer: (Picture) throws(Failure) -> Void
    ) throws(Failure) -> Picture {
        let picture = take()
        picture.resize(width: width, height: height)
        try writer(picture)
        return picture
    }

    private mutating func take() -> Picture {
        for index in slots.indices where isKnownUniquelyReferenced(&slots[index]) { return slots[index] }
        let fresh = Picture()
        slots.append(fresh)
        return fresh
    }
}
