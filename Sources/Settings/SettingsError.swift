/// Where a setting was read.
public struct SettingPlace: Sendable, Equatable, CustomStringConvertible {
    /// Its path as it was given.
    public var file: String
    /// Counts from 1; nil where the fault is the whole file's.
    public var line: Int?
    /// In code points, from 1.
    public var column: Int?

    /// A place in a file, or the file itself.
    public init(file: String, line: Int? = nil, column: Int? = nil) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`, as editors and compilers write it.
    public var description: String {
        ([file] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
    }
}

/// A settings file that can't be used as it is.
public struct SettingsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of fault; the raw values are stable names for scripts and tests.
    public enum Name: String, Sendable, CaseIterable {
        /// The file or folder is missing, too large, no regular file or may not be read.
        case unreadable
        /// The text is no TOML.
        case syntax = "settings_syntax"
        case duplicateKey = "duplicate_key"
        case unknownKey = "unknown_key"
        case unknownSection = "unknown_section"
        case wrongType = "wrong_type"
        case outOfRange = "out_of_range"
        /// A secret that other users can read, or that can't be read itself.
        case credential
    }

    /// What kind of fault it is.
    public let name: Name
    /// nil where the fault is no file's.
    public let place: SettingPlace?
    /// A sentence without the place.
    public let message: String

    /// An error of a kind, at a place.
    public init(_ name: Name, at place: SettingPlace?, _ message: String) {
        self.name = name
        self.place = place
        self.message = message
    }

    /// `place: name: message`.
    public var description: String {
        (place.map { "\($0): " } ?? "") + "\(name.rawValue): \(message)"
    }
}

/// A value outside what its section allows.
public struct SettingViolation: Sendable, Equatable {
    /// The key inside its section, with dots for tables inside it.
    public var key: String
    /// What is allowed: "must be from 1 to 60", for example.
    public var message: String

    /// A violation of what `key` allows.
    public init(key: String, message: String) {
        self.key = key
        self.message = message
    }
}

/// A section that checks its own values. The types that hold rules may not import this module; whoever imports both
/// declares the conformance.
public protocol ValidatedSettings {
    /// Everything that is wrong, in the order of the keys; empty when all is well.
    func validate() -> [SettingViolation]
}
