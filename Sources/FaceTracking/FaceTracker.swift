import FaceGeometry
import Imaging

/// Finds a face, follows it from picture to picture and measures it. One thread owns a tracker.
///
/// While no face is known, the whole picture is searched: scaled so that its shorter side has 240 pixels, which finds
/// faces from a third of that side on, and where that finds none in every second picture at 480, which reaches half as
/// far down. A known face is looked for in the region round its last place, scaled so that it is 96 pixels wide: the
/// cost does not depend on the camera's resolution. The whole picture is searched again where the face is lost and, for
/// other people, every 400 ms. The points are always found in the full picture.
public final class FaceTracker {
    private let landmarks: LandmarkModel
    private let scanner: FaceScanner
    private var scaled = ScaledPicture()
    private var followed: Followed?
    private var searchedFinely = true
    private var others = Others()

    /// A tracker that knows no face yet.
    ///
    /// - Throws: `FaceTrackingError.outOfMemory`.
    public init(model: FaceModel) throws(FaceTrackingError) {
        landmarks = model.landmarks
        scanner = try FaceScanner(model.detector)
    }

    /// Forgets the face, as if the next picture were the first.
    public func reset() {
        followed = nil
        searchedFinely = true
        others = Others()
    }

    /// What the rules need to know about `picture`, taken at `time`. `isDamaged` and `cameraMoved` are passed on.
    ///
    /// Pictures come in the order of their times. Any size is safe, and so is none.
    public func observe(
        _ picture: Picture, time: Duration, isDamaged: Bool, cameraMoved: Bool
    ) -> FaceObservation {
        picture.withGrey { view in
            let found = track(view, time)
            let whole = view.measureCoarsely()
            return FaceObservation(
                time: time, imageWidth: Double(view.width), imageHeight: Double(view.height), face: found,
                comparableFaces: found == nil ? 0 : others.count, pictureBrightness: whole.mean,
                pictureContrast: whole.deviation, isDamaged: isDamaged, cameraMoved: cameraMoved)
        }
    }

    private func track(_ view: GreyView, _ time: Duration) -> TrackedFace? {
        guard view.width > 0, view.height > 0 else {
            followed = nil
            return nil
        }
        if let last = followed {
            followed = follow(last, view)
            if followed == nil || others.areDue(time) {
                searchRound(last, view, time)
            }
        } else {
            search(view, time)
        }
        guard let box = followed?.box, let points = landmarks.landmarks(in: view, box: box) else { return nil }
        return TrackedFace(landmarks: points, box: box, quality: quality(of: points, view))
    }

    // MARK: Searching

    /// Looks for a face in the whole picture.
    private func search(_ view: GreyView, _ time: Duration) {
        scanWhole(view, step: SearchScale.coarse.step(for: view))
        searchedFinely.toggle()
        if scanner.detections.isEmpty && searchedFinely {
            scanWhole(view, step: SearchScale.fine.step(for: view))
        }
        followed = largest
        others.set(countComparable(), at: time)
    }

    /// Looks for the face that was followed, and for others of its size, in the whole picture.
    private func searchRound(_ last: Followed, _ view: GreyView, _ time: Duration) {
        let smallest = Others.comparableShare * (followed ?? last).box.width / FaceScanner.windowSize
        let step = max(SearchScale.fine.step(for: view), min(SearchScale.coarse.step(for: view), smallest))
        scanWhole(view, step: step)
        others.set(countComparable(), at: time)
        guard let largest else { return }
        if let followed, largest.box.width < Followed.replacingShare * followed.box.width { return }
        followed = largest
    }

    private func scanWhole(_ view: GreyView, step: Double) {
        let whole = FaceBox(left: 0, top: 0, width: Double(view.width), height: Double(view.height))
        scaled.take(whole, from: view, step: step)
        _ = scaled.withGrey { scanner.scan($0, levels: 100, threshold: 0) }
    }

    /// The widest face of the last scan.
    private var largest: Followed? {
        var widest: Detection?
        for detection in scanner.detections where detection.box.width > widest?.box.width ?? 0 { widest = detection }
        return widest.map { Followed(box: scaled.toSource($0.box), filter: $0.filter) }
    }

    private func countComparable() -> Int {
        guard let widest = largest?.box.width else { return 0 }
        let enough = Others.comparableShare * widest / scaled.step
        var count = 0
        for detection in scanner.detections where detection.box.width >= enough { count += 1 }
        return count
    }

    // MARK: Following

    private func follow(_ last: Followed, _ view: GreyView) -> Followed? {
        let step = last.box.width / Followed.width
        scaled.take(last.box.enlarged(by: Followed.margin), from: view, step: step)
        _ = scaled.withGrey {
            scanner.scan($0, levels: Followed.levels, threshold: Followed.threshold, hint: last.filter)
        }
        var nearest: Followed?
        var best = 0.0
        for detection in scanner.detections {
            let found = Followed(box: scaled.toSource(detection.box), filter: detection.filter)
            let overlap = found.box.overlap(with: last.box)
            if overlap > best {
                best = overlap
                nearest = found
            }
        }
        return nearest?.steadied(by: last)
    }

    private func quality(of points: FaceLandmarks, _ view: GreyView) -> FaceQuality {
        let outline = points.outline
        scaled.take(outline, from: view, step: max(outline.width, 1) / FaceQuality.measuredWidth)
        let whole = FaceBox(left: 0, top: 0, width: Double(scaled.width), height: Double(scaled.height))
        let measures = scaled.withGrey { $0.measure(whole) } ?? RegionMeasures()
        return FaceQuality(
            brightness: measures.mean, contrast: measures.deviation, sharpness: measures.sharpness)
    }
}

/// The face that is followed from picture to picture.
private struct Followed {
    /// How wide it is made for the detector, in pixels: between the first and the third of the window's sizes.
    static let width = 96.0
    /// The window's sizes that are tried: 80, 96 and 115 pixels.
    static let levels = 3
    /// By how much the region is larger than the face on each side, in faces.
    static let margin = 0.5
    /// A face where one was just seen is believed at a lower score than a new one.
    static let threshold = -0.2

    /// Another face takes its place only where it is larger by more than the step between two sizes of the window.
    static let replacingShare = 1.3
    /// How much of a new size is taken over at once.
    static let sizeGain = 0.3

    var box: FaceBox
    /// The detector's filter that saw it best.
    var filter: Int

    /// The same face with its size smoothed over some pictures.
    ///
    /// The window's sizes are a fifth apart, so the size found jitters, and the points' places with it; a head changes
    /// its size slowly. Its place is taken as it is, so that the box never lags behind. This and merged windows lower
    /// the eye aspect ratio's noise from 3.6 % of its value to 2.7 %.
    func steadied(by last: Followed) -> Followed {
        let width = last.box.width + Followed.sizeGain * (box.width - last.box.width)
        let centre = box.centre
        let square = FaceBox(left: centre.x - width / 2, top: centre.y - width / 2, width: width, height: width)
        return Followed(box: square, filter: filter)
    }
}

/// How many faces of comparable size there are, as of the last search of the whole picture.
private struct Others {
    /// Faces from this share of the largest one's width on are comparable: someone up to 1.7 times as far away, who
    /// stands with the subject rather than passes behind.
    static let comparableShare = 0.6
    static let interval = Duration.milliseconds(400)

    private(set) var count = 0
    private var searched = Duration.zero

    mutating func set(_ count: Int, at time: Duration) {
        self.count = count
        searched = time
    }

    /// Whether the last search is too long ago, or in the future as after a loop of the source.
    func areDue(_ time: Duration) -> Bool { time - searched >= Others.interval || time < searched }
}

/// How many pixels the shorter side of a picture gets in a search.
private enum SearchScale: Double {
    case coarse = 240
    case fine = 480

    /// Picture pixels in one of the search's. A picture is at most doubled, and a very long one is scaled to the
    /// area of a 2:1 one, so that the cost is bounded.
    func step(for view: GreyView) -> Double {
        let (width, height) = (Double(view.width), Double(view.height))
        return max(0.5, min(width, height) / rawValue, (width * height / 2).squareRoot() / rawValue)
    }
}

extension FaceQuality {
    /// The width in pixels that a face has when its sharpness is measured.
    fileprivate static let measuredWidth = 100.0
}

extension FaceBox {
    /// Larger on each side by `share` of the width and height.
    fileprivate func enlarged(by share: Double) -> FaceBox {
        FaceBox(
            left: left - share * width, top: top - share * height, width: width * (1 + 2 * share),
            height: height * (1 + 2 * share))
    }

    /// Area of the intersection over that of the union.
    fileprivate func overlap(with other: FaceBox) -> Double {
        let across = min(left + width, other.left + other.width) - max(left, other.left)
        let down = min(top + height, other.top + other.height) - max(top, other.top)
        guard across > 0, down > 0 else { return 0 }
        let common = across * down
        return common / (width * height + other.width * other.height - common)
    }
}
