import Camera
import FaceTracking
import Foundation
import Imaging
import Liveness
import LivenessInterface
import LivenessService
import LivenessTestKit
import Platform
import ReplaySource
import Testing

@Suite(.serialized) struct ScanTests {
    @Test func `a scan completes over the socket with two stills and a clip of its length`() throws {
        let cameras = try LivelyCameras()
        let service = try RunningService(cameras)
        var replies: [ScanReply] = []
        var media: ReceivedMedia?
        var openAtEnd = -1
        var busyAtEnd = true
        try service.client().scan { reply, received in
            replies.append(reply)
            if received != nil {
                media = received
                openAtEnd = cameras.open.value
                busyAtEnd = try service.client().status().busy
            }
        }
        let received = try #require(media)
        let completed = try #require(replies.last?.completed)
        #expect(replies.first?.started?.source == .virtual)
        #expect(replies.compactMap(\.phase) == [.settling, .framing, .scanning, .completed])
        #expect(Set(completed.actions.map(\.action)) == Set(Action.allCases))
        #expect(replies.compactMap(\.progress).map(\.done) == [0, 1, 2])
        // The camera was closed and the next client welcome before the result was told.
        #expect(openAtEnd == 0)
        #expect(!busyAtEnd)
        for still in [received.autoshot, received.snapshot] { try expectFace(in: still) }
        let clip = try frames(of: received.clip)
        let length = try #require(completed.clip.durationMs)
        #expect(abs(length - completed.durationMs) <= 1)
        let last = try #require(clip.last).time.wholeMilliseconds
        #expect(last <= length && last > length - 100)
    }

    private func expectFace(in still: [UInt8]) throws {
        var pool = FramePool()
        let bytes = still.withUnsafeBytes { pool.copy($0) }
        let layout = FrameLayout(format: .jpeg, width: 640, height: 480, stride: 0, range: .full)
        var decoder = FrameDecoder()
        let decoded = try decoder.decode(
            Frame(bytes: bytes, layout: layout, time: .zero, sequence: 0, isDamaged: false))
        let tracker = try FaceTracker(model: FaceModel(landmarksPath: LandmarkModelFile.path))
        let observation = tracker.observe(decoded.picture, time: .zero, isDamaged: false, cameraMoved: false)
        let face = try #require(observation.face)
        #expect(face.landmarks.eyeAspectRatio > 0.2)
        #expect(!decoded.isDamaged)
    }

    private func frames(of clip: [UInt8]) throws -> [Frame] {
        let path = NSTemporaryDirectory() + "scan-\(UUID().uuidString).mp4"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(clip).write(to: URL(fileURLWithPath: path))
        let source = try ReplaySource(path: path, pace: .immediate, repeats: false)
        var frames: [Frame] = []
        while case .frame(let frame) = try source.next(timeout: .seconds(5)) { frames.append(frame) }
        return frames
    }

    @Test func `a second client gets busy with who holds the camera, and may scan afterwards`() throws {
        let service = try RunningService(try LivelyCameras())
        let first = try BackgroundScan(service.path)
        #expect(first.begins())
        let error = #expect(throws: LivenessClientError.self) {
            try service.client().scan { _, _ in }
        }
        guard case .refused(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .busy)
        #expect(refusal.holder == Holder(process: Int(getpid()), user: Int(getuid())))
        #expect(first.ends())
        #expect(first.replies.last?.completed != nil)
        let second = try BackgroundScan(service.path)
        #expect(second.begins())
    }

    @Test func `a client that goes away frees the camera within a second`() throws {
        let cameras = try LivelyCameras(SyntheticPerformance())
        let service = try RunningService(cameras)
        let scan = try BackgroundScan(service.path)
        #expect(scan.begins())
        #expect(cameras.open.value == 1)
        let before = MonotonicClock.now
        scan.shutDown()
        // A promise of one second, with five-fold slack for a machine that is shared.
        #expect(service.becomesIdle(within: .seconds(5)))
        print(
            "measured: the camera was free \((MonotonicClock.now - before).wholeMilliseconds) ms after its client had gone"
        )
        #expect(cameras.open.value == 0)
        #expect(try service.client().status().scans.failed == 1)
    }

    @Test func `Cancel ends a scan by its id, and by no other`() throws {
        let service = try RunningService(try LivelyCameras(SyntheticPerformance()))
        let scan = try BackgroundScan(service.path)
        #expect(scan.begins())
        let error = #expect(throws: LivenessClientError.self) { try service.client().cancel("0123") }
        guard case .refused(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .unknownScan)
        try service.client().cancel(try #require(scan.id))
        #expect(scan.ends())
        #expect(scan.replies.last?.failed?.reason == .cancelled)
    }

    @Test func `ids are long and never the same`() throws {
        let service = try RunningService(try LivelyCameras(SyntheticPerformance()))
        var ids = Set<String>()
        for _ in 0..<3 {
            let scan = try BackgroundScan(service.path)
            #expect(scan.begins())
            let id = try #require(scan.id)
            #expect(id.count == 32)
            ids.insert(id)
            try service.client().cancel(id)
            #expect(scan.ends())
        }
        #expect(ids.count == 3)
    }

    @Test func `a service that goes down says so to the client and closes the camera`() throws {
        let cameras = try LivelyCameras(SyntheticPerformance())
        let service = try RunningService(cameras)
        let scan = try BackgroundScan(service.path)
        #expect(scan.begins())
        service.endpoint.stop()
        #expect(scan.ends())
        #expect(scan.replies.last?.failed?.reason == .stopping)
        #expect(cameras.open.value == 0)
        #expect(throws: LivenessClientError.self) { try service.client().scan { _, _ in } }
    }
}

@Suite struct ScanFailureTests {
    private func reason(
        _ provider: any FrameSourceProvider, modelPath: String = LandmarkModelFile.path,
        silence: Duration = .seconds(5)
    ) throws -> FailureReason? {
        let service = try RunningService(provider, modelPath: modelPath, silence: silence)
        var reason: FailureReason?
        try service.client().scan { reply, _ in reason = reply.failed?.reason ?? reason }
        #expect(service.becomesIdle(within: .seconds(5)))
        return reason
    }

    @Test(arguments: [
        (CameraFault.notFound, FailureReason.cameraNotFound), (.denied, .cameraDenied), (.busy, .cameraBusy),
        (.bandwidth, .usbBandwidth), (.unsupportedFormat, .unsupportedFormat), (.virtual, .virtualCamera),
    ])
    func `a camera that can't be opened fails the scan by its name`(fault: CameraFault, expected: FailureReason) throws
    {
        #expect(try reason(FailingCameras(failure: .opening(fault))) == expected)
    }

    @Test func `a camera that is unplugged fails the scan`() throws {
        #expect(try reason(FailingCameras(failure: .streaming(.lost, after: 15))) == .cameraLost)
    }

    @Test func `a camera that falls silent fails the scan`() throws {
        let failing = FailingCameras(failure: .silence(after: 15))
        #expect(try reason(failing, silence: .milliseconds(200)) == .cameraLost)
    }

    @Test func `a missing model fails the scan, and is looked for again`() throws {
        let path = "/tmp/no-model-\(UUID().uuidString).dat"
        let service = try RunningService(try LivelyCameras(), modelPath: path)
        var reasons: [FailureReason] = []
        try service.client().scan { reply, _ in reply.failed.map { reasons.append($0.reason) } }
        #expect(reasons == [.modelMissing])
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: LandmarkModelFile.path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let scan = try BackgroundScan(service.path)
        #expect(scan.ends())
        #expect(scan.replies.last?.completed != nil)
    }

    @Test func `every fault of a camera has the reason of the same name`() {
        for fault in CameraFault.allCases { #expect(FailureReason(rawValue: fault.rawValue) != nil) }
    }
}

@Suite struct StatusTests {
    @Test func `status, cameras and metrics tell what is going on`() throws {
        let service = try RunningService(try LivelyCameras(SyntheticPerformance()))
        var status = try service.client().status()
        #expect(!status.busy)
        #expect(status.source == .virtual)
        #expect(try service.client().cameras().map(\.id) == ["synthetic"])
        let scan = try BackgroundScan(service.path)
        #expect(scan.begins())
        status = try service.client().status()
        #expect(status.busy)
        #expect(status.holder?.process == Int(getpid()))
        try service.client().cancel(try #require(scan.id))
        #expect(scan.ends())
        let metrics = try service.client().metrics()
        #expect(metrics.contains("liveness_scans_total{result=\"cancelled\"} 1\n"))
        #expect(metrics.contains("liveness_scan_running 0\n"))
        #expect(metrics.split(separator: "\n").allSatisfy { $0.hasPrefix("#") || $0.split(separator: " ").count == 2 })
    }

    @Test func `cameras that can't be listed are an error with its name`() throws {
        let service = try RunningService(FailingCameras(failure: .opening(.denied)))
        let error = #expect(throws: LivenessClientError.self) { try service.client().cameras() }
        guard case .refused(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .cameraDenied)
    }
}
