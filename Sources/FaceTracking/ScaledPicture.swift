import FaceGeometry
import Imaging

/// A part of a picture at another scale, in memory that is used again.
///
/// Each pixel is a triangle-weighted mean of what it covers (bilinear where the part is enlarged), so that fine detail
/// does not alias into the detector's gradients. Where more than four pixels a side fall on one, some are left out:
/// the cost depends on the result's size alone.
struct ScaledPicture {
    private var pixels: [UInt8] = []
    private var row: [Float] = []
    private var columns = Taps()
    private var rows = Taps()
    /// Pixels.
    private(set) var width = 0
    /// Pixels.
    private(set) var height = 0
    /// Where the part's edge lies in the source, in its pixels.
    private(set) var left = 0.0
    private(set) var top = 0.0
    /// Source pixels in one pixel's width.
    private(set) var step = 1.0

    /// Takes the pixels of `box` from `source`, as far as it lies inside, `step` source pixels to one.
    mutating func take(_ box: FaceBox, from source: GreyView, step: Double) {
        left = max(0, box.left)
        top = max(0, box.top)
        self.step = step
        width = max(0, Int((min(Double(source.width), box.left + box.width) - left) / step))
        height = max(0, Int((min(Double(source.height), box.top + box.height) - top) / step))
        guard width > 0, height > 0 else { return }
        columns.set(count: width, origin: left, step: step, limit: source.width)
        rows.set(count: height, origin: top, step: step, limit: source.height)
        pixels.grow(to: width * height, filledWith: 0)
        row.grow(to: source.width, filledWith: 0)
        for y in 0..<height {
            sumRows(y, source)
            sumColumns(y)
        }
    }

    /// A box given in this picture's pixels, in those of the source.
    func toSource(_ box: FaceBox) -> FaceBox {
        FaceBox(
            left: left + box.left * step, top: top + box.top * step, width: box.width * step,
            height: box.height * step)
    }

    /// A box given in the source's pixels, in those of this picture.
    func fromSource(_ box: FaceBox) -> FaceBox {
        FaceBox(
            left: (box.left - left) / step, top: (box.top - top) / step, width: box.width / step,
            height: box.height / step)
    }

    /// Calls `body` with the pixels.
    func withGrey<Result>(_ body: (GreyView) -> Result) -> Result? {
        pixels.withUnsafeBufferPointer { memory in
            guard let start = memory.baseAddress else { return nil }
            return body(GreyView(pixels: start, width: width, height: height, stride: width))
        }
    }

    /// The weighted sum of the source rows that belong to row `y`, over the columns that are needed.
    private mutating func sumRows(_ y: Int, _ source: GreyView) {
        let used = columns.covered
        row.withUnsafeMutableBufferPointer { sum in
            for x in used { sum[x] = 0 }
            for tap in 0..<rows.tapsEach {
                let weight = rows.weight(y, tap)
                let line = source.pixels + rows.index(y, tap) * source.stride
                for x in used { sum[x] += weight * Float(line[x]) }
            }
        }
    }

    private mutating func sumColumns(_ y: Int) {
        let start = y * width
        pixels.withUnsafeMutableBufferPointer { output in
            for x in 0..<width {
                var sum: Float = 0.5
                for tap in 0..<columns.tapsEach { sum += columns.weight(x, tap) * row[columns.index(x, tap)] }
                output[start + x] = UInt8(max(0, min(255, sum)))
            }
        }
    }
}

/// Which source pixels along one axis make up each result pixel, and their weights.
private struct Taps {
    private var weights: [Float] = []
    private var indices: [Int32] = []
    private(set) var tapsEach = 0
    /// The source pixels that are used at all.
    private(set) var covered = 0..<0

    mutating func set(count: Int, origin: Double, step: Double, limit: Int) {
        let radius = max(1, step)
        let stride = max(1, (step / 2).rounded(.down))
        tapsEach = 2 * Int(radius / stride) + 1
        weights.grow(to: count * tapsEach, filledWith: 0)
        indices.grow(to: count * tapsEach, filledWith: 0)
        for result in 0..<count {
            // Pixel centres lie at halves on both scales here.
            let centre = origin + (Double(result) + 0.5) * step - 0.5
            let first = centre.rounded() - Double(tapsEach / 2) * stride
            var total = 0.0
            for tap in 0..<tapsEach { total += weightOf(first + Double(tap) * stride - centre, radius) }
            for tap in 0..<tapsEach {
                let place = first + Double(tap) * stride
                weights[result * tapsEach + tap] = Float(weightOf(place - centre, radius) / total)
                indices[result * tapsEach + tap] = Int32(max(0, min(Double(limit - 1), place)))
            }
        }
        covered = Int(indices[0])..<Int(indices[count * tapsEach - 1]) + 1
    }

    func weight(_ result: Int, _ tap: Int) -> Float { weights[result * tapsEach + tap] }

    func index(_ result: Int, _ tap: Int) -> Int { Int(indices[result * tapsEach + tap]) }

    private func weightOf(_ distance: Double, _ radius: Double) -> Double { max(0, 1 - abs(distance) / radius) }
}

extension Array {
    /// Makes room for `count` elements; never shrinks, so that steady use allocates nothing.
    fileprivate mutating func grow(to count: Int, filledWith element: Element) {
        if self.count < count { append(contentsOf: repeatElement(element, count: count - self.count)) }
    }
}
