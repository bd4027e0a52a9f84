import FaceTracking
import Foundation
import Liveness
import LivenessInterface
import LivenessService
import LivenessTestKit
import ReplaySource
import Testing

/// Videos of real people through the whole way of a frame.
@Suite struct RealFacesTests {
    private func events(_ path: String) throws -> [ScanEvent] {
        let model = try FaceModel(landmarksPath: LandmarkModelFile.path)
        let source = try ReplaySource(path: path, pace: .immediate, repeats: true)
        let pipeline = try ScanPipeline(settings: PipelineSettings(), model: model, seed: 1)
        var events: [ScanEvent] = []
        try InlineScan(source: source, pipeline: pipeline).run(onEvent: { events.append($0) })
        return events
    }

    private func hints(_ events: [ScanEvent]) -> [Hint] {
        events.compactMap { if case .hint(let hint) = $0.kind { hint } else { nil } }
    }

    private func failure(_ events: [ScanEvent]) -> FailureReason? {
        guard case .failed(let reason, _) = events.last?.kind else { return nil }
        return reason
    }

    @Test func `two people of similar size never complete, and are told why`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Clips/two-people.mp4").path
        let events = try events(path)
        #expect(failure(events) == .timeout)
        #expect(hints(events).contains(.onePersonOnly))
    }

    /// Clips of people who did not agree to be published: they come with no checkout.
    static let clips = ProcessInfo.processInfo.environment["LIVENESS_CLIPS"]

    @Test(
        .enabled(if: clips != nil, "LIVENESS_CLIPS names no folder with the private clips"),
        arguments: ["lp_d9.mp4", "st_hill.mp4", "tran_real.mp4"])
    func `live people complete`(clip: String) throws {
        guard case .completed(let outcome) = try events("\(Self.clips ?? "")/\(clip)").last?.kind else {
            Issue.record("it failed")
            return
        }
        #expect(Set(outcome.actions.map(\.action)) == Set(Action.allCases))
    }

    @Test(
        .enabled(if: clips != nil, "LIVENESS_CLIPS names no folder with the private clips"),
        arguments: ["lp_d13.mp4", "fellway_me.mp4", "lestari_fake.mp4"])
    func `who does not turn, and a photo, time out 20 seconds after scanning began`(clip: String) throws {
        let events = try events("\(Self.clips ?? "")/\(clip)")
        #expect(failure(events) == .timeout)
        let began = events.first { if case .phase(.scanning) = $0.kind { true } else { false } }?.time
        let ended = try #require(events.last).time
        // The first frame at or after the cap ends it.
        #expect(ended - (try #require(began)) >= .seconds(20))
        #expect(ended - (try #require(began)) < .milliseconds(20_050))
    }
}
