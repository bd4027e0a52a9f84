import CPlatform
import Glibc
import Platform

/// The server's connections, and one turn after another of waiting for them. One thread owns it.
final class ServerLoop {
    private let limits: VarlinkLimits
    private let wake: WakeUp
    private let answer: (VarlinkCall, IncomingCall) -> Void
    private var connections: [Connection] = []
    private var entries: [pollfd] = []
    private var nextID: UInt64 = 0
    /// No descriptor was left for a new connection: it is tried again then.
    private var acceptAgain = Duration.zero

    private static let acceptPause = Duration.milliseconds(200)

    init(limits: VarlinkLimits, wake: WakeUp, answer: @escaping (VarlinkCall, IncomingCall) -> Void) {
        self.limits = limits
        self.wake = wake
        self.answer = answer
    }

    /// Whether something waits to be sent.
    var hasOutput: Bool { connections.contains { $0.outbox.pendingBytes > 0 } }

    func closeAll() {
        for connection in connections { close(connection, nil) }
        connections = []
    }

    /// Waits until something can be done, then does it.
    ///
    /// - Throws: `SystemError` of `poll`.
    func turn(_ listeners: [Descriptor], until end: Duration? = nil) throws(SystemError) {
        let accepting = MonotonicClock.now >= acceptAgain ? listeners : []
        collectEntries(accepting)
        let timeout = pollTime(until: end, isPaused: accepting.count < listeners.count)
        let count = nfds_t(entries.count)
        try systemCall("poll") {
            entries.withUnsafeMutableBufferPointer { poll($0.baseAddress, count, timeout) }
        }
        if entries[0].revents != 0 { wake.clear() }
        let now = MonotonicClock.now
        let (served, before) = (connections, 1 + accepting.count)
        for (index, connection) in served.enumerated() { serve(connection, entries[before + index].revents, now) }
        for (index, listener) in accepting.enumerated() where entries[1 + index].revents != 0 { accept(on: listener) }
    }

    private func collectEntries(_ listeners: [Descriptor]) {
        entries.removeAll(keepingCapacity: true)
        entries.append(pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0))
        for listener in listeners { entries.append(pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)) }
        for connection in connections {
            var events: Int16 = 0
            if connection.wantsInput { events |= Int16(POLLIN) }
            if connection.outbox.pendingBytes > 0 { events |= Int16(POLLOUT) }
            // POLLHUP comes unasked, also while a call is in hand.
            entries.append(pollfd(fd: connection.socket.number, events: events, revents: 0))
        }
    }

    private func pollTime(until end: Duration?, isPaused: Bool) -> CInt {
        var times = connections.compactMap(\.deadline)
        if let end { times.append(end) }
        if isPaused { times.append(acceptAgain) }
        guard let first = times.min() else { return -1 }
        return CInt(clamping: max(0, (first - MonotonicClock.now).wholeMilliseconds + 1))
    }
}

// MARK: - Connections

extension ServerLoop {
    private func serve(_ connection: Connection, _ events: Int16, _ now: Duration) {
        if let fault = progress(connection, events, now) { drop(connection, fault) }
    }

    /// Sends, reads and hands on; a text where the connection is over.
    private func progress(_ connection: Connection, _ events: Int16, _ now: Duration) -> String? {
        if connection.outbox.isOverfull { return "it does not read what it asked for" }
        if case .failed = connection.outbox.send(on: connection.socket) { return "it is gone" }
        if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0, !connection.wantsInput { return "it is gone" }
        if let deadline = connection.deadline, now >= deadline { return "it does not complete its message" }
        if events & Int16(POLLIN | POLLHUP) != 0, connection.wantsInput {
            if case .broken(let fault) = connection.read(at: now) { return fault }
        }
        if let fault = handOn(connection, now) { return fault }
        // What was answered at once leaves at once.
        if case .failed = connection.outbox.send(on: connection.socket) { return "it is gone" }
        let isIdle = connection.current == nil && connection.outbox.pendingBytes == 0
        return connection.hasEnded && isIdle ? "it has ended" : nil
    }

    /// Hands on calls until one is not answered at once.
    private func handOn(_ connection: Connection, _ now: Duration) -> String? {
        do throws(MessageTooLong) {
            while true {
                if let current = connection.current {
                    guard current.isAnswered else { return nil }
                    connection.current = nil
                }
                guard let (bytes, descriptors) = try connection.takeMessage(at: now) else { return nil }
                guard let incoming = IncomingCall(bytes) else { return "it sent what is no call" }
                let call = VarlinkCall(
                    incoming, peer: connection.peer, connection: connection.id, descriptors: descriptors,
                    outbox: connection.outbox)
                connection.current = call
                answer(call, incoming)
            }
        } catch {
            return "its message is too long"
        }
    }

    private func drop(_ connection: Connection, _ fault: String) {
        connections.removeAll { $0 === connection }
        close(connection, fault)
    }

    private func close(_ connection: Connection, _ fault: String?) {
        if let fault { Log.debug("the connection of process \(connection.peer.processID) is closed: \(fault)") }
        connection.current?.hangUp()
        connection.current = nil
    }

    private func accept(on listener: Descriptor) {
        let number = CPlatform_accept(listener.number)
        guard number >= 0 else {
            let code = errno
            if code == EMFILE || code == ENFILE || code == ENOMEM || code == ENOBUFS {
                Log.warning("no descriptor is left for a new connection")
                acceptAgain = MonotonicClock.now + Self.acceptPause
            }
            // Anything else is the peer's: it went away before it was accepted.
            return
        }
        nextID += 1
        do {
            let connection = try Connection(
                id: ConnectionID(number: nextID), socket: Descriptor(owning: number), limits: limits, loop: wake)
            guard hasRoom(for: connection.peer) else {
                return Log.warning("too many connections", ["USER": "\(connection.peer.userID)"])
            }
            connections.append(connection)
        } catch {
            Log.debug("a connection was lost at once: \(error)")
        }
    }

    private func hasRoom(for peer: PeerCredentials) -> Bool {
        guard connections.count < limits.connections else { return false }
        return peer.userID == 0
            || connections.count { $0.peer.userID == peer.userID } < limits.connectionsPerUser
    }
}
