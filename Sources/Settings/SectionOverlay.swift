/// Lays what the files say over a section's defaults, which name the keys there are and their types.
struct SectionOverlay {
    /// Keys that the defaults don't encode, with dots for tables inside the section.
    let optional: Set<String>

    /// `template` with the values of `node`, which stands at `path` inside the section.
    ///
    /// A table whose default is empty takes any key.
    ///
    /// - Throws: `SettingsError` (`unknown_key`, `wrong_type`).
    func merge(_ node: SettingNode, over template: JSONValue, path: [String] = []) throws(SettingsError) -> JSONValue {
        // A section of optional keys alone is no table that takes any.
        let takesAny = path.isEmpty ? optional.isEmpty : true
        guard case .object(let defaults) = template, !(defaults.isEmpty && takesAny) else {
            try expect(template, for: node, path)
            return try plain(node)
        }
        guard case .table(let given) = node.content else { throw wrongType(of: node, expected: "a table") }
        var merged = defaults
        for (key, child) in given.sorted(by: { $0.key < $1.key }) {
            let inner = path + [key]
            if let old = defaults[key] {
                merged[key] = try merge(child, over: old, path: inner)
            } else if optional.contains(inner.joined(separator: ".")) {
                merged[key] = try plain(child)
            } else {
                throw unknown(key, at: child.place, among: defaults.keys, path)
            }
        }
        return .object(merged)
    }

    private func unknown(
        _ key: String, at place: SettingPlace, among known: some Collection<String>, _ path: [String]
    ) -> SettingsError {
        let prefix = path.map { $0 + "." }.joined()
        let extra = optional.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        let names = known + extra.filter { !$0.contains(".") }
        return SettingsError(
            .unknownKey, at: place, "no key \"\(prefix + key)\"; \(nearestName(to: key, among: names))")
    }

    private func expect(_ template: JSONValue, for node: SettingNode, _ path: [String]) throws(SettingsError) {
        switch (template, node.content) {
        case (.null, _), (.boolean, .boolean), (.string, .string), (.array, .array), (.object, .table): return
        case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number): return
        default: throw wrongType(of: node, expected: name(of: template, path.last ?? ""))
        }
    }

    /// The value as it stands in the file.
    private func plain(_ node: SettingNode) throws(SettingsError) -> JSONValue {
        switch node.content {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .string(let value): return .string(value)
        case .number(let value):
            guard value.isFinite else { throw wrongType(of: node, expected: "a finite number") }
            return .number(value)
        case .date: throw wrongType(of: node, expected: "no date or time, for which there is no setting")
        case .array(let elements):
            var values: [JSONValue] = []
            for element in elements { values.append(try plain(element)) }
            return .array(values)
        case .table(let children):
            var values: [String: JSONValue] = [:]
            for (key, child) in children { values[key] = try plain(child) }
            return .object(values)
        }
    }
}

/// The error for a value of another kind than the key takes.
func wrongType(of node: SettingNode, expected: String) -> SettingsError {
    SettingsError(.wrongType, at: node.place, "expected \(expected), found \(node.content.name)")
}

/// What a value of `template`'s kind is called; keys end in their unit.
private func name(of template: JSONValue, _ key: String) -> String {
    switch template {
    case .boolean: "true or false"
    case .string: "a string"
    case .array: "an array"
    case .object: "a table"
    case .null: "another type"
    case .integer, .number: "a number" + unitPhrase(of: key)
    }
}

/// " of milliseconds" for a key that ends in that unit; empty where the name tells none.
func unitPhrase(of key: String) -> String {
    let units = [
        "_ms": "milliseconds", "_s": "seconds", "_seconds": "seconds", "_degrees": "degrees", "_px": "pixels",
        "_pixels": "pixels", "_fps": "frames a second", "_kbits": "kbit/s", "_bytes": "bytes",
    ]
    return units.first { key.hasSuffix($0.key) }.map { " of \($0.value)" } ?? ""
}

extension SettingNode.Content {
    /// The kind with its article.
    var name: String {
        switch self {
        case .table: "a table"
        case .array: "an array"
        case .string: "a string"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "a boolean"
        case .date: "a date or time"
        }
    }
}
