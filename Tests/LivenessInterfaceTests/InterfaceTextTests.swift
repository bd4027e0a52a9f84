import Foundation
import Liveness
import LivenessInterface
import Testing

/// The interface's text, taken apart far enough to compare names with.
private struct InterfaceText {
    private let text = LivenessInterfaceText.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .joined(separator: "\n")

    /// The names inside the parentheses of `type Name (...)`, `error Name (...)` or of a method's parameters or reply.
    private func names(after start: String) -> [String] {
        guard let begin = text.range(of: start), let open = text[begin.upperBound...].firstIndex(of: "(") else {
            return []
        }
        var depth = 0
        var inside = ""
        for character in text[open...] {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth == 0 { break }
            inside.append(character)
        }
        return inside.dropFirst().split(separator: ",").compactMap { part in
            part.split(separator: ":").first?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    func type(_ name: String) -> [String] { names(after: "type \(name) ") }
    func error(_ name: String) -> [String] { names(after: "error \(name) ") }
    func parameters(_ name: String) -> [String] { names(after: "method \(name)").filter { !$0.isEmpty } }
    func reply(_ name: String) -> [String] {
        guard let method = text.range(of: "method \(name)(") else { return [] }
        guard let arrow = text[method.upperBound...].range(of: "->") else { return [] }
        return names(after: String(text[method.lowerBound..<arrow.upperBound]))
    }
}

private func keys(_ value: some Encodable) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any]
    return Set(try #require(object).keys)
}

@Suite struct InterfaceTextTests {
    private let text = InterfaceText()

    @Test func `enums have the names of the text, in its order`() {
        #expect(text.type("Phase") == Phase.allCases.map(\.rawValue))
        #expect(text.type("Hint") == Hint.allCases.map(\.rawValue))
        #expect(text.type("Action") == Action.allCases.map(\.rawValue))
        #expect(text.type("SourceKind") == ReportedSource.allCases.map(\.rawValue))
        #expect(text.type("Reason") == FailureReason.allCases.map(\.rawValue))
        #expect(text.type("Transport") == MediaTransport.allCases.map(\.rawValue))
    }

    @Test func `every reason is explained`() {
        for reason in FailureReason.allCases {
            #expect(LivenessInterfaceText.text.contains("#   \(reason.rawValue) "), "\(reason.rawValue)")
        }
    }

    @Test func `types have the members of the text`() throws {
        let camera = ReportedCamera(id: "a", name: "b", node: "c", kind: .camera)
        let guide = Guide(centreX: 0.5, centreY: 0.5, radius: 0.4)
        var medium = Medium(mediaType: "image/jpeg", size: 1, sha256: "00", width: 1, height: 1, durationMs: 1)
        medium.descriptor = 0
        medium.base64 = ""
        let completed = ScanCompleted(
            source: .camera, actions: [], autoshot: medium, snapshot: medium, clip: medium, durationMs: 1)
        #expect(try keys(camera) == Set(text.type("Camera")))
        #expect(try keys(guide) == Set(text.type("Guide")))
        #expect(try keys(medium) == Set(text.type("Medium")))
        #expect(try keys(completed) == Set(text.type("Completed")))
        #expect(try keys(ReportedAction(action: .blink, timeMs: 1)) == Set(text.type("CreditedAction")))
        #expect(try keys(ScanProgress(done: 1, total: 2)) == Set(text.type("Progress")))
        #expect(try keys(ScanFailed(reason: .timeout, message: "")) == Set(text.type("Failed")))
        #expect(try keys(Holder(process: 1, user: 1)) == Set(text.type("Holder")))
        #expect(try keys(ScanCounts()) == Set(text.type("Scans")))
        let started = ScanStarted(id: "a", source: .camera, camera: camera, guide: guide)
        #expect(try keys(started) == Set(text.type("Started")))
    }

    @Test func `methods have the parameters and replies of the text`() throws {
        var reply = ScanReply(phase: .scanning)
        reply.started = ScanStarted(
            id: "a", source: .camera, camera: ReportedCamera(id: "a", name: "b", node: "c", kind: .camera),
            guide: Guide(centreX: 0.5, centreY: 0.5, radius: 0.4))
        reply.hint = .done
        reply.progress = ScanProgress(done: 1, total: 2)
        reply.failed = ScanFailed(reason: .timeout, message: "")
        #expect(try keys(reply).union(["completed"]) == Set(text.reply("Scan")))
        #expect(try keys(ScanRequest(camera: "a", media: .base64)) == Set(text.parameters("Scan")))
        let preview = PreviewRequest(id: "a", rate: 1, width: 1, media: .base64)
        #expect(try keys(preview) == Set(text.parameters("Preview")))
        #expect(text.reply("Preview") == ["picture"])
        #expect(try keys(CancelRequest(id: "a")) == Set(text.parameters("Cancel")))
        #expect(try keys(CameraList(cameras: [])) == Set(text.reply("ListCameras")))
        var status = ServiceStatus(version: "1", source: .camera, uptimeMs: 1, scans: ScanCounts(), modelLoaded: true)
        status.holder = Holder(process: 1, user: 1)
        status.phase = .scanning
        #expect(try keys(status) == Set(text.reply("GetStatus")))
        #expect(try keys(MetricsText(text: "")) == Set(text.reply("GetMetrics")))
        let refusal = Refusal(reason: .busy, message: "", holder: Holder(process: 1, user: 1))
        #expect(try keys(refusal) == Set(text.error("Refused")))
    }

    @Test func `the check sum is FIPS 180-4's SHA-256`() {
        // The standard's own example.
        #expect(
            MediaDigest.sha256(Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            MediaDigest.sha256([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
