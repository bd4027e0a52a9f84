import LivenessService
import Platform
import Settings

/// How the program ends.
enum ExitStatus: Int32 {
    case completed = 0
    case failed = 1
    case usage = 2
    case noDaemon = 3
}

/// A failure that is told in one line and ends the program.
struct Failure: Error {
    let message: String
    let status: ExitStatus

    init(_ message: String, status: ExitStatus = .failed) {
        self.message = message
        self.status = status
    }
}

/// One command of the program.
protocol Runnable {
    /// Fits on a screen and shows an example.
    static var help: String { get }
    /// Takes its arguments, all of them.
    init(_ arguments: inout Arguments) throws
    /// Does it.
    func run() throws -> ExitStatus
}

/// Finds the command and reports what it throws.
enum Command {
    private static func type(of name: String) -> (any Runnable.Type)? {
        switch name {
        case "scan": ScanCommand.self
        case "replay": ReplayCommand.self
        case "cameras": CamerasCommand.self
        case "status": StatusCommand.self
        default: nil
        }
    }

    static let help = """
        livenessctl: the operator's tool of the liveness service

        usage: livenessctl COMMAND [OPTIONS]

          scan       run a scan on the service and save its media
          replay     judge a video file in this process, without the service
          cameras    list the cameras that the service sees
          status     tell what the service is doing

        livenessctl COMMAND --help tells more about each.

        Exit status: 0 completed, 1 failed (the reason is printed), 2 wrong usage, 3 no service listens.

        example: livenessctl scan --out /tmp/result
        """

    static func run(_ arguments: [String]) -> ExitStatus {
        guard let name = arguments.first, let command = type(of: name) else {
            return withoutCommand(arguments)
        }
        var rest = Arguments(arguments.dropFirst())
        if rest.flag("--help") || rest.flag("-h") {
            print(command.help)
            return .completed
        }
        do {
            return try command.init(&rest).run()
        } catch let error as UsageError {
            return report("\(error)\nlivenessctl \(name) --help shows the usage", .usage)
        } catch let error as Failure {
            return report(error.message, error.status)
        } catch let error as SettingsError {
            return report("\(error)", .usage)
        } catch {
            return report("\(error)", .failed)
        }
    }

    private static func withoutCommand(_ arguments: [String]) -> ExitStatus {
        if ["--help", "-h", "help"].contains(arguments.first) {
            print(help)
            return .completed
        }
        if arguments.first == "--version" {
            print("livenessctl \(ServiceVersion.text)")
            return .completed
        }
        let complaint = arguments.first.map { "there is no command \($0)" } ?? "a command is missing"
        return report("\(complaint)\nlivenessctl --help lists them", .usage)
    }

    private static func report(_ message: String, _ status: ExitStatus) -> ExitStatus {
        StandardStream.error.write("livenessctl: \(message)\n")
        return status
    }
}
