import FaceGeometry

/// Chooses the one hint to show and keeps it long enough to be read.
struct HintRule {
    private let settings: LivenessSettings
    private(set) var shown: Hint?
    private var shownSince = Duration.zero
    private var arrivals = SampleWindow(capacity: Self.arrivalCount)
    private static let arrivalCount = 8

    init(_ settings: LivenessSettings) {
        self.settings = settings
    }

    /// The hint to announce now, or nil where the shown one stays.
    mutating func choose(
        _ observation: FaceObservation, face: FaceMeasures?, done: Int, total: Int
    ) -> Hint? {
        arrivals.append(.zero, at: observation.time)
        return show(best(observation, face: face, done: done, total: total), at: observation.time)
    }

    private mutating func show(_ hint: Hint, at time: Duration) -> Hint? {
        guard hint != shown else { return nil }
        let isReadable = shown == nil || time - shownSince >= .milliseconds(settings.hintMs)
        guard isReadable || hint == .done else { return nil }
        shown = hint
        shownSince = time
        return hint
    }

    /// Causes come before what they cause: in the dark no face is found, and "no face" would not help.
    private func best(_ observation: FaceObservation, face: FaceMeasures?, done: Int, total: Int) -> Hint {
        if done >= total { return .done }
        guard let face else { return withoutFace(observation) }
        if observation.comparableFaces > 1 { return .onePersonOnly }
        if observation.cameraMoved { return .cameraMoving }
        switch face.framing {
        case .tooClose: return .tooClose
        case .outside: return .moveIntoFrame
        case .tooFar: return .tooFar
        case .inside: return inPlace(face.quality, at: observation.time)
        }
    }

    private func withoutFace(_ observation: FaceObservation) -> Hint {
        if observation.pictureContrast < settings.blockedContrast { return .cameraBlocked }
        if observation.pictureBrightness < settings.darkFace { return .tooDark }
        if observation.pictureBrightness > settings.brightFace { return .tooBright }
        return .noFace
    }

    private func inPlace(_ quality: FaceQuality, at time: Duration) -> Hint {
        if quality.brightness < settings.darkFace { return .tooDark }
        if quality.brightness > settings.brightFace { return .tooBright }
        if quality.sharpness < settings.blurredFace { return .blurred }
        return isSlow(at: time) ? .lowFrameRate : .keepGoing
    }

    private func isSlow(at time: Duration) -> Bool {
        guard arrivals.count == Self.arrivalCount, let oldest = arrivals.oldest, time > oldest else { return false }
        return (time - oldest) * settings.slowestFrameRate > .seconds(Self.arrivalCount - 1)
    }
}
