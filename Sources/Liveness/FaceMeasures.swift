import FaceGeometry

/// Where a face is against the guide.
enum Framing: Sendable {
    case inside
    case outside
    case tooFar
    case tooClose
}

/// The circle on the screen, in one picture's pixels.
struct GuideCircle {
    let centre: ImagePoint
    let radius: Double
    let smallestJaw: Double
    let largestJaw: Double

    init(_ settings: LivenessSettings, imageWidth: Double, imageHeight: Double) {
        centre = ImagePoint(settings.guideCentreX * imageWidth, settings.guideCentreY * imageHeight)
        radius = settings.guideRadius * min(imageWidth, imageHeight)
        smallestJaw = settings.guideSmallestFace * 2 * radius
        largestJaw = settings.guideLargestFace * 2 * radius
    }

    /// Size is judged before place: a face that is too large is outside as well, and stepping back mends both.
    func framing(of landmarks: FaceLandmarks) -> Framing {
        if landmarks.jawWidth > largestJaw { return .tooClose }
        if !landmarks.isInside(circleAt: centre, radius: radius) { return .outside }
        return landmarks.jawWidth < smallestJaw ? .tooFar : .inside
    }
}

/// What the rules need of one face, computed once a frame.
struct FaceMeasures {
    let eyeAspectRatio: Double
    let pose: HeadPose
    let centre: ImagePoint
    let jawWidth: Double
    let framing: Framing
    let quality: FaceQuality

    /// Nil where the points make no face.
    init?(_ face: TrackedFace, guide: GuideCircle) {
        guard let pose = face.landmarks.pose else { return nil }
        self.pose = pose
        eyeAspectRatio = face.landmarks.eyeAspectRatio
        centre = face.landmarks.centre
        jawWidth = face.landmarks.jawWidth
        framing = guide.framing(of: face.landmarks)
        quality = face.quality
    }
}

/// Counts frames that are consecutive and near in time; a longer gap starts the count again.
struct ConsecutiveRun {
    private(set) var count = 0
    private var last: Duration?

    mutating func extend(at time: Duration, longestGap: Duration) {
        if let last, time - last > longestGap { count = 0 }
        count += 1
        last = time
    }

    mutating func end() {
        count = 0
        last = nil
    }
}
