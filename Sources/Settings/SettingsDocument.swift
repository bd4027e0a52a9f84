import FoundationEssentials
import Glibc

/// The settings of one machine: a main file with drop-ins laid over it, from which each part takes its own section.
public struct SettingsDocument: Sendable {
    /// The file that is read where a program is given no other.
    public static let defaultMain = "/etc/liveness/liveness.toml"

    private var root: SettingNode
    private var taken: Set<String> = []

    /// Reads `main`, or the default file, which may be missing, and over it every `*.toml` of the folder `dropIns`
    /// in the order of their names' bytes. The folder is by default the one beside the main file that ends in `.d`.
    ///
    /// - Throws: `SettingsError` (`unreadable`, `settings_syntax`, `duplicate_key`).
    public static func load(main: String? = nil, dropIns: String? = nil) throws(SettingsError) -> SettingsDocument {
        try load(main: main ?? defaultMain, mayBeMissing: main == nil, dropIns: dropIns)
    }

    /// As `load(main:dropIns:)`, with a say in whether the main file may be missing.
    ///
    /// - Throws: `SettingsError` (`unreadable`, `settings_syntax`, `duplicate_key`).
    public static func load(
        main: String, mayBeMissing: Bool, dropIns: String? = nil
    ) throws(SettingsError) -> SettingsDocument {
        var root = SettingNode(content: .table([:]), place: SettingPlace(file: main))
        if let node = try read(main, mayBeMissing: mayBeMissing) { root = root.overlaid(by: node) }
        let stem = main.hasSuffix(".toml") ? String(main.dropLast(5)) : main
        for file in try files(in: dropIns ?? stem + ".d") {
            if let node = try read(file, mayBeMissing: false) { root = root.overlaid(by: node) }
        }
        return SettingsDocument(root: root)
    }

    /// The names of the tables at the top, sorted.
    public var sectionNames: [String] { children.keys.sorted() }

    /// The section `name`: `defaults` with what the files say laid over them.
    ///
    /// The keys there are, and their types, are those that `defaults` encode to, and the `optional` ones (written
    /// `inner.key` where they are in a table inside the section). A table whose default is empty takes any key.
    ///
    /// - Throws: `SettingsError` (`unknown_key`, `wrong_type`, `out_of_range`).
    public mutating func section<Section: Codable & Sendable>(
        _ name: String, defaults: Section, optional: Set<String> = []
    ) throws(SettingsError) -> Section {
        taken.insert(name)
        guard let node = children[name] else { return defaults }
        let section = try SectionDecoder(defaults: defaults, optional: optional, of: node).decode(node)
        let violation = (section as? any ValidatedSettings)?.validate().first
        if let violation { throw outOfRange(violation, in: node) }
        return section
    }

    /// Refuses every section that nobody has taken; call it last.
    ///
    /// - Throws: `SettingsError` (`unknown_section`, `unknown_key` for a key outside any section).
    public func refuseUnknownSections() throws(SettingsError) {
        for (name, node) in children.sorted(by: { $0.key < $1.key }) where !taken.contains(name) {
            let hint = nearestName(to: name, among: taken)
            guard case .table = node.content else {
                throw SettingsError(.unknownKey, at: node.place, "the key \"\(name)\" stands in no section; \(hint)")
            }
            throw SettingsError(.unknownSection, at: node.place, "no section [\(name)]; \(hint)")
        }
    }

    private var children: [String: SettingNode] {
        if case .table(let children) = root.content { children } else { [:] }
    }

    private static func read(_ path: String, mayBeMissing: Bool) throws(SettingsError) -> SettingNode? {
        let file: SmallFile
        do {
            file = try SmallFile(path, limit: SettingNode.sizeLimit)
        } catch .system(let error) where error.errno == ENOENT && mayBeMissing {
            return nil
        } catch {
            throw SettingsError(.unreadable, at: SettingPlace(file: path), error.message)
        }
        return try SettingNode.parse(file.bytes, file: path)
    }

    private static func files(in folder: String) throws(SettingsError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                .map { "\(folder)/\($0)" }
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw SettingsError(.unreadable, at: SettingPlace(file: folder), "\(error)")
        }
    }
}

private func outOfRange(_ violation: SettingViolation, in section: SettingNode) -> SettingsError {
    let node = section.descendant(violation.key.split(separator: ".").map(String.init))
    return SettingsError(.outOfRange, at: node?.place ?? section.place, "\(violation.key) \(violation.message)")
}

extension SmallFile.Failure {
    /// What is wrong with the file, without its name.
    var message: String {
        switch self {
        case .system(let error): error.description
        case .notRegular: "no regular file"
        case .tooLarge: "too large"
        }
    }
}
