import CV4L2
import Glibc
import Imaging
import LivenessTestKit
import Platform
import Testing

@testable import Camera

/// What the driver answers counts, not what it was asked for.
@Suite struct NegotiationTests {
    @Test func `the best of the offered modes is asked for and its layout told`() throws {
        let formats: [FakeFormat] = [
            .yuyv(.init(640, 480), .init(1280, 720, rates: [10])),
            .mjpg(.init(640, 480, rates: [30, 15]), .init(1280, 720, rates: [60, 30])),
        ]
        let camera = try Booth(FakeDevice(formats: formats)).open()
        #expect(
            camera.layout == FrameLayout(format: .mjpg, width: 1280, height: 720, stride: 0, range: .full))
        #expect(camera.rate == 30)
    }

    @Test func `another size, format, stride and rate than the wanted ones are taken over`() throws {
        let booth = Booth(FakeDevice(formats: [.mjpg(.init(1024, 768))]))
        booth.kernel.alter(.setFormat, v4l2_format.self) { format in
            format.fmt.pix.pixelformat = FourCC("YUYV").code
            format.fmt.pix.width = 960
            format.fmt.pix.height = 720
            format.fmt.pix.bytesperline = 1952
            format.fmt.pix.sizeimage = 1952 * 720
        }
        booth.kernel.alter(.setParameters, v4l2_streamparm.self) {
            $0.parm.capture.timeperframe = v4l2_fract(numerator: 2, denominator: 15)
        }
        let camera = try booth.open()
        #expect(
            camera.layout == FrameLayout(format: .yuyv, width: 960, height: 720, stride: 1952, range: .limited))
        #expect(camera.rate == 7.5)
    }

    @Test func `rows with a gap keep their stride`() throws {
        var device = FakeDevice(formats: [.yuyv()])
        device.rowGap = 32
        #expect(try Booth(device).open().layout.stride == 1312)
    }

    @Test func `a stride of nothing, or of the width in pixels, is read as rows without gaps`() throws {
        for claimed: UInt32 in [0, 640] {
            let booth = Booth(FakeDevice(formats: [.yuyv()]))
            booth.kernel.alter(.setFormat, v4l2_format.self) { $0.fmt.pix.bytesperline = claimed }
            #expect(try booth.open().layout.stride == 1280)
        }
    }

    @Test(arguments: ["YUYV", "UYVY", "NV12", "YU12", "GREY", "Y16 ", "MJPG", "JPEG"])
    func `each format that is decoded is used where it is the only one`(code: String) throws {
        let camera = try Booth(FakeDevice(formats: [FakeFormat("H264"), FakeFormat(code)])).open()
        #expect(camera.layout.format.rawValue == code)
    }

    @Test func `formats that nothing decodes are refused by name`() throws {
        let refusal = try Booth(FakeDevice(formats: [FakeFormat("H264"), FakeFormat("HEVC")])).refusal()
        #expect(refusal.fault == .unsupportedFormat)
        #expect(refusal.message.contains("H264, HEVC"))
        #expect(try Booth(FakeDevice(formats: [])).refusal().fault == .unsupportedFormat)
    }

    @Test func `a format of the settings that is not offered is refused with what is`() throws {
        var booth = Booth(FakeDevice(formats: [.mjpg()]))
        booth.settings.format = "YUYV"
        let refusal = try booth.refusal()
        #expect(refusal.fault == .unsupportedFormat)
        #expect(refusal.message.contains("YUYV") && refusal.message.contains("MJPG"))
    }

    @Test func `an answer that nothing decodes is refused and leaves nothing behind`() throws {
        let booth = Booth()
        booth.kernel.alter(.setFormat, v4l2_format.self) { $0.fmt.pix.pixelformat = FourCC("H264").code }
        let refusal = try booth.refusal()
        #expect(refusal.fault == .unsupportedFormat)
        #expect(refusal.message.contains("H264"))
        #expect(booth.kernel.ledger.isClean)
    }

    @Test(arguments: [(UInt32(0), UInt32(480)), (UInt32(640), UInt32(0)), (UInt32(70_000), UInt32(480))])
    func `an impossible size is refused`(width: UInt32, height: UInt32) throws {
        let booth = Booth()
        booth.kernel.alter(.setFormat, v4l2_format.self) {
            $0.fmt.pix.width = width
            $0.fmt.pix.height = height
        }
        #expect(try booth.refusal().fault == .unsupportedFormat)
    }

    @Test func `sizes in steps are asked for at 720p`() throws {
        var format = FakeFormat("MJPG", [])
        format.steps = .init(from: .init(160, 120), to: .init(1920, 1080), by: 8)
        let layout = try Booth(FakeDevice(formats: [format])).open().layout
        #expect(layout.width == 1280 && layout.height == 720)
    }

    @Test(arguments: [ENOTTY, EINVAL]) func `a driver without intervals is used at its own rate`(errno: CInt) throws {
        let booth = Booth()
        booth.kernel.fail(.request(.setParameters), with: errno, times: .max)
        #expect(try booth.open().rate == nil)
        booth.kernel.fail(.request(.enumerateIntervals), with: ENOTTY, times: .max)
        booth.kernel.fail(.request(.enumerateSizes), with: ENOTTY, times: .max)
        #expect(try booth.open().layout.width == 640)
    }

    @Test func `an enumeration that never ends is cut off`() throws {
        let booth = Booth()
        booth.kernel.alter(.enumerateSizes, v4l2_frmsizeenum.self) { $0.index = 0 }
        let endless = FakeFormat("MJPG", [FakeFormat.Size](repeating: .init(640, 480, rates: []), count: 100_000))
        booth.kernel.plug(FakeDevice(formats: [endless]), at: Booth.node)
        #expect(try booth.open().layout.width == 640)
        #expect(booth.count(.request(.enumerateSizes)) < 1000)
    }

    @Test func `luma is limited unless the driver or the kind of picture says otherwise`() throws {
        func range(_ code: String, _ change: (inout FakeFormat) -> Void = { _ in }) throws -> SampleRange {
            var format = FakeFormat(code)
            change(&format)
            return try Booth(FakeDevice(formats: [format])).open().layout.range
        }
        #expect(try range("YUYV") == .limited)
        #expect(try range("NV12") == .limited)
        #expect(try range("YUYV") { $0.quantization = V4L2_QUANTIZATION_FULL_RANGE.rawValue } == .full)
        #expect(try range("YUYV") { $0.colorspace = V4L2_COLORSPACE_JPEG.rawValue } == .full)
        #expect(try range("GREY") == .full)
        #expect(try range("GREY") { $0.quantization = V4L2_QUANTIZATION_LIM_RANGE.rawValue } == .limited)
        #expect(try range("MJPG") { $0.quantization = V4L2_QUANTIZATION_LIM_RANGE.rawValue } == .full)
    }
}
