import FaceGeometry
import FaceTracking
import Imaging
import LivenessTestKit

/// dlib's model, read once for all tests.
enum TestModel {
    private static let loaded = Result { try FaceModel(landmarksPath: LandmarkModelFile.path) }

    static func load() throws -> FaceModel { try loaded.get() }
}

/// What dlib measures of a synthetic person who holds each pose for a few frames.
struct FaceFollowing {
    private let renderer: SyntheticRenderer
    private let tracker: FaceTracker
    private var decoder = FrameDecoder()
    private var time = Duration.zero

    init(_ scene: SyntheticScene) throws {
        renderer = SyntheticRenderer(scene)
        tracker = try FaceTracker(model: TestModel.load())
        decoder = FrameDecoder(orientation: Orientation(rotation: scene.rotation))
    }

    mutating func observe(_ poses: [SyntheticPose]) throws -> FaceObservation {
        time += .milliseconds(33)
        let picture = try decoder.decode(renderer.draw(poses, at: time)).picture
        return tracker.observe(picture, time: time, isDamaged: false, cameraMoved: false)
    }

    /// The median of `measure` over seven frames of the pose, of which the first two settle the tracker.
    mutating func median(_ pose: SyntheticPose, _ measure: (FaceLandmarks) -> Double?) throws -> Double? {
        var values: [Double] = []
        for index in 0..<9 {
            let face = try observe([pose]).face
            if index >= 2, let value = face.flatMap({ measure($0.landmarks) }) { values.append(value) }
        }
        return values.count > 4 ? values.sorted()[values.count / 2] : nil
    }
}
