import CV4L2
import Glibc
import Imaging
import Platform

/// What a camera says it can deliver.
struct ModeList {
    /// One entry for each size of each format that is decoded here, at the rate that serves best.
    private(set) var modes: [CameraMode] = []
    /// Every format by name, the others too.
    private(set) var offered: [String] = []

    /// Enumerations end with EINVAL; a driver that never says so is cut off here.
    private static let limit: UInt32 = 128

    /// - Throws: `SystemError`.
    init(of device: V4L2Device, for choice: ModeChoice) throws(SystemError) {
        for index in 0..<Self.limit {
            var entry = v4l2_fmtdesc()
            entry.index = index
            entry.type = captureType
            guard try device.enumerate(.enumerateFormats, &entry) else { break }
            let code = FourCC(code: entry.pixelformat)
            offered.append(code.description.filter { $0 != " " })
            guard let format = code.pixelFormat else { continue }
            for size in choice.sizes(of: try Self.sizes(of: code, device)) {
                let intervals = try Self.intervals(of: code, size, device)
                let interval = choice.interval(of: intervals)
                modes.append(CameraMode(format: format, width: size.width, height: size.height, interval: interval))
            }
        }
    }

    private static func sizes(of code: FourCC, _ device: V4L2Device) throws(SystemError) -> OfferedSizes {
        var sizes: [PictureSize] = []
        for index in 0..<limit {
            var entry = v4l2_frmsizeenum()
            entry.index = index
            entry.pixel_format = code.code
            guard try device.enumerate(.enumerateSizes, &entry) else { break }
            if entry.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                let range = entry.stepwise
                return .stepwise(
                    least: PictureSize(width: Int(range.min_width), height: Int(range.min_height)),
                    most: PictureSize(width: Int(range.max_width), height: Int(range.max_height)),
                    step: PictureSize(width: Int(range.step_width), height: Int(range.step_height)))
            }
            sizes.append(PictureSize(width: Int(entry.discrete.width), height: Int(entry.discrete.height)))
        }
        // A driver without the enumeration says in its answer to VIDIOC_S_FMT what it made of the wish.
        return sizes.isEmpty ? .discrete([ModeChoice.ceiling, ModeChoice.enough]) : .discrete(sizes)
    }

    private static func intervals(
        of code: FourCC, _ size: PictureSize, _ device: V4L2Device
    ) throws(SystemError) -> OfferedIntervals {
        var intervals: [FrameInterval] = []
        for index in 0..<limit {
            var entry = v4l2_frmivalenum()
            entry.index = index
            entry.pixel_format = code.code
            entry.width = UInt32(clamping: size.width)
            entry.height = UInt32(clamping: size.height)
            guard try device.enumerate(.enumerateIntervals, &entry) else { break }
            if entry.type != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
                return .range(
                    shortest: FrameInterval(entry.stepwise.min), longest: FrameInterval(entry.stepwise.max))
            }
            intervals.append(FrameInterval(entry.discrete))
        }
        return .discrete(intervals)
    }
}

extension FrameInterval {
    init(_ fraction: v4l2_fract) {
        self.init(numerator: fraction.numerator, denominator: fraction.denominator)
    }
}

extension V4L2Device {
    /// Whether the enumeration has an entry at the index that is set in `entry`.
    ///
    /// - Throws: `SystemError`.
    fileprivate func enumerate<Entry>(
        _ request: V4L2Request, _ entry: inout Entry
    ) throws(SystemError) -> Bool {
        do {
            try call(request, &entry)
            return true
        } catch {
            // EINVAL ends an enumeration; ENOTTY says that the driver has none.
            if error.errno == EINVAL || error.errno == ENOTTY { return false }
            throw error
        }
    }
}
