/// Turns uncompressed frames into planes: full-range luma, chroma halved both ways.
struct RawDecoder {
    /// The most bits that a 16-bit camera was seen to use; it only grows, so that brightness does not flicker.
    private var significantBits = 8

    /// - Throws: `ImagingError` with `short_frame` where the bytes don't reach to the last row.
    mutating func decode(
        _ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout, into picture: Picture
    ) throws(ImagingError) {
        let needed = layout.byteCount
        guard bytes.count >= needed, let start = bytes.bindMemory(to: UInt8.self).baseAddress else {
            throw ImagingError(.shortFrame, "\(bytes.count) bytes instead of \(needed)")
        }
        let luma = layout.range == .full ? nil : RangeTable.luma
        let chroma = layout.range == .full ? nil : RangeTable.chroma
        picture.withWritablePlanes { y, u, v in
            let planes = Planes(y: y, u: u, v: v, picture: picture, luma: luma, chroma: chroma)
            switch layout.format {
            case .yuyv: planes.takePacked(start, layout, lumaAt: 0, chromaAt: 1)
            case .uyvy: planes.takePacked(start, layout, lumaAt: 1, chromaAt: 0)
            case .nv12: planes.takeNV12(start, layout)
            case .i420: planes.takeI420(start, layout)
            case .y16: planes.takeY16(start, layout, bits: &significantBits)
            case .grey, .mjpg, .jpeg: planes.takeGrey(start, layout)
            }
        }
    }
}

extension FrameLayout {
    /// Bytes from the first to the end of the last row; 0 for JPEG, whose length varies.
    public var byteCount: Int {
        let chromaRows = (height + 1) / 2
        switch format {
        case .mjpg, .jpeg: return 0
        case .yuyv, .uyvy: return stride * (height - 1) + (width + 1) / 2 * 4
        case .grey: return stride * (height - 1) + width
        case .y16: return stride * (height - 1) + 2 * width
        case .nv12: return stride * height + stride * (chromaRows - 1) + (width + 1) / 2 * 2
        case .i420: return stride * height + 2 * chromaStride * chromaRows
        }
    }

    /// Bytes from one chroma row to the next of a planar layout.
    public var chromaStride: Int { (stride + 1) / 2 }

    /// Whether a picture can have this size.
    var isPossible: Bool {
        width > 0 && height > 0 && width <= 16_384 && height <= 16_384
            && (format.isJPEG || stride >= width * (format == .grey || format == .nv12 || format == .i420 ? 1 : 2))
    }
}

/// From BT.601's 16-235 and 16-240 to 0-255.
private enum RangeTable {
    static let luma: [UInt8] = (0..<256).map { UInt8(min(max((($0 - 16) * 255 + 109) / 219, 0), 255)) }
    static let chroma: [UInt8] = (0..<256).map {
        UInt8(min(max(128 + Int((Double($0 - 128) * 255 / 224).rounded()), 0), 255))
    }
}

/// The planes of the picture that is written, with the tables that widen the range.
private struct Planes {
    let y: UnsafeMutablePointer<UInt8>
    let u: UnsafeMutablePointer<UInt8>
    let v: UnsafeMutablePointer<UInt8>
    let picture: Picture
    let luma: [UInt8]?
    let chroma: [UInt8]?

    func takePacked(_ source: UnsafePointer<UInt8>, _ layout: FrameLayout, lumaAt: Int, chromaAt: Int) {
        for row in 0..<picture.height {
            let from = source + row * layout.stride + lumaAt
            let to = y + row * picture.lumaStride
            for x in 0..<picture.width { to[x] = from[2 * x] }
        }
        for row in 0..<picture.chromaHeight {
            let upper = source + 2 * row * layout.stride + chromaAt
            let lower = 2 * row + 1 < picture.height ? upper + layout.stride : upper
            let toU = u + row * picture.chromaStride
            let toV = v + row * picture.chromaStride
            for x in 0..<picture.chromaWidth {
                toU[x] = UInt8((UInt16(upper[4 * x]) + UInt16(lower[4 * x]) + 1) / 2)
                toV[x] = UInt8((UInt16(upper[4 * x + 2]) + UInt16(lower[4 * x + 2]) + 1) / 2)
            }
        }
        widen()
    }

    func takeNV12(_ source: UnsafePointer<UInt8>, _ layout: FrameLayout) {
        takeLuma(source, layout)
        let chromaStart = source + layout.stride * layout.height
        for row in 0..<picture.chromaHeight {
            let from = chromaStart + row * layout.stride
            let toU = u + row * picture.chromaStride
            let toV = v + row * picture.chromaStride
            for x in 0..<picture.chromaWidth {
                toU[x] = from[2 * x]
                toV[x] = from[2 * x + 1]
            }
        }
        widen()
    }

    func takeI420(_ source: UnsafePointer<UInt8>, _ layout: FrameLayout) {
        takeLuma(source, layout)
        let first = source + layout.stride * layout.height
        let second = first + layout.chromaStride * picture.chromaHeight
        for row in 0..<picture.chromaHeight {
            (u + row * picture.chromaStride).update(
                from: first + row * layout.chromaStride, count: picture.chromaWidth)
            (v + row * picture.chromaStride).update(
                from: second + row * layout.chromaStride, count: picture.chromaWidth)
        }
        widen()
    }

    func takeGrey(_ source: UnsafePointer<UInt8>, _ layout: FrameLayout) {
        takeLuma(source, layout)
        neutralChroma()
        widen()
    }

    func takeY16(_ source: UnsafePointer<UInt8>, _ layout: FrameLayout, bits: inout Int) {
        var largest: UInt16 = 0
        for row in 0..<picture.height {
            let from = source + row * layout.stride
            for x in 0..<picture.width { largest = max(largest, UInt16(from[2 * x]) | UInt16(from[2 * x + 1]) << 8) }
        }
        bits = max(bits, UInt16.bitWidth - largest.leadingZeroBitCount)
        let shift = UInt16(bits - 8)
        for row in 0..<picture.height {
            let from = source + row * layout.stride
            let to = y + row * picture.lumaStride
            for x in 0..<picture.width {
                to[x] = UInt8(truncatingIfNeeded: (UInt16(from[2 * x]) | UInt16(from[2 * x + 1]) << 8) >> shift)
            }
        }
        neutralChroma()
    }

    private func takeLuma(_ source: UnsafePointer<UInt8>, _ layout: FrameLayout) {
        for row in 0..<picture.height {
            (y + row * picture.lumaStride).update(from: source + row * layout.stride, count: picture.width)
        }
    }

    private func neutralChroma() {
        let count = picture.chromaStride * picture.chromaHeight
        u.update(repeating: 128, count: count)
        v.update(repeating: 128, count: count)
    }

    private func widen() {
        if let luma {
            for row in 0..<picture.height {
                Self.map(y + row * picture.lumaStride, picture.width, through: luma)
            }
        }
        guard let chroma else { return }
        for row in 0..<picture.chromaHeight {
            Self.map(u + row * picture.chromaStride, picture.chromaWidth, through: chroma)
            Self.map(v + row * picture.chromaStride, picture.chromaWidth, through: chroma)
        }
    }

    private static func map(_ row: UnsafeMutablePointer<UInt8>, _ count: Int, through table: [UInt8]) {
        table.withUnsafeBufferPointer { table in
            for x in 0..<count { row[x] = table[Int(row[x])] }
        }
    }
}
