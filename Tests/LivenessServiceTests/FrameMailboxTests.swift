import Camera
import Imaging
import LivenessTestKit
import Testing

@testable import LivenessService

@Suite struct FrameMailboxTests {
    private func frame(_ sequence: UInt32) -> Frame {
        var pool = FramePool()
        let bytes = [UInt8(0)].withUnsafeBytes { pool.copy($0) }
        let layout = FrameLayout(format: .grey, width: 1, height: 1, stride: 1, range: .full)
        return Frame(bytes: bytes, layout: layout, time: .zero, sequence: sequence, isDamaged: false)
    }

    private func take(_ mailbox: FrameMailbox) -> String {
        switch mailbox.take(timeout: .zero) {
        case .opened: "opened"
        case .frame(let frame): "frame \(frame.sequence)"
        case .nothing: "nothing"
        case .closed(let error): "closed \(error?.fault.rawValue ?? "from this side")"
        }
    }

    @Test func `the newest frame wins, and those that it replaced are counted`() {
        let mailbox = FrameMailbox()
        for sequence in 1...5 { mailbox.put(frame(UInt32(sequence))) }
        #expect(take(mailbox) == "frame 5")
        #expect(take(mailbox) == "nothing")
        #expect(mailbox.dropped == 4)
        mailbox.put(frame(6))
        #expect(take(mailbox) == "frame 6")
        #expect(mailbox.dropped == 4)
    }

    @Test func `opening comes before the first frame, and the last frame before the end`() {
        let mailbox = FrameMailbox()
        mailbox.open(SyntheticCameras.description)
        mailbox.put(frame(1))
        mailbox.close(CameraError(.lost, "unplugged"))
        #expect(take(mailbox) == "opened")
        #expect(take(mailbox) == "frame 1")
        #expect(take(mailbox) == "closed camera_lost")
    }

    @Test func `an end without an error came from this side`() {
        let mailbox = FrameMailbox()
        mailbox.close(nil)
        #expect(take(mailbox) == "closed from this side")
    }
}
