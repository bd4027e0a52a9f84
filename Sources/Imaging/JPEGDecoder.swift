import CTurboJPEG

/// Decodes JPEG frames to planes, once, in the picture's own chroma subsampling.
// One thread owns a decoder: libturbojpeg's handle is not shared.
final class JPEGDecoder {
    private var handle: tjhandle?
    private let scratch = ChromaScratch()

    init() {
        handle = tjInitDecompress()
    }

    deinit {
        if let handle { tjDestroy(handle) }
    }

    /// What a JPEG's header says.
    struct Header {
        var width: CInt = 0
        var height: CInt = 0
        /// A TJSAMP value; nil for one that libturbojpeg has no name for.
        var subsampling: CInt?
        var isGrey = false
    }

    /// Reads the header and refuses what no camera sends, before any memory or work is spent on it.
    func header(_ bytes: UnsafeRawBufferPointer, expecting layout: FrameLayout) throws(ImagingError) -> Header {
        var header = Header()
        var subsampling: CInt = -1
        var colourspace: CInt = -1
        // Fails on a subsampling that libturbojpeg has no name for, which it yet decodes to grey: the size tells.
        _ = tjDecompressHeader3(
            try open(), bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &header.width, &header.height,
            &subsampling, &colourspace)
        guard header.width > 0, header.height > 0 else { throw failure(.notAJPEG) }
        if colourspace == CInt(TJCS_CMYK.rawValue) || colourspace == CInt(TJCS_YCCK.rawValue) {
            throw ImagingError(.unsupportedJPEG, "CMYK")
        }
        guard Int(header.width) == layout.width, Int(header.height) == layout.height else {
            throw ImagingError(
                .wrongSize, "\(header.width)x\(header.height) instead of \(layout.width)x\(layout.height)")
        }
        header.subsampling = subsampling >= 0 ? subsampling : nil
        header.isGrey = subsampling == CInt(TJSAMP_GRAY.rawValue)
        return header
    }

    /// Decodes into `picture`, which has the header's size.
    ///
    /// - Returns: whether part of the picture is missing or wrong.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ header: Header, into picture: Picture
    ) throws(ImagingError) -> Bool {
        guard let subsampling = header.subsampling, !header.isGrey else {
            return try decodeGrey(bytes, header, into: picture)
        }
        return try picture.withWritablePlanes { (y, u, v) throws(ImagingError) in
            if subsampling == CInt(TJSAMP_420.rawValue) {
                return try decodePlanes(
                    bytes, header, [y, u, v], CInt(picture.lumaStride), CInt(picture.chromaStride))
            }
            let chroma = ChromaPlane(width: header.width, height: header.height, subsampling: subsampling)
            let (wideU, wideV) = scratch.planes(chroma)
            let isDamaged = try decodePlanes(
                bytes, header, [y, wideU, wideV], CInt(picture.lumaStride), CInt(chroma.stride))
            chroma.convert(wideU, to: u, of: picture)
            chroma.convert(wideV, to: v, of: picture)
            return isDamaged
        }
    }

    /// Decodes to interleaved RGB, rows without gaps.
    func decodeRGB(
        _ bytes: UnsafeRawBufferPointer, _ header: Header, into pixels: inout [UInt8]
    ) throws(ImagingError) {
        let status = tjDecompress2(
            try open(), bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &pixels, header.width,
            header.width * 3, header.height, CInt(TJPF_RGB.rawValue), TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT)
        _ = try isDamaged(status)
    }

    private func decodeGrey(
        _ bytes: UnsafeRawBufferPointer, _ header: Header, into picture: Picture
    ) throws(ImagingError) -> Bool {
        try picture.withWritablePlanes { (y, u, v) throws(ImagingError) in
            let status = tjDecompress2(
                try open(), bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), y, header.width,
                CInt(picture.lumaStride), header.height, CInt(TJPF_GRAY.rawValue), TJFLAG_LIMITSCANS)
            let count = picture.chromaStride * picture.chromaHeight
            u.update(repeating: 128, count: count)
            v.update(repeating: 128, count: count)
            return try isDamaged(status)
        }
    }

    private func decodePlanes(
        _ bytes: UnsafeRawBufferPointer, _ header: Header, _ planes: InlineArray<3, UnsafeMutablePointer<UInt8>>,
        _ lumaStride: CInt, _ chromaStride: CInt
    ) throws(ImagingError) -> Bool {
        let handle = try open()
        let status = withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<UInt8>?.self, capacity: 3) { pointers in
            withUnsafeTemporaryAllocation(of: CInt.self, capacity: 3) { strides in
                for index in 0..<3 {
                    pointers.initializeElement(at: index, to: planes[index])
                    strides.initializeElement(at: index, to: index == 0 ? lumaStride : chromaStride)
                }
                return tjDecompressToYUVPlanes(
                    handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), pointers.baseAddress,
                    header.width, strides.baseAddress, header.height, TJFLAG_LIMITSCANS)
            }
        }
        return try isDamaged(status)
    }

    private func open() throws(ImagingError) -> tjhandle {
        guard let handle else { throw ImagingError(.impossibleSize, "no memory for a JPEG decoder") }
        return handle
    }

    private func isDamaged(_ status: CInt) throws(ImagingError) -> Bool {
        guard status != 0 else { return false }
        guard let handle, tjGetErrorCode(handle) == CInt(TJERR_WARNING.rawValue) else {
            throw failure(lastMessage.hasPrefix("Unsupported") ? .unsupportedJPEG : .notAJPEG)
        }
        return !Self.isHarmless(lastMessage)
    }

    /// The error with libturbojpeg's words. Its handle is made anew: after a failure in a header it goes on in the
    /// middle of that picture, and every good one after it fails too.
    private func failure(_ fault: ImagingFault) -> ImagingError {
        let error = ImagingError(fault, lastMessage)
        if let handle { tjDestroy(handle) }
        handle = tjInitDecompress()
        return error
    }

    private var lastMessage: String { String(cString: tjGetErrorStr2(handle)) }

    /// Some webcams put a few stray bytes before each marker of good pictures ("6 extraneous bytes before marker").
    private static func isHarmless(_ warning: String) -> Bool {
        guard let match = warning.firstMatch(of: /(\d+) extraneous bytes before marker/) else { return false }
        return Int(match.output.1).map { $0 <= 16 } ?? false
    }
}
