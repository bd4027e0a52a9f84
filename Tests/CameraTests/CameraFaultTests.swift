import CV4L2
import Glibc
import Imaging
import LivenessTestKit
import Platform
import Testing

@testable import Camera

/// What goes wrong, and what a caller is told.
@Suite struct CameraFaultTests {
    /// Every call that opening makes.
    static let openingCalls: [FakeCall] = [
        .open, .map, .request(.enumerateFormats), .request(.setFormat), .request(.setParameters),
        .request(.requestBuffers), .request(.queryBuffer), .request(.queueBuffer), .request(.streamOn),
    ]

    static let errors: [(errno: CInt, fault: CameraFault)] = [
        (EACCES, .denied), (EPERM, .denied), (EBUSY, .busy), (ENOENT, .notFound), (ENXIO, .notFound),
        (ENOSPC, .bandwidth), (ENODEV, .lost), (EIO, .lost), (EMFILE, .lost), (ENOMEM, .lost), (ETIMEDOUT, .lost),
    ]

    @Test(arguments: openingCalls, errors)
    func `a call that fails while opening is told by one name`(
        call: FakeCall, error: (errno: CInt, fault: CameraFault)
    ) throws {
        let booth = Booth()
        booth.kernel.fail(call, with: error.errno, times: .max)
        let refusal = try booth.refusal()
        #expect(refusal.fault == error.fault)
        #expect(refusal.message.contains(Booth.node) && refusal.message.contains("\(call)"))
        #expect(booth.kernel.ledger.isClean)
        booth.kernel.mend()
        #expect(try booth.open().frame().sequence == 0)
    }

    @Test func `a node that is no camera is not found, and a camera that refuses its modes gives no format`() throws {
        for (call, fault) in [
            (FakeCall.open, CameraFault.notFound), (.request(.setFormat), .unsupportedFormat),
            (.request(.requestBuffers), .unsupportedFormat), (.request(.streamOn), .unsupportedFormat),
        ] {
            for errno in [ENOTTY, EINVAL] {
                let booth = Booth()
                booth.kernel.fail(call, with: errno)
                #expect(try booth.refusal().fault == fault, "\(call) \(errno)")
            }
        }
    }

    @Test func `the message of a refused node tells what to do`() throws {
        let booth = Booth()
        booth.kernel.fail(.open, with: EACCES)
        #expect(try booth.refusal().message.contains("\"video\""))
    }

    @Test func `a full bus is answered with the next smaller mode`() throws {
        let sizes = FakeFormat("MJPG", [.init(1280, 720), .init(640, 480), .init(800, 600)])
        let booth = Booth(FakeDevice(formats: [sizes]))
        booth.kernel.fail(.request(.streamOn), with: ENOSPC, times: 2)
        let camera = try booth.open()
        #expect(camera.layout.width == 640)
        #expect(booth.count(.request(.streamOn)) == 3)
        #expect(try camera.frame().sequence == 0)
        camera.close()
        #expect(booth.kernel.ledger.isClean)
    }

    @Test func `a bus that stays full is told as such after each mode was tried once`() throws {
        let sizes = FakeFormat("MJPG", [.init(1280, 720), .init(640, 480), .init(320, 240)])
        let booth = Booth(FakeDevice(formats: [sizes]))
        booth.kernel.fail(.request(.streamOn), with: ENOSPC, times: .max)
        let refusal = try booth.refusal()
        #expect(refusal.fault == .bandwidth)
        #expect(refusal.message.contains("USB"))
        #expect(booth.count(.request(.streamOn)) == 3)
        #expect(booth.kernel.ledger.isClean)
    }

    @Test(arguments: [ENODEV, EIO, EINVAL, EPIPE])
    func `a stream that breaks off is lost, and stays so`(errno: CInt) throws {
        for call: FakeCall in [.request(.dequeueBuffer), .request(.queueBuffer), .poll] {
            let booth = Booth()
            let camera = try booth.open()
            _ = try camera.frames(5)
            booth.kernel.fail(call, with: errno)
            for _ in 0..<2 {
                let error = try #require(throws: CameraError.self) { _ = try camera.next(timeout: .seconds(1)) }
                #expect(error.fault == .lost)
            }
            #expect(booth.kernel.ledger.isClean)
        }
    }

    @Test func `a camera that is unplugged ends the wait at once`() throws {
        let booth = Booth(FakeDevice { ScriptedFrame(ScriptedFrame.jpegLike($0), after: .seconds(100)) })
        let kernel = booth.kernel
        let camera = try booth.open()
        let start = kernel.now
        kernel.schedule(after: .seconds(1)) { kernel.unplug(Booth.node) }
        let error = try #require(throws: CameraError.self) { _ = try camera.next(timeout: .seconds(60)) }
        #expect(error.fault == .lost)
        #expect(kernel.now == start + .seconds(1))
        #expect(kernel.ledger.isClean)
        #expect(try booth.refusal().fault == .notFound)
        kernel.plug(FakeDevice(), at: Booth.node)
        #expect(try booth.open().frame().sequence == 0)
    }

    @Test func `a fatal error of the stream is lost, and the camera can be opened again`() throws {
        let booth = Booth()
        let camera = try booth.open()
        _ = try camera.frame()
        booth.kernel.breakStream(Booth.node)
        let error = try #require(throws: CameraError.self) { _ = try camera.frame() }
        #expect(error.fault == .lost)
        #expect(try booth.open().frame().sequence == 0)
    }

    @Test func `an error event without a failing call is lost, never a busy loop`() throws {
        let booth = Booth(FakeDevice(script: []))
        let camera = try booth.open()
        booth.kernel.breakStream(Booth.node)
        booth.kernel.fail(.request(.dequeueBuffer), with: EAGAIN, times: .max)
        #expect(throws: CameraError.self) { _ = try camera.next(timeout: .seconds(1)) }
        #expect(booth.count(.poll) == 1)
    }

    @Test func `a second program at the camera is told that it is busy`() throws {
        let booth = Booth()
        let camera = try booth.open()
        #expect(try booth.refusal().fault == .busy)
        #expect(try camera.frame().sequence == 0)
    }

    @Test func `a failing stop leaves nothing behind`() throws {
        let booth = Booth()
        let camera = try booth.open()
        for call: FakeCall in [.request(.streamOff), .request(.requestBuffers), .close] {
            booth.kernel.fail(call, with: EIO, times: .max)
        }
        camera.close()
        #expect(booth.kernel.ledger.isClean)
    }

    @Test func `a camera that takes no buffers is lost`() throws {
        var device = FakeDevice()
        device.bufferCount = 0
        #expect(try Booth(device).refusal().fault == .lost)
    }

    @Test func `a driver that claims more buffers than there can be is not believed`() throws {
        let booth = Booth()
        booth.kernel.alter(.requestBuffers, v4l2_requestbuffers.self, times: 1) { $0.count = .max }
        #expect(try booth.refusal().fault == .unsupportedFormat)
        #expect(booth.count(.request(.queryBuffer)) <= CaptureStream.limit)
        #expect(booth.kernel.ledger.isClean)
    }
}
