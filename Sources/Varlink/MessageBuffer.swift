import CPlatform
import Glibc
import Platform

/// A message beyond the limit.
struct MessageTooLong: Error {}

/// The bytes of a connection, cut into messages at their NULs, with the descriptors that belong to each.
struct MessageBuffer {
    /// What reading came to.
    enum Reading {
        case some
        /// Nothing is there for now.
        case nothing
        case ended
        /// `errno`, or 0 where descriptors were lost.
        case failed(CInt)
    }

    private struct Attachment {
        var place: Int
        var descriptors: [Descriptor]
    }

    private var bytes: [UInt8] = []
    /// How far the bytes were searched for a message's end.
    private var searched = 0
    private var attachments: [Attachment] = []

    private static let chunk = 64 * 1024
    private static let mostDescriptors = 16

    var isEmpty: Bool { bytes.isEmpty }
    var descriptorCount: Int { attachments.reduce(0) { $0 + $1.descriptors.count } }

    /// Reads what is there, once.
    mutating func read(from socket: Descriptor) -> Reading {
        var numbers = [CInt](repeating: -1, count: Self.mostDescriptors)
        var received = 0
        var isTruncated: CInt = 0
        let before = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: Self.chunk))
        let count = bytes.withUnsafeMutableBytes {
            CPlatform_receive(
                socket.number, $0.baseAddress?.advanced(by: before), Self.chunk, &numbers, numbers.count, &received,
                &isTruncated)
        }
        let code = errno
        bytes.removeLast(Self.chunk - max(count, 0))
        attach(numbers[..<received].map { Descriptor(owning: $0) }, since: before)
        if count < 0 { return code == EAGAIN || code == EINTR ? .nothing : .failed(code) }
        if isTruncated != 0 { return .failed(0) }
        return count == 0 ? .ended : .some
    }

    /// The kernel hands out descriptors with the bytes they were sent with and stops there, but may put earlier bytes
    /// before them: they belong to the last message that begins in what was read.
    private mutating func attach(_ descriptors: [Descriptor], since start: Int) {
        guard !descriptors.isEmpty else { return }
        let place = bytes[start...].dropLast().lastIndex(of: 0).map { $0 + 1 } ?? start
        attachments.append(Attachment(place: place, descriptors: descriptors))
    }

    /// The next whole message, without its end; nil where there is none yet.
    mutating func takeMessage(limit: Int) throws(MessageTooLong) -> (bytes: [UInt8], descriptors: [Descriptor])? {
        guard let end = bytes[searched...].firstIndex(of: 0) else {
            searched = bytes.count
            if bytes.count > limit { throw MessageTooLong() }
            return nil
        }
        guard end <= limit else { throw MessageTooLong() }
        let message = Array(bytes[..<end])
        bytes.removeFirst(end + 1)
        searched = 0
        let own = attachments.filter { $0.place <= end }.flatMap(\.descriptors)
        attachments.removeAll { $0.place <= end }
        for index in attachments.indices { attachments[index].place -= end + 1 }
        return (message, own)
    }
}
