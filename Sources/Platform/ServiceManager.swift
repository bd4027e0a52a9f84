import CPlatform
import Glibc

/// systemd, where it started this process; every call is harmless where it didn't.
public enum ServiceManager {
    /// Says that the service is ready, with a line for `systemctl status`.
    public static func ready(_ status: String) { notify("READY=1\nSTATUS=\(status)") }

    /// Says that the service is going down.
    public static func stopping() { notify("STOPPING=1") }

    /// The line that `systemctl status` shows.
    public static func status(_ text: String) { notify("STATUS=\(text)") }

    /// Tells the watchdog that work goes on.
    public static func alive() { notify("WATCHDOG=1") }

    /// How often `alive()` is due at the latest; nil without a watchdog.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return CPlatform_watchdog(&microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    /// The listening sockets that systemd handed over (`sd_listen_fds`).
    public static func takeSockets() -> [Descriptor] {
        let count = CPlatform_listen_descriptors()
        guard count > 0 else { return [] }
        return (3..<3 + count).map { Descriptor(owning: $0) }
    }

    private static func notify(_ state: String) {
        // 0 means that no manager listens, which is normal in a terminal.
        if CPlatform_notify(state) < 0 { Log.warning("the service manager can't be told: \(state)") }
    }
}

/// The process itself.
public enum CurrentProcess {
    /// Keeps pictures in memory out of core dumps and away from other processes of the same user.
    ///
    /// - Throws: `SystemError`.
    public static func forbidCoreDumps() throws(SystemError) {
        try systemCall("prctl(PR_SET_DUMPABLE)") { CPlatform_forbid_core_dumps() }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        try systemCall("setrlimit(RLIMIT_CORE)") { setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) }
    }

    /// A descriptor that becomes readable when one of `signals` arrives; call before any other thread starts, which
    /// then inherits that they are blocked.
    ///
    /// - Throws: `SystemError`.
    public static func signals(_ signals: [CInt]) throws(SystemError) -> Descriptor {
        Descriptor(owning: try systemCall("signalfd") { CPlatform_signalfd(signals, signals.count) })
    }
}

/// A thread of its own for work that blocks: waiting for a camera must not hold a thread of Swift's pool.
public enum BlockingThread {
    /// Starts `body` on a new thread, whose name (15 bytes at most) `top -H` shows.
    ///
    /// - Throws: `SystemError` (`EAGAIN` where no thread can be made).
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let error = pthread_create(&thread, &attributes, runThread, start.toOpaque())
        if error != 0 {
            start.release()
            throw SystemError(call: "pthread_create", errno: error)
        }
    }
}

private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    CPlatform_name_thread(start.name)
    start.body()
    return nil
}
