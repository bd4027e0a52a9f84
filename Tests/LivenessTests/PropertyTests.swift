import FaceGeometry
import Liveness
import LivenessTestKit
import Testing

/// SplitMix64, so that a failing sequence can be drawn again from its number.
struct TestRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Observations as no sane camera gives them.
private struct RandomObservations {
    private static let library: [FaceObservation] = {
        var observations: [FaceObservation] = []
        for yaw in [-20.0, -9, -6, 0, 0, 0, 6, 9, 20] {
            for closure in [0.0, 0, 0.3, 1] {
                for (centre, jaw) in [(0.5, 0.42), (0.5, 0.42), (0.55, 0.42), (0.2, 0.42), (0.5, 0.8), (0.9, 0.3)] {
                    let pose = SyntheticPose(yaw: yaw, closure: closure, centre: SIMD2(centre, 0.5), jawWidth: jaw)
                    observations.append(SyntheticObservation().observe(pose, at: .zero))
                }
            }
        }
        return observations
    }()
    private static let nobody = SyntheticObservation().observe(nil, at: .zero)

    private var random: TestRandom
    private var time = Duration.zero
    /// Most of a sequence is a person who stays, or nothing would ever go on.
    private var current = 0

    init(seed: UInt64) {
        random = TestRandom(state: seed)
    }

    mutating func next() -> FaceObservation {
        if Int.random(in: 0..<4, using: &random) == 0 {
            current = Int.random(in: 0..<Self.library.count, using: &random)
        }
        var observation =
            Int.random(in: 0..<12, using: &random) == 0 ? Self.nobody : Self.library[current]
        time += .milliseconds(
            Int.random(in: 0..<20, using: &random) == 0 ? Int.random(in: -500...6000, using: &random) : 50)
        observation.time = time
        observation.isDamaged = Int.random(in: 0..<15, using: &random) == 0
        observation.cameraMoved = Int.random(in: 0..<15, using: &random) == 0
        observation.comparableFaces = Int.random(in: 0..<25, using: &random) == 0 ? 2 : 1
        return observation
    }
}

@Suite struct PropertyTests {
    private func events(seed: UInt64, count: Int) -> [LivenessEvent] {
        var scan = LivenessScan(settings: LivenessSettings(), seed: seed)
        var observations = RandomObservations(seed: seed)
        var events: [LivenessEvent] = []
        for _ in 0..<count { events += scan.observe(observations.next()) }
        return events
    }

    @Test func `the same observations with the same seed give the same events, byte for byte`() {
        for seed in UInt64(0)..<1000 {
            #expect("\(events(seed: seed, count: 300))" == "\(events(seed: seed, count: 300))")
        }
    }

    @Test func `different seeds draw both orders`() {
        let orders = Set((UInt64(0)..<64).map { LivenessScan(settings: LivenessSettings(), seed: $0).actions })
        #expect(orders == [[.blink, .turnHead], [.turnHead, .blink]])
    }

    @Test func `no order of observations breaks the phase diagram`() {
        var endings: [Phase: Int] = [:]
        for seed in UInt64(0)..<100_000 {
            let said = events(seed: seed &* 0x1234_5678_9ABC_DEF1, count: 60)
            var diagram = PhaseDiagram()
            for event in said { diagram.follow(event) }
            if let fault = diagram.fault {
                Issue.record("seed \(seed): \(fault)")
                return
            }
            if let phase = diagram.phase { endings[phase, default: 0] += 1 }
        }
        print("measured: 100,000 random sequences ended in: \(endings.map { "\($0.key) \($0.value)" }.sorted())")
        // A test of a diagram that never gets to its end would say nothing about it.
        #expect((endings[.completed] ?? 0) > 100)
        #expect((endings[.failed] ?? 0) > 100)
    }
}

/// The order that events may come in.
private struct PhaseDiagram {
    private(set) var phase: Phase?
    private(set) var fault: String?
    private var done = 0
    private var hasAutoshot = false
    private var hasSnapshot = false
    private var isClosed = false

    mutating func follow(_ event: LivenessEvent) {
        if isClosed { return fail("\(event) after the end") }
        switch event {
        case .phase(let next): enter(next)
        case .autoshot:
            if phase != .framing { fail("an autoshot while \(String(describing: phase))") }
            hasAutoshot = true
        case .snapshot:
            if phase != .scanning || done != 2 || !hasAutoshot { fail("a snapshot too early") }
            hasSnapshot = true
        case .progress(let done, let total):
            if total != 2 || !(0...2).contains(done) { fail("progress \(done) of \(total)") }
            self.done = done
        case .completed(let actions):
            if phase != .completed || !hasSnapshot || actions.count != 2 { fail("completed without its media") }
            isClosed = true
        case .timedOut:
            if phase != .failed { fail("timed out while \(String(describing: phase))") }
            isClosed = true
        case .hint:
            if phase == nil || phase == .settling { fail("a hint too early") }
        }
    }

    private mutating func enter(_ next: Phase) {
        let allowed: [Phase?: Set<Phase>] = [
            nil: [.settling], .settling: [.framing], .framing: [.scanning, .failed],
            .scanning: [.framing, .completed, .failed],
        ]
        if allowed[phase]?.contains(next) != true { fail("from \(String(describing: phase)) to \(next)") }
        if next == .scanning, !hasAutoshot { fail("scanning without an autoshot") }
        if next == .framing {
            hasAutoshot = false
            done = 0
        }
        phase = next
    }

    private mutating func fail(_ text: String) {
        if fault == nil { fault = text }
    }
}
