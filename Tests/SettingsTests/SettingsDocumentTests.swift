import Settings
import Testing

private struct Guide: Codable, Sendable, Equatable {
    var radius = 0.42
    var points = [1.0, 2.0]
}

private enum Turn: String, Codable, Sendable { case left, right }

private struct Rules: Codable, Sendable, Equatable, ValidatedSettings {
    var settlingMs = 300
    var threshold = 7.5
    var mirrored = false
    var label = "booth"
    var turn = Turn.left
    var guide = Guide()
    var controls: [String: Int] = [:]
    var device: String?

    enum CodingKeys: String, CodingKey {
        case settlingMs = "settling_ms"
        case threshold, mirrored, label, turn, guide, controls, device
    }

    func validate() -> [SettingViolation] {
        var found: [SettingViolation] = []
        if settlingMs < 0 { found.append(SettingViolation(key: "settling_ms", message: "must not be negative")) }
        if guide.radius > 0.5 { found.append(SettingViolation(key: "guide.radius", message: "must be 0.5 at most")) }
        return found
    }
}

/// Reads one file with a section `[rules]`.
private func rules(_ text: String) throws -> Rules {
    let folder = try TemporaryFolder()
    var document = try SettingsDocument.load(main: try folder.write("main.toml", text), dropIns: folder.path + "/none")
    return try document.section("rules", defaults: Rules(), optional: ["device"])
}

/// The error that reading `text` gives, its place without the folder.
private func fault(_ text: String) throws -> String {
    do {
        _ = try rules(text)
    } catch let error as SettingsError {
        let file = error.place.map { $0.file.split(separator: "/").last.map(String.init) ?? "" } ?? ""
        let place = SettingPlace(file: file, line: error.place?.line, column: error.place?.column)
        return SettingsError(error.name, at: place, error.message).description
    }
    return "no error"
}

@Suite struct SettingsDocumentTests {
    @Test func `values of the file stand over the defaults`() throws {
        let text = """
            [rules]
            settling_ms = 500
            threshold = 8
            turn = "right"
            guide.radius = 0.3
            device = "046d:0825"
            [rules.controls]
            exposure_auto = 1
            """
        var expected = Rules()
        expected.settlingMs = 500
        expected.threshold = 8
        expected.turn = .right
        expected.guide.radius = 0.3
        expected.device = "046d:0825"
        expected.controls = ["exposure_auto": 1]
        #expect(try rules(text) == expected)
        #expect(try rules("") == Rules())
        #expect(try rules("[rules]") == Rules())
    }

    @Test(arguments: [
        (
            "[rules]\nsettling_ms = \"x\"",
            "main.toml:2:1: wrong_type: expected a number of milliseconds, found a string"
        ),
        (
            "[rules]\nthreshold = 0.5\nsettling_ms = 0.5",
            "main.toml:3:1: wrong_type: expected a whole number of milliseconds, found a number"
        ),
        (
            "[rules]\nsettling_ms = true",
            "main.toml:2:1: wrong_type: expected a number of milliseconds, found a boolean"
        ),
        ("[rules]\nmirrored = 1", "main.toml:2:1: wrong_type: expected true or false, found a whole number"),
        ("[rules]\nguide = 1", "main.toml:2:1: wrong_type: expected a table, found a whole number"),
        ("[rules]\nlabel = {}", "main.toml:2:1: wrong_type: expected a string, found a table"),
        ("[rules]\nguide.points = [1, \"a\"]", "main.toml:2:20: wrong_type: guide.points.1: "),
        ("[rules]\nthreshold = inf", "main.toml:2:1: wrong_type: expected a finite number, found a number"),
        ("[rules]\nthreshold = nan", "main.toml:2:1: wrong_type: expected a finite number, found a number"),
        ("[rules]\ndevice = 1979-05-27", "main.toml:2:1: wrong_type: expected no date"),
        ("[rules]\ndevice = 7", "main.toml:2:1: wrong_type: "),
        ("rules = 3", "main.toml:1:1: wrong_type: expected a table, found a whole number"),
    ])
    func `a value of another kind is refused with its place`(text: String, start: String) throws {
        let message = try fault(text)
        #expect(message.hasPrefix(start), "\(message)")
    }

    @Test(arguments: [
        (
            "[rules]\n\nsetling_ms = 1",
            "main.toml:3:1: unknown_key: no key \"setling_ms\"; did you mean \"settling_ms\"?"
        ),
        (
            "[rules.guide]\n  radios = 1",
            "main.toml:2:3: unknown_key: no key \"guide.radios\"; did you mean \"radius\"?"
        ),
        ("[rules]\ndevise = \"a\"", "main.toml:2:1: unknown_key: no key \"devise\"; did you mean \"device\"?"),
        ("[rules]\nsomething_else = 1", "main.toml:2:1: unknown_key: no key \"something_else\"; known are controls, "),
    ])
    func `an unknown key is refused with the nearest one`(text: String, start: String) throws {
        let message = try fault(text)
        #expect(message.hasPrefix(start), "\(message)")
    }

    @Test(arguments: [
        ("[rules]\nsettling_ms = -1", "main.toml:2:1: out_of_range: settling_ms must not be negative"),
        ("[rules]\nlabel = \"a\"\nguide.radius = 0.6", "main.toml:3:7: out_of_range: guide.radius must be 0.5 at most"),
        ("[rules]\nturn = \"up\"", "main.toml:2:1: out_of_range: turn: "),
    ])
    func `a value outside its range is refused with its place`(text: String, start: String) throws {
        let message = try fault(text)
        #expect(message.hasPrefix(start), "\(message)")
    }

    @Test(arguments: [
        ("[rules]\nlabel = \n", "main.toml:2:"), ("[rules", "main.toml:1:"), ("a = 1 2", "main.toml:1:"),
        ("[rules]\nlabel = \"open", "main.toml:2:"), ("a = 99999999999999999999", "main.toml:1:"),
        ("a = 1e999", "main.toml:1:"), ("\u{0}", "main.toml:1:"),
    ])
    func `text that is no TOML is refused with its place`(text: String, start: String) throws {
        let message = try fault(text)
        #expect(message.hasPrefix(start), "\(message)")
        #expect(message.contains(" settings_syntax: "), "\(message)")
    }

    @Test(arguments: [
        ("[rules]\nlabel = \"a\"\nlabel = \"b\"", "main.toml:3:"),
        ("[rules]\n[other]\n[rules]", "main.toml:3:"),
    ])
    func `a key that stands twice is refused with its place`(text: String, start: String) throws {
        let message = try fault(text)
        #expect(message.hasPrefix(start), "\(message)")
        #expect(message.contains(" duplicate_key: "), "\(message)")
    }

    @Test func `sections that nobody takes are refused with the nearest one`() throws {
        let folder = try TemporaryFolder()
        let main = try folder.write("main.toml", "[rules]\n\n[rulse]\na = 1\n")
        var document = try SettingsDocument.load(main: main)
        _ = try document.section("rules", defaults: Rules())
        let place = SettingPlace(file: main, line: 3, column: 2)
        let expected = SettingsError(.unknownSection, at: place, "no section [rulse]; did you mean \"rules\"?")
        #expect(throws: expected) { try document.refuseUnknownSections() }
        _ = try document.section("rulse", defaults: ["a": 0])
        try document.refuseUnknownSections()
    }

    @Test func `a key outside any section is refused`() throws {
        let folder = try TemporaryFolder()
        var document = try SettingsDocument.load(main: try folder.write("main.toml", "device = \"a\"\n"))
        _ = try document.section("rules", defaults: Rules())
        #expect { try document.refuseUnknownSections() } throws: { ($0 as? SettingsError)?.name == .unknownKey }
    }
}

@Suite struct SettingsFilesTests {
    @Test func `later drop-ins win and tables are merged`() throws {
        let folder = try TemporaryFolder()
        let main = try folder.write("main.toml", "[rules]\nlabel = \"main\"\nthreshold = 1.0\nsettling_ms = 1\n")
        try folder.write("main.d/20-b.toml", "[rules]\nlabel = \"b\"\nguide.radius = 0.2\n")
        try folder.write("main.d/10-a.toml", "[rules]\nlabel = \"a\"\nthreshold = 2.0\nguide.points = []\n")
        try folder.write("main.d/30-c.txt", "no TOML")
        try folder.write("main.d/.40-d.toml", "no TOML")
        var document = try SettingsDocument.load(main: main)
        let rules = try document.section("rules", defaults: Rules())
        var expected = Rules()
        expected.label = "b"
        expected.threshold = 2
        expected.settlingMs = 1
        expected.guide = Guide(radius: 0.2, points: [])
        #expect(rules == expected)
        #expect(document.sectionNames == ["rules"])
    }

    @Test func `an error in a drop-in names the drop-in`() throws {
        let folder = try TemporaryFolder()
        let main = try folder.write("main.toml", "[rules]\nlabel = \"main\"\n")
        let dropIn = try folder.write("main.d/a.toml", "\n[rules]\nlabel = 3\n")
        var document = try SettingsDocument.load(main: main)
        let place = SettingPlace(file: dropIn, line: 3, column: 1)
        #expect(throws: SettingsError(.wrongType, at: place, "expected a string, found a whole number")) {
            try document.section("rules", defaults: Rules())
        }
    }

    @Test func `a missing main file is the defaults unless it was named`() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path + "/absent.toml"
        var document = try SettingsDocument.load(main: missing, mayBeMissing: true)
        #expect(try document.section("rules", defaults: Rules()) == Rules())
        try document.refuseUnknownSections()
        #expect { try SettingsDocument.load(main: missing) } throws: { ($0 as? SettingsError)?.name == .unreadable }
    }

    @Test func `what is no small regular file is refused`() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, "/dev/zero", try folder.write("big", [UInt8](repeating: 0x20, count: 300_000))] {
            #expect { try SettingsDocument.load(main: path) } throws: { ($0 as? SettingsError)?.name == .unreadable }
        }
    }
}
