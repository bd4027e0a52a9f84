import FoundationEssentials
import Glibc

/// A folder that is gone with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // Leaving a temporary folder behind is no reason to fail.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, with the folders above it, and gives its path.
    @discardableResult
    func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws -> String {
        try write(name, Array(text.utf8), mode: mode)
    }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws -> String {
        let file = "\(path)/\(name)"
        let parent = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file))
        chmod(file, mode)
        return file
    }
}
