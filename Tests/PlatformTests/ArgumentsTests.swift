import Platform
import Testing

@Suite struct ArgumentsTests {
    @Test func `options may stand before and after the argument`() throws {
        var arguments = Arguments(["--json", "clip.mp4", "--trace", "out.csv", "--seed=7"])
        let json = arguments.flag("--json")
        let trace = try arguments.value("--trace")
        let seed = try arguments.value("--seed")
        let file = arguments.positional()
        #expect(json && trace == "out.csv" && seed == "7" && file == "clip.mp4")
        #expect(throws: Never.self) { try arguments.expectEnd() }
    }

    @Test func `what nobody took is named`() {
        let arguments = Arguments(["--jsn"])
        #expect(throws: UsageError("there is no option --jsn")) { try arguments.expectEnd() }
        #expect(throws: UsageError("unexpected argument extra")) { try Arguments(["extra"]).expectEnd() }
    }

    @Test func `a missing value is an error, not the next option`() {
        var arguments = Arguments(["--trace", "--json"])
        #expect(throws: UsageError("--trace needs a value")) { try arguments.value("--trace") }
        var last = Arguments(["--trace"])
        #expect(throws: UsageError("--trace needs a value")) { try last.value("--trace") }
    }
}
