import Foundation
import LivenessService
import Settings
import Testing

@Suite struct SettingsFileTests {
    private let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("config/liveness.toml")

    private func load(_ text: String) throws -> ServiceSettings {
        let path = NSTemporaryDirectory() + "settings-\(UUID().uuidString).toml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try ServiceSettings.load(path)
    }

    @Test func `the example shows every key with its default`() throws {
        let text = try String(contentsOf: example, encoding: .utf8)
        let active = text.replacing(#/(?m)^#(\w+ = )/#) { String($0.output.1) }
        let settings = try load(active)
        let defaults = ServiceSettings()
        #expect(settings.pipeline == defaults.pipeline)
        #expect(settings.camera == defaults.camera)
        #expect(settings.socket == defaults.socket)
        #expect(settings.tracking == defaults.tracking)
        #expect(settings.log == defaults.log)
        let keys = active.matches(of: #/(?m)^\w+ = /#).count
        let known =
            Mirror(reflecting: defaults.pipeline.liveness).children.count
            + Mirror(reflecting: defaults.camera).children.count + 3 + 2 + 1 + 1 + 3 + 1
        #expect(keys == known)
    }

    @Test func `the example as it is changes nothing`() throws {
        #expect(try load(String(contentsOf: example, encoding: .utf8)).pipeline == ServiceSettings().pipeline)
    }

    @Test(arguments: [
        ("[liveness]\nguide_smallest_face = 5.0", "out_of_range"), ("[liveness]\ncap_ms = 1", "out_of_range"),
        ("[mounting]\nrotation = 45", "out_of_range"), ("[socket]\nmode = \"rw\"", "out_of_range"),
        ("[socket]\npath = \"relative.sock\"", "out_of_range"), ("[clip]\npreset = \"best\"", "out_of_range"),
        ("[stills]\nquality = 7.5", "out_of_range"), ("[log]\nlevel = \"loud\"", "out_of_range"),
        ("[camera]\nformat = \"H264\"", "out_of_range"), ("[camera]\nwidth = 640", "out_of_range"),
        ("[livenes]\ncap_ms = 1000", "unknown_section"), ("[clip]\nbitrate = 1", "unknown_key"),
        ("[clip]\nbit_rate = \"fast\"", "wrong_type"),
    ])
    func `a setting that can't be is refused by name, with its line`(text: String, name: String) {
        let error = #expect(throws: SettingsError.self) { try load(text) }
        #expect(error?.name.rawValue == name)
        #expect(error?.place?.line != nil)
    }
}
