import CAllocations
import FaceTracking
import Imaging
import Liveness
import LivenessTestKit
import Platform

/// Counts what is allocated on the way of a frame, from its bytes to the rules' verdict, once everything runs.
enum FrameAllocations {
    static func run(_ arguments: [String]) -> Int32 {
        do {
            let model = try FaceModel(landmarksPath: LandmarkModelFile.path)
            for format in [PixelFormat.mjpg, .i420] { try count(format, model) }
            return 0
        } catch {
            StandardStream.error.write("frame-allocations: \(error)\n")
            return 1
        }
    }

    private static let frames = 1000
    /// Buffers have grown to their size by then, and the scan is scanning.
    private static let warmUp = 100

    /// Prints `FORMAT ours N libraries N then N`: libraries' count in the first and the second half.
    private static func count(_ format: PixelFormat, _ model: FaceModel) throws {
        let pictures = try draw(format)
        let tracker = try FaceTracker(model: model)
        let motion = CameraMotion()
        var decoder = FrameDecoder()
        var settings = LivenessSettings()
        // The scan must not end meanwhile.
        settings.capMs = 120_000
        var scan = LivenessScan(settings: settings, seed: 1)
        var counts: [CAllocations_counts] = []
        for index in 0..<(warmUp + frames) {
            if index == warmUp || index == warmUp + frames / 2 {
                counts.append(CAllocations_end())
                CAllocations_begin()
            }
            let picture = pictures[index % pictures.count]
            let frame = Frame(
                bytes: picture.bytes, layout: picture.layout, time: .milliseconds(index * 33),
                sequence: UInt32(index), isDamaged: false)
            let decoded = try decoder.decode(frame)
            var observation = tracker.observe(
                decoded.picture, time: frame.time, isDamaged: decoded.isDamaged, cameraMoved: false)
            observation.cameraMoved = motion.hasMoved(in: decoded.picture, person: observation.face, at: frame.time)
            _ = scan.observe(observation)
        }
        counts.append(CAllocations_end())
        guard scan.phase == .scanning else { throw UsageError("the scan is not scanning") }
        let ours = counts[1].ours + counts[2].ours
        StandardStream.output.write(
            "\(format.rawValue) ours \(ours) libraries \(counts[1].libraries) then \(counts[2].libraries)\n")
    }

    /// A person who sways but neither blinks nor turns.
    private static func draw(_ format: PixelFormat) throws -> [Frame] {
        let renderer = SyntheticRenderer(SyntheticScene([try SyntheticPortrait(.first)]))
        var performance = SyntheticPerformance()
        performance.sway = 1
        let encoder = StillEncoder(quality: 0.85)
        var decoder = FrameDecoder()
        return try (0..<50).map { index in
            let time = Duration.milliseconds(index * 33)
            let drawn = renderer.draw([performance.pose(at: time)].compactMap { $0 }, at: time)
            guard format.isJPEG else { return drawn }
            let still = try encoder.encode(try decoder.decode(drawn).picture)
            var pool = FramePool()
            let bytes = still.jpeg.withUnsafeBytes { pool.copy($0) }
            let layout = FrameLayout(format: .mjpg, width: still.width, height: still.height, stride: 0, range: .full)
            return Frame(bytes: bytes, layout: layout, time: time, sequence: 0, isDamaged: false)
        }
    }
}
