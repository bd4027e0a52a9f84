import Imaging
import Testing

@testable import Camera

@Suite struct ModeChoiceTests {
    private let choice = ModeChoice(fixedSize: nil, fixedFormat: nil, rate: 30)

    private func mode(_ format: PixelFormat, _ width: Int, _ height: Int, _ rate: UInt32? = 30) -> CameraMode {
        let interval = rate.map { FrameInterval(numerator: 1, denominator: $0) }
        return CameraMode(format: format, width: width, height: height, interval: interval)
    }

    @Test func `thirty frames a second come before more pixels`() {
        let ranked = choice.ranked([mode(.yuyv, 1280, 720, 10), mode(.yuyv, 640, 480, 30)])
        #expect(ranked.first == mode(.yuyv, 640, 480, 30))
    }

    @Test func `enough pixels for a face come before the frame rate`() {
        let ranked = choice.ranked([mode(.yuyv, 320, 240, 30), mode(.yuyv, 640, 480, 15)])
        #expect(ranked.first == mode(.yuyv, 640, 480, 15))
    }

    @Test func `more pixels are better up to 720p and worse above`() {
        let modes = [mode(.mjpg, 1920, 1080), mode(.mjpg, 640, 480), mode(.mjpg, 1280, 720), mode(.mjpg, 2560, 1440)]
        #expect(choice.ranked(modes).map(\.width) == [1280, 640, 1920, 2560])
    }

    @Test func `raw pictures are taken where they leave half of an endpoint and JPEG where they don't`() {
        // 640x480 at 30: 18.4 MB/s of 24.6; at 15: 9.2.
        #expect(choice.ranked([mode(.yuyv, 640, 480), mode(.mjpg, 640, 480)]).first?.format == .mjpg)
        let slow = ModeChoice(fixedSize: nil, fixedFormat: nil, rate: 15)
        #expect(slow.ranked([mode(.mjpg, 640, 480, 15), mode(.yuyv, 640, 480, 15)]).first?.format == .yuyv)
    }

    @Test func `a grey camera is used when there is no colour`() {
        #expect(choice.ranked([mode(.grey, 1280, 720), mode(.mjpg, 640, 480)]).first?.format == .mjpg)
        #expect(choice.ranked([mode(.grey, 640, 360)]).first?.format == .grey)
    }

    @Test func `a fixed size wins over everything, and a fixed format leaves no other`() {
        var fixed = choice
        fixed.fixedSize = PictureSize(width: 320, height: 240)
        #expect(fixed.ranked([mode(.mjpg, 1280, 720), mode(.mjpg, 320, 240)]).first?.width == 320)
        fixed.fixedFormat = .yuyv
        #expect(fixed.ranked([mode(.mjpg, 320, 240), mode(.yuyv, 640, 480)]) == [mode(.yuyv, 640, 480)])
    }

    @Test func `the rate counts as the whole number it stands for and no further than wanted`() {
        let offered = OfferedIntervals.discrete([
            FrameInterval(numerator: 1, denominator: 60), FrameInterval(numerator: 1001, denominator: 30_000),
            FrameInterval(numerator: 1, denominator: 15), FrameInterval(numerator: 0, denominator: 0),
        ])
        #expect(choice.interval(of: offered) == FrameInterval(numerator: 1001, denominator: 30_000))
        #expect(choice.interval(of: .discrete([])) == nil)
    }

    @Test(arguments: [
        (UInt32(60), UInt32(5), UInt32(30)), (UInt32(15), UInt32(5), UInt32(15)), (UInt32(90), UInt32(50), UInt32(50)),
    ])
    func `a range of intervals gives the wanted rate or what is nearest`(most: UInt32, least: UInt32, got: UInt32) {
        let range = OfferedIntervals.range(
            shortest: FrameInterval(numerator: 1, denominator: most),
            longest: FrameInterval(numerator: 1, denominator: least))
        #expect(choice.interval(of: range) == FrameInterval(numerator: 1, denominator: got))
    }

    @Test func `sizes in steps are met from below`() {
        let least = PictureSize(width: 48, height: 32)
        let most = PictureSize(width: 1000, height: 800)
        let sizes = choice.sizes(of: .stepwise(least: least, most: most, step: PictureSize(width: 16, height: 16)))
        #expect(sizes == [PictureSize(width: 992, height: 720), PictureSize(width: 640, height: 480)])
        let zero = PictureSize(width: 0, height: 0)
        #expect(choice.sizes(of: .stepwise(least: least, most: most, step: zero)).count == 2)
    }

    @Test func `what is tried after a full bus needs less of it each time`() {
        let ranked = choice.ranked([
            mode(.mjpg, 1280, 720), mode(.yuyv, 1280, 720, 10), mode(.mjpg, 640, 480), mode(.yuyv, 640, 480),
        ])
        var rest = ranked
        var tried: [CameraMode] = []
        while let next = rest.first {
            tried.append(next)
            rest = choice.smaller(than: next, in: rest)
        }
        #expect(tried == [mode(.mjpg, 1280, 720), mode(.mjpg, 640, 480)])
    }
}
