/// A frame's picture and whether it can be trusted.
public struct DecodedFrame {
    /// Upright.
    public let picture: Picture
    /// The source or the decoder found part of the picture missing or wrong.
    public let isDamaged: Bool
}

/// Decodes frames once, to upright pictures. One thread owns a decoder; nothing is allocated in the steady state but
/// inside libturbojpeg.
public struct FrameDecoder {
    private let orientation: Orientation
    private let jpeg = JPEGDecoder()
    private var raw = RawDecoder()
    private var pictures = PicturePool()
    private var beforeTurning = PicturePool()

    /// A decoder for a camera that is mounted as `orientation` says.
    public init(orientation: Orientation = Orientation()) {
        self.orientation = orientation
    }

    /// The frame's picture.
    ///
    /// - Throws: `ImagingError`; the frame is then to be dropped, the next one may be good.
    public mutating func decode(_ frame: Frame) throws(ImagingError) -> DecodedFrame {
        guard frame.layout.isPossible else {
            throw ImagingError(.impossibleSize, "\(frame.layout.width)x\(frame.layout.height)")
        }
        var isDamaged = frame.isDamaged
        if orientation.isIdentity {
            let picture = try Self.decode(frame, jpeg, &raw, into: &pictures, &isDamaged)
            return DecodedFrame(picture: picture, isDamaged: isDamaged)
        }
        let picture = try Self.decode(frame, jpeg, &raw, into: &beforeTurning, &isDamaged)
        return DecodedFrame(picture: turn(picture), isDamaged: isDamaged)
    }

    private static func decode(
        _ frame: Frame, _ jpeg: JPEGDecoder, _ raw: inout RawDecoder, into pool: inout PicturePool,
        _ isDamaged: inout Bool
    ) throws(ImagingError) -> Picture {
        let layout = frame.layout
        return try frame.bytes.withBytes { (bytes) throws(ImagingError) in
            guard layout.format.isJPEG else {
                return try pool.fill(width: layout.width, height: layout.height) { (picture) throws(ImagingError) in
                    try raw.decode(bytes, layout, into: picture)
                }
            }
            let header = try jpeg.header(bytes, expecting: layout)
            return try pool.fill(width: layout.width, height: layout.height) { (picture) throws(ImagingError) in
                if try jpeg.decode(bytes, header, into: picture) { isDamaged = true }
            }
        }
    }

    private mutating func turn(_ source: Picture) -> Picture {
        let luma = orientation.walk(width: source.width, height: source.height, stride: source.lumaStride, pixel: 1)
        let chroma = orientation.walk(
            width: source.chromaWidth, height: source.chromaHeight, stride: source.chromaStride, pixel: 1)
        return pictures.fill(width: luma.width, height: luma.height) { target in
            source.withPlanes { fromY, fromU, fromV in
                target.withWritablePlanes { y, u, v in
                    luma.copy(from: fromY, to: y, stride: target.lumaStride, pixel: 1)
                    chroma.copy(from: fromU, to: u, stride: target.chromaStride, pixel: 1)
                    chroma.copy(from: fromV, to: v, stride: target.chromaStride, pixel: 1)
                }
            }
        }
    }
}
