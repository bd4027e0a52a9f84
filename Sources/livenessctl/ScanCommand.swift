import LivenessInterface
import Platform

/// Runs a scan on the service.
struct ScanCommand: Runnable {
    static let help = """
        usage: livenessctl scan [OPTIONS]

        Runs a scan on the service, shows how it goes, and saves the autoshot, the snapshot and the clip. Ending this
        program (Ctrl-C) cancels the scan.

          --camera NAME    the camera's id, name or node (default: the only one, or the settings' one)
          --out FOLDER     save the media there (default: a new folder liveness-ID here)
          --json           print one JSON object per event
        \(ServiceClient.help)

        Exit status: 0 completed, 1 failed with the reason, 2 wrong usage, 3 no service listens.

        example: livenessctl scan --out /tmp/result
        """

    private let camera: String?
    private let folder: String?
    private let isJSON: Bool
    private let service: ServiceClient

    init(_ arguments: inout Arguments) throws {
        camera = try arguments.value("--camera")
        folder = try arguments.value("--out")
        isJSON = arguments.flag("--json")
        service = try ServiceClient(&arguments)
        try arguments.expectEnd()
    }

    func run() throws -> ExitStatus {
        let printer: any EventPrinter = isJSON ? JSONPrinter() : PlainPrinter()
        var status = ExitStatus.failed
        var id = ""
        let began = MonotonicClock.now
        try service.run { client in
            try client.scan(camera: camera) { reply, media in
                if let started = reply.started { id = started.id }
                printer.show(reply, at: MonotonicClock.now - began)
                guard let media else { return }
                status = .completed
                let target = try MediaFolder(folder ?? "liveness-\(id.prefix(8))")
                printer.saved(
                    try target.save(autoshot: media.autoshot, snapshot: media.snapshot, clip: media.clip))
            }
        }
        return status
    }
}
