import Glibc
import Platform

/// A file that is read whole, with the facts that decide whether it may be trusted.
struct SmallFile {
    let bytes: [UInt8]
    let mode: mode_t
    let owner: uid_t

    enum Failure: Error {
        case system(SystemError)
        case notRegular
        case tooLarge
    }

    /// - Throws: `Failure`; a file of more than `limit` bytes is `tooLarge`.
    init(_ path: String, limit: Int) throws(Failure) {
        let file: Descriptor
        var facts = stat()
        do throws(SystemError) {
            // O_NONBLOCK: opening a FIFO would wait for its writer otherwise.
            let number = try systemCall("open") { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
            file = Descriptor(owning: number)
            try systemCall("fstat") { fstat(number, &facts) }
        } catch {
            throw .system(error)
        }
        // The facts are the open file's: nobody can swap it for another between the check and the read.
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard facts.st_size <= limit else { throw .tooLarge }
        mode = facts.st_mode & 0o7777
        owner = facts.st_uid
        do {
            bytes = try MemoryFile.read(file)
        } catch {
            throw .system(error)
        }
    }
}
