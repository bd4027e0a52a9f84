import FaceGeometry
import FaceTracking
import Foundation
import Imaging
import LivenessTestKit
import Testing

@Suite struct FaceTrackerTests {
    private static let model = Result { try FaceModel(landmarksPath: LandmarkModelFile.path) }

    private func tracker() throws -> FaceTracker { try FaceTracker(model: Self.model.get()) }

    private func picture(width: Int, height: Int, _ luma: (Int, Int) -> UInt8) throws -> Picture {
        var pool = FramePool()
        let bytes = pool.fill(width * height) { memory in
            for y in 0..<height { for x in 0..<width { memory[y * width + x] = luma(x, y) } }
        }
        let layout = FrameLayout(format: .grey, width: width, height: height, stride: width, range: .full)
        var decoder = FrameDecoder()
        return try decoder.decode(
            Frame(bytes: bytes, layout: layout, time: .zero, sequence: 0, isDamaged: false)
        ).picture
    }

    private func scene(_ change: (inout SyntheticScene) -> Void = { _ in }) throws -> SyntheticScene {
        var scene = SyntheticScene([try SyntheticPortrait(.first)])
        change(&scene)
        return scene
    }

    private func observe(
        _ scene: SyntheticScene, _ poses: [[SyntheticPose]], gap: Duration = .milliseconds(33)
    ) throws -> [FaceObservation] {
        let renderer = SyntheticRenderer(scene)
        let tracker = try tracker()
        var decoder = FrameDecoder()
        return try poses.enumerated().map { index, poses in
            let time = gap * index
            let picture = try decoder.decode(renderer.draw(poses, at: time)).picture
            return tracker.observe(picture, time: time, isDamaged: false, cameraMoved: false)
        }
    }

    @Test(arguments: [(1, 1), (1, 600), (600, 1), (2, 2), (79, 79), (80, 80), (81, 3), (640, 20)])
    func `tiny and narrow pictures show no face and do no harm`(width: Int, height: Int) throws {
        let tracker = try tracker()
        let blank = try picture(width: width, height: height) { x, y in UInt8((x * 7 + y * 13) % 256) }
        for index in 0..<3 {
            let seen = tracker.observe(
                blank, time: .milliseconds(index * 33), isDamaged: false, cameraMoved: false)
            #expect(seen.face == nil)
            #expect(seen.comparableFaces == 0)
        }
    }

    @Test(arguments: [
        SIMD2(0.0, 0.5), SIMD2(1, 0.5), SIMD2(0.5, 0), SIMD2(0.5, 1), SIMD2(0.05, 0.05), SIMD2(0.97, 0.97),
    ])
    func `a face that slides out of the picture is followed to its edge without harm`(target: SIMD2<Double>) throws {
        let start = SIMD2(0.5, 0.5)
        let poses = (0..<40).map { index in
            [SyntheticPose(centre: start + (target - start) * Double(index) / 39)]
        }
        let seen = try observe(scene(), poses)
        #expect(seen[0].face != nil)
        for observation in seen {
            guard let face = observation.face else { continue }
            for index in 0..<FaceLandmarks.count {
                #expect(face.landmarks[index].x.isFinite && face.landmarks[index].y.isFinite)
            }
        }
    }

    @Test func `a face is found at once, followed, lost with the person, and found again`() throws {
        let here = [SyntheticPose()]
        let seen = try observe(
            scene { $0.background = .pattern(drift: .zero) },
            Array(repeating: here, count: 10) + Array(repeating: [], count: 10) + Array(repeating: here, count: 10))
        #expect(seen[0..<10].allSatisfy { $0.face != nil })
        #expect(seen[11..<20].allSatisfy { $0.face == nil })
        #expect(seen[21..<30].allSatisfy { $0.face != nil })
    }

    @Test func `a picture of another size in the middle of a stream does no harm`() throws {
        let tracker = try tracker()
        var decoder = FrameDecoder()
        var found = 0
        for (index, size) in [(640, 480), (320, 240), (1280, 720), (100, 90), (640, 480)].enumerated() {
            let renderer = SyntheticRenderer(
                try scene {
                    $0.width = size.0
                    $0.height = size.1
                })
            let picture = try decoder.decode(renderer.draw([SyntheticPose()], at: .zero)).picture
            let seen = tracker.observe(
                picture, time: .milliseconds(index * 33), isDamaged: false, cameraMoved: false)
            if seen.face != nil { found += 1 }
        }
        #expect(found >= 4)
    }

    @Test func `the jaw is as wide and the face is where it was drawn`() throws {
        let pose = SyntheticPose(centre: SIMD2(0.4, 0.55), jawWidth: 0.35)
        let seen = try observe(scene(), Array(repeating: [pose], count: 5))
        let face = try #require(seen.last?.face)
        #expect(abs(face.landmarks.jawWidth - 0.35 * 480) < 12)
        #expect(abs(face.landmarks.centre.x - 0.4 * 640) < 12)
        #expect(abs(face.landmarks.centre.y - 0.55 * 480) < 12)
    }

    @Test func `a whole picture's brightness and contrast are told without a face too`() throws {
        let tracker = try tracker()
        let grey = try picture(width: 320, height: 240) { _, _ in 77 }
        let seen = tracker.observe(grey, time: .zero, isDamaged: true, cameraMoved: true)
        #expect(seen.pictureBrightness == 77)
        #expect(seen.pictureContrast == 0)
        #expect(seen.isDamaged && seen.cameraMoved)
    }

    @Test func `a missing model and one that is none have their names`() throws {
        let missing = #expect(throws: FaceTrackingError.self) { try LandmarkModel(path: "/no/such/model.dat") }
        #expect(missing?.reason == "model_missing")
        let folder = #expect(throws: FaceTrackingError.self) { try LandmarkModel(path: "/tmp") }
        #expect(folder?.reason == "model_unreadable")
        let wrong = NSTemporaryDirectory() + "wrong-\(UUID().uuidString).dat"
        defer { try? FileManager.default.removeItem(atPath: wrong) }
        for bytes in [Data(), Data("not a model".utf8), Data(repeating: 0xFF, count: 100_000)] {
            try bytes.write(to: URL(fileURLWithPath: wrong))
            let error = #expect(throws: FaceTrackingError.self) { try LandmarkModel(path: wrong) }
            #expect(error?.reason == "model_unreadable")
        }
    }

    @Test func `a model that was cut off is refused`() throws {
        let whole = try #require(FileManager.default.contents(atPath: LandmarkModelFile.path))
        let cut = NSTemporaryDirectory() + "cut-\(UUID().uuidString).dat"
        defer { try? FileManager.default.removeItem(atPath: cut) }
        try whole.prefix(whole.count / 3).write(to: URL(fileURLWithPath: cut))
        #expect(throws: FaceTrackingError.self) { try LandmarkModel(path: cut) }
    }
}

@Suite struct GeometryTests {
    @Test func `EAR is height over width, and of a point without extent 0`() {
        var landmarks = FaceLandmarks()
        #expect(landmarks.eyeAspectRatio == 0)
        let eye = [(0.0, 0.0), (1, -1), (3, -1), (4, 0), (3, 1), (1, 1)]
        for first in [36, 42] {
            for (offset, point) in eye.enumerated() {
                landmarks[first + offset] = ImagePoint(point.0 + Double(first), point.1)
            }
        }
        #expect(landmarks.eyeAspectRatio == 0.5)
    }

    @Test func `points on one line have no pose`() {
        var landmarks = FaceLandmarks()
        #expect(landmarks.pose == nil)
        for index in 0..<FaceLandmarks.count { landmarks[index] = ImagePoint(Double(index), 0) }
        #expect(landmarks.pose == nil)
    }

    @Test func `sliding a face sideways does not turn it`() throws {
        let synthetic = SyntheticObservation()
        let yaws = try [0.2, 0.5, 0.8].map { x in
            try #require(synthetic.landmarks(of: SyntheticPose(yaw: 3, centre: SIMD2(x, 0.5))).pose).yaw
        }
        #expect(yaws.allSatisfy { abs($0 - yaws[0]) < 1e-6 })
    }

    @Test func `the nose's parallax has yaw's sign and grows with it`() {
        let synthetic = SyntheticObservation()
        let values = [-15.0, -8, 0, 8, 15].map { synthetic.landmarks(of: SyntheticPose(yaw: $0)).noseParallax }
        #expect(values == values.sorted())
        #expect(values[1] < -0.05 && values[3] > 0.05)
    }
}
