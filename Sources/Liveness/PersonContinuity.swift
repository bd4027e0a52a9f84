import FaceGeometry

/// Tells whether the face in the picture is still the person of the autoshot.
struct PersonContinuity {
    /// What a frame says about the person.
    enum Verdict {
        /// The face of the frame before.
        case same
        /// No face for a moment that one person may account for: a hand, a sneeze, a missed detection.
        case unseen
        /// Nobody for too long, or more than one: nothing can be credited.
        case disturbed
        /// One face that can't be told to be the one before.
        case changed
    }

    private let settings: LivenessSettings
    private var lastSeen: Duration?
    private var lastCentre = ImagePoint.zero
    private var lastJaw = 0.0
    private var isDisturbed = false

    init(_ settings: LivenessSettings) {
        self.settings = settings
    }

    /// Judges an undamaged frame. `since` is when nobody had been looked for yet.
    mutating func judge(_ face: FaceMeasures?, comparableFaces: Int, at time: Duration, since: Duration) -> Verdict {
        guard let face else {
            if time - (lastSeen ?? since) > .milliseconds(settings.lostMs) { isDisturbed = true }
            return isDisturbed ? .disturbed : .unseen
        }
        defer {
            lastSeen = time
            lastCentre = face.centre
            lastJaw = face.jawWidth
        }
        if comparableFaces > 1 {
            isDisturbed = true
            return .disturbed
        }
        let isChanged = isDisturbed || isLate(time) || isElsewhere(face)
        isDisturbed = false
        return isChanged ? .changed : .same
    }

    private func isLate(_ time: Duration) -> Bool {
        guard let lastSeen else { return false }
        return time - lastSeen > .milliseconds(settings.lostMs)
    }

    private func isElsewhere(_ face: FaceMeasures) -> Bool {
        guard lastSeen != nil, lastJaw > 0, face.jawWidth > 0 else { return false }
        let step = face.centre - lastCentre
        let distance = (step * step).sum().squareRoot() / max(lastJaw, face.jawWidth)
        let ratio = max(lastJaw / face.jawWidth, face.jawWidth / lastJaw)
        return distance > settings.jumpDistance || ratio > settings.jumpRatio
    }
}
