import CToml
import Platform

/// A value of a settings file with its place.
struct SettingNode: Sendable {
    enum Content: Sendable {
        case table([String: SettingNode])
        case array([SettingNode])
        case string(String)
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
        case date
    }

    var content: Content
    var place: SettingPlace

    /// This node with `other` laid over it: tables are merged key by key, anything else is replaced.
    func overlaid(by other: SettingNode) -> SettingNode {
        guard case .table(let mine) = content, case .table(let theirs) = other.content else { return other }
        let merged = mine.merging(theirs) { $0.overlaid(by: $1) }
        return SettingNode(content: .table(merged), place: other.place)
    }

    /// The node under a path of keys; array elements are addressed by number.
    func descendant(_ path: some Sequence<String>) -> SettingNode? {
        var node = self
        for step in path {
            switch node.content {
            case .table(let children):
                guard let child = children[step] else { return nil }
                node = child
            case .array(let children):
                guard let index = Int(step), children.indices.contains(index) else { return nil }
                node = children[index]
            default:
                return nil
            }
        }
        return node
    }
}

extension SettingNode {
    /// A settings file is some kilobytes; the bound keeps the parser's work and depth small.
    static let sizeLimit = 256 * 1024
    /// Keys with dots are tables in tables. toml++ limits the depth of values but not of these: it was seen to
    /// overflow the stack between 16,000 and 64,000.
    static let dotLimit = 2_000

    /// The document in `text`, whose places name `file`.
    ///
    /// - Throws: `SettingsError` (`settings_syntax`, `duplicate_key`).
    static func parse(_ text: [UInt8], file: String) throws(SettingsError) -> SettingNode {
        guard dotsOutsideComments(text) <= dotLimit else {
            throw SettingsError(.syntax, at: SettingPlace(file: file), "more than \(dotLimit) dots: no settings file")
        }
        var builder = TreeBuilder(file: file)
        var failure = CToml_error()
        let done = text.withUnsafeBytes { bytes in
            withUnsafeMutablePointer(to: &builder) { builder in
                // An empty array has no address, and the parser takes none for a fault.
                CToml_walk(bytes.baseAddress ?? UnsafeRawPointer(builder), bytes.count, addToTree, builder, &failure)
            }
        }
        guard done, let root = builder.root else { throw builder.error(failure) }
        return root
    }

    /// The dots on lines that are no comment: at least as many as the document's tables are deep.
    private static func dotsOutsideComments(_ text: [UInt8]) -> Int {
        text.split(separator: UInt8(ascii: "\n"))
            .filter { $0.first { $0 != UInt8(ascii: " ") } != UInt8(ascii: "#") }
            .reduce(0) { $0 + $1.count { $0 == UInt8(ascii: ".") } }
    }
}

private func addToTree(_ context: UnsafeMutableRawPointer?, _ node: UnsafePointer<CToml_node>?) {
    guard let context, let node else { return }
    context.assumingMemoryBound(to: TreeBuilder.self).pointee.add(node.pointee)
}

/// Makes a tree of the parser's depth-first walk.
private struct TreeBuilder {
    /// A table or an array whose end has not been seen yet.
    private struct Container {
        let key: String?
        let place: SettingPlace
        let isArray: Bool
        var children: [String: SettingNode] = [:]
        var elements: [SettingNode] = []

        var node: SettingNode { SettingNode(content: isArray ? .array(elements) : .table(children), place: place) }

        mutating func add(_ node: SettingNode, under key: String?) {
            if let key { children[key] = node } else { elements.append(node) }
        }
    }

    let file: String
    private(set) var root: SettingNode?
    private var open: [Container] = []

    init(file: String) {
        self.file = file
    }

    mutating func add(_ step: CToml_node) {
        let key = step.key.map { string($0, step.key_length) }
        let place = SettingPlace(file: file, line: Int(step.line), column: Int(step.column))
        switch step.kind {
        case CToml_table_begin, CToml_array_begin:
            open.append(Container(key: key, place: place, isArray: step.kind == CToml_array_begin))
        case CToml_end:
            if let container = open.popLast() { put(container.node, under: container.key) }
        default:
            put(SettingNode(content: scalar(step), place: place), under: key)
        }
    }

    func error(_ failure: CToml_error) -> SettingsError {
        let message = withUnsafeBytes(of: failure.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let place = SettingPlace(
            file: file, line: failure.line == 0 ? nil : Int(failure.line),
            column: failure.column == 0 ? nil : Int(failure.column))
        // toml++ has one error type; a key or table that is there already is always "cannot redefine existing …".
        return SettingsError(message.contains("redefine") ? .duplicateKey : .syntax, at: place, message)
    }

    private mutating func put(_ node: SettingNode, under key: String?) {
        if open.isEmpty {
            root = node
        } else {
            open[open.count - 1].add(node, under: key)
        }
    }

    private func scalar(_ step: CToml_node) -> SettingNode.Content {
        switch step.kind {
        case CToml_string: .string(step.string.map { string($0, step.string_length) } ?? "")
        case CToml_integer: .integer(step.integer)
        case CToml_float: .number(step.number)
        case CToml_boolean: .boolean(step.boolean)
        default: .date
        }
    }

    private func string(_ start: UnsafePointer<CChar>, _ length: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
