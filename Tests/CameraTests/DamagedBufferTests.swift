import CV4L2
import Glibc
import Imaging
import LivenessTestKit
import Platform
import Testing

@testable import Camera

/// Buffers that hold no picture, or claim what can't be.
@Suite struct DamagedBufferTests {
    /// A script in which `fault` holds for the frames with these numbers.
    private func device(
        _ formats: [FakeFormat] = [.mjpg()], faultAt numbers: Set<Int>,
        _ fault: @escaping @Sendable (inout ScriptedFrame) -> Void
    ) -> FakeDevice {
        FakeDevice(formats: formats) { number in
            var frame = ScriptedFrame(ScriptedFrame.jpegLike(number))
            if numbers.contains(number) { fault(&frame) }
            return frame
        }
    }

    @Test func `a frame that the driver flags is given as damaged`() throws {
        let booth = Booth(device(faultAt: [1]) { $0.isErroneous = true })
        let camera = try booth.open()
        #expect(try camera.frames(3).map(\.isDamaged) == [false, true, false])
        #expect(camera.counts == CaptureCounts(given: 3, damaged: 1))
    }

    static let pictureless: [@Sendable (inout ScriptedFrame) -> Void] = [
        { $0.bytes = [] },
        { $0.claimedLength = 0 },
        { $0.claimedLength = 640 * 480 * 2 + 1 },
        { $0.claimedLength = .max },
        { $0.bytes = [0xFF, 0xD8] },
        { $0.bytes = [0xFF, 0xD8, 0xFF] },
        { $0.bytes = [0xA8, 0x0A, 0xFF, 0xD8, 0xFF, 0xE0] },
        { $0.bytes = Array("HTTP/1.1 404 Not Found".utf8) },
        {
            $0.bytes = []
            $0.isErroneous = true
        },
    ]

    @Test(arguments: pictureless.indices)
    func `a buffer without a picture is dropped and queued again`(kind: Int) throws {
        // More in a row than there are buffers: one that is kept each time would stop the stream.
        let booth = Booth(device(faultAt: Set(1...11), Self.pictureless[kind]))
        let camera = try booth.open()
        #expect(try camera.frames(3).map(\.sequence) == [0, 12, 13])
        #expect(camera.counts == CaptureCounts(given: 3, unusable: 11))
        #expect(booth.kernel.ledger.framesWithoutBuffer == 0)
        #expect(booth.kernel.ledger.mostHeldAtPoll == 0)
        #expect(booth.kernel.ledger.violations.isEmpty)
    }

    @Test func `a buffer without a picture takes nothing of the time limit away`() throws {
        let booth = Booth(device(faultAt: Set(0...10_000)) { $0.bytes = [] })
        let camera = try booth.open()
        let start = booth.kernel.now
        #expect(try camera.next(timeout: .seconds(1)).isNothing)
        #expect(booth.kernel.now == start + .seconds(1))
    }

    @Test func `a good frame is given although the newest buffer is empty`() throws {
        let booth = Booth(device(faultAt: [2]) { $0.bytes = [] })
        let camera = try booth.open()
        booth.kernel.advance(by: .milliseconds(99))
        #expect(try camera.frame().content == ScriptedFrame.jpegLike(1))
        #expect(camera.counts == CaptureCounts(given: 1, superseded: 1, unusable: 1))
    }

    @Test func `raw pictures need no marker at their start`() throws {
        let booth = Booth(device([.yuyv()], faultAt: [0]) { $0.bytes = [1, 2, 3] })
        #expect(try booth.open().frame().content == [1, 2, 3])
    }

    @Test(arguments: [UInt32(4), 32, .max]) func `a buffer that there isn't ends the stream`(index: UInt32) throws {
        let booth = Booth()
        let camera = try booth.open()
        booth.kernel.alter(.dequeueBuffer, v4l2_buffer.self, skipping: 2, times: 1) { $0.index = index }
        let error = try #require(throws: CameraError.self) { _ = try camera.frames(5) }
        #expect(error.fault == .lost)
        #expect(error.message.contains("buffer \(index) of 4"))
        #expect(booth.kernel.ledger.isClean)
    }

    @Test func `a driver that has a buffer ready at all times can't hold a caller`() throws {
        let booth = Booth(FakeDevice { ScriptedFrame(ScriptedFrame.jpegLike($0), after: .microseconds(10)) })
        let camera = try booth.open()
        booth.kernel.advance(by: .milliseconds(1))
        booth.kernel.delay(.request(.dequeueBuffer), by: .milliseconds(1), times: .max)
        _ = try camera.frame()
        #expect(booth.count(.request(.dequeueBuffer)) == booth.settings.buffers)
    }
}
