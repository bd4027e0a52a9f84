/// Byte planes made smaller. Written over raw pointers so that the compiler turns the loops into vector code.
public enum PlaneScaling {
    /// The whole factor by which `width` pixels become about `maximum` at most.
    public static func factor(from width: Int, to maximum: Int) -> Int {
        let bound = max(maximum, 1)
        return max(1, (width + bound / 2) / bound)
    }

    /// The mean of each row and the one below it; an odd last row stands alone.
    static func halveRows(
        _ source: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, to target: UnsafeMutablePointer<UInt8>,
        targetStride: Int
    ) {
        for y in 0..<(height + 1) / 2 {
            let upper = source + 2 * y * stride
            let lower = 2 * y + 1 < height ? upper + stride : upper
            let row = target + y * targetStride
            for x in 0..<width { row[x] = UInt8((UInt16(upper[x]) + UInt16(lower[x]) + 1) / 2) }
        }
    }

    /// The mean of each pixel and the one to its right, in place-safe order; an odd last column stands alone.
    static func halveColumns(
        _ source: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, to target: UnsafeMutablePointer<UInt8>,
        targetStride: Int
    ) {
        for y in 0..<height {
            let from = source + y * stride
            let row = target + y * targetStride
            for x in 0..<width / 2 { row[x] = UInt8((UInt16(from[2 * x]) + UInt16(from[2 * x + 1]) + 1) / 2) }
            if width % 2 == 1 { row[width / 2] = from[width - 1] }
        }
    }

    /// The mean of `factor` x `factor` pixels; what is left over at the right and the bottom is cut off.
    public static func shrink(
        _ source: UnsafePointer<UInt8>, stride: Int, by factor: Int, to target: UnsafeMutablePointer<UInt8>,
        targetStride: Int, width: Int, height: Int
    ) {
        guard factor > 1 else {
            for y in 0..<height { (target + y * targetStride).update(from: source + y * stride, count: width) }
            return
        }
        let area = UInt32(factor * factor)
        for y in 0..<height {
            for x in 0..<width {
                var sum = area / 2
                for row in 0..<factor {
                    let from = source + (y * factor + row) * stride + x * factor
                    for column in 0..<factor { sum += UInt32(from[column]) }
                }
                target[y * targetStride + x] = UInt8(sum / area)
            }
        }
    }
}
