import Imaging
import LivenessTestKit
import Platform
import Testing

@testable import Camera

/// A machine with one camera at `/dev/video0`.
struct Booth {
    static let node = "/dev/video0"
    let kernel = FakeKernel()
    var settings = CameraSettings()

    init(_ device: FakeDevice = FakeDevice()) {
        kernel.plug(device, at: Self.node)
    }

    /// The camera, opened.
    func open() throws(CameraError) -> V4L2Camera {
        let device: V4L2Device
        do {
            device = try V4L2Device(Self.node, kernel: kernel)
        } catch {
            throw CameraError(error, node: Self.node)
        }
        let description = CameraDescription(id: "fake", name: "Fake Webcam", node: Self.node, kind: .camera)
        return try V4L2Camera(device, description, settings: settings)
    }

    /// The fault and the message with which opening fails.
    func refusal() throws -> CameraError {
        try #require(throws: CameraError.self) { _ = try open() }
    }

    /// How often a call was made.
    func count(_ call: FakeCall) -> Int { kernel.records.count { $0.call == call } }
}

extension FrameSource {
    /// The next frame.
    func frame(within timeout: Duration = .seconds(1)) throws -> Frame {
        guard case .frame(let frame) = try next(timeout: timeout) else {
            throw CameraError(.lost, "no frame within \(timeout)")
        }
        return frame
    }

    /// The next `count` frames.
    func frames(_ count: Int) throws -> [Frame] { try (0..<count).map { _ in try frame() } }
}

extension FrameWait {
    var isNothing: Bool { if case .nothing = self { true } else { false } }
    var isEnded: Bool { if case .ended = self { true } else { false } }
}

extension Frame {
    var content: [UInt8] { bytes.withBytes { Array($0) } }
}

extension FakeLedger {
    /// Whether the program has given everything back and done nothing wrong.
    var isClean: Bool {
        openDescriptors == 0 && mappings == 0 && buffers == 0 && streams == 0 && violations.isEmpty
    }
}
