import Glibc

/// The process's output and error streams, written at once and without a buffer.
public enum StandardStream: Sendable {
    case output
    case error

    /// Writes `text` as it is. A stream that is closed or full to the brim leaves nobody to tell: what is lost is lost.
    public func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return }
                done += count
            }
        }
    }

    /// Whether a person looks at it.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    private var descriptor: CInt { self == .output ? STDOUT_FILENO : STDERR_FILENO }
}
