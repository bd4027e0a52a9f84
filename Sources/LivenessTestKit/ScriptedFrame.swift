/// One buffer that a fake camera fills, and what it claims about it.
public struct ScriptedFrame: Sendable {
    /// When the driver says that a frame was taken.
    public enum Stamp: Sendable, Equatable {
        /// The moment at which the buffer is filled, on `CLOCK_MONOTONIC`.
        case arrival
        /// Any time, said to be on `CLOCK_MONOTONIC`.
        case monotonic(Duration)
        /// Any time, on a clock that the driver doesn't name.
        case unknown(Duration)
    }

    /// What is written into the buffer, as far as it fits.
    public var bytes: [UInt8]
    /// Time since the frame before, or since the stream was started.
    public var wait: Duration
    /// The time that the driver claims.
    public var stamp = Stamp.arrival
    /// V4L2_BUF_FLAG_ERROR.
    public var isErroneous = false
    /// Frames that are missing before this one in the sequence numbers.
    public var lostBefore: UInt32 = 0
    /// The `bytesused` that is claimed; nil for the truth.
    public var claimedLength: UInt32?

    /// A faultless frame.
    public init(_ bytes: [UInt8], after wait: Duration = .milliseconds(33)) {
        self.bytes = bytes
        self.wait = wait
    }

    /// Bytes that pass for a JPEG's beginning and differ for each `number`; no decoder takes them.
    public static func jpegLike(_ number: Int, count: Int = 64) -> [UInt8] {
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        return start + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(0, count - start.count))
    }
}
