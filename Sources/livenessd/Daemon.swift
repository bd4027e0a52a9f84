import Camera
import LivenessInterface
import LivenessService
import Platform
import Settings

/// The service with the machine's cameras.
enum Daemon {
    static let help = """
        livenessd: checks with a camera that a live person is there, and serves it on a Unix socket

        usage: livenessd [OPTIONS]

          --socket PATH    listen there (default: the settings' path; systemd may hand a socket over)
          --settings FILE  use this settings file (default: /etc/liveness/liveness.toml)
          --check          only check the settings

        It ends on SIGTERM and SIGINT. Exit status: 0 ended by a signal, 1 can't serve, 2 wrong usage or settings.

        example: livenessd --check --settings /etc/liveness/liveness.toml
        """

    static func run(_ arguments: [String]) -> Int32 {
        var arguments = Arguments(arguments)
        if arguments.flag("--help") || arguments.flag("-h") {
            print(help)
            return 0
        }
        if arguments.flag("--version") {
            print("livenessd \(ServiceVersion.text)")
            return 0
        }
        do {
            try serve(&arguments)
            return 0
        } catch let error as UsageError {
            StandardStream.error.write("livenessd: \(error)\nlivenessd --help shows the usage\n")
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
        let onlyChecks = arguments.flag("--check")
        let options = try ServiceProcess.Options(&arguments)
        try arguments.expectEnd()
        let settings = try ServiceSettings.load(options)
        let process = try ServiceProcess(
            product: "livenessd", settings: settings, provider: CameraCatalog(settings: settings.camera),
            source: .camera)
        if onlyChecks {
            print("the settings are good")
            return
        }
        try process.run()
    }
}
