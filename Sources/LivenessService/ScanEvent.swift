import Clip
import Imaging
import Liveness
import LivenessInterface
import Platform

/// What a scan says, with the time since its first frame.
public struct ScanEvent: Sendable {
    /// Since the first frame of the scan.
    public var time: Duration
    /// What happened.
    public var kind: Kind

    /// What can happen in a scan; `completed` and `failed` are the last.
    public enum Kind: Sendable {
        case phase(Phase)
        case hint(Hint)
        case progress(done: Int, total: Int)
        case completed(ScanOutcome)
        case failed(FailureReason, message: String)
    }

    /// `kind`, `time` after the scan's first frame.
    public init(time: Duration, kind: Kind) {
        self.time = time
        self.kind = kind
    }
}

/// Everything that a completed scan gives.
public struct ScanOutcome: Sendable {
    /// In the order drawn; times since the first frame.
    public var actions: [CreditedAction]
    /// The picture from before the scan.
    public var autoshot: Still
    /// The picture from its end.
    public var snapshot: Still
    /// The video of the scan.
    public var clip: EncodedClip
    /// How long the scanning took: the clip's length.
    public var duration: Duration
}

extension ScanEvent {
    /// Whether nothing follows.
    var isTerminal: Bool {
        switch kind {
        case .completed, .failed: true
        default: false
        }
    }
}
