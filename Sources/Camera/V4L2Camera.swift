import CV4L2
import Glibc
import Imaging
import Platform

/// A camera of Video4Linux, streaming into mapped buffers. One thread owns it.
///
/// A frame is copied out of the driver's buffer once, and the buffer is queued again at once: a camera that finds no
/// free buffer drops frames.
public final class V4L2Camera: FrameSource {
    /// What is open.
    public let description: CameraDescription
    private let device: V4L2Device
    private let wake: WakeUp
    private let layout: FrameLayout
    private var queue: CaptureQueue?
    private var pool = FramePool()
    private var stamps = FrameStamps()
    private var failures = 0

    /// A driver may fail to dequeue now and then (the kernel's documentation of VIDIOC_DQBUF, EIO: "temporary problems
    /// like signal loss"); so many times in a row it is lost.
    private static let mostFailures = 8

    /// Opens the node of `description`, in the mode of its choice, and starts streaming.
    ///
    /// - Throws: `CameraError`.
    public init(
        _ description: CameraDescription, settings: CameraSettings, kernel: any V4L2Kernel
    ) throws(CameraError) {
        self.description = description
        let node = description.node
        do {
            wake = try WakeUp()
            device = try V4L2Device(node, kernel: kernel)
            let capability = try device.capability()
            guard capability.isCamera, capability.canStream else {
                throw CameraError(.unsupportedFormat, "\(node) can't stream pictures")
            }
            (queue, layout) = try Self.start(device, settings)
        } catch let error as SystemError {
            throw .opening(node, error)
        } catch let error as CameraError {
            throw error
        } catch {
            throw CameraError(.lost, "\(node): \(error)")
        }
        Log.info("\(node) streams \(layout.format.rawValue) \(layout.width)x\(layout.height)")
    }

    deinit {
        close()
    }

    /// Ends a wait in `next`, now or when it is next called.
    public var interrupt: @Sendable () -> Void {
        { [wake] in wake.signal() }
    }

    /// The next frame.
    ///
    /// - Throws: `CameraError` (`camera_lost`).
    public func next(timeout: Duration) throws(CameraError) -> FrameWait {
        let end = device.kernel.now + timeout
        do {
            while let queue {
                let (events, isWoken) = try device.wait(
                    max(.zero, end - device.kernel.now), wake: wake.descriptor.number)
                if isWoken { return .ended }
                if events & POLLIN != 0, let frame = try take(from: queue) { return .frame(frame) }
                if events & (POLLERR | POLLHUP | POLLNVAL) != 0, events & POLLIN == 0 {
                    throw CameraError(.lost, "\(description.node): the device has gone")
                }
                if device.kernel.now >= end { return .nothing }
            }
            return .ended
        } catch let error as CameraError {
            throw error
        } catch let error as SystemError {
            throw .streaming(description.node, error)
        } catch {
            throw CameraError(.lost, "\(description.node): \(error)")
        }
    }

    /// Stops the stream; the camera's light goes out.
    public func close() {
        queue?.stop()
        queue = nil
        device.close()
    }

    private func take(from queue: CaptureQueue) throws(SystemError) -> Frame? {
        let filled: CaptureQueue.Filled
        do {
            guard let next = try queue.dequeue() else { return nil }
            filled = next
            failures = 0
        } catch {
            failures += 1
            if error.errno == EIO, failures < Self.mostFailures { return nil }
            throw error
        }
        guard !filled.bytes.isEmpty else {
            try queue.requeue(filled)
            return nil
        }
        let bytes = pool.copy(filled.bytes)
        try queue.requeue(filled)
        return Frame(
            bytes: bytes, layout: layout, time: stamps.time(stamp: filled.stamp, now: device.kernel.now),
            sequence: filled.sequence, isDamaged: filled.isDamaged)
    }
}

// MARK: - Mode

extension V4L2Camera {
    /// Streams in the best mode that the bus has room for.
    private static func start(
        _ device: V4L2Device, _ settings: CameraSettings
    ) throws -> (CaptureQueue, FrameLayout) {
        let choice = settings.choice
        let list = try ModeList(of: device, for: choice)
        var candidates = choice.ranked(list.modes)
        guard !candidates.isEmpty else {
            throw CameraError(
                .unsupportedFormat, "\(device.path) offers \(list.offered.joined(separator: ", ")) only")
        }
        var refusal = SystemError(call: "VIDIOC_STREAMON", errno: ENOSPC)
        while let mode = candidates.first {
            let layout = try agree(on: mode, device)
            do throws(SystemError) {
                return (try CaptureQueue(device, count: settings.buffers), layout)
            } catch {
                guard error.errno == ENOSPC else { throw error }
                refusal = error
                candidates = choice.smaller(than: mode, in: candidates)
                Log.warning("\(device.path): the bus has no room for \(mode)")
            }
        }
        throw refusal
    }

    /// Asks for the mode and reads back what the driver made of it.
    private static func agree(on mode: CameraMode, _ device: V4L2Device) throws -> FrameLayout {
        var format = v4l2_format()
        format.type = captureType
        format.fmt.pix.width = UInt32(clamping: mode.width)
        format.fmt.pix.height = UInt32(clamping: mode.height)
        format.fmt.pix.pixelformat = FourCC(mode.format.rawValue).code
        format.fmt.pix.field = V4L2_FIELD_ANY.rawValue
        try device.call(.setFormat, &format)
        let given = format.fmt.pix
        guard let pixelFormat = FourCC(code: given.pixelformat).pixelFormat, given.width > 0, given.height > 0 else {
            throw CameraError(
                .unsupportedFormat,
                "\(device.path) gives \(FourCC(code: given.pixelformat)) where \(mode) was asked for")
        }
        try setRate(mode.interval, device)
        return FrameLayout(
            format: pixelFormat, width: Int(given.width), height: Int(given.height),
            stride: pixelFormat.isJPEG ? 0 : max(Int(given.bytesperline), Int(given.width) * pixelFormat.bytesPerPixel),
            range: pixelFormat.isJPEG || given.quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue
                ? .full : .limited)
    }

    private static func setRate(_ interval: FrameInterval?, _ device: V4L2Device) throws(SystemError) {
        guard let interval else { return }
        var parameters = v4l2_streamparm()
        parameters.type = captureType
        parameters.parm.capture.timeperframe = v4l2_fract(
            numerator: interval.numerator, denominator: interval.denominator)
        do {
            try device.call(.setParameters, &parameters)
        } catch {
            // A driver without rates delivers at the only one it has.
            if error.errno != ENOTTY && error.errno != EINVAL { throw error }
        }
    }
}

extension PixelFormat {
    /// Bytes of a row's pixel in the first plane; 0 for JPEG.
    fileprivate var bytesPerPixel: Int {
        switch self {
        case .mjpg, .jpeg: 0
        case .yuyv, .uyvy, .y16: 2
        case .nv12, .i420, .grey: 1
        }
    }
}
