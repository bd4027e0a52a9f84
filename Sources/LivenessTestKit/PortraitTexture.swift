import FaceGeometry
import Glibc
import Imaging

/// The planes of a portrait, with eyelids that close and glasses that can be put on. One thread owns it.
final class PortraitTexture {
    let width: Int
    let height: Int
    /// The portrait's own planes, glasses included.
    private let open: (luma: [UInt8], u: [UInt8], v: [UInt8])
    private(set) var luma: [UInt8]
    private(set) var u: [UInt8]
    private(set) var v: [UInt8]
    private let eyes: [Eye]

    init(_ portrait: SyntheticPortrait, glasses: Bool) {
        let picture = portrait.picture
        width = picture.width
        height = picture.height
        var planes = picture.withPlanes { y, u, v in
            (
                Self.rows(y, picture.lumaStride, picture.width, picture.height),
                Self.rows(u, picture.chromaStride, picture.chromaWidth, picture.chromaHeight),
                Self.rows(v, picture.chromaStride, picture.chromaWidth, picture.chromaHeight)
            )
        }
        eyes = [Eye(portrait.landmarks, first: 36), Eye(portrait.landmarks, first: 42)]
        if glasses { Glasses(eyes).draw(on: &planes.0, width: picture.width) }
        open = planes
        luma = planes.0
        u = planes.1
        v = planes.2
    }

    /// Closes both eyes by `closure`, 0 to 1: the skin above each is drawn down over it.
    func close(by closure: Double) {
        (luma, u, v) = open
        guard closure > 0 else { return }
        for eye in eyes {
            eye.close(by: min(closure, 1), from: open.luma, to: &luma, width: width, scale: 1)
            eye.close(by: min(closure, 1), from: open.u, to: &u, width: width / 2, scale: 2)
            eye.close(by: min(closure, 1), from: open.v, to: &v, width: width / 2, scale: 2)
        }
    }

    private static func rows(_ plane: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int) -> [UInt8] {
        (0..<height).flatMap { y in UnsafeBufferPointer(start: plane + y * stride, count: width) }
    }
}

/// The lids of one eye in a portrait.
struct Eye {
    private let upper: [ImagePoint]
    private let lower: [ImagePoint]
    let centre: ImagePoint
    let span: Double

    init(_ landmarks: FaceLandmarks, first: Int) {
        upper = (0...3).map { landmarks[first + $0] }
        lower = [0, 5, 4, 3].map { landmarks[first + $0] }
        centre = (0..<6).reduce(ImagePoint.zero) { $0 + landmarks[first + $1] } / 6
        span = landmarks[first + 3].x - landmarks[first].x
    }

    /// Closes the lids in one plane, each pixel of which stands for `scale` x `scale` of the portrait.
    func close(by closure: Double, from source: [UInt8], to target: inout [UInt8], width: Int, scale: Int) {
        // The lid's crease lies about a third of the eye's width above it.
        let fold = 0.35 * span
        let unit = Double(scale)
        let columns = Int((upper[0].x - 0.1 * span) / unit)...Int((upper[3].x + 0.1 * span) / unit)
        for column in columns {
            // The photographed lid's edge with its lashes is a little higher than the points.
            let top = height(of: upper, at: Double(column) * unit) - 0.04 * span
            let bottom = max(height(of: lower, at: Double(column) * unit), top + 0.5)
            let edge = top + closure * (bottom - top) * 1.05
            let start = top - fold
            for row in Int(start / unit)...Int(bottom / unit + 1) where Double(row) * unit <= edge {
                let part = max((Double(row) * unit - start) / (edge - start), 0)
                target[row * width + column] = Self.sample(source, column, (start + part * fold) / unit, width)
            }
            if scale == 1 { darken(&target, column, edge, closure, width) }
        }
    }

    /// The lashes, which stand on the lid's edge.
    private func darken(_ target: inout [UInt8], _ x: Int, _ edge: Double, _ closure: Double, _ width: Int) {
        guard closure > 0.1 else { return }
        for y in Int(edge - 1)...Int(edge + 1) {
            let place = y * width + x
            target[place] = UInt8(Double(target[place]) * 0.6)
        }
    }

    private func height(of lid: [ImagePoint], at x: Double) -> Double {
        for index in 1..<lid.count where x <= lid[index].x || index == lid.count - 1 {
            let (a, b) = (lid[index - 1], lid[index])
            let part = min(max((x - a.x) / max(b.x - a.x, 0.1), 0), 1)
            return a.y + part * (b.y - a.y)
        }
        return lid[0].y
    }

    private static func sample(_ source: [UInt8], _ x: Int, _ y: Double, _ width: Int) -> UInt8 {
        let row = Int(y)
        let part = y - Double(row)
        let (above, below) = (Double(source[row * width + x]), Double(source[(row + 1) * width + x]))
        return UInt8(above + part * (below - above))
    }
}

/// Spectacles of thin dark wire.
private struct Glasses {
    private let eyes: [Eye]

    init(_ eyes: [Eye]) {
        self.eyes = eyes
    }

    func draw(on luma: inout [UInt8], width: Int) {
        let thickness = 2.2
        for eye in eyes {
            let radius = SIMD2(0.95, 0.75) * eye.span
            let reach = Int(radius.x) + 4
            for y in (Int(eye.centre.y) - reach)...(Int(eye.centre.y) + reach) {
                for x in (Int(eye.centre.x) - reach)...(Int(eye.centre.x) + reach) {
                    let place = (ImagePoint(Double(x), Double(y)) - eye.centre) / radius
                    let distance = abs((place * place).sum().squareRoot() - 1) * radius.y
                    if distance < thickness { luma[y * width + x] = UInt8(Double(luma[y * width + x]) * 0.25) }
                }
            }
        }
        let (from, to) = (eyes[0].centre.x + 0.95 * eyes[0].span, eyes[1].centre.x - 0.95 * eyes[1].span)
        for x in Int(from)...max(Int(from), Int(to)) {
            for y in -1...1 { luma[(Int(eyes[0].centre.y) + y - 4) * width + x] /= 4 }
        }
    }
}
