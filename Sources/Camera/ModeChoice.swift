import Imaging

/// Which of a camera's modes is used. The rule, the first difference deciding:
///
/// 1. the size that the settings fix, if they fix one;
/// 2. colour before grey, since a still without colour serves face matching badly;
/// 3. enough pixels for a face at booth distance, 640x480, before fewer;
/// 4. the higher frame rate, up to the wanted one: 30 frames a second before more pixels;
/// 5. more pixels up to 1280x720, and above it fewer;
/// 6. raw pictures where they take at most half of what one endpoint of USB 2 carries, then JPEG, then raw ones
///    that take more: two cameras share a bus;
/// 7. the order of `formats`.
struct ModeChoice {
    var fixedSize: PictureSize?
    var fixedFormat: PixelFormat?
    /// Frames a second.
    var rate: Int

    /// Formats that are decoded here, the better ones first.
    static let formats: [PixelFormat] = [.yuyv, .uyvy, .nv12, .i420, .mjpg, .jpeg, .grey, .y16]
    static let enough = PictureSize(width: 640, height: 480)
    static let ceiling = PictureSize(width: 1280, height: 720)
    /// Bytes a second of one high-speed isochronous endpoint: three packets of 1,024 bytes in each of 8,000
    /// microframes (USB 2.0, 5.6.3).
    static let endpointBandwidth = 3.0 * 1024 * 8000

    /// The usable ones of `modes`, the best first.
    func ranked(_ modes: [CameraMode]) -> [CameraMode] {
        modes.filter { fixedFormat == nil || $0.format == fixedFormat }
            .map { (mode: $0, rank: rank($0)) }
            .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
            .map(\.mode)
    }

    /// What is left to try of `ranked` after the bus had no room for `refused`.
    func smaller(than refused: CameraMode, in ranked: [CameraMode]) -> [CameraMode] {
        let bound = refused.bandwidth(fallbackRate: rate)
        return ranked.filter { $0.bandwidth(fallbackRate: rate) < bound }
    }

    /// The sizes worth asking for.
    func sizes(of offered: OfferedSizes) -> [PictureSize] {
        switch offered {
        case .discrete(let sizes): return sizes
        case .stepwise(let least, let most, let step):
            let wanted = [fixedSize, Self.ceiling, Self.enough].compactMap { $0 }
            return wanted.map { wish in
                PictureSize(
                    width: snapped(wish.width, from: least.width, to: most.width, by: step.width),
                    height: snapped(wish.height, from: least.height, to: most.height, by: step.height))
            }
        }
    }

    /// The slowest interval that reaches the wanted rate, else the fastest.
    func interval(of offered: OfferedIntervals) -> FrameInterval? {
        switch offered {
        case .discrete(let intervals):
            let sensible = intervals.filter { $0.rate > 0 }.sorted { $0.rate < $1.rate }
            return sensible.first { reached($0.rate) == rate } ?? sensible.last
        case .range(let shortest, let longest):
            if shortest.rate < Double(rate) { return shortest.rate > 0 ? shortest : nil }
            return longest.rate > Double(rate) ? longest : FrameInterval(numerator: 1, denominator: UInt32(rate))
        }
    }

    private func rank(_ mode: CameraMode) -> [Int] {
        let pixels = mode.width * mode.height
        let isAbove = pixels > Self.ceiling.width * Self.ceiling.height
        let isEnough = mode.width >= Self.enough.width && mode.height >= Self.enough.height
        let isFixed = fixedSize == PictureSize(width: mode.width, height: mode.height)
        let isGrey = mode.format == .grey || mode.format == .y16
        return [
            fixedSize == nil || isFixed ? 0 : 1,
            isGrey ? 1 : 0,
            isEnough ? 0 : 1,
            -reached(mode.interval?.rate ?? Double(rate)),
            isAbove ? 1 : 0,
            isAbove ? pixels : -pixels,
            busClass(mode),
            Self.formats.firstIndex(of: mode.format) ?? Self.formats.count,
        ]
    }

    /// The rate as far as it counts: 29.97 is 30, and more than the wanted rate is no better.
    private func reached(_ value: Double) -> Int { min(Int(value.rounded()), rate) }

    private func busClass(_ mode: CameraMode) -> Int {
        if mode.format.isJPEG { return 1 }
        return mode.bandwidth(fallbackRate: rate) <= Self.endpointBandwidth / 2 ? 0 : 2
    }

    private func snapped(_ value: Int, from least: Int, to most: Int, by step: Int) -> Int {
        let bounded = min(max(value, least), most)
        return least + (bounded - least) / max(step, 1) * max(step, 1)
    }
}
