import FaceGeometry
import Liveness
import LivenessTestKit

/// A scan with everything that it said.
struct Watching {
    private(set) var scan: LivenessScan
    private(set) var events: [(time: Duration, event: LivenessEvent)] = []
    /// Of each observation.
    private(set) var traces: [LivenessScan.Trace] = []

    init(seed: UInt64 = 1, settings: LivenessSettings = LivenessSettings()) {
        scan = LivenessScan(settings: settings, seed: seed)
    }

    mutating func observe(_ observation: FaceObservation) {
        events += scan.observe(observation).map { (observation.time, $0) }
        traces.append(scan.trace)
    }

    /// Shows `performance` from `start` on at `rate` frames a second, until it is over or `end` comes.
    mutating func watch(
        _ performance: SyntheticPerformance, rate: Double = 30, from start: Duration = .zero,
        until end: Duration = .seconds(25), phase: Duration = .zero, with synthetic: SyntheticObservation = .init(),
        change: (inout FaceObservation) -> Void = { _ in }
    ) {
        var index = 0
        while !scan.isOver {
            let time = start + phase + .seconds(Double(index) / rate)
            guard time < end else { return }
            var observation = synthetic.observe(performance.pose(at: time), at: time)
            change(&observation)
            observe(observation)
            index += 1
        }
    }

    var isCompleted: Bool { scan.phase == .completed }

    var phases: [Phase] {
        events.compactMap { if case .phase(let phase) = $0.event { phase } else { nil } }
    }

    var hints: [Hint] {
        events.compactMap { if case .hint(let hint) = $0.event { hint } else { nil } }
    }

    /// The actions that were credited at some time.
    var mostDone: Int {
        events.map { if case .progress(let done, _) = $0.event { done } else { 0 } }.max() ?? 0
    }

    func time(of matches: (LivenessEvent) -> Bool) -> Duration? { events.first { matches($0.event) }?.time }

    var scanningBegan: Duration? { time { $0 == .phase(.scanning) } }
}

extension SyntheticPerformance {
    /// Somebody who only blinks.
    static func blinking(_ blinks: Blink...) -> SyntheticPerformance {
        var performance = SyntheticPerformance()
        performance.blinks = blinks
        return performance
    }

    /// Somebody who only turns.
    static func turning(_ degrees: Double, at start: Duration = .seconds(2)) -> SyntheticPerformance {
        var performance = SyntheticPerformance()
        performance.turns = [Turn(at: start, by: degrees, ramp: .milliseconds(300), hold: .milliseconds(500))]
        return performance
    }
}
