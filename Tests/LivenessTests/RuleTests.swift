import FaceGeometry
import Liveness
import LivenessTestKit
import Testing

@Suite struct PhaseTests {
    @Test(arguments: [30.0, 15, 8, 5])
    func `a lively person completes at every frame rate, in the order of the phases`(rate: Double) {
        var watching = Watching()
        watching.watch(.lively, rate: rate)
        #expect(watching.phases == [.settling, .framing, .scanning, .completed])
        guard case .completed(let actions) = watching.events.last?.event else {
            Issue.record("the last event is \(String(describing: watching.events.last))")
            return
        }
        #expect(Set(actions.map(\.action)) == Set(Action.allCases))
        #expect(actions.map(\.action) == watching.scan.actions)
    }

    @Test(arguments: [30.0, 15, 8, 5])
    func `somebody who does nothing fails 20 seconds after scanning began, at every frame rate`(rate: Double) throws {
        var watching = Watching()
        watching.watch(SyntheticPerformance(), rate: rate)
        #expect(watching.phases == [.settling, .framing, .scanning, .failed])
        let began = try #require(watching.scanningBegan)
        let failed = try #require(watching.time { $0 == .timedOut })
        #expect(failed - began >= .seconds(20))
        #expect(failed - began < .seconds(20) + .seconds(1 / rate) + .milliseconds(1))
    }

    @Test func `the cap holds when no frame comes any more`() throws {
        var watching = Watching()
        watching.watch(SyntheticPerformance(), until: .seconds(3))
        let began = try #require(watching.scanningBegan)
        var scan = watching.scan
        #expect(scan.advance(to: began + .milliseconds(19_999)).isEmpty)
        #expect(scan.advance(to: began + .seconds(20)) == [.phase(.failed), .timedOut])
        #expect(scan.advance(to: began + .seconds(30)).isEmpty)
    }

    @Test func `the autoshot is the third frame inside the guide`() throws {
        var watching = Watching()
        watching.watch(SyntheticPerformance(), rate: 30, until: .seconds(2))
        let framing = try #require(watching.time { $0 == .phase(.framing) })
        let autoshot = try #require(watching.time { $0 == .autoshot(framed: true) })
        // The first frame of framing is the first of three.
        #expect(autoshot - framing > .milliseconds(60) && autoshot - framing < .milliseconds(72))
        #expect(watching.scanningBegan == autoshot)
    }

    @Test func `a face that comes and goes inside the guide has no third frame in a row`() {
        var watching = Watching()
        var index = 0
        let outside = SyntheticPose(centre: SIMD2(0.2, 0.5))
        while watching.scan.phase != .scanning, index < 200 {
            let time = Duration.milliseconds(index * 33)
            let pose = index % 3 == 2 ? outside : SyntheticPose()
            watching.observe(SyntheticObservation().observe(pose, at: time))
            index += 1
        }
        #expect(watching.time { $0 == .autoshot(framed: true) } == nil)
    }

    @Test func `without a framed face the autoshot is taken as it is after 2.5 seconds`() throws {
        var performance = SyntheticPerformance()
        performance.rest.centre = SIMD2(0.25, 0.5)
        var watching = Watching()
        watching.watch(performance, until: .seconds(4))
        let framing = try #require(watching.time { $0 == .phase(.framing) })
        let autoshot = try #require(watching.time { $0 == .autoshot(framed: false) })
        #expect(autoshot - framing >= .milliseconds(2500))
        #expect(autoshot - framing < .milliseconds(2540))
        #expect(watching.hints.contains(.moveIntoFrame))
    }

    @Test func `a first face after five seconds completes`() {
        var performance = SyntheticPerformance.lively
        performance.absences = [.zero..<Duration.seconds(5)]
        var watching = Watching()
        watching.watch(performance)
        #expect(watching.isCompleted)
        #expect(watching.hints.contains(.noFace))
    }

    @Test func `the snapshot is taken with open eyes and the head back`() throws {
        var performance = SyntheticPerformance.turning(16)
        performance.blinks = [.init(at: .milliseconds(1200), lasting: .milliseconds(250))]
        var watching = Watching()
        watching.watch(performance)
        #expect(watching.isCompleted)
        let snapshot = try #require(watching.time { $0 == .snapshot })
        let done = try #require(watching.time { $0 == .progress(done: 2, total: 2) })
        #expect(snapshot > done)
        #expect(snapshot - done <= .milliseconds(740))
        #expect(abs(watching.traces.last?.yaw ?? 90) < 5.5 || snapshot - done >= .milliseconds(700))
    }

    @Test func `a head that stays turned gets its snapshot 700 ms later`() throws {
        var performance = SyntheticPerformance()
        performance.blinks = [.init(at: .milliseconds(1200), lasting: .milliseconds(250))]
        performance.turns = [
            .init(at: .seconds(2), by: 16, ramp: .milliseconds(300), hold: .seconds(10))
        ]
        var watching = Watching()
        watching.watch(performance)
        let snapshot = try #require(watching.time { $0 == .snapshot })
        let done = try #require(watching.time { $0 == .progress(done: 2, total: 2) })
        #expect(snapshot - done >= .milliseconds(700))
        #expect(snapshot - done < .milliseconds(740))
    }
}

@Suite struct ActionTests {
    @Test(arguments: [5.0, -5, 7, -7])
    func `a turn of five or seven degrees never counts`(degrees: Double) {
        var watching = Watching()
        watching.watch(.turning(degrees), until: .seconds(4))
        #expect(watching.mostDone == 0)
    }

    @Test(arguments: [8.0, -8, 10, -10, 25])
    func `a turn of eight degrees and more counts, either way`(degrees: Double) {
        var watching = Watching()
        watching.watch(.turning(degrees), until: .seconds(4))
        #expect(watching.mostDone == 1)
    }

    @Test func `one frame of yaw is not enough, two are`() {
        for (frames, expected) in [(1, 0), (2, 1)] {
            var watching = Watching()
            for index in 0..<60 {
                let pose = SyntheticPose(yaw: (40..<40 + frames).contains(index) ? 12 : 0)
                watching.observe(SyntheticObservation().observe(pose, at: .milliseconds(index * 33)))
            }
            #expect(watching.mostDone == expected, "\(frames) frames")
        }
    }

    @Test func `two frames of yaw with 400 ms between them are not a turn`() {
        var watching = Watching()
        for index in 0..<40 {
            watching.observe(SyntheticObservation().observe(SyntheticPose(), at: .milliseconds(index * 33)))
        }
        for time in [1400, 1800] {
            watching.observe(SyntheticObservation().observe(SyntheticPose(yaw: 12), at: .milliseconds(time)))
        }
        #expect(watching.mostDone == 0)
        watching.observe(SyntheticObservation().observe(SyntheticPose(yaw: 12), at: .milliseconds(1833)))
        #expect(watching.mostDone == 1)
    }

    @Test func `one frame to either side is not a turn`() {
        var watching = Watching()
        for index in 0..<60 {
            let pose = SyntheticPose(yaw: index == 40 ? 12 : index == 41 ? -12 : 0)
            watching.observe(SyntheticObservation().observe(pose, at: .milliseconds(index * 33)))
        }
        #expect(watching.mostDone == 0)
    }

    @Test func `a turn while the camera itself moves does not count`() {
        var watching = Watching()
        watching.watch(.turning(15), until: .seconds(4)) { $0.cameraMoved = $0.time > .seconds(2) }
        #expect(watching.mostDone == 0)
        #expect(watching.hints.contains(.cameraMoving))
    }

    @Test func `where the head rests is measured anew after the camera has moved`() {
        var performance = SyntheticPerformance()
        performance.turns = [.init(at: .seconds(2), by: 14, ramp: .milliseconds(500), hold: .seconds(30))]
        var watching = Watching()
        watching.watch(performance, until: .seconds(5)) {
            $0.cameraMoved = $0.time > .seconds(2) && $0.time < .milliseconds(2600)
        }
        #expect(watching.mostDone == 0)
        #expect(abs((watching.traces.last?.restingYaw ?? 0) - 14) < 1)
    }

    @Test(arguments: [(0.0, false), (0.15, false), (0.3, false), (0.4, true), (0.6, true), (1, true)])
    func `closures count from a third on`(depth: Double, counts: Bool) {
        var watching = Watching()
        watching.watch(.blinking(.init(at: .seconds(2), lasting: .milliseconds(300), depth: depth)), until: .seconds(4))
        #expect((watching.mostDone == 1) == counts)
    }

    @Test func `a face that rests at 13 degrees has not turned, and its blink counts`() {
        var performance = SyntheticPerformance.blinking(.init(at: .seconds(2), lasting: .milliseconds(250)))
        performance.rest.head.yaw = 13
        var watching = Watching()
        watching.watch(performance, until: .seconds(4))
        #expect(watching.mostDone == 1)
        var still = SyntheticPerformance()
        still.rest.head.yaw = 13
        var other = Watching()
        other.watch(still, until: .seconds(4))
        #expect(other.mostDone == 0)
    }

    @Test func `a closed eye in a damaged frame does not count`() {
        let performance = SyntheticPerformance.blinking(.init(at: .seconds(2), lasting: .milliseconds(250)))
        var watching = Watching()
        watching.watch(performance, until: .seconds(4)) {
            $0.isDamaged = $0.time > .seconds(2) && $0.time < .milliseconds(2250)
        }
        #expect(watching.mostDone == 0)
    }

    @Test func `eyes that close while the head is turned do not count`() {
        var performance = SyntheticPerformance.blinking(.init(at: .milliseconds(2400), lasting: .milliseconds(200)))
        performance.turns = SyntheticPerformance.turning(20).turns
        var watching = Watching()
        watching.watch(performance, until: .seconds(4))
        #expect(watching.mostDone == 1)
    }

    @Test func `motion blur is not a closed eye`() {
        let performance = SyntheticPerformance.blinking(.init(at: .seconds(2), lasting: .milliseconds(250)))
        var watching = Watching()
        watching.watch(performance, until: .seconds(4)) {
            if $0.time > .seconds(2), $0.time < .milliseconds(2250) { $0.face?.quality.sharpness = 60 }
        }
        #expect(watching.mostDone == 0)
    }

    @Test func `nothing counts before scanning`() {
        var performance = SyntheticPerformance.blinking(.init(at: .milliseconds(800), lasting: .milliseconds(250)))
        performance.rest.centre = SIMD2(0.25, 0.5)
        performance.turns = SyntheticPerformance.turning(15, at: .milliseconds(1200)).turns
        var watching = Watching()
        watching.watch(performance, until: .seconds(4))
        #expect(watching.mostDone == 0)
    }
}

@Suite struct PersonTests {
    @Test func `who leaves for 1.5 seconds and comes back starts again`() throws {
        var performance = SyntheticPerformance.blinking(.init(at: .milliseconds(1500), lasting: .milliseconds(250)))
        performance.absences = [.seconds(3)..<Duration.milliseconds(4500)]
        var watching = Watching()
        watching.watch(performance)
        #expect(watching.phases.prefix(5) == [.settling, .framing, .scanning, .framing, .scanning])
        let shots = watching.events.filter { $0.event == .autoshot(framed: true) }
        #expect(shots.count == 2)
        #expect(watching.events.contains { $0.event == .progress(done: 0, total: 2) && $0.time > .seconds(3) })
        // The cap goes on from the first beginning.
        let began = try #require(watching.scanningBegan)
        #expect(try #require(watching.time { $0 == .timedOut }) - began < .milliseconds(20_040))
    }

    @Test func `half a second without a face changes nothing`() {
        var performance = SyntheticPerformance.blinking(.init(at: .milliseconds(1500), lasting: .milliseconds(250)))
        performance.absences = [.seconds(3)..<Duration.milliseconds(3500)]
        var watching = Watching()
        watching.watch(performance, until: .seconds(6))
        #expect(watching.phases == [.settling, .framing, .scanning])
        #expect(watching.mostDone == 1)
    }

    @Test func `a face that jumps is another person`() {
        var watching = Watching()
        for index in 0..<120 {
            let centre = index < 60 ? SIMD2(0.5, 0.5) : SIMD2(0.9, 0.5)
            watching.observe(
                SyntheticObservation().observe(SyntheticPose(centre: centre), at: .milliseconds(index * 33)))
        }
        #expect(watching.phases == [.settling, .framing, .scanning, .framing])
    }

    @Test func `a second face of similar size stops the crediting and is named`() {
        var performance = SyntheticPerformance.lively
        performance.turns = []
        var watching = Watching()
        watching.watch(performance, until: .seconds(30)) { $0.comparableFaces = 2 }
        #expect(!watching.isCompleted)
        #expect(watching.mostDone == 0)
        #expect(watching.hints.contains(.onePersonOnly))
    }

    @Test func `progress is taken back when somebody else steps in`() {
        let performance = SyntheticPerformance.blinking(.init(at: .milliseconds(1500), lasting: .milliseconds(250)))
        var watching = Watching()
        watching.watch(performance, until: .seconds(6)) {
            if $0.time > .seconds(3), $0.time < .seconds(4) { $0.comparableFaces = 2 }
        }
        #expect(watching.mostDone == 1)
        #expect(
            watching.events.last { if case .progress = $0.event { true } else { false } }?.event
                == .progress(done: 0, total: 2))
    }
}

@Suite struct HintTests {
    @Test(arguments: [
        (SyntheticPose(jawWidth: 0.75), Hint.tooClose), (SyntheticPose(jawWidth: 0.2), .tooFar),
        (SyntheticPose(centre: SIMD2(0.2, 0.5)), .moveIntoFrame), (SyntheticPose(), .keepGoing),
    ])
    func `where the face is decides`(pose: SyntheticPose, hint: Hint) {
        var performance = SyntheticPerformance()
        performance.rest = pose
        var watching = Watching()
        watching.watch(performance, until: .seconds(2))
        #expect(watching.hints == [hint])
    }

    @Test(arguments: [
        (FaceQuality(brightness: 30, contrast: 20, sharpness: 200), Hint.tooDark),
        (FaceQuality(brightness: 240, contrast: 10, sharpness: 200), .tooBright),
        (FaceQuality(brightness: 120, contrast: 40, sharpness: 3), .blurred),
    ])
    func `what the face looks like decides where its place is right`(quality: FaceQuality, hint: Hint) {
        var synthetic = SyntheticObservation()
        synthetic.quality = quality
        var watching = Watching()
        watching.watch(SyntheticPerformance(), until: .seconds(2), with: synthetic)
        #expect(watching.hints == [hint])
    }

    @Test func `without a face the picture decides`() {
        for (brightness, contrast, hint) in [
            (110.0, 45.0, Hint.noFace), (20, 10, .tooDark), (240, 20, .tooBright), (110, 2, .cameraBlocked),
        ] {
            var performance = SyntheticPerformance()
            performance.absences = [.zero..<Duration.seconds(60)]
            var watching = Watching()
            watching.watch(performance, until: .seconds(2)) {
                $0.pictureBrightness = brightness
                $0.pictureContrast = contrast
            }
            #expect(watching.hints == [hint])
        }
    }

    @Test func `a slow camera is named`() {
        var watching = Watching()
        watching.watch(SyntheticPerformance(), rate: 5, until: .seconds(6))
        #expect(watching.hints.contains(.lowFrameRate))
    }

    @Test func `a hint stays long enough to be read`() {
        var watching = Watching()
        for index in 0..<200 {
            let pose = SyntheticPose(
                centre: SIMD2(index % 2 == 0 ? 0.5 : 0.45, 0.5), jawWidth: index % 2 == 0 ? 0.42 : 0.2)
            watching.observe(SyntheticObservation().observe(pose, at: .milliseconds(index * 33)))
        }
        let times = watching.events.compactMap { event in
            if case .hint = event.event { event.time } else { nil as Duration? }
        }
        #expect(times.count > 3)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(700) })
    }
}
