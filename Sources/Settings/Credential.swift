import Glibc

/// A secret. It shows in no log: every description of it is the same.
public struct Credential: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let secret: String

    /// The secret itself, for the one call that needs it.
    public func reveal() -> String { secret }

    /// Tells nothing.
    public var description: String { "(redacted)" }
    /// Tells nothing.
    public var debugDescription: String { description }
    /// Hides the secret from `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The credential `name`: from systemd's folder for this service (systemd.exec(5), `LoadCredential=`), else from
    /// `file`, which must be a regular file of ours or root's that nobody else can read.
    ///
    /// - Returns: nil where there is none, or where it is blank. Line ends at its end are cut off.
    /// - Throws: `SettingsError` (`credential`).
    public static func load(_ name: String, file: String? = nil) throws(SettingsError) -> Credential? {
        try load(name, file: file, systemdFolder: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) })
    }

    /// As `load(_:file:)`, with systemd's folder named.
    ///
    /// - Throws: `SettingsError` (`credential`).
    public static func load(
        _ name: String, file: String?, systemdFolder: String?
    ) throws(SettingsError) -> Credential? {
        // systemd alone writes its folder, and guards it.
        if let systemdFolder, let bytes = try read("\(systemdFolder)/\(name)", guarded: true) { return decode(bytes) }
        guard let file else { return nil }
        return try read(file, guarded: false).flatMap(decode)
    }

    private static let sizeLimit = 64 * 1024

    private static func read(_ path: String, guarded: Bool) throws(SettingsError) -> [UInt8]? {
        let file: SmallFile
        do {
            file = try SmallFile(path, limit: sizeLimit)
        } catch .system(let error) where error.errno == ENOENT {
            return nil
        } catch {
            throw SettingsError(.credential, at: SettingPlace(file: path), error.message)
        }
        guard !guarded else { return file.bytes }
        guard file.mode & 0o077 == 0 else {
            throw SettingsError(.credential, at: SettingPlace(file: path), "others can read it; run: chmod 600 \(path)")
        }
        guard file.owner == 0 || file.owner == geteuid() else {
            let fix = "it is another user's; run: chown \(geteuid()) \(path)"
            throw SettingsError(.credential, at: SettingPlace(file: path), fix)
        }
        return file.bytes
    }

    private static func decode(_ bytes: [UInt8]) -> Credential? {
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        while text.last?.isNewline == true { text.removeLast() }
        return text.allSatisfy(\.isWhitespace) ? nil : Credential(secret: String(text))
    }
}
