import Camera
import Dispatch
import Glibc
import LivenessInterface
import Platform
import Settings
import Varlink

/// The life of the service's process: from its sockets and settings to the signal that ends it.
public struct ServiceProcess {
    /// What the command line says of it.
    public struct Options: Sendable {
        /// The settings file; nil for the default one.
        public var settingsFile: String?
        /// Overrides the settings' socket path.
        public var socketPath: String?

        /// Takes `--settings FILE` and `--socket PATH`.
        ///
        /// - Throws: `UsageError`.
        public init(_ arguments: inout Arguments) throws(UsageError) {
            settingsFile = try arguments.value("--settings")
            socketPath = try arguments.value("--socket")
        }
    }

    private let settings: ServiceSettings
    private let endpoint: LivenessEndpoint
    private let server: VarlinkServer
    private let product: String

    /// A process that is called `product` and scans what `provider` opens.
    ///
    /// - Throws: `SettingsError` for a user that doesn't exist, `SystemError`.
    public init(
        product: String, settings: ServiceSettings, provider: any FrameSourceProvider, source: ReportedSource
    ) throws {
        self.settings = settings
        self.product = product
        endpoint = LivenessEndpoint(
            provider: provider, source: source, settings: settings.pipeline, modelPath: settings.tracking.model)
        let admission = try Admission(users: settings.socket.users)
        server = try VarlinkServer(
            info: ServiceInfo(
                vendor: "liveness-kiosk", product: product, version: ServiceVersion.text,
                url: "https://varlink.org/\(LivenessInterfaceText.name)"),
            interfaces: [endpoint], admits: { admission.admits($0.userID) })
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Throws: `ListeningSocketError`, `SystemError`.
    public func run() throws {
        Log.threshold = settings.log.threshold ?? .info
        try CurrentProcess.forbidCoreDumps()
        let signals = try CurrentProcess.signals([SIGTERM, SIGINT])
        let handedOver = ServiceManager.takeSockets()
        let listeners = handedOver.isEmpty ? [try openSocket()] : handedOver
        defer { if handedOver.isEmpty { ListeningSocket.remove(path: settings.socket.path) } }
        try endpoint.prepare()
        let ended = DispatchSemaphore(value: 0)
        try BlockingThread.start("socket") { [server] in
            do throws(SystemError) {
                try server.run(on: listeners)
            } catch {
                Log.error("the socket can't be served any more: \(error)")
            }
            ended.signal()
        }
        let place = handedOver.isEmpty ? settings.socket.path : "a socket of systemd"
        Log.info("\(product) \(ServiceVersion.text) listens on \(place)")
        ServiceManager.ready("ready")
        try Watch(signals: signals, endpoint: endpoint).untilSignal()
        ServiceManager.stopping()
        Log.info("\(product) is going down")
        endpoint.stop()
        server.stop()
        ended.wait()
    }

    private func openSocket() throws(ListeningSocketError) -> Descriptor {
        try ListeningSocket.open(path: settings.socket.path, mode: settings.socket.permissions ?? 0o660)
    }
}

/// Waits for the signal that ends the process and feeds systemd's watchdog meanwhile.
private struct Watch {
    let signals: Descriptor
    let endpoint: LivenessEndpoint

    func untilSignal() throws(SystemError) {
        let interval = ServiceManager.watchdogInterval
        let timeout = interval.map { CInt(clamping: $0.wholeMilliseconds / 2) } ?? -1
        while true {
            var entry = pollfd(fd: signals.number, events: Int16(POLLIN), revents: 0)
            if try systemCall("poll", { poll(&entry, 1, timeout) }) > 0 { return }
            if let interval, isMoving(interval) { ServiceManager.alive() }
        }
    }

    /// A scan whose vision thread does not come round any more is a hang that a restart mends.
    private func isMoving(_ interval: Duration) -> Bool {
        guard let last = endpoint.lastProgress else { return true }
        return MonotonicClock.now - last < interval
    }
}
