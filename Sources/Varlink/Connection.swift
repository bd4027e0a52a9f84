import Platform

/// One peer's connection. The server's thread owns it.
final class Connection {
    /// What reading came to.
    enum Reading {
        case open
        /// The peer sends no more; calls in hand are still answered.
        case ended
        /// The peer broke the protocol or a limit, or is gone.
        case broken(String)
    }

    let id: ConnectionID
    let socket: Descriptor
    let peer: PeerCredentials
    let outbox: Outbox
    /// The call that is not answered yet.
    var current: VarlinkCall?
    private(set) var hasEnded = false
    private let limits: VarlinkLimits
    private var buffer = MessageBuffer()
    private var messageBegan = Duration.zero

    init(id: ConnectionID, socket: Descriptor, limits: VarlinkLimits, loop: WakeUp) throws(SystemError) {
        self.id = id
        self.socket = socket
        self.limits = limits
        peer = try PeerCredentials(of: socket)
        outbox = Outbox(limit: limits.outgoingBytes, loop: loop)
    }

    /// Whether the next call may be read: one at a time, so that a peer can pile up nothing here.
    var wantsInput: Bool { current == nil && !hasEnded }

    /// When the message that has begun must be complete; nil where none has.
    var deadline: Duration? { current == nil && !buffer.isEmpty ? messageBegan + limits.messageTime : nil }

    /// Reads what is there, once.
    func read(at time: Duration) -> Reading {
        if buffer.isEmpty { messageBegan = time }
        switch buffer.read(from: socket) {
        case .some, .nothing: break
        case .ended:
            hasEnded = true
            return .ended
        case .failed(let code): return .broken(code == 0 ? "descriptors were lost" : "read: errno \(code)")
        }
        return buffer.descriptorCount > limits.descriptors ? .broken("more descriptors than may come") : .open
    }

    /// The next whole message, without its end; nil where there is none yet.
    ///
    /// - Throws: `MessageTooLong`.
    func takeMessage(at time: Duration) throws(MessageTooLong) -> (bytes: [UInt8], descriptors: [Descriptor])? {
        guard let message = try buffer.takeMessage(limit: limits.messageBytes) else { return nil }
        messageBegan = time
        return message
    }
}
