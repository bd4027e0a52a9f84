import FaceGeometry

/// Observations without pictures: the average head seen by weak perspective, with eyelids that close.
///
/// What is asked for is what `FaceLandmarks.pose` and `eyeAspectRatio` give back, up to rounding: yaw is turned by
/// `HeadPose`'s own gain more, since that is what it takes out again.
public struct SyntheticObservation: Sendable {
    /// Pixels.
    public var width = 640.0
    /// Pixels.
    public var height = 480.0
    /// EAR of open eyes.
    public var openEye = 0.30
    /// What the face's part of the picture looks like.
    public var quality = FaceQuality(brightness: 120, contrast: 40, sharpness: 200)
    /// Standard deviation of the noise on the eyes' opening, as a part of it.
    public var eyeNoise = 0.0
    /// Left and right are swapped, as by a mirroring camera.
    public var mirrored = false

    /// The part of the opening that a closed eye still shows: dlib's points never fall together.
    private static let closedShare = 0.25
    /// `HeadPose` divides by it.
    private static let yawGain = 1.165

    /// The defaults.
    public init() {}

    /// The observation of `pose` at `time`; nobody where there is no pose. `noise` is a standard normal value.
    public func observe(
        _ pose: SyntheticPose?, at time: Duration, faces: Int = 1, noise: Double = 0, isDamaged: Bool = false,
        cameraMoved: Bool = false
    ) -> FaceObservation {
        let face = pose.map { pose in
            let landmarks = landmarks(of: pose, noise: noise)
            let size = landmarks.jawWidth * 1.1
            let box = FaceBox(
                left: landmarks.centre.x - size / 2, top: landmarks.centre.y - size / 2, width: size, height: size)
            return TrackedFace(landmarks: landmarks, box: box, quality: quality)
        }
        return FaceObservation(
            time: time, imageWidth: width, imageHeight: height, face: face,
            comparableFaces: face == nil ? 0 : faces, pictureBrightness: 110, pictureContrast: 45,
            isDamaged: isDamaged, cameraMoved: cameraMoved)
    }

    /// The 68 points of `pose`, in pixels.
    public func landmarks(of pose: SyntheticPose, noise: Double = 0) -> FaceLandmarks {
        let jaw = CanonicalFace.point(16).x - CanonicalFace.point(0).x
        let scale = pose.jawWidth * min(width, height) / jaw
        let centre = ImagePoint(pose.centre.x * width, pose.centre.y * height)
        let rotation = HeadRotation(
            HeadPose(yaw: pose.head.yaw * Self.yawGain, pitch: pose.head.pitch, roll: pose.head.roll))
        let opening = openEye * (1 - (1 - Self.closedShare) * pose.closure) * (1 + eyeNoise * noise)
        var landmarks = FaceLandmarks()
        for index in 0..<FaceLandmarks.count {
            let turned = rotation.turn(lidded(index, opening))
            landmarks[index] = centre + scale * ImagePoint(turned.x, -turned.y)
        }
        return mirrored ? landmarks.mirrored(width: width) : landmarks
    }

    /// A point of the head, those of the lids as far apart as `opening` says.
    private func lidded(_ index: Int, _ opening: Double) -> SIMD3<Double> {
        let point = CanonicalFace.point(index)
        guard let partner = lidPartners[index] else { return point }
        let first = index < 42 ? 36 : 42
        let width = CanonicalFace.point(first + 3).x - CanonicalFace.point(first).x
        let middle = (point + CanonicalFace.point(partner)) / 2
        let isUpper = point.y > CanonicalFace.point(partner).y
        return middle + SIMD3(0, (isUpper ? 0.5 : -0.5) * opening * width, 0)
    }
}

/// Which point of the other lid stands opposite.
private let lidPartners: [Int: Int] = [37: 41, 38: 40, 40: 38, 41: 37, 43: 47, 44: 46, 46: 44, 47: 43]

extension FaceLandmarks {
    /// The points as a mirrored picture shows them, numbered as the scheme wants it there.
    func mirrored(width: Double) -> FaceLandmarks {
        var result = FaceLandmarks()
        for index in 0..<FaceLandmarks.count {
            let point = self[mirrorPartner(index)]
            result[index] = ImagePoint(width - point.x, point.y)
        }
        return result
    }
}

/// The point that stands on the other side of the face, in the iBUG 300-W scheme.
private func mirrorPartner(_ index: Int) -> Int {
    switch index {
    case 0...16: 16 - index
    case 17...26: 43 - index
    case 31...35: 66 - index
    case 36...39: 81 - index
    case 40, 41: 87 - index
    case 42...45: 81 - index
    case 46, 47: 87 - index
    case 48...54: 102 - index
    case 55...59: 114 - index
    case 60...64: 124 - index
    case 65...67: 132 - index
    default: index
    }
}
