import CDlib
import FaceGeometry
import Imaging

/// A face that the detector sees.
struct Detection {
    /// In pixels of the scanned picture.
    var box: FaceBox
    /// dlib's score: 0 is its own limit, a clear face has 1 to 3.
    var score: Double
}

/// dlib's sliding window over a grey picture, with the memory for it. One thread owns a scanner.
final class FaceScanner {
    /// The width and height of the detector's window: no face below it is found.
    static let windowSize = 80.0
    /// Windows near a face that score less than its limit by this much still tell where the face's middle is.
    static let supportDepth = 0.4

    private let detector: FaceDetector
    private let scanner: OpaquePointer
    private var windows: [CDlib_window]
    private var windowCount = 0
    /// The faces of the last scan, best score first.
    private(set) var detections: [Detection] = []

    init(_ detector: FaceDetector) throws(FaceTrackingError) {
        guard let scanner = CDlib_scanner_create(detector.filters) else { throw .outOfMemory }
        self.detector = detector
        self.scanner = scanner
        windows = Array(repeating: CDlib_window(), count: 512)
        detections.reserveCapacity(64)
    }

    deinit {
        CDlib_scanner_destroy(scanner)
    }

    /// Looks for faces that score `threshold` or more, between 80 pixels and `80 * 1.2 ^ (levels - 1)` wide.
    func scan(_ picture: GreyView, levels: Int, threshold: Double) {
        detections.removeAll(keepingCapacity: true)
        guard Double(min(picture.width, picture.height)) >= FaceScanner.windowSize else { return }
        windowCount = 0
        windows.withUnsafeMutableBufferPointer { buffer in
            // A failure is memory that ran out inside dlib: such a picture shows no face, and the next is tried.
            _ = CDlib_scan(
                scanner, CDlib_picture(picture), levels, threshold - FaceScanner.supportDepth, buffer.baseAddress,
                buffer.count, &windowCount)
        }
        while let best = bestWindow(), windows[best].score >= threshold { detections.append(merge(best)) }
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
        let floor = min(0, peak.score) - FaceScanner.supportDepth
        var sum = SIMD4<Double>.zero
        var total = 0.0
        var kept = 0
        for index in 0..<windowCount {
            let window = windows[index]
            guard window.isOver(peak) else {
                windows[kept] = window
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
            score: peak.score)
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
