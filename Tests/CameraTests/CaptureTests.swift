import CV4L2
import Glibc
import Imaging
import LivenessTestKit
import Platform
import Testing

@testable import Camera

/// What a working camera gives.
@Suite struct CaptureTests {
    @Test func `frames come in order with their bytes, times and numbers`() throws {
        let booth = Booth()
        let start = booth.kernel.now
        let camera = try booth.open()
        for number in 0..<20 {
            let frame = try camera.frame()
            #expect(frame.content == ScriptedFrame.jpegLike(number))
            #expect(frame.time == start + .milliseconds(33 * (number + 1)))
            #expect(frame.sequence == UInt32(number))
            #expect(!frame.isDamaged)
        }
        #expect(camera.counts == CaptureCounts(given: 20))
        #expect(camera.description.node == Booth.node)
    }

    @Test func `a frame keeps its bytes while the driver fills its buffer again`() throws {
        let camera = try Booth().open()
        // The fake driver overwrites a buffer as soon as it is queued.
        let frames = try camera.frames(12)
        for (number, frame) in frames.enumerated() { #expect(frame.content == ScriptedFrame.jpegLike(number)) }
    }

    @Test func `every buffer is queued again before the next wait`() throws {
        let booth = Booth()
        let camera = try booth.open()
        _ = try camera.frames(50)
        #expect(booth.kernel.ledger.mostHeldAtPoll == 0)
        #expect(booth.kernel.ledger.framesWithoutBuffer == 0)
        #expect(booth.kernel.ledger.violations.isEmpty)
        let filled = booth.kernel.records.count { $0.call == .request(.dequeueBuffer) && $0.result == 0 }
        let queued = booth.count(.request(.queueBuffer))
        #expect(queued == filled + booth.settings.buffers)
    }

    @Test func `memory of frames is used again once nobody holds them, however long they are`() throws {
        let camera = try Booth(
            FakeDevice { ScriptedFrame(ScriptedFrame.jpegLike($0, count: 100 * ($0 + 1))) }
        ).open()
        var addresses: Set<UInt> = []
        for _ in 0..<100 {
            let frame = try camera.frame()
            frame.bytes.withBytes { _ = addresses.insert(UInt(bitPattern: $0.baseAddress)) }
        }
        #expect(addresses.count == 1)
    }

    @Test func `after a pause only the newest frame is given`() throws {
        let booth = Booth()
        let camera = try booth.open()
        _ = try camera.frame()
        // More pauses than there are buffers: one that is kept each time would stop the stream.
        for pause in 1...6 {
            booth.kernel.advance(by: .milliseconds(33 * 3))
            #expect(try camera.frame().content == ScriptedFrame.jpegLike(3 * pause))
            #expect(camera.counts.superseded == 2 * pause)
        }
        #expect(try camera.frame().sequence == 19)
        #expect(booth.kernel.ledger.mostHeldAtPoll == 0)
    }

    @Test func `a wait without a frame ends at its timeout`() throws {
        let booth = Booth(FakeDevice(script: [ScriptedFrame(ScriptedFrame.jpegLike(0))]))
        let camera = try booth.open()
        _ = try camera.frame()
        let before = booth.kernel.now
        #expect(try camera.next(timeout: .milliseconds(250)).isNothing)
        #expect(booth.kernel.now == before + .milliseconds(250))
        #expect(try camera.next(timeout: .zero).isNothing)
        #expect(try camera.next(timeout: .seconds(-1)).isNothing)
    }

    @Test func `a wait shorter than a millisecond makes no busy loop`() throws {
        let booth = Booth(FakeDevice(script: []))
        let camera = try booth.open()
        #expect(try camera.next(timeout: .nanoseconds(1)).isNothing)
        #expect(booth.count(.poll) == 1)
    }

    @Test func `interrupting ends a wait, now or the next one, and only that one`() throws {
        let booth = Booth(FakeDevice { ScriptedFrame(ScriptedFrame.jpegLike($0), after: .seconds(10)) })
        let camera = try booth.open()
        let start = booth.kernel.now
        booth.kernel.schedule(after: .seconds(2), camera.interrupt)
        #expect(try camera.next(timeout: .seconds(5)).isEnded)
        #expect(booth.kernel.now == start + .seconds(2))
        camera.interrupt()
        camera.interrupt()
        #expect(try camera.next(timeout: .seconds(5)).isEnded)
        #expect(try camera.frame(within: .seconds(20)).sequence == 0)
    }

    @Test func `closing gives everything back, twice is no harm, and no frame comes after it`() throws {
        let booth = Booth()
        let camera = try booth.open()
        _ = try camera.frames(3)
        #expect(booth.kernel.ledger.streams == 1)
        camera.close()
        camera.close()
        #expect(booth.kernel.ledger.isClean)
        #expect(booth.count(.request(.streamOff)) == 1)
        #expect(booth.count(.close) == 1)
        #expect(try camera.next(timeout: .seconds(1)).isEnded)
        camera.interrupt()
        #expect(booth.kernel.ledger.isClean)
    }

    @Test func `releasing the camera closes it`() throws {
        let booth = Booth()
        do {
            let camera = try booth.open()
            _ = try camera.frame()
        }
        #expect(booth.kernel.ledger.isClean)
    }

    @Test func `a camera can be opened again and again`() throws {
        let booth = Booth()
        for _ in 0..<20 {
            let camera = try booth.open()
            #expect(try camera.frames(2).map(\.sequence) == [0, 1])
            camera.close()
        }
        #expect(booth.kernel.ledger.isClean)
        #expect(booth.kernel.ledger.mostOpenOfOneNode == 1)
    }

    @Test(arguments: [1, 3, 32]) func `whatever number of buffers the driver gives is used`(given: Int) throws {
        var device = FakeDevice()
        device.bufferCount = given
        let booth = Booth(device)
        let camera = try booth.open()
        #expect(try camera.frames(given * 3).last?.content == ScriptedFrame.jpegLike(given * 3 - 1))
        #expect(booth.kernel.ledger.mappings == given)
        camera.close()
        #expect(booth.kernel.ledger.isClean)
    }

    @Test func `calls that a signal interrupts are made again`() throws {
        let booth = Booth()
        for call: FakeCall in [.open, .map, .poll, .request(.setFormat), .request(.dequeueBuffer)] {
            booth.kernel.fail(call, with: EINTR, times: 2)
        }
        #expect(try booth.open().frame().content == ScriptedFrame.jpegLike(0))
    }
}
