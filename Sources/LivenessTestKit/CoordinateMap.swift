import FaceGeometry

/// For each pixel of a drawn picture, the place in the portrait that it shows. One thread owns it.
final class CoordinateMap {
    let width: Int
    let height: Int
    /// Portrait pixels, row by row.
    private(set) var places: UnsafeMutablePointer<SIMD2<Float>>
    private let surface: FaceSurface
    private var projected: [SIMD3<Float>]
    private var order: [Int] = []

    /// `HeadPose` takes out what a near camera's perspective adds to the yaw of real faces. There is no perspective
    /// here, and the measured yaw was 0.81 of the turn in all three portraits from -20 to 20 degrees.
    private static let yawGain = 1 / 0.81

    init(width: Int, height: Int, surface: FaceSurface) {
        self.width = width
        self.height = height
        self.surface = surface
        places = .allocate(capacity: width * height)
        places.initialize(repeating: .zero, count: width * height)
        projected = Array(repeating: .zero, count: surface.vertices.count)
    }

    deinit {
        places.deallocate()
    }

    /// Draws the portrait as `pose` has it: the background straight, the head's cells over it from back to front.
    func draw(_ pose: SyntheticPose) {
        let zoom = pose.jawWidth * Double(min(width, height)) / surface.jawWidth
        let middle = SIMD2(pose.centre.x * Double(width), pose.centre.y * Double(height))
        drawStraight(zoom, middle)
        project(pose, zoom, middle)
        sortCells()
        for cell in order { drawCell(cell) }
    }

    private func drawStraight(_ zoom: Double, _ middle: SIMD2<Double>) {
        let step = SIMD2<Float>(Float(1 / zoom), 0)
        for y in 0..<height {
            let start = surface.centre + (SIMD2(0.5, Double(y) + 0.5) - middle) / zoom
            var place = SIMD2<Float>(start)
            let row = places + y * width
            for x in 0..<width {
                row[x] = place
                place += step
            }
        }
    }

    /// Pixels of the drawn picture, and the turned depth.
    private func project(_ pose: SyntheticPose, _ zoom: Double, _ middle: SIMD2<Double>) {
        let rotation = HeadRotation(
            HeadPose(yaw: pose.head.yaw * Self.yawGain, pitch: pose.head.pitch, roll: pose.head.roll))
        for (index, vertex) in surface.vertices.enumerated() {
            let turned = rotation.turn(vertex.point - HeadShape.axis) + HeadShape.axis
            let point = vertex.point + vertex.weight * (turned - vertex.point)
            let place = middle + zoom * surface.scale * SIMD2(point.x, -point.y)
            projected[index] = SIMD3<Float>(SIMD3(place.x, place.y, turned.z))
        }
    }

    private func sortCells() {
        order.removeAll(keepingCapacity: true)
        for row in 0..<(surface.rows - 1) {
            for column in 0..<(surface.columns - 1) {
                let corner = row * surface.columns + column
                let moves = corners(of: corner).contains { surface.vertices[$0].weight > 0 }
                if moves { order.append(corner) }
            }
        }
        order.sort { projected[$0].z < projected[$1].z }
    }

    private func corners(of cell: Int) -> [Int] {
        [cell, cell + 1, cell + surface.columns, cell + surface.columns + 1]
    }

    private func drawCell(_ cell: Int) {
        let below = cell + surface.columns
        drawTriangle(cell, cell + 1, below)
        drawTriangle(cell + 1, below + 1, below)
    }

    private func drawTriangle(_ a: Int, _ b: Int, _ c: Int) {
        let (pa, pb, pc) = (projected[a], projected[b], projected[c])
        let area = (pb.x - pa.x) * (pc.y - pa.y) - (pc.x - pa.x) * (pb.y - pa.y)
        // A cell that has turned its back on the camera is hidden by those before it.
        guard area > 1e-3 else { return }
        let top = max(0, Int((min(pa.y, pb.y, pc.y) - 0.5).rounded(.up)))
        let bottom = min(height - 1, Int((max(pa.y, pb.y, pc.y) - 0.5).rounded(.down)))
        let left = max(0, Int((min(pa.x, pb.x, pc.x) - 0.5).rounded(.up)))
        let right = min(width - 1, Int((max(pa.x, pb.x, pc.x) - 0.5).rounded(.down)))
        guard top <= bottom, left <= right else { return }
        let texture = [a, b, c].map { SIMD2<Float>(surface.vertices[$0].texture) }
        for y in top...bottom {
            for x in left...right {
                let (px, py) = (Float(x) + 0.5, Float(y) + 0.5)
                let wb = ((px - pa.x) * (pc.y - pa.y) - (pc.x - pa.x) * (py - pa.y)) / area
                let wc = ((pb.x - pa.x) * (py - pa.y) - (px - pa.x) * (pb.y - pa.y)) / area
                // A hair's breadth of slack closes the seams between triangles.
                guard wb >= -1e-3, wc >= -1e-3, wb + wc <= 1.001 else { continue }
                places[y * width + x] = texture[0] + wb * (texture[1] - texture[0]) + wc * (texture[2] - texture[0])
            }
        }
    }
}
