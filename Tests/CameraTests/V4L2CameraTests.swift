import Camera
import Glibc
import Imaging
import LivenessTestKit
import Platform
import Testing

private let description = CameraDescription(id: "test", name: "Test camera", node: "/dev/video0", kind: .camera)
/// The beginning of a JPEG picture; nothing here decodes it.
private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 3, 4]

private func kernel(_ events: [FakeCamera.Event] = [], _ change: (inout FakeCamera) -> Void = { _ in }) -> FakeKernel {
    var camera = FakeCamera()
    camera.events = events
    change(&camera)
    return FakeKernel([camera])
}

private func open(_ kernel: FakeKernel, _ settings: CameraSettings = CameraSettings()) throws -> V4L2Camera {
    try V4L2Camera(description, settings: settings, kernel: kernel)
}

extension V4L2Camera {
    fileprivate func frame() throws -> Frame? {
        guard case .frame(let frame) = try next(timeout: .seconds(1)) else { return nil }
        return frame
    }
}

@Suite struct StreamingTests {
    @Test func `frames come in order with the driver's times`() throws {
        let kernel = kernel((0..<20).map { .picture(FakePicture(jpeg + [UInt8($0)])) })
        let camera = try open(kernel)
        let frames = try (0..<20).map { _ in try #require(try camera.frame()) }
        #expect(frames.map { $0.bytes.withBytes { $0.last } } == (0..<20).map { UInt8($0) })
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.time - $0.time == .milliseconds(33) })
        #expect(frames.map(\.sequence) == (1...20).map { UInt32($0) })
        #expect(frames.allSatisfy { !$0.isDamaged })
    }

    @Test func `every buffer is back with the driver before the next wait`() throws {
        let kernel = kernel((0..<50).map { _ in .picture(FakePicture(jpeg)) })
        let camera = try open(kernel)
        for _ in 0..<50 { _ = try camera.frame() }
        #expect(kernel.record.fewestQueued == 4)
        #expect(kernel.record.dropped == 0)
    }

    @Test func `frame memory is used again`() throws {
        let kernel = kernel((0..<50).map { _ in .picture(FakePicture(jpeg)) })
        let camera = try open(kernel)
        var places = Set<ObjectIdentifier>()
        for _ in 0..<50 { if let frame = try camera.frame() { places.insert(ObjectIdentifier(frame.bytes)) } }
        #expect(places.count <= 2)
    }

    @Test func `nothing in time is told`() throws {
        let camera = try open(kernel([.silence(.seconds(5)), .picture(FakePicture(jpeg))]))
        guard case .nothing = try camera.next(timeout: .seconds(2)) else {
            Issue.record("something came")
            return
        }
        #expect(try camera.next(timeout: .seconds(10)).isFrame)
    }

    @Test func `an interruption ends the stream, before and during a wait`() throws {
        let camera = try open(kernel([.picture(FakePicture(jpeg))]))
        camera.interrupt()
        guard case .ended = try camera.next(timeout: .seconds(1)) else {
            Issue.record("it goes on")
            return
        }
    }

    @Test func `closing gives everything back, and closing twice is harmless`() throws {
        let kernel = kernel([.picture(FakePicture(jpeg))])
        let camera = try open(kernel)
        #expect(kernel.record.isStreaming)
        #expect(kernel.record.mappedBuffers == 4)
        camera.close()
        camera.close()
        #expect(!kernel.record.isStreaming)
        #expect(kernel.record.mappedBuffers == 0)
        #expect(kernel.record.openDescriptors == 0)
        guard case .ended = try camera.next(timeout: .zero) else {
            Issue.record("a closed camera gives frames")
            return
        }
    }

    @Test func `a camera that is let go closes itself`() throws {
        let kernel = kernel()
        do { _ = try open(kernel) }
        #expect(kernel.record.openDescriptors == 0)
        #expect(kernel.record.mappedBuffers == 0)
    }
}

@Suite struct LyingDriverTests {
    @Test func `a length beyond the buffer is cut, and the frame is damaged`() throws {
        var picture = FakePicture(jpeg)
        picture.bytesUsed = 10_000_000
        let frame = try #require(try open(kernel([.picture(picture)])).frame())
        #expect(frame.isDamaged)
        #expect(frame.bytes.withBytes { $0.count } == 64 * 1024)
    }

    @Test func `an empty buffer is no frame and goes back`() throws {
        var empty = FakePicture([])
        empty.bytesUsed = 0
        let kernel = kernel([.picture(empty), .picture(FakePicture(jpeg))])
        let camera = try open(kernel)
        #expect(try #require(try camera.frame()).bytes.withBytes { $0.count } == jpeg.count)
        #expect(kernel.record.fewestQueued == 4)
    }

    @Test func `a buffer that does not exist is the end`() throws {
        var picture = FakePicture(jpeg)
        picture.index = 77
        let camera = try open(kernel([.picture(picture)]))
        let error = #expect(throws: CameraError.self) { try camera.frame() }
        #expect(error?.fault == .lost)
    }

    @Test func `what the driver flags is damaged`() throws {
        var picture = FakePicture(jpeg)
        picture.isFlagged = true
        #expect(try #require(try open(kernel([.picture(picture)])).frame()).isDamaged)
    }

    @Test(arguments: [nil, Duration.seconds(-3600), .seconds(3600)])
    func `impossible times are replaced by the clock's`(offset: Duration?) throws {
        var picture = FakePicture(jpeg)
        picture.stampOffset = offset
        let kernel = kernel([.picture(picture), .picture(picture)])
        let camera = try open(kernel)
        let first = try #require(try camera.frame())
        #expect(first.time == kernel.now)
        #expect(try #require(try camera.frame()).time > first.time)
    }

    @Test func `times never stand still or run back`() throws {
        var late = FakePicture(jpeg)
        late.stampOffset = .milliseconds(-500)
        late.interval = .zero
        let camera = try open(kernel([.picture(FakePicture(jpeg)), .picture(late), .picture(late)]))
        let times = try (0..<3).map { _ in try #require(try camera.frame()).time }
        #expect(times[0] < times[1] && times[1] < times[2])
    }

    @Test func `a driver that gives another format than asked for is taken at its word`() throws {
        let kernel = kernel([.picture(FakePicture(jpeg))]) { $0.insistsOn = ("YUYV", 320, 240) }
        let frame = try #require(try open(kernel).frame())
        #expect(frame.layout.format == .yuyv)
        #expect((frame.layout.width, frame.layout.height, frame.layout.stride) == (320, 240, 640))
    }

    @Test func `a driver that gives what can't be decoded is refused`() {
        let kernel = kernel { $0.insistsOn = ("H264", 640, 480) }
        let error = #expect(throws: CameraError.self) { try open(kernel) }
        #expect(error?.fault == .unsupportedFormat)
        #expect(kernel.record.openDescriptors == 0)
    }
}

@Suite struct CameraFaultTests {
    @Test(arguments: [
        (ENOENT, CameraFault.notFound), (ENXIO, .notFound), (ENODEV, .notFound), (EACCES, .denied), (EPERM, .denied),
        (EBUSY, .busy), (EIO, .lost),
    ])
    func `opening fails by name`(errno: CInt, fault: CameraFault) {
        let kernel = kernel()
        kernel.failOpening(with: errno)
        #expect(#expect(throws: CameraError.self) { try open(kernel) }?.fault == fault)
    }

    @Test(arguments: [
        (V4L2Request.setFormat, EBUSY, CameraFault.busy), (.setFormat, EINVAL, .unsupportedFormat),
        (.requestBuffers, EBUSY, .busy), (.streamOn, EIO, .lost), (.queryCapability, ENOTTY, .unsupportedFormat),
        (.queueBuffer, EINVAL, .unsupportedFormat),
    ])
    func `a request that fails is named, and nothing stays open`(
        request: V4L2Request, errno: CInt, fault: CameraFault
    ) {
        let kernel = kernel()
        kernel.fail(request, with: errno)
        #expect(#expect(throws: CameraError.self) { try open(kernel) }?.fault == fault)
        #expect(kernel.record.openDescriptors == 0)
        #expect(kernel.record.mappedBuffers == 0)
        #expect(!kernel.record.isStreaming)
    }

    @Test func `a call that a signal interrupts is run again`() throws {
        let kernel = kernel([.picture(FakePicture(jpeg))])
        for request in V4L2Request.allCases { kernel.fail(request, with: EINTR, times: 3) }
        #expect(try open(kernel).frame() != nil)
    }

    @Test func `an unplugged camera is lost`() throws {
        let kernel = kernel([.picture(FakePicture(jpeg)), .unplugged])
        let camera = try open(kernel)
        #expect(try camera.frame() != nil)
        #expect(#expect(throws: CameraError.self) { try camera.frame() }?.fault == .lost)
        camera.close()
        #expect(kernel.record.openDescriptors == 0)
        #expect(kernel.record.mappedBuffers == 0)
    }

    @Test func `a failure to dequeue now and then is passed over, one after the other is not`() throws {
        let now = try open(kernel([.failure(EIO), .failure(EIO), .picture(FakePicture(jpeg))]))
        #expect(try now.frame() != nil)
        let always = try open(kernel((0..<100).map { _ in .failure(EIO) }))
        #expect(#expect(throws: CameraError.self) { try always.frame() }?.fault == .lost)
    }

    @Test func `a bus without room gets a smaller mode, and without any the fault's name`() throws {
        let sizes = { (camera: inout FakeCamera) in
            camera.formats = [.init("MJPG", sizes: [(1280, 720), (640, 480)])]
        }
        let narrow = kernel([.picture(FakePicture(jpeg))]) {
            sizes(&$0)
            $0.widestOnBus = 700
        }
        #expect(try #require(try open(narrow).frame()).layout.width == 640)
        let full = kernel {
            sizes(&$0)
            $0.widestOnBus = 0
        }
        #expect(#expect(throws: CameraError.self) { try open(full) }?.fault == .bandwidth)
        #expect(full.record.openDescriptors == 0)
        #expect(full.record.mappedBuffers == 0)
    }

    @Test func `nodes that capture nothing are refused`() {
        for capabilities: UInt32 in [0x0080_0000, 0x0400_0002, 0x0000_8000] {
            let kernel = kernel { $0.capabilities = capabilities }
            #expect(#expect(throws: CameraError.self) { try open(kernel) }?.fault == .unsupportedFormat)
        }
    }
}

extension FrameWait {
    fileprivate var isFrame: Bool { if case .frame = self { true } else { false } }
}

@Suite struct LinuxKernelTests {
    @Test func `the real kernel's errors come back negative`() throws {
        let kernel = LinuxKernel()
        #expect(kernel.open("/dev/no-such-camera") == -ENOENT)
        #expect(kernel.close(-1) == -EBADF)
        let missing = CameraDescription(id: "", name: "", node: "/dev/no-such-camera", kind: .camera)
        let error = #expect(throws: CameraError.self) {
            try V4L2Camera(missing, settings: CameraSettings(), kernel: kernel)
        }
        #expect(error?.fault == .notFound)
    }

    @Test func `a device that is no camera is refused`() {
        let null = CameraDescription(id: "", name: "", node: "/dev/null", kind: .camera)
        let error = #expect(throws: CameraError.self) {
            try V4L2Camera(null, settings: CameraSettings(), kernel: LinuxKernel())
        }
        #expect(error?.fault == .unsupportedFormat)
    }

    @Test func `the clock moves on`() {
        let before = LinuxKernel().now
        #expect(LinuxKernel().now >= before)
    }
}
