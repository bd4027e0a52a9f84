/// How far both eyes are closed against how open this person's eyes just were.
///
/// EAR of open eyes differs from 0.24 to 0.48 between people, so no absolute threshold works. The baseline is a high
/// percentile of the last frames; closure is the drop below it, with noise cut off and a full closure at 1.
struct ClosureMeter {
    /// One frame's closure.
    struct Reading {
        /// Open-eye EAR; nil until enough frames were seen.
        var baseline: Double?
        /// 0 (open) to 1 (closed).
        var closure = 0.0
        /// Head and picture are such that closure means the eyes.
        var isTrusted = false
    }

    private enum Measure {
        static let eyeAspectRatio = 0
        static let pitch = 1
        static let sharpness = 2
    }

    private let settings: LivenessSettings
    private var window = SampleWindow()

    init(_ settings: LivenessSettings) {
        self.settings = settings
    }

    mutating func reset() {
        window.removeAll()
    }

    /// Measures the frame against those before it, then adds it to them.
    mutating func measure(_ face: FaceMeasures, restingYaw: Double?, at time: Duration) -> Reading {
        window.forget(before: time - .milliseconds(settings.baselineMs), keeping: settings.baselineFrames)
        defer {
            window.append([face.eyeAspectRatio, face.pose.pitch, face.quality.sharpness, 0], at: time)
        }
        guard window.count >= settings.baselineFrames,
            let baseline = window.percentile(settings.baselinePercentile, of: Measure.eyeAspectRatio), baseline > 0
        else { return Reading() }
        let drop = 1 - face.eyeAspectRatio / baseline
        let closure = min(max((drop - settings.closureFloor) / settings.closureSpan, 0), 1)
        return Reading(
            baseline: baseline, closure: closure,
            isTrusted: headIsStill(face, restingYaw: restingYaw) && pictureIsSharp(face))
    }

    private mutating func headIsStill(_ face: FaceMeasures, restingYaw: Double?) -> Bool {
        guard let restingYaw, let usualPitch = window.percentile(0.5, of: Measure.pitch) else { return false }
        let yaw = min(abs(face.pose.yaw - restingYaw), abs(face.pose.yaw))
        return yaw < settings.closureYawLimit && abs(face.pose.pitch - usualPitch) < settings.closurePitchLimit
    }

    private mutating func pictureIsSharp(_ face: FaceMeasures) -> Bool {
        guard let usual = window.percentile(0.5, of: Measure.sharpness) else { return false }
        return face.quality.sharpness >= settings.closureSharpness * usual
    }
}
