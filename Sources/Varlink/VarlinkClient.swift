import FoundationEssentials
import Glibc
import Platform

/// Why a call came to nothing.
public enum VarlinkClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Nobody listens there, or not to us.
    case unreachable(path: String, SystemError)
    /// The service closed the connection, or it was shut down from this side.
    case connectionClosed
    /// The service sent what is no reply of the expected shape.
    case malformed(String)
    /// The service answered with an error.
    case refused(VarlinkError)

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .unreachable(let path, let error): "no service at \(path): \(error)"
        case .connectionClosed: "the service closed the connection"
        case .malformed(let detail): "the service sent an unexpected reply: \(detail)"
        case .refused(let error): "\(error)"
        }
    }
}

/// A blocking client on one connection. One thread calls; any other may shut it down.
public final class VarlinkClient {
    private let socket: Descriptor
    private var buffer = MessageBuffer()

    /// The longest reply that is read: three media as base64.
    private static let replyLimit = 64 * 1024 * 1024

    /// Connects to the service that listens on `path`.
    ///
    /// - Throws: `VarlinkClientError.unreachable`.
    public init(path: String) throws(VarlinkClientError) {
        do {
            let socket = Descriptor(
                owning: try systemCall("socket") {
                    Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
                })
            let status = (try? withAddress(path) { connect(socket.number, $0, $1) == 0 ? 0 : errno }) ?? ENAMETOOLONG
            if status != 0 { throw SystemError(call: "connect", errno: status) }
            self.socket = socket
        } catch {
            throw .unreachable(path: path, error as? SystemError ?? SystemError(call: "connect", errno: EINVAL))
        }
    }

    /// A function that ends a call in hand, which then throws `connectionClosed`. Any thread may call it.
    public var shutDown: @Sendable () -> Void {
        { [socket] in
            // Fails where the connection is closed already.
            _ = shutdown(socket.number, CInt(SHUT_RDWR))
        }
    }

    /// Calls a method that answers once. `method` is the full name.
    ///
    /// - Returns: the reply and the descriptors that came with it.
    /// - Throws: `VarlinkClientError`.
    public func call<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable, as type: Reply.Type
    ) throws(VarlinkClientError) -> (Reply, [Descriptor]) {
        try send(Call(method: method, parameters: parameters))
        let (reply, _, descriptors) = try receive(type)
        return (reply, descriptors)
    }

    /// Calls a method that answers more than once, and hands every reply to `onReply`, with the descriptors that came
    /// with it.
    ///
    /// - Throws: `VarlinkClientError`, and whatever `onReply` throws.
    public func stream<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable, as type: Reply.Type,
        onReply: (Reply, [Descriptor]) throws -> Void
    ) throws {
        try send(Call(method: method, parameters: parameters, more: true))
        while true {
            let (reply, continues, descriptors) = try receive(type)
            try onReply(reply, descriptors)
            if !continues { return }
        }
    }

    private struct Call<Parameters: Encodable>: Encodable {
        var method: String
        var parameters: Parameters
        var more: Bool?
    }

    private struct Reply<Parameters: Decodable>: Decodable {
        var parameters: Parameters?
        var continues: Bool?
    }

    private struct ErrorReply: Decodable {
        var error: String?
    }
}

// MARK: - Messages

extension VarlinkClient {
    private func send(_ call: some Encodable) throws(VarlinkClientError) {
        guard var bytes = (try? JSONEncoder().encode(call)).map(Array.init) else {
            throw .malformed("the parameters can't be encoded")
        }
        bytes.append(0)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    socket.number, $0.baseAddress?.advanced(by: done), $0.count - done, CInt(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .connectionClosed }
            done += count
        }
    }

    private func receive<Value: Decodable>(
        _ type: Value.Type
    ) throws(VarlinkClientError) -> (Value, continues: Bool, [Descriptor]) {
        let (bytes, descriptors) = try receiveMessage()
        let message = Data(bytes)
        if let name = (try? JSONDecoder().decode(ErrorReply.self, from: message))?.error {
            throw .refused(VarlinkError(name: name, message: bytes))
        }
        do {
            let reply = try JSONDecoder().decode(Reply<Value>.self, from: message)
            if let value = reply.parameters { return (value, reply.continues ?? false, descriptors) }
            let empty = try JSONDecoder().decode(type, from: Data("{}".utf8))
            return (empty, reply.continues ?? false, descriptors)
        } catch {
            throw .malformed("\(error)")
        }
    }

    private func receiveMessage() throws(VarlinkClientError) -> (bytes: [UInt8], descriptors: [Descriptor]) {
        while true {
            do {
                if let message = try buffer.takeMessage(limit: Self.replyLimit) { return message }
            } catch {
                throw .malformed("a reply without an end")
            }
            var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
            // A signal only makes it look once more.
            _ = poll(&entry, 1, -1)
            switch buffer.read(from: socket) {
            case .some, .nothing: break
            case .ended, .failed: throw .connectionClosed
            }
        }
    }
}
