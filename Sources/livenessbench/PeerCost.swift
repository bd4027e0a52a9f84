import Foundation
import Platform

/// What the same frames cost in a loop of somebody else's parts.
struct PeerCost: Codable {
    /// CPU milliseconds a frame, median.
    var medianMs: Double
    /// In how many frames a face was found.
    var found: Int

    private enum CodingKeys: String, CodingKey {
        case medianMs = "median_ms"
        case found
    }

    /// The loop failed; the message says how.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func measure(_ frames: JPEGFrames, _ python: String, _ script: String, _ model: String) throws -> PeerCost {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script, model] + frames.paths
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(script) ended with status \(process.terminationStatus)")
        }
        return try JSONDecoder().decode(PeerCost.self, from: data)
    }
}
