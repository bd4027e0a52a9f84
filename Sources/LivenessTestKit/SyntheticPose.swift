import FaceGeometry
import Glibc

/// How a synthetic person is seen in one picture.
public struct SyntheticPose: Sendable, Equatable {
    /// Degrees, signs and axes as `HeadPose`; against the portrait's own pose, which is nearly frontal.
    public var head: HeadPose
    /// 0 is open, 1 is closed.
    public var closure: Double
    /// The middle of the face, as parts of the picture's width and height.
    public var centre: SIMD2<Double>
    /// The jaw's width at rest, as a part of the picture's shorter side.
    public var jawWidth: Double

    /// A face that looks at the camera from the guide's middle unless told.
    public init(
        yaw: Double = 0, pitch: Double = 0, roll: Double = 0, closure: Double = 0,
        centre: SIMD2<Double> = SIMD2(0.5, 0.5), jawWidth: Double = 0.42
    ) {
        head = HeadPose(yaw: yaw, pitch: pitch, roll: roll)
        self.closure = closure
        self.centre = centre
        self.jawWidth = jawWidth
    }
}

/// The rotation of a head: pitch first, then yaw, then roll, about the axes of `CanonicalFace`.
struct HeadRotation {
    private let right: SIMD3<Double>
    private let up: SIMD3<Double>
    private let forward: SIMD3<Double>

    init(_ pose: HeadPose) {
        let (yaw, pitch, roll) = (pose.yaw * .pi / 180, pose.pitch * .pi / 180, pose.roll * .pi / 180)
        let (sy, cy, sp, cp, sr, cr) = (sin(yaw), cos(yaw), sin(pitch), cos(pitch), sin(roll), cos(roll))
        // Rows of Rx: (1,0,0), (0,cp,sp), (0,-sp,cp); of Ry: (cy,0,sy), (0,1,0), (-sy,0,cy).
        let across = SIMD3(cy, -sy * sp, sy * cp)
        let along = SIMD3(0, cp, sp)
        right = cr * across - sr * along
        up = sr * across + cr * along
        forward = SIMD3(-sy, -cy * sp, cy * cp)
    }

    /// A point of the head, in centimetres, turned.
    func turn(_ point: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((right * point).sum(), (up * point).sum(), (forward * point).sum())
    }
}
