import Settings
import Testing

/// xorshift64*: the same sequence on every machine.
private struct Sequence64 {
    var state: UInt64
    mutating func next(below bound: Int) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 2_685_821_657_736_338_717) >> 33) % bound
    }
}

private struct Free: Codable, Sendable {
    var radius = 0.42
    var name = "a"
    var inner = ["a": 1]
}

/// Loads the bytes and takes a section of them; whether that gave values.
private func isAccepted(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> Bool {
    let main = try folder.write("main.toml", bytes)
    do throws(SettingsError) {
        var document = try SettingsDocument.load(main: main)
        _ = try document.section("camera", defaults: Free())
        return true
    } catch {
        return false
    }
}

@Suite struct HostileTextTests {
    private static let seed = """
        # a comment
        [camera]
        radius = 0.3e1
        name = "caf\u{e9} \\u00e9"
        inner = { a = 0x1F }

        [[list]]
        when = 1979-05-27T07:32:00Z
        text = '''
        several lines'''
        """

    @Test func `a thousand mutations end in values or an error`() throws {
        let folder = try TemporaryFolder()
        var random = Sequence64(state: 0x9E37_79B9_7F4A_7C15)
        let interesting = Array("[]{}=.\"'#\\\n\u{0}".utf8) + [0x80, 0xC3, 0xED, 0xF5, 0xFF]
        var refused = 0
        #expect(try isAccepted(Array(Self.seed.utf8), in: folder))
        for _ in 0..<1_000 {
            var bytes = Array(Self.seed.utf8)
            for _ in 0...random.next(below: 2) {
                let at = random.next(below: bytes.count)
                switch random.next(below: 4) {
                case 0: bytes[at] = interesting[random.next(below: interesting.count)]
                case 1: bytes.insert(interesting[random.next(below: interesting.count)], at: at)
                case 2: bytes.removeSubrange(at..<min(bytes.count - 1, at + 1 + random.next(below: 8)))
                default: bytes.insert(contentsOf: bytes[at...].prefix(random.next(below: 40)), at: at)
                }
            }
            if try !isAccepted(bytes, in: folder) { refused += 1 }
        }
        // Both ways out are taken often, and none ends the process.
        #expect((100...900).contains(refused), "\(refused)")
    }

    @Test func `deep or huge text is an error`() throws {
        let texts = [
            "a = " + String(repeating: "[", count: 100_000),
            String(repeating: "a.", count: 100_000) + "a = 1",
            "[" + String(repeating: "a.", count: 100_000) + "a]",
            String(repeating: "x = {", count: 20_000),
            String(repeating: "[camera]\n", count: 20_000),
            "[camera]\nname = \"" + String(repeating: "a", count: 200_000),
            "[camera]\n" + String(repeating: "k", count: 200_000) + " = 1",
        ]
        for text in texts {
            #expect(try !isAccepted(Array(text.utf8), in: try TemporaryFolder()), "\(text.prefix(20))")
        }
    }

    @Test(arguments: [[0xFF, 0xFE], [0x61, 0x3D, 0x22, 0xC3, 0x28, 0x22], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func `bytes that are no UTF-8 are an error`(bytes: [UInt8]) throws {
        #expect(try !isAccepted(bytes, in: try TemporaryFolder()))
    }

    @Test func `the deepest table that is let through is an error and no crash`() throws {
        let key = "camera.inner." + String(repeating: "a.", count: 1_990) + "a"
        #expect(try !isAccepted(Array("\(key) = 1".utf8), in: try TemporaryFolder()))
    }
}
