import CDlib
import FaceGeometry
import Imaging

/// A face that the detector sees.
struct Detection {
    /// In pixels of the scanned picture.
    var box: FaceBox
    /// dlib's score: 0 is its own limit, a clear face has 1 to 3.
    var score: Double
    /// The filter with the best score.
    var filter: Int
}

/// dlib's sliding window over a grey picture, with the memory for it. One thread owns a scanner.
final class FaceScanner {
    /// The width and height of the detector's window: no face below it is found.
    static let windowSize = 80.0
    /// Windows near a face that score less than its limit by this much still tell where the face's middle is.
    static let supportDepth = 0.4

    /// A filter that scores this much sees the face well enough to be asked alone.
    private static let confidentScore = 0.5

    private let detector: FaceDetector
    private let scanner: OpaquePointer
    private var windows: [CDlib_window]
    private var filterOf: [UInt8]
    private var windowCount = 0
    private let filterCount: Int
    /// The faces of the last scan, best score first.
    private(set) var detections: [Detection] = []

    init(_ detector: FaceDetector) throws(FaceTrackingError) {
        guard let scanner = CDlib_scanner_create(detector.filters) else { throw .outOfMemory }
        self.detector = detector
        self.scanner = scanner
        filterCount = CDlib_filter_count(detector.filters)
        windows = Array(repeating: CDlib_window(), count: 512)
        filterOf = Array(repeating: 0, count: 512)
        detections.reserveCapacity(64)
    }

    deinit {
        CDlib_scanner_destroy(scanner)
    }

    /// Looks for faces that score `threshold` or more, between 80 pixels and `80 * 1.2 ^ (levels - 1)` wide.
    ///
    /// A face that is followed is mostly seen by the filter that saw it last. Where `hint` names one and it scores
    /// `confidentScore` or more, the other four, three fifths of the cost, are left out.
    func scan(_ picture: GreyView, levels: Int, threshold: Double, hint: Int? = nil) {
        detections.removeAll(keepingCapacity: true)
        windowCount = 0
        guard Double(min(picture.width, picture.height)) >= FaceScanner.windowSize,
            // Fails where memory runs out inside dlib: such a picture shows no face, and the next is tried.
            CDlib_scanner_load(scanner, CDlib_picture(picture), levels) == CDlib_done
        else { return }
        let floor = threshold - FaceScanner.supportDepth
        if let hint { slide(hint, floor) }
        if windowCount == 0 || windows[0].score < FaceScanner.confidentScore {
            for filter in 0..<filterCount where filter != hint { slide(filter, floor) }
        }
        while let best = bestWindow(), windows[best].score >= threshold { detections.append(merge(best)) }
    }

    /// Appends the windows of one filter.
    private func slide(_ filter: Int, _ floor: Double) {
        let before = windowCount
        windows.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            var count = 0
            // As for loading: a failure leaves no windows.
            _ = CDlib_scanner_windows(scanner, filter, floor, start + before, buffer.count - before, &count)
            windowCount = before + count
        }
        for index in before..<windowCount { filterOf[index] = UInt8(filter) }
    }

    private func bestWindow() -> Int? {
        var best: Int?
        for index in 0..<windowCount where windows[index].score > windows[best ?? index].score || best == nil {
            best = index
        }
        return best
    }

    /// Removes the window `best` and those over the same face, and gives their mean weighted by score.
    ///
    /// The window moves by 8 pixels, a tenth of the face, and grows by a fifth. The mean of its positions moves
    /// steadily with the face, and the points' noise depends on that.
    private func merge(_ best: Int) -> Detection {
        let peak = windows[best]
        let filter = Int(filterOf[best])
        let floor = min(0, peak.score) - FaceScanner.supportDepth
        var sum = SIMD4<Double>.zero
        var total = 0.0
        var kept = 0
        for index in 0..<windowCount {
            let window = windows[index]
            guard window.isOver(peak) else {
                windows[kept] = window
                filterOf[kept] = filterOf[index]
                kept += 1
                continue
            }
            let weight = (window.score - floor) * (window.score - floor)
            sum += weight * SIMD4(window.left, window.top, window.right, window.bottom)
            total += weight
        }
        windowCount = kept
        let mean = total > 0 ? sum / total : SIMD4(peak.left, peak.top, peak.right, peak.bottom)
        return Detection(
            box: FaceBox(left: mean[0], top: mean[1], width: mean[2] - mean[0], height: mean[3] - mean[1]),
            score: peak.score, filter: filter)
    }
}

extension CDlib_window {
    /// Whether the middle of either window lies in the other: faces of two people never overlap that far.
    fileprivate func isOver(_ other: CDlib_window) -> Bool { holdsMiddle(of: other) || other.holdsMiddle(of: self) }

    private func holdsMiddle(of other: CDlib_window) -> Bool {
        let (x, y) = ((other.left + other.right) / 2, (other.top + other.bottom) / 2)
        return x > left && x < right && y > top && y < bottom
    }
}
