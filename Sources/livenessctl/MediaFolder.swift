import Glibc
import LivenessInterface
import LivenessService
import Platform

/// Where the pictures of a person are saved: a folder and files that nobody else can read.
struct MediaFolder {
    private let path: String

    /// Makes the folder where it isn't there.
    init(_ path: String) throws {
        self.path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    }

    /// Saves the three media; their paths.
    func save(_ outcome: ScanOutcome) throws -> [String] {
        try save(
            autoshot: outcome.autoshot.jpeg, snapshot: outcome.snapshot.jpeg, clip: MemoryFile.read(outcome.clip.file))
    }

    /// Saves the three media; their paths.
    func save(autoshot: [UInt8], snapshot: [UInt8], clip: [UInt8]) throws -> [String] {
        [
            try write(autoshot, "autoshot.jpg"), try write(snapshot, "snapshot.jpg"), try write(clip, "clip.mp4"),
        ]
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let target = "\(path)/\(name)"
        let file = Descriptor(
            owning: try systemCall("open \(target)") {
                open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            })
        var done = 0
        while done < bytes.count {
            done += try systemCall("write \(target)") {
                bytes.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress?.advanced(by: done), $0.count - done) }
            }
        }
        return target
    }
}
