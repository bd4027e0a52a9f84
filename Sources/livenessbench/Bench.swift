import FaceTracking
import Imaging
import LivenessService
import Platform
import ReplaySource

/// Measures what a frame costs here and in a plain loop, on the same frames in the same run.
enum Bench {
    static let help = """
        livenessbench: what a frame costs, in CPU time, beside a plain Python loop on the same frames

        usage: livenessbench VIDEO [OPTIONS]

          --frames N       how many frames (default: 200)
          --model FILE     dlib's 68-point model
          --python PATH    a Python with dlib; without it the loop is left out, and that is said
          --peer SCRIPT    the loop: SCRIPT MODEL FRAME.jpg... prints {"median_ms": ...}
          --json           print one JSON object instead of tables

        The frames are the video's, encoded as JPEG like a webcam's. Times are CPU milliseconds, median over the frames.

        example: livenessbench person.mp4 --python python3 --peer Tools/plain_dlib_loop.py
        """

    static func run(_ arguments: [String]) -> Int32 {
        var arguments = Arguments(arguments)
        if arguments.flag("--help") || arguments.flag("-h") {
            print(help)
            return 0
        }
        do {
            try measure(&arguments)
            return 0
        } catch {
            StandardStream.error.write("livenessbench: \(error)\n")
            return error is UsageError ? 2 : 1
        }
    }

    private static func measure(_ arguments: inout Arguments) throws {
        let count = Int(clamping: try arguments.number("--frames") ?? 200)
        let model = try arguments.value("--model") ?? TrackingSettings().model
        let python = try arguments.value("--python")
        let script = try arguments.value("--peer")
        let isJSON = arguments.flag("--json")
        guard let video = arguments.positional() else { throw UsageError("a video is missing") }
        try arguments.expectEnd()

        let (loaded, startup) = try Startup.measure(model)
        let frames = try JPEGFrames(video: video, count: count)
        let costs = try FrameCosts.measure(frames, model: loaded)
        var peer: PeerCost?
        if let python, let script { peer = try PeerCost.measure(frames, python, script, model) }
        let report = Report(frames: frames, startup: startup, costs: costs, peer: peer)
        StandardStream.output.write(isJSON ? try report.json() : report.text())
    }
}

/// How long the service takes before it can judge.
struct Startup: Encodable {
    /// Milliseconds to read the 68-point model.
    var modelMs: Double
    /// Milliseconds to unpack the detector.
    var detectorMs: Double

    static func measure(_ path: String) throws -> (FaceModel, Startup) {
        let start = CPUClock.process
        let landmarks = try LandmarkModel(path: path)
        let middle = CPUClock.process
        let detector = try FaceDetector()
        let end = CPUClock.process
        return (
            FaceModel(detector: detector, landmarks: landmarks),
            Startup(modelMs: (middle - start).milliseconds, detectorMs: (end - middle).milliseconds)
        )
    }
}
