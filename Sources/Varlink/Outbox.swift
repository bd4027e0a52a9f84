import CPlatform
import Glibc
import Platform
import Synchronization

/// What waits to be sent on one connection. Any thread adds to it; the server's thread sends.
final class Outbox: Sendable {
    private struct Message {
        var bytes: [UInt8]
        var sent = 0
        var descriptors: [Descriptor]

        /// `sendmsg`'s result; `errno` is set where it is negative.
        func send(on socket: Descriptor) -> Int {
            let numbers = descriptors.map(\.number)
            return bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                return CPlatform_send(socket.number, rest.baseAddress, rest.count, numbers, numbers.count)
            }
        }
    }

    private struct State {
        var messages: [Message] = []
        var pendingBytes = 0
        var isOverfull = false
    }

    /// What sending came to.
    enum Sending {
        case done
        /// The kernel takes no more for now.
        case blocked
        /// The peer is gone, or does not read.
        case failed
    }

    private let limit: Int
    private let loop: WakeUp
    private let state = Mutex(State())

    init(limit: Int, loop: WakeUp) {
        self.limit = limit
        self.loop = loop
    }

    var pendingBytes: Int { state.withLock { $0.pendingBytes } }
    var isOverfull: Bool { state.withLock { $0.isOverfull } }

    /// Queues a message, whose end is added. A peer that has let too much pile up loses its connection.
    func put(_ bytes: [UInt8], _ descriptors: [Descriptor]) {
        state.withLock { state in
            guard !state.isOverfull else { return }
            guard state.pendingBytes + bytes.count < limit else {
                state.isOverfull = true
                return
            }
            state.pendingBytes += bytes.count + 1
            state.messages.append(Message(bytes: bytes + [0], descriptors: descriptors))
        }
        loop.signal()
    }

    /// Gives the connection up: what its peer waits for can't be sent.
    func abandon() {
        state.withLock { $0.isOverfull = true }
        loop.signal()
    }

    /// Lets the server's thread look at the connection.
    func wake() { loop.signal() }

    /// Sends what the kernel takes. Descriptors go with the first byte of their message, which begins a `sendmsg` of
    /// its own so that the peer's kernel hands them out there.
    func send(on socket: Descriptor) -> Sending {
        state.withLock { state in
            while let message = state.messages.first {
                let count = message.send(on: socket)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno == EAGAIN ? .blocked : .failed
                }
                state.pendingBytes -= count
                state.messages[0].sent += count
                state.messages[0].descriptors = []
                if state.messages[0].sent == message.bytes.count { state.messages.removeFirst() }
            }
            return .done
        }
    }
}
