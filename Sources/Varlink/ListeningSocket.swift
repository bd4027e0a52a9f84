import Glibc
import Platform

/// Why a socket can't be listened on.
public enum ListeningSocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another process listens there.
    case addressInUse(path: String)
    /// Something is there that is no socket; it is left alone.
    case notASocket(path: String)
    /// A socket's address holds 107 bytes.
    case pathTooLong(path: String)
    /// A system call failed.
    case system(SystemError, path: String)

    /// The stable name of the case.
    public var name: String {
        switch self {
        case .addressInUse: "address_in_use"
        case .notASocket: "not_a_socket"
        case .pathTooLong: "path_too_long"
        case .system: "system_error"
        }
    }

    /// A sentence for a log, with the path.
    public var description: String {
        switch self {
        case .addressInUse(let path): "address_in_use: another process listens on \(path)"
        case .notASocket(let path): "not_a_socket: \(path) is something else than a socket and is left alone"
        case .pathTooLong(let path): "path_too_long: a socket's path has 107 bytes at most: \(path)"
        case .system(let error, let path): "system_error: \(path): \(error)"
        }
    }
}

/// A Unix socket that a server listens on.
public enum ListeningSocket {
    private static let backlog: CInt = 64

    /// Listens on `path`, with the permission bits `mode`.
    ///
    /// A socket file that nobody listens on is replaced; a live owner's never, nor anything that is no socket. A lock
    /// on `path.lock` keeps two servers that start together from taking each other's file for stale.
    ///
    /// - Throws: `ListeningSocketError`.
    public static func open(path: String, mode: UInt32) throws(ListeningSocketError) -> Descriptor {
        let lock = try lock(path)
        defer { _ = flock(lock.number, LOCK_UN) }
        try removeStale(path)
        let socket = try newSocket(path)
        // Nobody can connect before `listen`, so that the mode is right before it matters.
        try run(path, "bind") { () throws(AddressTooLong) in
            try withAddress(path) { address, length in bind(socket.number, address, length) }
        }
        try run(path, "chmod") { chmod(path, mode) }
        try run(path, "listen") { listen(socket.number, backlog) }
        return socket
    }

    /// Removes the file of a socket that was listened on here.
    public static func remove(path: String) {
        // A file that is gone already is what was wanted.
        _ = unlink(path)
        _ = unlink(path + ".lock")
    }

    private static func lock(_ path: String) throws(ListeningSocketError) -> Descriptor {
        let number = try run(path, "open(\(path).lock)") {
            Glibc.open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        let file = Descriptor(owning: number)
        try run(path, "flock") { flock(file.number, LOCK_EX) }
        return file
    }

    private static func removeStale(_ path: String) throws(ListeningSocketError) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            if errno == ENOENT { return }
            throw .system(SystemError(call: "lstat", errno: errno), path: path)
        }
        guard facts.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let probe = try newSocket(path)
        do throws(ListeningSocketError) {
            try run(path, "connect") { () throws(AddressTooLong) in
                try withAddress(path) { address, length in connect(probe.number, address, length) }
            }
        } catch .system(let error, _) where error.errno == ECONNREFUSED {
            try run(path, "unlink") { unlink(path) }
            return
        }
        throw .addressInUse(path: path)
    }

    private static func newSocket(_ path: String) throws(ListeningSocketError) -> Descriptor {
        Descriptor(
            owning: try run(path, "socket") {
                socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            })
    }

    @discardableResult
    private static func run(
        _ path: String, _ call: String, _ body: () throws(AddressTooLong) -> CInt
    ) throws(ListeningSocketError) -> CInt {
        while true {
            let result: CInt
            do {
                result = try body()
            } catch {
                throw .pathTooLong(path: path)
            }
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw .system(SystemError(call: call, errno: code), path: path) }
        }
    }
}

/// A path that no socket's address holds.
struct AddressTooLong: Error {}

/// Calls `body` with the socket address of `path`.
func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) throws(AddressTooLong) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else { throw AddressTooLong() }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
}
