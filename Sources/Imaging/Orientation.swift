/// How a camera is mounted, and so what makes its pictures upright: turned clockwise first, then mirrored.
public struct Orientation: Sendable, Equatable {
    /// Clockwise quarter turns.
    public enum Rotation: Int, Sendable, CaseIterable {
        case none = 0
        case quarter = 90
        case half = 180
        case threeQuarters = 270
    }

    /// Applied first.
    public var rotation: Rotation
    /// Left and right are swapped after the rotation.
    public var mirrored: Bool

    /// No change unless told.
    public init(rotation: Rotation = .none, mirrored: Bool = false) {
        self.rotation = rotation
        self.mirrored = mirrored
    }

    /// Whether nothing is to be done.
    var isIdentity: Bool { rotation == .none && !mirrored }
    /// Whether width and height change places.
    public var swapsSides: Bool { rotation == .quarter || rotation == .threeQuarters }

    /// Copies a plane of single bytes, `width` x `height` as the camera gave it, so that it is upright in `target`.
    public func turn(
        _ source: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, to target: UnsafeMutablePointer<UInt8>,
        targetStride: Int
    ) {
        if isIdentity {
            for y in 0..<height { (target + y * targetStride).update(from: source + y * stride, count: width) }
        } else {
            walk(width: width, height: height, stride: stride, pixel: 1)
                .copy(from: source, to: target, stride: targetStride, pixel: 1)
        }
    }

    /// Where the pixels of an upright plane lie in the camera's one.
    func walk(width: Int, height: Int, stride: Int, pixel: Int) -> PlaneWalk {
        let walk: PlaneWalk
        switch rotation {
        case .none: walk = PlaneWalk(origin: 0, right: pixel, down: stride, width: width, height: height)
        case .quarter:
            walk = PlaneWalk(
                origin: (height - 1) * stride, right: -stride, down: pixel, width: height, height: width)
        case .half:
            walk = PlaneWalk(
                origin: (height - 1) * stride + (width - 1) * pixel, right: -pixel, down: -stride, width: width,
                height: height)
        case .threeQuarters:
            walk = PlaneWalk(
                origin: (width - 1) * pixel, right: stride, down: -pixel, width: height, height: width)
        }
        return mirrored ? walk.mirrored : walk
    }
}

/// A way over a plane's bytes, row by row of the upright picture: `origin + x * right + y * down`.
struct PlaneWalk {
    var origin: Int
    var right: Int
    var down: Int
    /// Pixels of the upright plane.
    var width: Int
    var height: Int

    var mirrored: PlaneWalk {
        PlaneWalk(origin: origin + (width - 1) * right, right: -right, down: down, width: width, height: height)
    }

    /// Copies the upright plane, `pixel` bytes at each place.
    func copy(from source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, stride: Int, pixel: Int) {
        for y in 0..<height {
            var from = source + origin + y * down
            var to = target + y * stride
            for _ in 0..<width {
                for byte in 0..<pixel { to[byte] = from[byte] }
                from += right
                to += pixel
            }
        }
    }
}
