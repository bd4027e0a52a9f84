import CPlatform
import Glibc

/// An open file descriptor that is closed when its last owner goes.
public final class Descriptor: Sendable {
    /// The number, valid as long as this object lives.
    public let number: CInt

    /// Takes over `number`; nobody else may close it.
    public init(owning number: CInt) {
        self.number = number
    }

    deinit {
        _ = Glibc.close(number)
    }

    /// A second descriptor for the same open file, closed by itself.
    ///
    /// - Throws: `SystemError` (`EMFILE` where the process has no number left).
    public func duplicate() throws(SystemError) -> Descriptor {
        Descriptor(owning: try systemCall("fcntl(F_DUPFD_CLOEXEC)") { fcntl(number, F_DUPFD_CLOEXEC, 0) })
    }
}

/// An anonymous file in memory. Media travel in these: they reach no disk, and a sealed one can't be changed by
/// whoever gets it.
public enum MemoryFile {
    /// A new, empty, unsealed file. `name` shows in `/proc/PID/fd` only.
    ///
    /// - Throws: `SystemError`.
    public static func create(_ name: String) throws(SystemError) -> Descriptor {
        Descriptor(owning: try systemCall("memfd_create") { CPlatform_memfd_create(name) })
    }

    /// A sealed file that holds `bytes`.
    ///
    /// - Throws: `SystemError`.
    public static func sealed(_ name: String, holding bytes: [UInt8]) throws(SystemError) -> Descriptor {
        let file = try create(name)
        try write(bytes, to: file)
        try seal(file)
        return file
    }

    /// Forbids any later change of the file's content or size.
    ///
    /// - Throws: `SystemError` (`EBUSY` while a writable mapping exists).
    public static func seal(_ file: Descriptor) throws(SystemError) {
        try systemCall("fcntl(F_ADD_SEALS)") { CPlatform_memfd_seal(file.number) }
    }

    /// Whether nothing about the file can change any more.
    public static func isSealed(_ file: Descriptor) -> Bool {
        var all: CInt = 0
        let seals = CPlatform_memfd_seals(file.number, &all)
        return seals >= 0 && seals & all == all
    }

    /// Bytes.
    ///
    /// - Throws: `SystemError`.
    public static func size(_ file: Descriptor) throws(SystemError) -> Int {
        var facts = stat()
        try systemCall("fstat") { fstat(file.number, &facts) }
        return Int(facts.st_size)
    }

    /// The whole content, read from offset 0 without moving the file's position.
    ///
    /// - Throws: `SystemError`.
    public static func read(_ file: Descriptor) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: try size(file))
        var done = 0
        while done < bytes.count {
            let count = try systemCall("pread") {
                bytes.withUnsafeMutableBytes {
                    pread(file.number, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(done))
                }
            }
            if count == 0 { return Array(bytes[..<done]) }
            done += count
        }
        return bytes
    }

    private static func write(_ bytes: [UInt8], to file: Descriptor) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            done += try systemCall("pwrite") {
                bytes.withUnsafeBytes {
                    pwrite(file.number, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(done))
                }
            }
        }
    }
}

/// Wakes a thread that waits in `poll` or `epoll` on `descriptor`.
public final class WakeUp: Sendable {
    /// Readable after `signal()` until `clear()`.
    public let descriptor: Descriptor

    /// - Throws: `SystemError`.
    public init() throws(SystemError) {
        descriptor = Descriptor(owning: try systemCall("eventfd") { CPlatform_eventfd() })
    }

    /// Makes the descriptor readable. May be called from any thread.
    public func signal() {
        var one: UInt64 = 1
        // The only failure is a full counter, which is readable already.
        _ = Glibc.write(descriptor.number, &one, 8)
    }

    /// Makes the descriptor unreadable again.
    public func clear() {
        var count: UInt64 = 0
        // EAGAIN means that nobody had signalled.
        _ = Glibc.read(descriptor.number, &count, 8)
    }
}
