import FaceGeometry
import Imaging

/// Figures about the luma in a rectangle of a grey picture.
struct RegionMeasures {
    /// Mean, 0-255.
    var mean = 0.0
    /// Standard deviation, 0-127.
    var deviation = 0.0
    /// Variance of the four-neighbour Laplacian.
    var sharpness = 0.0
}

extension GreyView {
    /// Mean and deviation over the whole picture, by every n-th row so that about 120 are read: the cost grows with the
    /// width only.
    func measureCoarsely() -> RegionMeasures {
        measure(FaceBox(left: 0, top: 0, width: Double(width), height: Double(height)), rowStep: max(1, height / 120))
    }

    /// The figures inside `box`, as far as it lies in the picture; zeros where it does not. Sharpness leaves out the
    /// picture's outermost pixels, and is measured only where every row is read.
    func measure(_ box: FaceBox, rowStep: Int = 1) -> RegionMeasures {
        let columns = clamped(box.left, box.width, width)
        let rows = clamped(box.top, box.height, height)
        guard !columns.isEmpty, !rows.isEmpty else { return RegionMeasures() }
        var luma = Moments()
        for y in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: rowStep) {
            luma.add(columns.count, pixels + y * self.stride + columns.lowerBound)
        }
        return RegionMeasures(
            mean: luma.mean, deviation: luma.variance.squareRoot(),
            sharpness: rowStep == 1 ? laplacianVariance(columns, rows) : 0)
    }

    private func laplacianVariance(_ columns: Range<Int>, _ rows: Range<Int>) -> Double {
        let inner = columns.clamped(to: min(1, width)..<max(1, width - 1))
        var moments = Moments()
        for y in rows.clamped(to: min(1, height)..<max(1, height - 1)) {
            let line = pixels + y * stride
            for x in inner {
                let neighbours = Int(line[x - 1]) + Int(line[x + 1]) + Int(line[x - stride]) + Int(line[x + stride])
                moments.add(neighbours - 4 * Int(line[x]))
            }
        }
        return moments.variance
    }

    private func clamped(_ start: Double, _ length: Double, _ limit: Int) -> Range<Int> {
        let low = max(0, min(Double(limit), start.rounded(.down)))
        let high = max(low, min(Double(limit), (start + length).rounded(.up)))
        return Int(low)..<Int(high)
    }
}

/// Sums for a mean and a variance, exact in whole numbers.
private struct Moments {
    private var count = 0
    private var sum = 0
    private var squares = 0

    mutating func add(_ value: Int) {
        count += 1
        sum += value
        squares += value * value
    }

    mutating func add(_ count: Int, _ values: UnsafePointer<UInt8>) {
        var (total, squared): (UInt32, UInt32) = (0, 0)
        // 32 bits hold the squares of 66,051 pixels, more than any row has.
        for index in 0..<count {
            let value = UInt32(values[index])
            total &+= value
            squared &+= value &* value
        }
        self.count += count
        sum += Int(total)
        squares += Int(squared)
    }

    var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }
    var variance: Double {
        count == 0 ? 0 : max(0, Double(squares) / Double(count) - mean * mean)
    }
}
