import FoundationEssentials
import Platform
import Synchronization

/// Tells one connection from another for as long as the server runs.
public struct ConnectionID: Hashable, Sendable {
    let number: UInt64
}

/// One call of a peer. It may be kept, and answered later from any thread.
public final class VarlinkCall: Sendable {
    private struct State {
        var isAnswered = false
        var isGone = false
        var onHangUp: (@Sendable () -> Void)?
    }

    /// The method's name without its interface's.
    public let method: String
    /// Who calls.
    public let peer: PeerCredentials
    /// Whether the peer takes more than one reply.
    public let wantsMore: Bool
    /// Where the call came from.
    public let connection: ConnectionID
    /// What came with the call.
    public let descriptors: [Descriptor]
    private let call: IncomingCall
    private let outbox: Outbox
    private let state = Mutex(State())

    init(
        _ call: IncomingCall, peer: PeerCredentials, connection: ConnectionID, descriptors: [Descriptor],
        outbox: Outbox
    ) {
        method = call.shortMethod
        wantsMore = call.more
        self.call = call
        self.peer = peer
        self.connection = connection
        self.descriptors = descriptors
        self.outbox = outbox
    }

    /// The call's parameters.
    ///
    /// - Throws: `VarlinkError` (`InvalidParameter`) naming the member that is missing or of the wrong type.
    public func parameters<Parameters: Decodable>(
        _ type: Parameters.Type
    ) throws(VarlinkError) -> Parameters {
        try call.parameters(type)
    }

    /// Bytes that this connection's peer has not taken yet.
    public var pendingBytes: Int { outbox.pendingBytes }

    /// Answers the call. With `continues`, which needs `wantsMore`, more replies follow; after the last one, and after
    /// the peer has gone, further ones are dropped.
    public func reply(_ value: some Encodable, descriptors: [Descriptor] = [], continues: Bool = false) {
        guard mayAnswer(continues: continues) else { return }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            let reply = OutgoingReply(parameters: value, continues: continues ? true : nil)
            send(Array(try encoder.encode(reply)), descriptors, isLast: !continues)
        } catch {
            Log.error("a reply to \(call.method) can't be encoded: \(error)")
            outbox.abandon()
        }
    }

    /// Answers the call with an error, its last reply.
    public func fail(_ error: VarlinkError) {
        guard mayAnswer(continues: false) else { return }
        send(error.message, [], isLast: true)
    }

    /// Has `body` called once, on the server's thread, when the peer goes away before the last reply; at once where it
    /// has gone already.
    public func onHangUp(_ body: @escaping @Sendable () -> Void) {
        let isGone = state.withLock { state in
            if !state.isGone && !state.isAnswered { state.onHangUp = body }
            return state.isGone
        }
        if isGone { body() }
    }

    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    func hangUp() {
        let body = state.withLock { state in
            guard !state.isAnswered, !state.isGone else { return nil as (@Sendable () -> Void)? }
            state.isGone = true
            defer { state.onHangUp = nil }
            return state.onHangUp
        }
        body?()
    }

    /// Marks the last reply before it is sent, so that two threads can't both send one.
    private func mayAnswer(continues: Bool) -> Bool {
        state.withLock { state in
            guard !state.isAnswered, !state.isGone else { return false }
            if !continues {
                state.isAnswered = true
                state.onHangUp = nil
            }
            return true
        }
    }

    private func send(_ bytes: [UInt8], _ descriptors: [Descriptor], isLast: Bool) {
        if call.oneway {
            if isLast { outbox.wake() }
        } else {
            outbox.put(bytes, descriptors)
        }
    }
}
