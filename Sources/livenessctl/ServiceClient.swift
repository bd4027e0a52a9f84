import LivenessInterface
import LivenessService
import Platform
import Settings
import Varlink

/// The way to the service that every command but `replay` takes.
struct ServiceClient {
    static let help = """
          --socket PATH    talk to the service there (default: the settings' path)
          --settings FILE  use this settings file (default: /etc/liveness/liveness.toml)
        """

    private let path: String

    /// Takes `--socket` and `--settings`.
    init(_ arguments: inout Arguments) throws {
        let settings = try arguments.value("--settings")
        path = try arguments.value("--socket") ?? ServiceSettings.load(settings).socket.path
    }

    /// Runs `body` with a connection; its failures become this program's.
    func run<Result>(_ body: (LivenessClient) throws -> Result) throws -> Result {
        do {
            return try body(try LivenessClient(path: path))
        } catch let error as LivenessClientError {
            switch error {
            case .refused(let refusal):
                let holder = refusal.holder.map { " (held by process \($0.process) of user \($0.user))" } ?? ""
                throw Failure("\(refusal.reason.rawValue): \(refusal.message)\(holder)")
            case .connection(.unreachable):
                throw Failure("\(error)\nis livenessd running? systemctl status livenessd", status: .noDaemon)
            case .connection: throw Failure("\(error)")
            }
        }
    }
}
