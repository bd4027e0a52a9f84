import LivenessTestKit
import Platform
import Testing

@testable import Camera

@Suite struct FrameTimeTests {
    private func times(_ stamps: [ScriptedFrame.Stamp]) throws -> (given: [Duration], start: Duration) {
        let booth = Booth(
            FakeDevice { number in
                var frame = ScriptedFrame(ScriptedFrame.jpegLike(number), after: .milliseconds(100))
                frame.stamp = stamps[number % stamps.count]
                return frame
            })
        let start = booth.kernel.now
        return (try booth.open().frames(stamps.count).map(\.time), start)
    }

    @Test func `the driver's own time counts`() throws {
        let start = FakeKernel().now
        let (given, _) = try times([
            .monotonic(start + .milliseconds(40)), .monotonic(start + .milliseconds(141)),
            .monotonic(start + .microseconds(239_999)),
        ])
        #expect(given.map { ($0 - start).wholeNanoseconds } == [40_000_000, 141_000_000, 239_999_000])
    }

    static let implausible: [ScriptedFrame.Stamp] = [
        .monotonic(.zero), .monotonic(.seconds(-5)), .monotonic(.seconds(999)), .monotonic(.seconds(4600)),
        .monotonic(.seconds(1_790_000_000)), .unknown(.seconds(1000)), .unknown(.zero),
    ]

    @Test(arguments: implausible)
    func `a time that can't be true gives way to the time of receipt`(stamp: ScriptedFrame.Stamp) throws {
        let (given, start) = try times([stamp, stamp, .arrival, stamp])
        #expect(given == (1...4).map { start + .milliseconds(100 * $0) })
    }

    @Test func `times never run backwards or stand still`() throws {
        let start = FakeKernel().now
        let (given, _) = try times([
            .arrival, .monotonic(start + .milliseconds(100)), .monotonic(start + .milliseconds(50)), .arrival,
        ])
        #expect(given == (1...4).map { start + .milliseconds(100 * $0) })
    }

    @Test func `a stamp is plausible after the one before and up to now`() {
        var clock = FrameClock(start: .seconds(10))
        #expect(clock.time(stamp: .seconds(10), now: .seconds(11)) == .seconds(11))
        #expect(clock.time(stamp: .seconds(12), now: .seconds(12)) == .seconds(12))
        #expect(clock.time(stamp: .seconds(14), now: .seconds(13)) == .seconds(13))
        #expect(clock.time(stamp: nil, now: .seconds(15)) == .seconds(15))
        #expect(clock.time(stamp: .seconds(Int64.max), now: .seconds(16)) == .seconds(16))
    }

    @Test func `lost frames show as a gap in the numbers`() throws {
        let booth = Booth(
            FakeDevice { number in
                var frame = ScriptedFrame(ScriptedFrame.jpegLike(number))
                frame.lostBefore = number == 2 ? 3 : 0
                return frame
            })
        #expect(try booth.open().frames(4).map(\.sequence) == [0, 1, 5, 6])
    }
}
