import Imaging

/// V4L2's four-character code of a pixel format.
struct FourCC: Equatable, CustomStringConvertible {
    let code: UInt32

    init(code: UInt32) {
        self.code = code
    }

    /// The first four bytes of `name`.
    init(_ name: String) {
        code = name.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The four characters, with dots for what can't be printed.
    var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) }
        return String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }

    /// The format as frames name it; nil for one that nothing here decodes.
    var pixelFormat: PixelFormat? { PixelFormat(rawValue: description) }
}

/// Seconds from one frame to the next, as a fraction.
struct FrameInterval: Equatable {
    let numerator: UInt32
    let denominator: UInt32

    /// Frames a second; 0 where the fraction makes no sense.
    var rate: Double { numerator == 0 ? 0 : Double(denominator) / Double(numerator) }
}

/// One way in which a camera offers to deliver.
struct CameraMode: Equatable, CustomStringConvertible {
    var format: PixelFormat
    /// Pixels.
    var width: Int
    /// Pixels.
    var height: Int
    /// nil where the driver doesn't tell.
    var interval: FrameInterval?

    var description: String {
        let rate = interval.map { "@\(Int($0.rate.rounded()))" } ?? ""
        return "\(format.name) \(width)x\(height)\(rate)"
    }

    /// Bytes a second on the bus. A camera reserves for JPEG less than for raw pictures; a quarter is assumed.
    func bandwidth(fallbackRate: Int) -> Double {
        let pixels = Double(width * height) * (interval?.rate ?? Double(fallbackRate))
        switch format {
        case .yuyv, .uyvy, .y16: return pixels * 2
        case .nv12, .i420: return pixels * 1.5
        case .grey: return pixels
        case .mjpg, .jpeg: return pixels / 2
        }
    }
}

/// The sizes that a format comes in.
enum OfferedSizes: Equatable {
    case discrete([PictureSize])
    /// From `least` to `most` in steps; a step of 1 is "continuous".
    case stepwise(least: PictureSize, most: PictureSize, step: PictureSize)
}

/// Width and height in pixels.
struct PictureSize: Equatable {
    var width: Int
    var height: Int
}

/// The intervals that a size comes in.
enum OfferedIntervals: Equatable {
    case discrete([FrameInterval])
    /// Any between the two.
    case range(shortest: FrameInterval, longest: FrameInterval)
}
