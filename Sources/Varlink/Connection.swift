import CPlatform
import Glibc
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
    private var buffer: [UInt8] = []
    /// How far the buffer was searched for a message's end.
    private var searched = 0
    private var descriptors: [Descriptor] = []
    private var messageBegan: Duration?

    private static let chunk = 64 * 1024

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
    var deadline: Duration? { current == nil ? messageBegan.map { $0 + limits.messageTime } : nil }

    /// Reads what is there, once.
    func read(at time: Duration, into scratch: UnsafeMutableRawBufferPointer) -> Reading {
        var numbers = InlineArray<16, CInt>(repeating: -1)
        var received = 0
        var isTruncated: CInt = 0
        var span = numbers.mutableSpan
        let count = span.withUnsafeMutableBufferPointer { numbers in
            CPlatform_receive(
                socket.number, scratch.baseAddress, min(scratch.count, Self.chunk), numbers.baseAddress,
                numbers.count, &received, &isTruncated)
        }
        let code = errno
        for index in 0..<received { descriptors.append(Descriptor(owning: numbers[index])) }
        if count < 0 { return code == EAGAIN || code == EINTR ? .open : .broken("read: \(code)") }
        if count == 0 {
            hasEnded = true
            return .ended
        }
        guard isTruncated == 0, descriptors.count <= limits.descriptors else {
            return .broken("more descriptors than a message may have")
        }
        if buffer.isEmpty { messageBegan = time }
        buffer.append(contentsOf: scratch[..<count])
        return .open
    }

    /// The next whole message, without its end; nil where there is none yet.
    ///
    /// - Throws: `MessageTooLong`.
    func takeMessage(at time: Duration) throws(MessageTooLong) -> (bytes: ArraySlice<UInt8>, [Descriptor])? {
        guard let end = buffer[searched...].firstIndex(of: 0) else {
            searched = buffer.count
            if buffer.count > limits.messageBytes { throw MessageTooLong() }
            return nil
        }
        guard end <= limits.messageBytes else { throw MessageTooLong() }
        let message = buffer[..<end]
        buffer = Array(buffer[(end + 1)...])
        searched = 0
        messageBegan = buffer.isEmpty ? nil : time
        defer { descriptors = [] }
        return (message, descriptors)
    }
}

/// A message beyond `VarlinkLimits.messageBytes`.
struct MessageTooLong: Error {}
