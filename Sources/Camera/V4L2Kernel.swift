import Glibc

/// The requests of Video4Linux that drive a camera.
public enum V4L2Request: Sendable, CaseIterable {
    /// `v4l2_capability`
    case queryCapability
    /// `v4l2_fmtdesc`
    case enumerateFormats
    /// `v4l2_frmsizeenum`
    case enumerateSizes
    /// `v4l2_frmivalenum`
    case enumerateIntervals
    /// `v4l2_format`
    case setFormat
    /// `v4l2_streamparm`
    case getParameters
    /// `v4l2_streamparm`
    case setParameters
    /// `v4l2_requestbuffers`
    case requestBuffers
    /// `v4l2_buffer`
    case queryBuffer
    /// `v4l2_buffer`
    case queueBuffer
    /// `v4l2_buffer`
    case dequeueBuffer
    /// `CInt`, the buffer type
    case streamOn
    /// `CInt`, the buffer type
    case streamOff

    /// The request as the kernel's documentation spells it.
    public var name: String {
        switch self {
        case .queryCapability: "VIDIOC_QUERYCAP"
        case .enumerateFormats: "VIDIOC_ENUM_FMT"
        case .enumerateSizes: "VIDIOC_ENUM_FRAMESIZES"
        case .enumerateIntervals: "VIDIOC_ENUM_FRAMEINTERVALS"
        case .setFormat: "VIDIOC_S_FMT"
        case .getParameters: "VIDIOC_G_PARM"
        case .setParameters: "VIDIOC_S_PARM"
        case .requestBuffers: "VIDIOC_REQBUFS"
        case .queryBuffer: "VIDIOC_QUERYBUF"
        case .queueBuffer: "VIDIOC_QBUF"
        case .dequeueBuffer: "VIDIOC_DQBUF"
        case .streamOn: "VIDIOC_STREAMON"
        case .streamOff: "VIDIOC_STREAMOFF"
        }
    }
}

/// What a camera needs of the kernel, so that a test can play it.
///
/// As in the kernel itself, results below zero are negative `errno` values; interrupted calls return `-EINTR` and
/// are repeated by the caller.
public protocol V4L2Kernel: Sendable {
    /// `CLOCK_MONOTONIC`.
    var now: Duration { get }

    /// Opens a device node for reading and writing, without blocking. Returns the descriptor.
    func open(_ path: String) -> CInt

    /// Closes what `open` gave.
    func close(_ descriptor: CInt) -> CInt

    /// Runs a request; `argument` points to the struct that the request names.
    func ioctl(_ descriptor: CInt, _ request: V4L2Request, _ argument: UnsafeMutableRawPointer) -> CInt

    /// Maps a buffer for reading; `start` receives its address.
    func map(_ descriptor: CInt, length: Int, offset: Int64, start: inout UnsafeRawPointer?) -> CInt

    /// Takes back what `map` gave.
    func unmap(_ start: UnsafeRawPointer, length: Int) -> CInt

    /// poll(2): waits for at most `milliseconds` and returns how many entries have events.
    func poll(_ entries: UnsafeMutableBufferPointer<pollfd>, milliseconds: CInt) -> CInt
}
