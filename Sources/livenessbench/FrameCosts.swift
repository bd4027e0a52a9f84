import Clip
import FaceGeometry
import FaceTracking
import Imaging
import Liveness
import Platform

/// CPU time of each step of a frame's way.
struct FrameCosts: Encodable {
    var decode: [Duration] = []
    var track: [Duration] = []
    var judge: [Duration] = []
    var clip: [Duration] = []
    /// In how many frames a face was found.
    var found = 0

    /// Milliseconds of a whole frame, median.
    var total: [Duration] {
        decode.indices.map { decode[$0] + track[$0] + judge[$0] + clip[$0] }
    }

    private enum CodingKeys: String, CodingKey {
        case decode, track, judge, clip, total, found
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        for (key, times) in [
            (CodingKeys.decode, decode), (.track, track), (.judge, judge), (.clip, clip), (.total, total),
        ] {
            try container.encode(times.median, forKey: key)
        }
        try container.encode(found, forKey: .found)
    }

    /// Every step is measured on every frame, the clip's too, although a scan encodes it only while it is scanning.
    static func measure(_ frames: JPEGFrames, model: FaceModel) throws -> FrameCosts {
        var costs = FrameCosts()
        var decoder = FrameDecoder()
        let tracker = try FaceTracker(model: model)
        let motion = CameraMotion()
        var scan = LivenessScan(settings: LivenessSettings(), seed: 1)
        let encoder = try ClipEncoder(settings: ClipSettings(), width: frames.width, height: frames.height)
        for frame in frames.frames {
            let start = CPUClock.process
            let decoded = try decoder.decode(frame)
            let afterDecoding = CPUClock.process
            var observation = tracker.observe(
                decoded.picture, time: frame.time, isDamaged: decoded.isDamaged, cameraMoved: false)
            observation.cameraMoved = motion.hasMoved(in: decoded.picture, person: observation.face, at: frame.time)
            let afterTracking = CPUClock.process
            // A scan that is over ignores observations: begun anew it costs what a running one does.
            if scan.isOver { scan = LivenessScan(settings: LivenessSettings(), seed: 1) }
            _ = scan.observe(observation)
            let afterJudging = CPUClock.process
            try encoder.append(decoded.picture, at: frame.time)
            let end = CPUClock.process
            costs.decode.append(afterDecoding - start)
            costs.track.append(afterTracking - afterDecoding)
            costs.judge.append(afterJudging - afterTracking)
            costs.clip.append(end - afterJudging)
            if observation.face != nil { costs.found += 1 }
        }
        return costs
    }
}
