import FoundationEssentials

/// Makes a section's value of its defaults and its node in the files.
struct SectionDecoder<Section: Codable> {
    private let template: JSONValue
    private let overlay: SectionOverlay

    /// - Throws: `SettingsError` where the defaults themselves have no TOML form.
    init(defaults: Section, optional: Set<String>, of node: SettingNode) throws(SettingsError) {
        overlay = SectionOverlay(optional: optional)
        do {
            template = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(defaults))
        } catch {
            throw SettingsError(.wrongType, at: node.place, "the defaults can't be written as TOML: \(error)")
        }
    }

    /// - Throws: `SettingsError` (`unknown_key`, `wrong_type`, `out_of_range`) with the place of the value.
    func decode(_ node: SettingNode) throws(SettingsError) -> Section {
        let merged = try overlay.merge(node, over: template)
        do {
            return try JSONDecoder().decode(Section.self, from: JSONEncoder().encode(merged))
        } catch let error as DecodingError {
            throw describe(error, in: node)
        } catch {
            throw SettingsError(.wrongType, at: node.place, "\(error)")
        }
    }

    private func describe(_ error: DecodingError, in node: SettingNode) -> SettingsError {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            return describe(.wrongType, context, in: node)
        case .dataCorrupted(let context):
            // JSONDecoder gives no path where a number does not fit its type.
            let misfit = context.codingPath.isEmpty ? numberThatDoesNotFit(in: node) : nil
            return misfit ?? describe(.outOfRange, context, in: node)
        @unknown default:
            return SettingsError(.wrongType, at: node.place, "\(error)")
        }
    }

    private func describe(
        _ name: SettingsError.Name, _ context: DecodingError.Context, in node: SettingNode
    ) -> SettingsError {
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        let place = node.descendant(path)?.place ?? node.place
        return SettingsError(name, at: place, "\(path.joined(separator: ".")): \(context.debugDescription)")
    }

    /// Tries each number of the files alone over the defaults.
    private func numberThatDoesNotFit(in node: SettingNode) -> SettingsError? {
        for (path, number) in node.numbers() {
            let alone = path.reversed().reduce(number) { inner, key in
                SettingNode(content: .table([key: inner]), place: number.place)
            }
            guard let merged = try? overlay.merge(alone, over: template), let text = try? JSONEncoder().encode(merged),
                (try? JSONDecoder().decode(Section.self, from: text)) == nil
            else { continue }
            guard case .integer(let value) = number.content else {
                return wrongType(of: number, expected: "a whole number" + unitPhrase(of: path.last ?? ""))
            }
            return SettingsError(.outOfRange, at: number.place, "\(value) is outside the range of its type")
        }
        return nil
    }
}

extension SettingNode {
    /// The numbers outside arrays, with their paths of keys.
    fileprivate func numbers(under path: [String] = []) -> [(path: [String], node: SettingNode)] {
        switch content {
        case .integer, .number: [(path, self)]
        case .table(let children): children.flatMap { $0.value.numbers(under: path + [$0.key]) }
        default: []
        }
    }
}
