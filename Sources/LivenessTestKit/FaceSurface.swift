import FaceGeometry
import Glibc

/// The head behind a portrait: how far each of its pixels lies before or behind the face, and how much it moves with
/// the head.
struct FaceSurface {
    /// A corner of the surface's grid.
    struct Vertex {
        /// Portrait pixels.
        var texture: SIMD2<Double>
        /// Centimetres from the face's middle: x to the subject's left, y up, z towards the camera.
        var point: SIMD3<Double>
        /// 1 on the head, falling to 0 in the background.
        var weight: Double
    }

    /// Portrait pixels from one vertex to the next.
    static let step = 8

    let vertices: [Vertex]
    let columns: Int
    let rows: Int
    /// The face's middle, portrait pixels.
    let centre: SIMD2<Double>
    /// Portrait pixels in a centimetre.
    let scale: Double
    /// From the first to the last point of the jaw, portrait pixels.
    let jawWidth: Double

    init(_ landmarks: FaceLandmarks) {
        let jawWidth = (landmarks[16] - landmarks[0]).x
        let scale = jawWidth / (CanonicalFace.point(16).x - CanonicalFace.point(0).x)
        var centre = SIMD2<Double>.zero
        for index in 0..<FaceLandmarks.count { centre += landmarks[index] / Double(FaceLandmarks.count) }
        let depth = Self.depth(landmarks, centre, scale)
        let first = centre - scale * SIMD2(HeadShape.reach.x, HeadShape.middle + HeadShape.reach.y)
        columns = Int(2 * scale * HeadShape.reach.x) / Self.step + 2
        rows = Int(2 * scale * HeadShape.reach.y) / Self.step + 2
        var vertices: [Vertex] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let texture = first + Double(Self.step) * SIMD2(Double(column), Double(row))
                let (x, y) = ((texture.x - centre.x) / scale, (centre.y - texture.y) / scale)
                vertices.append(
                    Vertex(texture: texture, point: SIMD3(x, y, depth.value(x, y)), weight: HeadShape.weight(x, y)))
            }
        }
        self.vertices = vertices
        self.centre = centre
        self.scale = scale
        self.jawWidth = jawWidth
    }

    /// Depth through the face's points, and through a few of the skull and the background round them.
    private static func depth(
        _ landmarks: FaceLandmarks, _ centre: SIMD2<Double>, _ scale: Double
    ) -> ThinPlate {
        var anchors = (0..<FaceLandmarks.count).map { index in
            let place = (landmarks[index] - centre) / scale
            return SIMD3(place.x, -place.y, CanonicalFace.point(index).z)
        }
        anchors += HeadShape.skull
        return ThinPlate(through: anchors)
    }
}

/// An average head round the 68 points, in centimetres.
enum HeadShape {
    /// The middle of the head's outline, above the face's middle.
    static let middle = 1.5
    /// Half the head's width and height, hair and ears included.
    private static let half = SIMD2(9.5, 12.5)
    /// From here to the head's outline times this, the surroundings give way.
    private static let falloff = 1.7
    /// Half the width and height of what moves at all.
    static let reach = half * falloff
    /// The axis that a head turns about, behind the face's edge.
    static let axis = SIMD3(0.0, 0, -2)

    /// Forehead (MediaPipe's canonical face), crown, ears, and a ring far behind.
    static let skull: [SIMD3<Double>] = {
        var points: [SIMD3<Double>] = [
            SIMD3(0, 8.3, 4.5), SIMD3(-3.5, 7.9, 3.6), SIMD3(3.5, 7.9, 3.6), SIMD3(-6.3, 6.5, 0.8),
            SIMD3(6.3, 6.5, 0.8), SIMD3(0, 12, 0), SIMD3(-5, 11, -2), SIMD3(5, 11, -2), SIMD3(-8.6, 1, -5),
            SIMD3(8.6, 1, -5), SIMD3(0, -12.5, -2),
        ]
        for index in 0..<16 {
            let angle = Double(index) * .pi / 8
            points.append(SIMD3(reach.x * 0.75 * cos(angle), middle + reach.y * 0.75 * sin(angle), -6))
        }
        return points
    }()

    /// 1 on the head, falling smoothly to 0.
    static func weight(_ x: Double, _ y: Double) -> Double {
        let place = SIMD2(x, y - middle) / half
        let radius = (place * place).sum().squareRoot()
        let part = min(max((falloff - radius) / (falloff - 1), 0), 1)
        return part * part * (3 - 2 * part)
    }
}

/// The smoothest surface through given points (Duchon 1977: thin-plate spline, kernel r² log r).
struct ThinPlate {
    private let anchors: [SIMD3<Double>]
    private let weights: [Double]

    /// A surface whose height at x and y of each anchor is its z.
    init(through anchors: [SIMD3<Double>]) {
        let count = anchors.count
        let size = count + 3
        var rows = [[Double]](repeating: [Double](repeating: 0, count: size + 1), count: size)
        for (row, anchor) in anchors.enumerated() {
            for (column, other) in anchors.enumerated() {
                rows[row][column] = Self.kernel(anchor.x - other.x, anchor.y - other.y)
            }
            for (offset, value) in [1, anchor.x, anchor.y].enumerated() {
                rows[row][count + offset] = value
                rows[count + offset][row] = value
            }
            rows[row][size] = anchor.z
        }
        self.anchors = anchors
        weights = Self.solve(rows)
    }

    func value(_ x: Double, _ y: Double) -> Double {
        let count = anchors.count
        var sum = weights[count] + weights[count + 1] * x + weights[count + 2] * y
        for index in 0..<count {
            sum += weights[index] * Self.kernel(x - anchors[index].x, y - anchors[index].y)
        }
        return sum
    }

    private static func kernel(_ x: Double, _ y: Double) -> Double {
        let square = x * x + y * y
        return square > 0 ? square * log(square) / 2 : 0
    }

    /// Gaussian elimination with pivoting; the last column is the right-hand side.
    private static func solve(_ system: [[Double]]) -> [Double] {
        var rows = system
        let size = rows.count
        for step in 0..<size {
            let pivot = (step..<size).max { abs(rows[$0][step]) < abs(rows[$1][step]) } ?? step
            rows.swapAt(step, pivot)
            for row in (step + 1)..<size {
                let factor = rows[row][step] / rows[step][step]
                for column in step...size { rows[row][column] -= factor * rows[step][column] }
            }
        }
        var result = [Double](repeating: 0, count: size)
        for row in (0..<size).reversed() {
            var value = rows[row][size]
            for column in (row + 1)..<size { value -= rows[row][column] * result[column] }
            result[row] = value / rows[row][row]
        }
        return result
    }
}
