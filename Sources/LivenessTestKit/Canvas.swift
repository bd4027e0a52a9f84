import Glibc

/// Three planes without gaps that a picture is drawn on.
struct Canvas {
    let width: Int
    let height: Int

    var byteCount: Int { width * height + 2 * (width / 2) * (height / 2) }

    func planes(
        _ start: UnsafeMutablePointer<UInt8>
    ) -> (y: UnsafeMutablePointer<UInt8>, u: UnsafeMutablePointer<UInt8>, v: UnsafeMutablePointer<UInt8>) {
        let u = start + width * height
        return (start, u, u + (width / 2) * (height / 2))
    }

    /// Soft shapes that no detector takes for a face, moved by `shift` pixels.
    func drawPattern(_ start: UnsafeMutablePointer<UInt8>, shift: SIMD2<Double>) {
        let across = (0..<width).map {
            30 * sin((Double($0) - shift.x) * 0.045) + 12 * sin((Double($0) - shift.x) * 0.21)
        }
        let down = (0..<height).map { 25 * sin((Double($0) - shift.y) * 0.061) }
        for y in 0..<height {
            for x in 0..<width { start[y * width + x] = UInt8(118 + across[x] + down[y]) }
        }
        let (_, u, v) = planes(start)
        u.update(repeating: 132, count: (width / 2) * (height / 2))
        v.update(repeating: 122, count: (width / 2) * (height / 2))
    }

    /// The mean over a square of `2 * radius + 1` pixels, edges repeated.
    func blur(_ luma: UnsafeMutablePointer<UInt8>, radius: Int) {
        var line = [UInt8](repeating: 0, count: max(width, height))
        for y in 0..<height { Self.blurLine(luma + y * width, 1, width, radius, &line) }
        for x in 0..<width { Self.blurLine(luma + x, width, height, radius, &line) }
    }

    private static func blurLine(
        _ pixels: UnsafeMutablePointer<UInt8>, _ step: Int, _ count: Int, _ radius: Int, _ line: inout [UInt8]
    ) {
        for index in 0..<count { line[index] = pixels[index * step] }
        var sum = 0
        for index in -radius...radius { sum += Int(line[min(max(index, 0), count - 1)]) }
        for index in 0..<count {
            pixels[index * step] = UInt8(sum / (2 * radius + 1))
            sum += Int(line[min(index + radius + 1, count - 1)]) - Int(line[max(index - radius, 0)])
        }
    }
}

/// Noise that is the same for the same seed and picture.
struct NoiseTable {
    private let normal: [Float]
    private static let size = 1 << 16

    init() {
        var state: UInt64 = 0x1234_5678_9ABC_DEF1
        normal = (0..<Self.size).map { _ in
            // The sum of four uniform values is near enough to a normal one.
            (0..<4).reduce(Float(0)) { sum, _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return sum + Float(state >> 40) / Float(1 << 24) - 0.5
            } * 1.732
        }
    }

    func apply(
        to luma: UnsafeMutablePointer<UInt8>, _ count: Int, sigma: Double, gain: Double, _ seed: UInt64,
        _ picture: UInt64
    ) {
        guard sigma > 0 || gain != 1 else { return }
        let (sigma, gain) = (Float(sigma), Float(gain))
        var place = Int(truncatingIfNeeded: ((seed &+ picture) &* 0x9E37_79B9_7F4A_7C15) >> 48)
        normal.withUnsafeBufferPointer { normal in
            for index in 0..<count {
                // An odd stride walks through the whole table before it repeats.
                place = (place &+ 40_503) & (Self.size - 1)
                luma[index] = UInt8(min(max(Float(luma[index]) * gain + sigma * normal[place] + 0.5, 0), 255))
            }
        }
    }
}
