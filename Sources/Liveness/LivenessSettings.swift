/// Every threshold of the rules. The defaults are the product's; each is a key of the `[liveness]` settings table.
///
/// "SDK" marks a number of the phone SDK that this product follows (SmartComply iOS SDK 1.1.0, "Liveness");
/// "measured" one that was fitted on labelled clips of real faces (docs/accuracy.md).
public struct LivenessSettings: Codable, Sendable, Equatable {
    /// How long the camera's first pictures pass unjudged, milliseconds (SDK: "A 300ms settle").
    public var settlingMs = 300
    /// How long the autoshot waits for a framed face, milliseconds (SDK: "up to 2.5 seconds waiting").
    public var framingMs = 2500
    /// The scan's cap, milliseconds from the first moment of scanning (SDK: "a 20 second cap").
    public var capMs = 20_000
    /// Consecutive frames with the face inside the guide before the autoshot (SDK: "three consecutive frames").
    public var autoshotFrames = 3

    /// The guide's centre, as a part of the picture's width.
    public var guideCentreX = 0.5
    /// The guide's centre, as a part of the picture's height.
    public var guideCentreY = 0.5
    /// The guide's radius, as a part of the picture's shorter side.
    public var guideRadius = 0.42
    /// The narrowest jaw that fits, as a part of the guide's diameter.
    public var guideSmallestFace = 0.35
    /// The widest jaw that fits, as a part of the guide's diameter.
    public var guideLargestFace = 0.80

    /// Mean closure of both eyes that is a blink, 0-1 (SDK: "reaching 0.22, for one frame").
    public var blinkClosure = 0.22
    /// The drop of EAR, as a part of its baseline, that still reads as closure 0: noise (measured).
    public var closureFloor = 0.15
    /// The drop beyond the floor that reads as closure 1 (measured).
    public var closureSpan = 0.45
    /// How far back the open-eye baseline looks, milliseconds: 20 frames at 30 a second (measured).
    public var baselineMs = 700
    /// The fewest frames in the baseline, however long they took.
    public var baselineFrames = 5
    /// The baseline's percentile of EAR, 0-1: above the median, since a window may hold a blink (measured).
    public var baselinePercentile = 0.75
    /// Yaw from which on closure is not trusted, degrees; from rest and from frontal, whichever is nearer (measured:
    /// 24 of 184 frames fire beyond it, 1 of 264 within).
    public var closureYawLimit = 8.0
    /// Change of pitch within the baseline window from which on closure is not trusted, degrees (measured: a tilted
    /// photo reads as half closed from 15-20 degrees on).
    public var closurePitchLimit = 15.0
    /// Sharpness, as a part of the window's median, below which motion blur may pass for closed eyes.
    public var closureSharpness = 0.5

    /// Yaw from rest that is a turn, degrees (SDK: "About 7.5 degrees of yaw in either direction").
    public var turnDegrees = 7.5
    /// Consecutive frames that a turn is held (SDK: "held two frames").
    public var turnFrames = 2
    /// How long a face's resting pose is measured before anything is credited, milliseconds.
    public var restMs = 300
    /// The fewest frames in the resting pose.
    public var restFrames = 5
    /// A gap between two frames that breaks a run of consecutive ones, milliseconds.
    public var runGapMs = 250

    /// How long a face may be unseen and still be the same person, milliseconds.
    public var lostMs = 1000
    /// How far a face moves between two frames at most to be the same one, in jaw widths.
    public var jumpDistance = 1.0
    /// How much wider or narrower a face gets between two frames at most to be the same one, as a ratio.
    public var jumpRatio = 1.6

    /// How long the snapshot waits for open eyes and a head near its rest, milliseconds.
    public var snapshotMs = 700
    /// Yaw from rest within which the head is back, degrees.
    public var snapshotYaw = 5.0

    /// A camera slower than this is named to the user, frames a second.
    public var slowestFrameRate = 8.0
    /// Face luma below which it is too dark, 0-255.
    public var darkFace = 50.0
    /// Face luma above which it is too bright, 0-255.
    public var brightFace = 220.0
    /// Sharpness of a face (see `FaceQuality`) below which it is blurred.
    public var blurredFace = 15.0
    /// Deviation of luma over the whole picture below which something covers the lens, 0-127.
    public var blockedContrast = 6.0
    /// How long a hint stays at least, milliseconds, so that it can be read.
    public var hintMs = 700

    /// The defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case settlingMs = "settling_ms"
        case framingMs = "framing_ms"
        case capMs = "cap_ms"
        case autoshotFrames = "autoshot_frames"
        case guideCentreX = "guide_centre_x"
        case guideCentreY = "guide_centre_y"
        case guideRadius = "guide_radius"
        case guideSmallestFace = "guide_smallest_face"
        case guideLargestFace = "guide_largest_face"
        case blinkClosure = "blink_closure"
        case closureFloor = "closure_floor"
        case closureSpan = "closure_span"
        case baselineMs = "baseline_ms"
        case baselineFrames = "baseline_frames"
        case baselinePercentile = "baseline_percentile"
        case closureYawLimit = "closure_yaw_limit"
        case closurePitchLimit = "closure_pitch_limit"
        case closureSharpness = "closure_sharpness"
        case turnDegrees = "turn_degrees"
        case turnFrames = "turn_frames"
        case restMs = "rest_ms"
        case restFrames = "rest_frames"
        case runGapMs = "run_gap_ms"
        case lostMs = "lost_ms"
        case jumpDistance = "jump_distance"
        case jumpRatio = "jump_ratio"
        case snapshotMs = "snapshot_ms"
        case snapshotYaw = "snapshot_yaw"
        case slowestFrameRate = "slowest_frame_rate"
        case darkFace = "dark_face"
        case brightFace = "bright_face"
        case blurredFace = "blurred_face"
        case blockedContrast = "blocked_contrast"
        case hintMs = "hint_ms"
    }
}
