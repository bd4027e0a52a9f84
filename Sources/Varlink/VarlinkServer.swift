import Platform
import Synchronization

/// Serves interfaces on Unix sockets. One thread, the caller of `run`, serves every connection.
public final class VarlinkServer: Sendable {
    private let interfaces: [String: any VarlinkInterface]
    private let limits: VarlinkLimits
    private let admits: @Sendable (PeerCredentials) -> Bool
    private let wake: WakeUp
    private let isStopping = Atomic(false)

    /// A server of `interfaces` and of introspection. A peer that `admits` refuses gets `PermissionDenied` for
    /// whatever it calls.
    ///
    /// - Throws: `SystemError` where no descriptor is left.
    public init(
        info: ServiceInfo, interfaces: [any VarlinkInterface], limits: VarlinkLimits = VarlinkLimits(),
        admits: @escaping @Sendable (PeerCredentials) -> Bool
    ) throws(SystemError) {
        let all: [any VarlinkInterface] = [ServiceInterface(info: info, others: interfaces)] + interfaces
        self.interfaces = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        self.limits = limits
        self.admits = admits
        wake = try WakeUp()
    }

    /// Serves the listening sockets until `stop`.
    ///
    /// - Throws: `SystemError` where waiting for the sockets fails.
    public func run(on listeners: [Descriptor]) throws(SystemError) {
        let loop = ServerLoop(limits: limits, wake: wake) { [self] in answer($0, $1) }
        defer { loop.closeAll() }
        while !isStopping.load(ordering: .acquiring) { try loop.turn(listeners) }
        let end = MonotonicClock.now + limits.stopTime
        while loop.hasOutput, MonotonicClock.now < end { try loop.turn([], until: end) }
    }

    /// Ends `run`, from any thread. What is queued is still sent.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Hands a call to its interface.
    private func answer(_ call: VarlinkCall, _ incoming: IncomingCall) {
        if !admits(call.peer) {
            Log.warning("user \(call.peer.userID) is not admitted", ["USER": "\(call.peer.userID)"])
            return call.fail(.permissionDenied)
        }
        guard let interface = interfaces[incoming.interface] else {
            return call.fail(.interfaceNotFound(incoming.interface))
        }
        guard interface.methods.contains(call.method) else { return call.fail(.methodNotFound(incoming.method)) }
        if incoming.upgrade { return call.fail(.methodNotImplemented(incoming.method)) }
        interface.handle(call)
    }
}
