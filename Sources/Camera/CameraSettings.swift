import Imaging
import Settings

/// Which camera is used, and how: the `[camera]` settings table.
public struct CameraSettings: Codable, Sendable, Equatable {
    /// The camera's id, name or node, as `livenessctl cameras` lists them; empty for the only one there is.
    public var device = ""
    /// Pixels; 0 for what suits best. Goes with `height`.
    public var width = 0
    /// Pixels; 0 for what suits best. Goes with `width`.
    public var height = 0
    /// The pixel format by V4L2's name, MJPG or YUYV for example; empty for what suits best.
    public var format = ""
    /// Frames a second that are asked for.
    public var rate = 30
    /// How many buffers the driver gets: one is filled while others wait to be read.
    public var buffers = 4
    /// Whether cameras that software plays may be used. They show whatever somebody wants.
    public var allowVirtual = false

    /// The defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case device, width, height, format, rate, buffers
        case allowVirtual = "allow_virtual"
    }

    var choice: ModeChoice {
        ModeChoice(
            fixedSize: width > 0 && height > 0 ? PictureSize(width: width, height: height) : nil,
            fixedFormat: PixelFormat(name: format), rate: rate)
    }
}

extension PixelFormat {
    /// V4L2's name, blanks at its end left out.
    fileprivate init?(name: String) {
        guard let format = PixelFormat.allCases.first(where: { $0.rawValue.filter { $0 != " " } == name }) else {
            return nil
        }
        self = format
    }
}

extension CameraSettings: ValidatedSettings {
    /// What some camera could offer.
    public func validate() -> [SettingViolation] {
        var violations: [SettingViolation] = []
        let expect = { (holds: Bool, key: String, message: String) in
            if !holds { violations.append(SettingViolation(key: key, message: message)) }
        }
        expect((0...8192).contains(width), "width", "must be from 0 to 8192")
        expect((0...8192).contains(height), "height", "must be from 0 to 8192")
        expect((width == 0) == (height == 0), "height", "goes with width: both or neither")
        let names = PixelFormat.allCases.map { $0.rawValue.filter { $0 != " " } }.joined(separator: ", ")
        expect(format.isEmpty || PixelFormat(name: format) != nil, "format", "must be empty or one of \(names)")
        expect((1...120).contains(rate), "rate", "must be from 1 to 120")
        expect((2...16).contains(buffers), "buffers", "must be from 2 to 16")
        return violations
    }
}
