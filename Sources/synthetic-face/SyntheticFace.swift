import Clip
import FaceGeometry
import Glibc
import Imaging
import LivenessTestKit
import Platform

/// Draws a video of a person who does not exist: for demonstrations, never installed.
enum SyntheticFace {
    static let help = """
        synthetic-face: draws a video of a person who does not exist, to be played in a camera's place

        usage: synthetic-face FILE.mp4 [OPTIONS]

          --portrait N     1, 2 or 3 (default: 1)
          --seconds N      how long (default: 6)
          --rate N         frames a second (default: 30)
          --lively         blink and turn again and again, for half a minute
          --still          nothing moves, as with a printed photo
          --glasses        put glasses on

        example: synthetic-face person.mp4 --portrait 2
        """

    static func run(_ arguments: [String]) -> Int32 {
        var arguments = Arguments(arguments)
        if arguments.flag("--help") || arguments.flag("-h") {
            print(help)
            return 0
        }
        do {
            try draw(&arguments)
            return 0
        } catch {
            StandardStream.error.write("synthetic-face: \(error)\n")
            return error is UsageError ? 2 : 1
        }
    }

    private static func draw(_ arguments: inout Arguments) throws {
        let number = try arguments.number("--portrait") ?? 1
        let seconds = try arguments.number("--seconds") ?? 6
        let rate = try arguments.number("--rate") ?? 30
        let isStill = arguments.flag("--still")
        let isLively = arguments.flag("--lively")
        let glasses = arguments.flag("--glasses")
        guard let file = arguments.positional() else { throw UsageError("a file to write is missing") }
        try arguments.expectEnd()
        guard let name = SyntheticPortrait.Name(rawValue: Int(clamping: number)) else {
            throw UsageError("there is no portrait \(number)")
        }
        guard (1...60).contains(rate), (1...600).contains(seconds) else {
            throw UsageError("--rate is from 1 to 60, --seconds from 1 to 600")
        }
        var scene = SyntheticScene([try SyntheticPortrait(name)])
        scene.frameRate = Double(rate)
        scene.glasses = glasses
        let performance: SyntheticPerformance = isStill ? SyntheticPerformance() : isLively ? .lively : .natural
        try write(try encode(scene, performance, frames: Int(seconds * rate)), to: file)
    }

    private static func encode(
        _ scene: SyntheticScene, _ performance: SyntheticPerformance, frames: Int
    ) throws -> EncodedClip {
        let source = try SyntheticSource(scene: scene, performances: [performance], pace: .immediate)
        var settings = ClipSettings()
        // It stands for a camera: it must not look like a compressed clip.
        settings.bitRate = 6_000_000
        let encoder = try ClipEncoder(settings: settings, width: scene.width, height: scene.height)
        var decoder = FrameDecoder()
        var end = Duration.zero
        for index in 0..<frames {
            guard case .frame(let frame) = try source.next(timeout: .seconds(1)) else { break }
            try encoder.append(try decoder.decode(frame).picture, at: frame.time)
            end = .seconds(Double(index + 1) / scene.frameRate)
        }
        return try encoder.finish(at: end)
    }

    private static func write(_ clip: EncodedClip, to path: String) throws {
        let bytes = try MemoryFile.read(clip.file)
        let file = Descriptor(
            owning: try systemCall("open \(path)") { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) })
        var done = 0
        while done < bytes.count {
            done += try systemCall("write \(path)") {
                bytes.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress?.advanced(by: done), $0.count - done) }
            }
        }
    }
}
