import Imaging
import Settings

/// The section `[camera]`: which camera is used and how.
public struct CameraSettings: Codable, Sendable, Equatable, ValidatedSettings {
    /// The camera's id, name or node; empty for the only one that is connected.
    public var device = ""
    /// Pixels; 0 together with `height` for the size that serves best.
    public var width = 0
    /// Pixels; 0 together with `width`.
    public var height = 0
    /// V4L2's name of the pixel format (`MJPG`, `YUYV` …); empty for the one that serves best.
    public var format = ""
    /// Frames a second that are asked for; what the camera answers counts.
    public var rate = 30
    /// Buffers that are asked for; the driver may give more or fewer.
    public var buffers = 4
    /// Whether a camera that software plays may be used. It shows whatever its owner likes: for tests only.
    public var allowVirtual = false

    private enum CodingKeys: String, CodingKey {
        case device, width, height, format, rate, buffers
        case allowVirtual = "allow_virtual"
    }

    /// The defaults.
    public init() {}

    /// Everything that is wrong, in the order of the keys.
    public func validate() -> [SettingViolation] {
        var violations: [SettingViolation] = []
        // What no decoder here takes is of no use.
        for (key, value) in [("width", width), ("height", height)] where value != 0 && !(16...16_384).contains(value) {
            violations.append(SettingViolation(key: key, message: "must be 0 or from 16 to 16384"))
        }
        if (width == 0) != (height == 0) {
            let missing = width == 0 ? "width" : "height"
            violations.append(SettingViolation(key: missing, message: "must be set together with the other side"))
        }
        if !format.isEmpty && fixedFormat == nil {
            let names = PixelFormat.allCases.map(\.name).joined(separator: ", ")
            violations.append(SettingViolation(key: "format", message: "must be empty or one of \(names)"))
        }
        if !(1...240).contains(rate) {
            violations.append(SettingViolation(key: "rate", message: "must be from 1 to 240"))
        }
        if !(2...CaptureStream.limit).contains(buffers) {
            violations.append(SettingViolation(key: "buffers", message: "must be from 2 to \(CaptureStream.limit)"))
        }
        return violations
    }

    var fixedFormat: PixelFormat? { PixelFormat.allCases.first { $0.name == format } }

    var choice: ModeChoice {
        let fixed = width > 0 && height > 0 ? PictureSize(width: width, height: height) : nil
        return ModeChoice(fixedSize: fixed, fixedFormat: fixedFormat, rate: rate)
    }
}

extension PixelFormat {
    /// V4L2's name without the blanks that fill it up.
    var name: String { rawValue.filter { $0 != " " } }
}
