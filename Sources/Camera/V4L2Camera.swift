import CV4L2
import Glibc
import Imaging
import Platform

/// What became of the buffers that a camera has filled.
public struct CaptureCounts: Sendable, Equatable {
    /// Frames that `next` gave.
    public var given = 0
    /// Those of them that are flagged damaged.
    public var damaged = 0
    /// Good frames that nobody saw because a newer one was there already.
    public var superseded = 0
    /// Buffers without a picture: empty, of impossible length, or no JPEG where one was due.
    public var unusable = 0
}

/// A camera that Video4Linux drives, delivering from the moment it is opened.
///
/// A frame is copied out of the driver's buffer once, and the buffer is queued again at once.
public final class V4L2Camera: FrameSource {
    /// What is open.
    public let description: CameraDescription
    /// What the driver agreed to deliver.
    public let layout: FrameLayout
    /// Frames a second as the driver tells them; nil where it doesn't.
    public let rate: Double?
    /// What became of the buffers so far.
    public private(set) var counts = CaptureCounts()

    private let device: V4L2Device
    private let stream: CaptureStream
    private let wake: WakeUp
    private var clock: FrameClock
    private var frames: FramePool
    private var isClosed = false
    private var failure: CameraError?

    /// Takes over `device` and starts it.
    ///
    /// - Throws: `CameraError`; the device is closed then.
    init(_ device: V4L2Device, _ description: CameraDescription, settings: CameraSettings) throws(CameraError) {
        self.device = device
        self.description = description
        wake = try device.reporting { () throws(SystemError) in try WakeUp() }
        clock = FrameClock(start: device.kernel.now)
        let format: CaptureFormat
        (format, stream) = try Self.start(device, settings)
        layout = format.layout
        rate = format.interval?.rate
        frames = FramePool(leastCapacity: stream.mostBytes)
    }

    deinit {
        close()
    }

    /// Ends a wait in `next`, now or when it is next called; any thread may call it.
    public var interrupt: @Sendable () -> Void {
        { [wake] in wake.signal() }
    }

    /// The newest frame, waited for at most `timeout`; `ended` after `interrupt` and after `close`.
    ///
    /// - Throws: `CameraError`, now and whenever it is called again; the camera is closed then.
    public func next(timeout: Duration) throws(CameraError) -> FrameWait {
        if let failure { throw failure }
        if isClosed { return .ended }
        do {
            return try wait(until: device.kernel.now + timeout)
        } catch {
            failure = error
            close()
            throw error
        }
    }

    /// Stops the camera; its light goes out. Safe to call twice.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        stream.stop()
        device.close()
    }

    private func wait(until deadline: Duration) throws(CameraError) -> FrameWait {
        while true {
            let remaining = deadline - device.kernel.now
            let (events, isWoken) = try device.reporting { () throws(SystemError) in
                try device.wait(remaining, wake: wake.descriptor.number)
            }
            if isWoken {
                wake.clear()
                return .ended
            }
            if events != 0 {
                // After an error event too: the call that fails tells which error it is.
                if let frame = try newest() { return .frame(frame) }
                if events & (POLLERR | POLLHUP | POLLNVAL) != 0 {
                    throw CameraError(.lost, "\(device.path): the stream has broken off")
                }
            }
            if device.kernel.now >= deadline { return .nothing }
        }
    }

    /// Takes every buffer that is ready, each at most once, and copies the last usable one.
    private func newest() throws(CameraError) -> Frame? {
        var newest: FilledBuffer?
        for _ in 0..<stream.count {
            guard let buffer = try stream.dequeue() else { break }
            guard hasPicture(buffer.bytes) else {
                counts.unusable += 1
                try stream.requeue(buffer)
                continue
            }
            if let older = newest {
                counts.superseded += 1
                try stream.requeue(older)
            }
            newest = buffer
        }
        guard let newest else { return nil }
        return try take(newest)
    }

    private func take(_ buffer: FilledBuffer) throws(CameraError) -> Frame {
        let bytes = frames.copy(buffer.bytes)
        let now = device.kernel.now
        try stream.requeue(buffer)
        counts.given += 1
        if buffer.isErroneous { counts.damaged += 1 }
        return Frame(
            bytes: bytes, layout: layout, time: clock.time(stamp: buffer.stamp, now: now), sequence: buffer.sequence,
            isDamaged: buffer.isErroneous)
    }

    /// Whether there is anything to decode. A JPEG begins with the marker SOI and goes on with another marker
    /// (ITU-T T.81, B.2.1).
    private func hasPicture(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard layout.format.isJPEG else { return !bytes.isEmpty }
        return bytes.count >= 4 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF
    }
}

extension V4L2Camera {
    /// Starts the best mode that the bus has room for.
    private static func start(
        _ device: V4L2Device, _ settings: CameraSettings
    ) throws(CameraError) -> (CaptureFormat, CaptureStream) {
        let choice = settings.choice
        let list = try device.reporting { () throws(SystemError) in try ModeList(of: device, for: choice) }
        var candidates = choice.ranked(list.modes)
        var refusal = CameraError(.unsupportedFormat, "\(device.path): \(list.refusal(for: choice))")
        while let mode = candidates.first {
            do {
                let format = try CaptureFormat(asking: device, for: mode)
                let stream = try device.reporting { () throws(SystemError) in
                    try CaptureStream(device, buffers: settings.buffers)
                }
                return (format, stream)
            } catch {
                guard error.fault == .bandwidth else { throw error }
                refusal = error
                candidates = choice.smaller(than: mode, in: candidates)
            }
        }
        throw refusal
    }
}

extension ModeList {
    /// Why none of the formats is of use.
    fileprivate func refusal(for choice: ModeChoice) -> String {
        let names = offered.isEmpty ? "no format at all" : offered.joined(separator: ", ")
        guard let fixed = choice.fixedFormat else { return "offers \(names), none of which is decoded" }
        return "does not offer the wanted format \(fixed.name) but \(names)"
    }
}
