import Glibc

/// How a head is turned against the camera, in degrees.
///
/// Right and left are the subject's, and hold for a picture that is not mirrored. Mirroring flips the signs of yaw and
/// roll, and leaves pitch.
public struct HeadPose: Sendable, Equatable {
    /// Positive where the head is turned to the subject's left, the nose towards the picture's right.
    ///
    /// Scaled so that it agrees with MediaPipe's face transform (see `yawGain`).
    public var yaw: Double
    /// Positive where the chin is up.
    ///
    /// Meaningful against the same person's pitch at rest only: faces differ from the average head by several degrees.
    public var pitch: Double
    /// Positive where the head leans to the subject's right shoulder, counter-clockwise in the picture.
    public var roll: Double

    /// All angles at once, degrees.
    public init(yaw: Double, pitch: Double, roll: Double) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
    }

    /// By how much weak perspective overstates yaw with dlib's points; fitted against MediaPipe's transform on 28
    /// clips (research/vision.md).
    static let yawGain = 1.165
}

extension FaceLandmarks {
    /// The head's pose by weak perspective on all 68 points; nil where the points lie on one line.
    ///
    /// The image points are a scaled rotation of the canonical head, without its depth: least squares gives a 2 x 3
    /// matrix, and the nearest one with orthonormal rows is the rotation's upper part (research/vision.md). Unlike a
    /// pose with perspective, it does not change when a flat picture slides sideways.
    public var pose: HeadPose? {
        var right = SIMD3<Double>.zero
        var up = SIMD3<Double>.zero
        for index in 0..<FaceLandmarks.count {
            right += CanonicalFace.pseudoInverse[index] * self[index].x
            up -= CanonicalFace.pseudoInverse[index] * self[index].y
        }
        guard let (r1, r2) = nearestOrthonormalPair(right, up) else { return nil }
        let r3 = SIMD3(r1.y * r2.z - r1.z * r2.y, r1.z * r2.x - r1.x * r2.z, r1.x * r2.y - r1.y * r2.x)
        return HeadPose(
            yaw: degrees(atan2(-r3.x, (r1.x * r1.x + r2.x * r2.x).squareRoot())) / HeadPose.yawGain,
            pitch: degrees(atan2(-r3.y, r3.z)),
            roll: degrees(atan2(r2.x, r1.x)))
    }
}

/// The rows of the matrix with orthonormal rows that is nearest to the one with rows `a` and `b`: the orthogonal factor
/// `(M M^T)^-1/2 M` of its polar decomposition. Nil where the rows are parallel.
///
/// The root of a 2 x 2 matrix G is `(G + sI) / t` with `s = sqrt(det G)` and `t = sqrt(trace G + 2s)`
/// (Cayley-Hamilton), so no iteration is needed.
private func nearestOrthonormalPair(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>
) -> (SIMD3<Double>, SIMD3<Double>)? {
    let aa = (a * a).sum()
    let bb = (b * b).sum()
    let ab = (a * b).sum()
    let s = max(0, aa * bb - ab * ab).squareRoot()
    let t = (aa + bb + 2 * s).squareRoot()
    // Rows that are all but parallel leave nothing but rounding errors.
    guard s > 1e-9 * (aa + bb) else { return nil }
    return (((bb + s) * a - ab * b) / (s * t), ((aa + s) * b - ab * a) / (s * t))
}

private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
