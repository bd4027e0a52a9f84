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
        let orientation = orientation
        let swaps = orientation.swapsSides
        return pictures.fill(
            width: swaps ? source.height : source.width, height: swaps ? source.width : source.height
        ) { target in
            source.withPlanes { fromY, fromU, fromV in
                target.withWritablePlanes { y, u, v in
                    orientation.turn(
                        fromY, stride: source.lumaStride, width: source.width, height: source.height, to: y,
                        targetStride: target.lumaStride)
                    Self.turnChroma(orientation, source, fromU, to: u, of: target)
                    Self.turnChroma(orientation, source, fromV, to: v, of: target)
                }
            }
        }
    }

    private static func turnChroma(
        _ orientation: Orientation, _ source: Picture, _ from: UnsafePointer<UInt8>, to: UnsafeMutablePointer<UInt8>,
        of target: Picture
    ) {
        orientation.turn(
            from, stride: source.chromaStride, width: source.chromaWidth, height: source.chromaHeight, to: to,
            targetStride: target.chromaStride)
    }
}
