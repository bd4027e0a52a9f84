import FaceGeometry
import Glibc
import Imaging

/// Draws synthetic people: a photograph laid on a head's surface, turned, with eyelids drawn down over the eyes.
///
/// How closely dlib's measures follow what is asked for, over the three portraits (tests hold these bounds): yaw from
/// rest within 3 degrees from -20 to 20; closures of 0.1 read as less than the noise floor, and a closed eye's EAR is
/// at most 0.55 of the open one's.
public final class SyntheticRenderer {
    private let scene: SyntheticScene
    private let layers: [Layer]
    private var pool = FramePool()
    private var upright = FramePool()
    private var noise = NoiseTable()
    private var count: UInt64 = 0

    /// A renderer that has drawn nothing yet.
    public init(_ scene: SyntheticScene) {
        self.scene = scene
        layers = scene.people.map { Layer($0, scene: scene) }
    }

    /// The next picture: three planes in the full range, as `FrameLayout` of format `i420` tells. There is one pose for
    /// each of the scene's people; those without one are not there.
    public func draw(_ poses: [SyntheticPose], at time: Duration) -> Frame {
        let canvas = Canvas(width: scene.width, height: scene.height)
        let bytes = upright.fill(canvas.byteCount) { memory in
            guard let start = memory.bindMemory(to: UInt8.self).baseAddress else { return }
            let hasBackdrop = scene.background == .backdrop && !poses.isEmpty
            if !hasBackdrop { canvas.drawPattern(start, shift: drift(at: time)) }
            for (index, (layer, pose)) in zip(layers, poses).enumerated() {
                layer.draw(pose, on: canvas, start, whole: hasBackdrop && index == 0)
            }
            if scene.blur > 0 { canvas.blur(start, radius: scene.blur) }
            noise.apply(
                to: start, canvas.width * canvas.height, sigma: scene.noise, gain: scene.gain, scene.seed, count)
        }
        defer { count += 1 }
        return frame(bytes, at: time)
    }

    private func drift(at time: Duration) -> SIMD2<Double> {
        guard case .pattern(let drift, let end) = scene.background else { return .zero }
        let moving = min(time, end).components
        return drift * (Double(moving.seconds) + Double(moving.attoseconds) * 1e-18)
    }

    private func frame(_ bytes: FrameBytes, at time: Duration) -> Frame {
        let camera = Orientation(rotation: scene.rotation.opposite, mirrored: scene.mirrored)
        let (width, height) = (scene.width, scene.height)
        let size = camera.swapsSides ? (width: height, height: width) : (width: width, height: height)
        let layout = FrameLayout(
            format: .i420, width: size.width, height: size.height, stride: size.width, range: .full)
        let turned = pool.fill(layout.byteCount) { memory in
            guard var target = memory.bindMemory(to: UInt8.self).baseAddress else { return }
            bytes.withBytes { source in
                guard var plane = source.bindMemory(to: UInt8.self).baseAddress else { return }
                for (w, h, stride) in [(width, height, size.width)]
                    + Array(repeating: (width / 2, height / 2, size.width / 2), count: 2)
                {
                    camera.turn(plane, stride: w, width: w, height: h, to: target, targetStride: stride)
                    plane += w * h
                    target += w * h
                }
            }
        }
        return Frame(
            bytes: turned, layout: layout, time: time, sequence: UInt32(truncatingIfNeeded: count), isDamaged: false)
    }
}

extension Orientation.Rotation {
    /// What undoes it.
    fileprivate var opposite: Orientation.Rotation { Orientation.Rotation(rawValue: (360 - rawValue) % 360) ?? .none }
}

/// One person with what is needed to draw them.
private final class Layer {
    private let texture: PortraitTexture
    private let map: CoordinateMap
    private let surface: FaceSurface

    init(_ portrait: SyntheticPortrait, scene: SyntheticScene) {
        texture = PortraitTexture(portrait, glasses: scene.glasses)
        surface = FaceSurface(portrait.landmarks)
        map = CoordinateMap(width: scene.width, height: scene.height, surface: surface)
    }

    /// Draws the person, and with `whole` the portrait's backdrop too.
    func draw(_ pose: SyntheticPose, on canvas: Canvas, _ start: UnsafeMutablePointer<UInt8>, whole: Bool) {
        texture.close(by: pose.closure)
        map.draw(pose)
        let planes = canvas.planes(start)
        for y in 0..<canvas.height {
            for x in 0..<canvas.width {
                let place = map.places[y * canvas.width + x]
                let share = whole ? 1 : cover(place)
                guard share > 0 else { continue }
                let pixel = y * canvas.width + x
                planes.y[pixel] = Self.blend(planes.y[pixel], texture.luma.sample(place, 512, 512), share)
                guard x % 2 == 0, y % 2 == 0 else { continue }
                let chroma = y / 2 * (canvas.width / 2) + x / 2
                planes.u[chroma] = Self.blend(planes.u[chroma], texture.u.sample(place / 2, 256, 256), share)
                planes.v[chroma] = Self.blend(planes.v[chroma], texture.v.sample(place / 2, 256, 256), share)
            }
        }
    }

    /// How much of a portrait's place is the person: the head, and shoulders that widen below it.
    private func cover(_ place: SIMD2<Float>) -> Float {
        let x = (Double(place.x) - surface.centre.x) / surface.scale
        let y = (surface.centre.y - Double(place.y)) / surface.scale
        let head = SIMD2(x / 9, (y - HeadShape.middle) / 12)
        let inHead = (1.06 - (head * head).sum().squareRoot()) / 0.06
        let inShoulders = y < -8 ? (4 - 2.2 * (y + 8) - abs(x)) / 0.6 : 0
        return Float(min(max(max(inHead, inShoulders), 0), 1))
    }

    private static func blend(_ below: UInt8, _ above: Float, _ share: Float) -> UInt8 {
        UInt8(Float(below) + share * (above - Float(below)) + 0.5)
    }
}

extension [UInt8] {
    /// Between four pixels; beyond the edge the edge goes on.
    fileprivate func sample(_ place: SIMD2<Float>, _ width: Int, _ height: Int) -> Float {
        let bounded = (place - 0.5).clamped(
            lowerBound: .zero, upperBound: SIMD2(Float(width) - 1.001, Float(height) - 1.001))
        let (x, y) = (Int(bounded.x), Int(bounded.y))
        let part = bounded - SIMD2(Float(x), Float(y))
        return withUnsafeBufferPointer { pixels in
            let at = y * width + x
            let upper = Float(pixels[at]) + part.x * (Float(pixels[at + 1]) - Float(pixels[at]))
            let (left, right) = (Float(pixels[at + width]), Float(pixels[at + width + 1]))
            return upper + part.y * (left + part.x * (right - left) - upper)
        }
    }
}
