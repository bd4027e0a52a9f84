import CPlatform
import Glibc
import Synchronization

/// How grave a log line is, by syslog's numbers.
public enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// Whether `left` is graver.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The level's name as settings and the plain log spell it.
    public var name: String { "\(self)" }
}

/// The process's log: journald with fields where the standard error stream leads there, plain lines elsewhere.
///
/// No line ever carries a picture or a person's data.
public enum Log {
    /// Lines above this level are dropped.
    public static var threshold: LogLevel {
        get { state.withLock { $0.threshold } }
        set { state.withLock { $0.threshold = newValue } }
    }

    /// Writes one line. `fields` are journald fields, upper-case names without the `LIVENESS_` prefix.
    public static func write(_ level: LogLevel, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let sink = state.withLock { level > $0.threshold ? nil : $0.sink }
        switch sink {
        case nil: return
        case .journal: toJournal(level, message, fields)
        case .standardError: toStandardError(level, message, fields)
        }
    }

    /// A line about something that failed and was given up.
    public static func error(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(.error, message, fields)
    }

    /// A line about something that an operator should look at.
    public static func warning(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(.warning, message, fields)
    }

    /// A line about normal work.
    public static func info(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(.info, message, fields)
    }

    /// A line for whoever looks for a fault.
    public static func debug(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(.debug, message, fields)
    }

    private enum Sink { case journal, standardError }
    private struct State {
        var threshold = LogLevel.info
        var sink: Sink = standardErrorIsJournal() ? .journal : .standardError
    }
    private static let state = Mutex(State())

    /// systemd names the device and inode of the stream it connected to the journal in JOURNAL_STREAM.
    private static func standardErrorIsJournal() -> Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        var facts = stat()
        guard fstat(STDERR_FILENO, &facts) == 0 else { return false }
        return String(cString: stream) == "\(facts.st_dev):\(facts.st_ino)"
    }

    private static func toJournal(_ level: LogLevel, _ message: String, _ fields: KeyValuePairs<String, String>) {
        var lines = ["MESSAGE=\(message)", "PRIORITY=\(level.rawValue)"]
        lines += fields.map { "LIVENESS_\($0.key)=\($0.value)" }
        let copies = lines.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let pointers = copies.map { UnsafePointer($0) }
        // A journal that can't be reached leaves nowhere to say so but the stream itself.
        if CPlatform_journal(pointers, lines.map { $0.utf8.count }, lines.count) < 0 {
            toStandardError(level, message, fields)
        }
    }

    private static func toStandardError(_ level: LogLevel, _ message: String, _ fields: KeyValuePairs<String, String>) {
        let tail = fields.map { " \($0.key.lowercased())=\($0.value)" }.joined()
        let line = "\(level.name): \(message)\(tail)\n"
        // Nothing is left to tell when the error stream itself is gone.
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    }
}
