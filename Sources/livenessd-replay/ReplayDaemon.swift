import LivenessInterface
import LivenessService
import Platform
import ReplaySource
import Settings

/// The service with a video file in the camera's place: for demonstrations and tests, never installed.
enum ReplayDaemon {
    static let help = """
        livenessd-replay: serves a video file as if it were the camera; status and results say so

        usage: livenessd-replay FILE [OPTIONS]

          --loop           repeat the file for as long as a scan runs
          --socket PATH    listen there (default: the settings' path)
          --settings FILE  use this settings file (default: /etc/liveness/liveness.toml)

        It ends on SIGTERM and SIGINT. Exit status: 0 ended by a signal, 1 can't serve, 2 wrong usage or settings.

        example: livenessd-replay --loop --socket /tmp/liveness.sock person.mp4
        """

    static func run(_ arguments: [String]) -> Int32 {
        var arguments = Arguments(arguments)
        if arguments.flag("--help") || arguments.flag("-h") {
            print(help)
            return 0
        }
        do {
            try serve(&arguments)
            return 0
        } catch let error as UsageError {
            StandardStream.error.write("livenessd-replay: \(error)\nlivenessd-replay --help shows the usage\n")
            return 2
        } catch let error as SettingsError {
            Log.error("\(error)")
            return 2
        } catch {
            Log.error("\(error)")
            return 1
        }
    }

    private static func serve(_ arguments: inout Arguments) throws {
        let repeats = arguments.flag("--loop")
        let options = try ServiceProcess.Options(&arguments)
        guard let file = arguments.positional() else { throw UsageError("a video file is missing") }
        try arguments.expectEnd()
        let settings = try ServiceSettings.load(options)
        let provider = ReplayProvider(path: file, pace: .realTime, repeats: repeats)
        // A file that can't be played is told now, not to the first client.
        _ = try provider.list()
        try ServiceProcess(product: "livenessd-replay", settings: settings, provider: provider, source: .replay).run()
    }
}
