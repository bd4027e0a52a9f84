import CTurboJPEG

/// An encoded still.
public struct Still: Sendable {
    /// A JPEG file: standard Huffman tables, no EXIF, upright.
    public let jpeg: [UInt8]
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int
}

/// Encodes pictures of people and of previews as JPEG, with standard Huffman tables and without EXIF: a camera's own
/// JPEG may lack tables, and whatever it says of itself is nobody's business.
public struct StillEncoder: Sendable {
    private let quality: CInt

    /// `quality` is 0-1, as in `UIImage.jpegData(compressionQuality:)`.
    public init(quality: Double) {
        self.quality = CInt((min(max(quality, 0.01), 1) * 100).rounded())
    }

    /// A frame's still: a JPEG frame is decoded once more, at full quality.
    ///
    /// - Throws: `ImagingError`.
    public func encode(_ frame: Frame, orientation: Orientation = Orientation()) throws(ImagingError) -> Still {
        guard frame.layout.format.isJPEG else {
            var decoder = FrameDecoder(orientation: orientation)
            return try encode(try decoder.decode(frame).picture)
        }
        let decoder = JPEGDecoder()
        var pixels: [UInt8] = []
        try frame.bytes.withBytes { (bytes) throws(ImagingError) in
            let header = try decoder.header(bytes, expecting: frame.layout)
            pixels = [UInt8](repeating: 0, count: frame.layout.width * frame.layout.height * 3)
            try decoder.decodeRGB(bytes, header, into: &pixels)
        }
        return try encodeRGB(pixels, width: frame.layout.width, height: frame.layout.height, orientation)
    }

    /// A picture's still, made smaller by a whole factor until it is at most `maximumWidth` pixels wide.
    ///
    /// - Throws: `ImagingError`.
    public func encode(_ picture: Picture, maximumWidth: Int = .max) throws(ImagingError) -> Still {
        let factor = PlaneScaling.factor(from: picture.width, to: maximumWidth)
        let picture = factor == 1 ? picture : shrink(picture, by: factor)
        picture.extendEdges()
        return try compress(width: picture.width, height: picture.height) { encoder, jpeg, size in
            picture.withPlanes { y, u, v in
                var planes: [UnsafePointer<UInt8>?] = [y, u, v]
                var strides = [CInt(picture.lumaStride), CInt(picture.chromaStride), CInt(picture.chromaStride)]
                return tjCompressFromYUVPlanes(
                    encoder, &planes, CInt(picture.width), &strides, CInt(picture.height),
                    CInt(TJSAMP_420.rawValue), jpeg, size, quality, 0)
            }
        }
    }

    private func encodeRGB(
        _ pixels: [UInt8], width: Int, height: Int, _ orientation: Orientation
    ) throws(ImagingError) -> Still {
        let walk = orientation.walk(width: width, height: height, stride: width * 3, pixel: 3)
        var upright = pixels
        if !orientation.isIdentity {
            pixels.withUnsafeBufferPointer { from in
                upright.withUnsafeMutableBufferPointer { to in
                    guard let from = from.baseAddress, let to = to.baseAddress else { return }
                    walk.copy(from: from, to: to, stride: walk.width * 3, pixel: 3)
                }
            }
        }
        return try compress(width: walk.width, height: walk.height) { encoder, jpeg, size in
            tjCompress2(
                encoder, upright, CInt(walk.width), 0, CInt(walk.height), CInt(TJPF_RGB.rawValue), jpeg, size,
                CInt(TJSAMP_420.rawValue), quality, TJFLAG_ACCURATEDCT)
        }
    }

    private func compress(
        width: Int, height: Int,
        _ body: (tjhandle, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<UInt>) -> CInt
    ) throws(ImagingError) -> Still {
        guard let encoder = tjInitCompress() else { throw ImagingError(.notEncoded, "no memory for an encoder") }
        defer { tjDestroy(encoder) }
        var jpeg: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let status = body(encoder, &jpeg, &size)
        defer { tjFree(jpeg) }
        guard status == 0, let jpeg else {
            throw ImagingError(.notEncoded, String(cString: tjGetErrorStr2(encoder)))
        }
        return Still(jpeg: Array(UnsafeBufferPointer(start: jpeg, count: Int(size))), width: width, height: height)
    }

    private func shrink(_ picture: Picture, by factor: Int) -> Picture {
        var pool = PicturePool()
        let width = max(picture.width / factor, 1)
        let height = max(picture.height / factor, 1)
        return pool.fill(width: width, height: height) { target in
            picture.withPlanes { fromY, fromU, fromV in
                target.withWritablePlanes { y, u, v in
                    PlaneScaling.shrink(
                        fromY, stride: picture.lumaStride, by: factor, to: y, targetStride: target.lumaStride,
                        width: width, height: height)
                    for (from, to) in [(fromU, u), (fromV, v)] {
                        PlaneScaling.shrink(
                            from, stride: picture.chromaStride, by: factor, to: to,
                            targetStride: target.chromaStride, width: picture.chromaWidth / factor,
                            height: picture.chromaHeight / factor)
                    }
                }
            }
        }
    }
}
