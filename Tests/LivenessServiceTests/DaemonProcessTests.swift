import Foundation
import LivenessInterface
import LivenessTestKit
import Platform
import Testing
import Varlink

/// The programs that were built beside the tests, run as processes.
enum Programs {
    /// The folder of the build that these tests belong to, whatever runs them.
    static func path(_ name: String) throws -> URL {
        var folder = Bundle.main.bundleURL
        for _ in 0..<4 {
            let program = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
            folder.deleteLastPathComponent()
        }
        throw Missing(name: name)
    }

    struct Missing: Error {
        let name: String
    }

    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    static func start(_ program: URL, _ arguments: [String], output: Pipe? = nil, errors: Pipe? = nil) throws -> Process
    {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = errors ?? FileHandle.nullDevice
        try process.run()
        return process
    }

    static func run(_ program: URL, _ arguments: [String]) throws -> Result {
        let (output, errors) = (Pipe(), Pipe())
        let process = try start(program, arguments, output: output, errors: errors)
        // Nobody here writes more to the error stream than its pipe holds.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}

/// A video of a synthetic person, drawn once.
private enum SyntheticVideo {
    private static let drawn = Result { () throws -> String in
        let path = NSTemporaryDirectory() + "person-\(getpid()).mp4"
        let result = try Programs.run(try Programs.path("synthetic-face"), [path, "--seconds", "6"])
        guard result.status == 0 else { throw Failure(text: result.errors) }
        return path
    }

    struct Failure: Error {
        let text: String
    }

    static func path() throws -> String { try drawn.get() }
}

/// livenessd-replay as a process, on a socket of its own.
private final class DaemonProcess {
    let socket = "/tmp/daemon-\(UUID().uuidString.prefix(8)).sock"
    private let settings: String
    private(set) var process: Process

    init() throws {
        settings = socket + ".toml"
        try "[tracking]\nmodel = \"\(LandmarkModelFile.path)\"\n".write(
            toFile: settings, atomically: true, encoding: .utf8)
        process = try Programs.start(
            try Programs.path("livenessd-replay"),
            [try SyntheticVideo.path(), "--loop", "--socket", socket, "--settings", settings])
        guard answers() else { throw Programs.Missing(name: "an answer of livenessd-replay") }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: settings)
    }

    func client() throws -> LivenessClient { try LivenessClient(path: socket) }

    func answers() -> Bool {
        for _ in 0..<1000 {
            if (try? client().status().modelLoaded) == true { return true }
            usleep(20_000)
        }
        return false
    }

    func becomesIdle() -> Bool {
        let end = MonotonicClock.now + .seconds(5)
        while MonotonicClock.now < end {
            if (try? client().status().busy) == false { return true }
            usleep(5000)
        }
        return false
    }

    func becomesBusy() -> Bool {
        for _ in 0..<1000 {
            if (try? client().status().busy) == true { return true }
            usleep(5000)
        }
        return false
    }
}

@Suite(.serialized) struct DaemonProcessTests {
    @Test func `a client that is killed frees the camera`() throws {
        let daemon = try DaemonProcess()
        let client = try Programs.start(try Programs.path("livenessctl"), ["scan", "--socket", daemon.socket])
        #expect(daemon.becomesBusy())
        kill(client.processIdentifier, SIGKILL)
        let before = MonotonicClock.now
        // A promise of one second, with five-fold slack.
        #expect(daemon.becomesIdle())
        print("measured: idle \((MonotonicClock.now - before).wholeMilliseconds) ms after its client was killed")
        client.waitUntilExit()
    }

    @Test func `the client's exit status and output tell how it went`() throws {
        let daemon = try DaemonProcess()
        let folder = "/tmp/media-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = try Programs.path("livenessctl")
        let scan = try Programs.run(client, ["scan", "--socket", daemon.socket, "--out", folder])
        #expect(scan.status == 0)
        #expect(scan.output.contains("completed: "))
        #expect(scan.output.contains("source replay"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["autoshot.jpg", "clip.mp4", "snapshot.jpg"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder + "/clip.mp4")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let status = try Programs.run(client, ["status", "--socket", daemon.socket])
        #expect(status.output.contains("source   replay"))
        #expect(status.output.contains("1 completed"))
        #expect(try Programs.run(client, ["cameras", "--socket", daemon.socket]).output.contains("  replay  "))
    }

    static let commandLines: [(line: String, status: Int32)] = [
        ("", 2), ("dance", 2), ("scan --nonsense", 2), ("replay", 2), ("replay /no/such/file.mp4", 1),
        ("status --socket /tmp/nobody-listens.sock", 3), ("--help", 0), ("scan --help", 0), ("replay --help", 0),
        ("cameras --help", 0), ("status --help", 0), ("--version", 0),
    ]

    @Test(arguments: commandLines)
    func `livenessctl ends with the status that its help tells`(line: String, status: Int32) throws {
        let arguments = line.split(separator: " ").map(String.init)
        let result = try Programs.run(try Programs.path("livenessctl"), arguments)
        #expect(result.status == status, "\(result.errors)")
        #expect(result.status == 0 ? result.errors.isEmpty : !result.errors.isEmpty)
        if arguments.last == "--help" {
            let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 24)
            #expect(lines.allSatisfy { $0.count <= 120 })
            #expect(result.output.contains("example: "))
        }
    }

    @Test func `a stale socket file is replaced, a live owner's and a regular file are not`() throws {
        let daemon = try DaemonProcess()
        let program = try Programs.path("livenessd-replay")
        let video = try SyntheticVideo.path()
        let second = try Programs.run(program, [video, "--socket", daemon.socket])
        #expect(second.status == 1)
        #expect(second.errors.contains("address_in_use"))
        #expect(try daemon.client().status().version != "")
        // A killed daemon leaves its socket file behind.
        kill(daemon.process.processIdentifier, SIGKILL)
        daemon.process.waitUntilExit()
        #expect(FileManager.default.fileExists(atPath: daemon.socket))
        let third = try Programs.start(program, [video, "--socket", daemon.socket])
        #expect(daemon.answers())
        third.terminate()
        third.waitUntilExit()
        #expect(third.terminationStatus == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
        try "keep".write(toFile: daemon.socket, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: daemon.socket) }
        let fourth = try Programs.run(program, [video, "--socket", daemon.socket])
        #expect(fourth.status == 1)
        #expect(fourth.errors.contains("not_a_socket"))
        #expect(try String(contentsOfFile: daemon.socket, encoding: .utf8) == "keep")
    }

    @Test func `livenessd checks its settings, and without a camera a scan says so`() throws {
        let program = try Programs.path("livenessd")
        let folder = "/tmp/settings-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/liveness.toml"
        try "[camera]\ndevise = \"x\"\n".write(toFile: file, atomically: true, encoding: .utf8)
        let wrong = try Programs.run(program, ["--check", "--settings", file])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("liveness.toml:2:1: unknown_key: no key \"devise\"; did you mean \"device\"?"))
        let socket = folder + "/s.sock"
        try "[camera]\ndevice = \"no-such-camera\"\n[socket]\npath = \"\(socket)\"\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        #expect(try Programs.run(program, ["--check", "--settings", file]).status == 0)
        let daemon = try Programs.start(program, ["--settings", file])
        defer {
            daemon.terminate()
            daemon.waitUntilExit()
        }
        var result = Programs.Result(status: 3, output: "", errors: "")
        for _ in 0..<500 where result.status == 3 {
            result = try Programs.run(try Programs.path("livenessctl"), ["scan", "--settings", file])
        }
        #expect(result.status == 1)
        #expect(result.output.contains("camera_not_found") || result.output.contains("model_missing"))
    }
}

/// Varlink clients that are not ours.
@Suite(.serialized) struct ForeignClientTests {
    static let python = ProcessInfo.processInfo.environment["LIVENESS_PYTHON"]

    private func run(_ script: String, _ socket: String) throws -> Programs.Result {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Clients")
        return try Programs.run(
            URL(fileURLWithPath: Self.python ?? ""), [folder.appendingPathComponent(script).path, socket])
    }

    @Test(.enabled(if: python != nil, "LIVENESS_PYTHON names no Python with varlink; make test does"))
    func `the PyPI client varlink lists the methods and runs a scan with base64 media`() throws {
        let daemon = try DaemonProcess()
        let result = try run("varlink_scan.py", daemon.socket)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("methods Cancel GetMetrics GetStatus ListCameras Preview Scan\n"))
        for medium in ["autoshot image/jpeg", "snapshot image/jpeg", "clip video/mp4"] {
            #expect(result.output.contains("checked \(medium)\n"))
        }
        #expect(result.output.contains("\ncompleted "))
    }

    @Test(.enabled(if: python != nil, "LIVENESS_PYTHON names no Python with asyncvarlink; make test does"))
    func `the PyPI client asyncvarlink runs a scan with media as descriptors`() throws {
        let daemon = try DaemonProcess()
        let result = try run("asyncvarlink_scan.py", daemon.socket)
        #expect(result.status == 0, "\(result.errors)")
        for medium in ["autoshot image/jpeg", "snapshot image/jpeg", "clip video/mp4"] {
            #expect(result.output.contains("checked \(medium)\n"))
        }
        #expect(result.output.contains("\ncompleted "))
    }
}
