import LivenessInterface
import Platform

/// Lists what the service can open.
struct CamerasCommand: Runnable {
    static let help = """
        usage: livenessctl cameras [OPTIONS]

        Lists the cameras that the service sees: id, kind, node and name. The id stays the same when a camera is
        plugged in again, and is what the settings should name.

        \(ServiceClient.help)

        Exit status: 0 listed, 1 failed with the reason, 2 wrong usage, 3 no service listens.

        example: livenessctl cameras
        """

    private let service: ServiceClient

    init(_ arguments: inout Arguments) throws {
        service = try ServiceClient(&arguments)
        try arguments.expectEnd()
    }

    func run() throws -> ExitStatus {
        let cameras = try service.run { try $0.cameras() }
        if cameras.isEmpty { StandardStream.output.write("no camera is connected\n") }
        let width = cameras.map(\.id.count).max() ?? 0
        for camera in cameras {
            let padding = String(repeating: " ", count: width - camera.id.count)
            StandardStream.output.write(
                "\(camera.id)\(padding)  \(camera.kind.rawValue)  \(camera.node)  \(camera.name)\n")
        }
        return .completed
    }
}

/// Tells what the service is doing.
struct StatusCommand: Runnable {
    static let help = """
        usage: livenessctl status [OPTIONS]

        Tells what the service is doing: its version, what it scans, who runs a scan, and how many ended how.

          --metrics        print all counters, in Prometheus' text format
        \(ServiceClient.help)

        Exit status: 0 told, 1 failed with the reason, 2 wrong usage, 3 no service listens.

        example: livenessctl status
        """

    private let service: ServiceClient
    private let wantsMetrics: Bool

    init(_ arguments: inout Arguments) throws {
        wantsMetrics = arguments.flag("--metrics")
        service = try ServiceClient(&arguments)
        try arguments.expectEnd()
    }

    func run() throws -> ExitStatus {
        if wantsMetrics {
            StandardStream.output.write(try service.run { try $0.metrics() })
        } else {
            StandardStream.output.write(text(of: try service.run { try $0.status() }))
        }
        return .completed
    }

    private func text(of status: ServiceStatus) -> String {
        let holder = status.holder.map { " for process \($0.process) of user \($0.user)" } ?? ""
        let phase = status.phase.map { ", \($0.rawValue)" } ?? ""
        return """
            version  \(status.version)
            source   \(status.source.rawValue)
            up       \(status.uptimeMs / 1000) s
            model    \(status.modelLoaded ? "read" : "not read yet, or missing: see the log")
            now      \(status.busy ? "a scan runs\(holder)\(phase)" : "idle")
            scans    \(status.scans.completed) completed, \(status.scans.failed) failed

            """
    }
}
