import Foundation
import Testing

/// The package's manifest, the table in docs/architecture.md and the imports of the sources must tell the same.
@Suite struct PackageTableTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// `part("Name", ["Use", ...])` of the manifest, in its order.
    private func manifestParts() throws -> [(name: String, uses: Set<String>)] {
        let pattern = /part\(\s*"(?<name>\w+)"(?:,\s*\[(?<uses>[^\]]*)\])?/
        return try text("Package.swift").matches(of: pattern).map { match in
            (String(match.output.name), Self.quoted(String(match.output.uses ?? ""), by: "\""))
        }
    }

    private func tableParts() throws -> [(name: String, uses: Set<String>)] {
        try text("docs/architecture.md").split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            return (
                cells[1].trimmingCharacters(in: CharacterSet(charactersIn: " `")),
                Self.quoted(String(cells[2]), by: "`")
            )
        }
    }

    private static func quoted(_ text: String, by quote: Character) -> Set<String> {
        let pieces = text.split(separator: quote, omittingEmptySubsequences: false)
        return Set(pieces.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) })
    }

    @Test func `the table names the manifest's targets and their uses`() throws {
        let manifest = try manifestParts()
        let table = try tableParts()
        #expect(manifest.count > 10)
        #expect(table.map(\.name) == manifest.map(\.name))
        for (row, part) in zip(table, manifest) {
            #expect(row.uses == part.uses, "\(part.name)")
        }
    }

    @Test func `a target uses only what stands above it`() throws {
        var above: Set<String> = []
        for row in try tableParts() {
            let parts = row.uses.filter { !$0.hasPrefix("C") || $0 == "Camera" || $0 == "Clip" }
            #expect(parts.isSubset(of: above), "\(row.name) uses \(parts.subtracting(above))")
            above.insert(row.name)
        }
    }

    @Test func `sources import nothing that the manifest does not declare`() throws {
        let parts = try manifestParts()
        let ours = Set(parts.map(\.name))
        for part in parts {
            let folder = root.appending(path: "Sources/\(part.name)")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let lines = try String(contentsOf: file, encoding: .utf8).matches(of: /(?m)^\w* ?import (?:\w+ )?(\w+)/)
                let imports = Set(lines.map { String($0.output.1) })
                let undeclared = imports.filter { ours.contains($0) || $0.hasPrefix("C") && $0 != "CRT" }
                    .subtracting(part.uses)
                #expect(undeclared.isEmpty, "\(file.lastPathComponent) imports \(undeclared)")
            }
        }
    }

    @Test func `pure targets import neither the platform nor a library`() throws {
        for name in ["FaceGeometry", "Liveness"] {
            let part = try #require(try manifestParts().first { $0.name == name })
            #expect(part.uses.isSubset(of: ["FaceGeometry"]))
        }
    }

    @Test func `no program that is installed can replay a file or play the kernel`() throws {
        let manifest = try text("Package.swift")
        let programs = manifest.matches(of: /program\(\s*"(?<name>[\w-]+)",\s*\[(?<uses>[^\]]*)\]/)
        let replaying = Set(
            programs.filter { $0.output.uses.contains("\"ReplaySource\"") }.map { String($0.output.name) })
        #expect(replaying == ["livenessd-replay", "livenessctl", "livenessbench"])
        #expect(!programs.isEmpty)
        for program in programs where ["livenessd", "livenessctl"].contains(program.output.name) {
            #expect(!program.output.uses.contains("LivenessTestKit"))
        }
    }
}
