import FaceGeometry
import Glibc

/// What a synthetic person does, as a function of time.
public struct SyntheticPerformance: Sendable {
    /// An eye closure.
    public struct Blink: Sendable {
        /// When the lids begin to move.
        public var start: Duration
        /// Until they are open again; they close in a third of it.
        public var duration: Duration
        /// How far, 0 to 1.
        public var depth: Double

        /// A whole blink unless told.
        public init(at start: Duration, lasting duration: Duration, depth: Double = 1) {
            self.start = start
            self.duration = duration
            self.depth = depth
        }
    }

    /// A turn of the head and back.
    public struct Turn: Sendable {
        /// When the head begins to move.
        public var start: Duration
        /// How long it takes each way.
        public var ramp: Duration
        /// How long it stays turned.
        public var hold: Duration
        /// How far, degrees of yaw.
        public var degrees: Double

        /// A turn by `degrees`.
        public init(at start: Duration, by degrees: Double, ramp: Duration, hold: Duration) {
            self.start = start
            self.degrees = degrees
            self.ramp = ramp
            self.hold = hold
        }
    }

    /// How the person is seen while nothing happens.
    public var rest = SyntheticPose()
    /// The closures.
    public var blinks: [Blink] = []
    /// The turns.
    public var turns: [Turn] = []
    /// Degrees by which the head sways, slowly, as a living one does.
    public var sway = 0.0
    /// When nobody is there.
    public var absences: [Range<Duration>] = []

    /// Somebody who does nothing.
    public init() {}

    /// Somebody who sways a little, blinks twice and looks aside once: what a scan waits for, within four seconds.
    public static var natural: SyntheticPerformance {
        var performance = SyntheticPerformance()
        performance.blinks = [
            Blink(at: .milliseconds(1300), lasting: .milliseconds(260)),
            Blink(at: .milliseconds(3600), lasting: .milliseconds(240)),
        ]
        performance.turns = [
            Turn(at: .milliseconds(1900), by: 16, ramp: .milliseconds(350), hold: .milliseconds(250))
        ]
        performance.sway = 0.8
        return performance
    }

    /// Somebody who goes on: blinks every two seconds and looks aside every five, for half a minute.
    public static var lively: SyntheticPerformance {
        var performance = SyntheticPerformance()
        performance.blinks = (1...16).map { Blink(at: .milliseconds($0 * 1900), lasting: .milliseconds(280)) }
        performance.turns = (0..<6).map {
            Turn(at: .milliseconds(2500 + $0 * 5000), by: 15, ramp: .milliseconds(350), hold: .milliseconds(500))
        }
        return performance
    }

    /// How the person is seen at `time`; nil while nobody is there.
    public func pose(at time: Duration) -> SyntheticPose? {
        guard !absences.contains(where: { $0.contains(time) }) else { return nil }
        let seconds = time.seconds
        var pose = rest
        pose.head.yaw += sway * sin(seconds * 1.3)
        pose.head.pitch += 0.7 * sway * sin(seconds * 0.9 + 1)
        pose.head.roll += 0.5 * sway * sin(seconds * 0.7 + 2)
        for turn in turns { pose.head.yaw += turn.yaw(at: seconds) }
        for blink in blinks { pose.closure = max(pose.closure, blink.closure(at: seconds)) }
        return pose
    }
}

extension SyntheticPerformance.Blink {
    fileprivate func closure(at seconds: Double) -> Double {
        let part = (seconds - start.seconds) / duration.seconds
        guard part > 0, part < 1 else { return 0 }
        return depth * (part < 1.0 / 3 ? part * 3 : (1 - part) * 1.5)
    }
}

extension SyntheticPerformance.Turn {
    fileprivate func yaw(at seconds: Double) -> Double {
        let since = seconds - start.seconds
        let end = 2 * ramp.seconds + hold.seconds
        guard since > 0, since < end else { return 0 }
        let part = min(1, since / ramp.seconds, (end - since) / ramp.seconds)
        return degrees * part * part * (3 - 2 * part)
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
