import CLibAV
import Camera
import Imaging

/// Turns libav's pictures into upright frames with three planes, chroma halved both ways. One thread owns it.
///
/// Pictures that are so already, nearly every video's, are only copied; libswscale converts the others.
final class PictureConverter {
    private let orientation: Orientation
    private var scaler: OpaquePointer?
    private var converted: UnsafeMutablePointer<AVFrame>?
    private var pool = FramePool()

    /// A converter for pictures that `quarterTurns` clockwise quarter turns make upright.
    init(quarterTurns: Int) {
        orientation = Orientation(rotation: Orientation.Rotation(rawValue: quarterTurns * 90) ?? .none)
    }

    deinit {
        av_frame_free(&converted)
        sws_freeContext(scaler)
    }

    /// The picture's planes, and how they are laid out.
    ///
    /// - Throws: `CameraError` (`unsupported_format`) where libswscale can't convert the picture.
    func convert(_ picture: UnsafePointer<AVFrame>) throws(CameraError) -> (FrameBytes, FrameLayout) {
        let isPlain = picture.pointee.format == AV_PIX_FMT_YUV420P.rawValue
        if isPlain || picture.pointee.format == AV_PIX_FMT_YUVJ420P.rawValue {
            return copy(picture, range: isPlain && picture.pointee.color_range != AVCOL_RANGE_JPEG ? .limited : .full)
        }
        return copy(try toPlanes(picture), range: .full)
    }

    private func toPlanes(_ picture: UnsafePointer<AVFrame>) throws(CameraError) -> UnsafePointer<AVFrame> {
        let source = picture.pointee
        let format = AVPixelFormat(source.format)
        scaler = sws_getCachedContext(
            scaler, source.width, source.height, format, source.width, source.height, AV_PIX_FMT_YUV420P,
            CInt(SWS_BILINEAR), nil, nil, nil)
        let target = try room(source.width, source.height)
        guard let scaler else { throw CameraError(.unsupportedFormat, "pictures of format \(source.format)") }
        let coefficients = sws_getCoefficients(SWS_CS_DEFAULT)
        let isFull: CInt = source.color_range == AVCOL_RANGE_JPEG ? 1 : 0
        // Fails for formats whose range is fixed, which need no telling.
        _ = sws_setColorspaceDetails(scaler, coefficients, isFull, coefficients, 1, 0, 1 << 16, 1 << 16)
        guard sws_scale_frame(scaler, target, picture) >= 0 else {
            throw CameraError(.unsupportedFormat, "pictures of format \(source.format) can't be converted")
        }
        return UnsafePointer(target)
    }

    private func room(_ width: CInt, _ height: CInt) throws(CameraError) -> UnsafeMutablePointer<AVFrame> {
        if let converted, converted.pointee.width == width, converted.pointee.height == height { return converted }
        av_frame_free(&converted)
        converted = av_frame_alloc()
        converted?.pointee.width = width
        converted?.pointee.height = height
        converted?.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        guard let converted, av_frame_get_buffer(converted, 0) == 0 else {
            throw CameraError(.unsupportedFormat, "no memory for a picture of \(width)x\(height)")
        }
        return converted
    }

    private func copy(_ picture: UnsafePointer<AVFrame>, range: SampleRange) -> (FrameBytes, FrameLayout) {
        let (width, height) = (Int(picture.pointee.width), Int(picture.pointee.height))
        let upright = orientation.swapsSides ? (width: height, height: width) : (width: width, height: height)
        let layout = FrameLayout(
            format: .i420, width: upright.width, height: upright.height, stride: (upright.width + 1) & ~1,
            range: range)
        let planes = [
            (picture.pointee.data.0, picture.pointee.linesize.0, width, height),
            (picture.pointee.data.1, picture.pointee.linesize.1, (width + 1) / 2, (height + 1) / 2),
            (picture.pointee.data.2, picture.pointee.linesize.2, (width + 1) / 2, (height + 1) / 2),
        ]
        let bytes = pool.fill(layout.byteCount) { memory in
            guard var target = memory.bindMemory(to: UInt8.self).baseAddress else { return }
            for (index, (source, stride, width, height)) in planes.enumerated() {
                guard let source else { continue }
                let targetStride = index == 0 ? layout.stride : layout.chromaStride
                orientation.turn(
                    source, stride: Int(stride), width: width, height: height, to: target, targetStride: targetStride)
                target += targetStride * (orientation.swapsSides ? width : height)
            }
        }
        return (bytes, layout)
    }
}
