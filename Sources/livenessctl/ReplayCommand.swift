import Camera
import FaceTracking
import LivenessService
import Platform
import ReplaySource

/// Judges a file in this process.
struct ReplayCommand: Runnable {
    static let help = """
        usage: livenessctl replay FILE [OPTIONS]

        Judges a video file as if a camera had taken it, in this process and as fast as it goes. The service is not
        needed. The file's own times count, so that the result is the same on every machine.

          --json           print one JSON object per event
          --trace FILE     write one CSV row per frame: time, found, EAR, baseline, closure, yaw, pitch, inside, phase
          --loop           repeat the file until there is a verdict
          --seed N         draw the order of the actions from N, to get the same run again
          --out FOLDER     save the autoshot, the snapshot and the clip there
          --settings FILE  use this settings file (default: /etc/liveness/liveness.toml)

        Exit status: 0 completed, 1 failed, 2 wrong usage.

        example: livenessctl replay --json --loop person.mp4
        """

    private let file: String
    private let isJSON: Bool
    private let trace: String?
    private let repeats: Bool
    private let seed: UInt64
    private let folder: String?
    private let settingsFile: String?

    init(_ arguments: inout Arguments) throws {
        isJSON = arguments.flag("--json")
        repeats = arguments.flag("--loop")
        trace = try arguments.value("--trace")
        seed = try arguments.number("--seed") ?? .random(in: .min ... .max)
        folder = try arguments.value("--out")
        settingsFile = try arguments.value("--settings")
        guard let file = arguments.positional() else { throw UsageError("a video file is missing") }
        self.file = file
        try arguments.expectEnd()
    }

    func run() throws -> ExitStatus {
        let settings = try ServiceSettings.load(settingsFile)
        let source = try ReplaySource(path: file, pace: .immediate, repeats: repeats)
        let model = try FaceModel(landmarksPath: settings.tracking.model)
        let pipeline = try ScanPipeline(settings: settings.pipeline, model: model, seed: seed)
        let table = try trace.map { try TraceTable(path: $0) }
        let media = try folder.map { try MediaFolder($0) }
        let printer: any EventPrinter = isJSON ? JSONPrinter() : PlainPrinter()
        var status = ExitStatus.failed
        try InlineScan(source: source, pipeline: pipeline).run(
            onEvent: { event in
                var parcel = MediaParcel(.nowhere)
                printer.show(try event.reply(from: .replay, packing: &parcel), at: event.time)
                guard case .completed(let outcome) = event.kind else { return }
                status = .completed
                if let media { printer.saved(try media.save(outcome)) }
            },
            onFrame: { time, pipeline in try table?.append(pipeline.trace, pipeline.phase, at: time) })
        try table?.finish()
        return status
    }
}
