import Camera
import FoundationEssentials
import Glibc
import Imaging
import Platform
import ReplaySource

/// A video's pictures as JPEG, in memory for this program and in files for another.
final class JPEGFrames {
    let frames: [Frame]
    let paths: [String]
    let width: Int
    let height: Int
    private let folder: String

    /// About what webcams compress to.
    private static let quality = 0.85

    init(video: String, count: Int) throws {
        let source = try ReplaySource(path: video, pace: .immediate, repeats: true)
        var decoder = FrameDecoder()
        let encoder = StillEncoder(quality: Self.quality)
        folder = "\(FileManager.default.temporaryDirectory.path)/livenessbench-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var frames: [Frame] = []
        var paths: [String] = []
        while frames.count < count, case .frame(let frame) = try source.next(timeout: .seconds(10)) {
            let still = try encoder.encode(try decoder.decode(frame).picture)
            var pool = FramePool()
            let bytes = still.jpeg.withUnsafeBytes { pool.copy($0) }
            let layout = FrameLayout(format: .mjpg, width: still.width, height: still.height, stride: 0, range: .full)
            frames.append(
                Frame(bytes: bytes, layout: layout, time: frame.time, sequence: frame.sequence, isDamaged: false))
            let path = "\(folder)/\(frames.count).jpg"
            try Data(still.jpeg).write(to: URL(filePath: path))
            paths.append(path)
        }
        self.frames = frames
        self.paths = paths
        width = frames.first?.layout.width ?? 0
        height = frames.first?.layout.height ?? 0
    }

    deinit {
        // What is left in the temporary folder is the system's to remove.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
