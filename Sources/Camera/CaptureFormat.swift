import CV4L2
import Glibc
import Imaging
import Platform

/// What a driver agreed to deliver, which need not be what it was asked for.
struct CaptureFormat: Equatable {
    let layout: FrameLayout
    /// nil where the driver doesn't tell.
    let interval: FrameInterval?

    /// Asks for `mode` and reads back what the driver made of it.
    ///
    /// - Throws: `CameraError` (`unsupported_format` where it answers with something that is not decoded here).
    init(asking device: V4L2Device, for mode: CameraMode) throws(CameraError) {
        let answer = try device.reporting { () throws(SystemError) in try Self.setFormat(device, mode) }
        guard let layout = FrameLayout(answer) else {
            let what = "\(FourCC(code: answer.pixelformat)) \(answer.width)x\(answer.height)"
            throw CameraError(.unsupportedFormat, "\(device.path): asked for \(mode), the driver gives \(what)")
        }
        self.layout = layout
        interval = try device.reporting { () throws(SystemError) in try Self.setInterval(device, mode.interval) }
    }

    var mode: CameraMode {
        CameraMode(format: layout.format, width: layout.width, height: layout.height, interval: interval)
    }

    private static func setFormat(_ device: V4L2Device, _ mode: CameraMode) throws(SystemError) -> v4l2_pix_format {
        var format = v4l2_format()
        format.type = captureType
        format.fmt.pix.width = UInt32(clamping: mode.width)
        format.fmt.pix.height = UInt32(clamping: mode.height)
        format.fmt.pix.pixelformat = FourCC(mode.format.rawValue).code
        format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        try device.call(.setFormat, &format)
        return format.fmt.pix
    }

    private static func setInterval(
        _ device: V4L2Device, _ interval: FrameInterval?
    ) throws(SystemError) -> FrameInterval? {
        var parameters = v4l2_streamparm()
        parameters.type = captureType
        do {
            if let interval {
                parameters.parm.capture.timeperframe = v4l2_fract(
                    numerator: interval.numerator, denominator: interval.denominator)
                try device.call(.setParameters, &parameters)
            } else {
                try device.call(.getParameters, &parameters)
            }
        } catch {
            // The request is optional: such a driver has one rate and doesn't say which.
            if error.errno == ENOTTY || error.errno == EINVAL { return nil }
            throw error
        }
        let answer = FrameInterval(parameters.parm.capture.timeperframe)
        return answer.rate > 0 ? answer : nil
    }
}

extension FrameLayout {
    /// nil for a format or a size that nothing here decodes.
    init?(_ answer: v4l2_pix_format) {
        guard let format = FourCC(code: answer.pixelformat).pixelFormat else { return nil }
        let (width, height) = (Int(answer.width), Int(answer.height))
        guard (1...16_384).contains(width), (1...16_384).contains(height) else { return nil }
        let row = format.rowLength(width)
        // Drivers leave 0, or the width in pixels, where rows have no gaps.
        let stride = format.isJPEG ? 0 : max(Int(answer.bytesperline), row)
        self.init(
            format: format, width: width, height: height, stride: stride, range: SampleRange(answer, format: format))
    }
}

extension PixelFormat {
    /// Bytes in a row of the first plane; 0 for JPEG.
    fileprivate func rowLength(_ width: Int) -> Int {
        switch self {
        case .mjpg, .jpeg: 0
        case .yuyv, .uyvy: (width + 1) / 2 * 4
        case .y16: width * 2
        case .nv12, .i420, .grey: width
        }
    }
}

extension SampleRange {
    /// The range as the driver tells it, else the default of V4L2_MAP_QUANTIZATION_DEFAULT in videodev2.h. Grey
    /// pictures are a sensor's own values, which no converter has narrowed.
    fileprivate init(_ answer: v4l2_pix_format, format: PixelFormat) {
        switch answer.quantization {
        case V4L2_QUANTIZATION_FULL_RANGE.rawValue: self = .full
        case V4L2_QUANTIZATION_LIM_RANGE.rawValue: self = format.isJPEG ? .full : .limited
        default:
            let isJPEG = answer.colorspace == V4L2_COLORSPACE_JPEG.rawValue || format.isJPEG
            self = isJPEG || format == .grey || format == .y16 ? .full : .limited
        }
    }
}
