import CV4L2
import Glibc
import Platform

/// The kernel itself, through libv4l2 with its conversion off: its plug-ins make multi-planar capture devices look
/// like the others, and everything else passes through.
public struct LinuxKernel: V4L2Kernel {
    /// The kernel has no state here.
    public init() {}

    /// `CLOCK_MONOTONIC`.
    public var now: Duration { MonotonicClock.now }

    /// See `V4L2Kernel`.
    public func open(_ path: String) -> CInt { outcome(CV4L2_open(path)) }

    /// See `V4L2Kernel`.
    public func close(_ descriptor: CInt) -> CInt { outcome(CV4L2_close(descriptor)) }

    /// See `V4L2Kernel`.
    public func ioctl(_ descriptor: CInt, _ request: V4L2Request, _ argument: UnsafeMutableRawPointer) -> CInt {
        outcome(CV4L2_ioctl(descriptor, request.number, argument))
    }

    /// See `V4L2Kernel`.
    public func map(_ descriptor: CInt, length: Int, offset: Int64, start: inout UnsafeRawPointer?) -> CInt {
        guard let address = CV4L2_map(descriptor, length, offset) else { return outcome(-1) }
        start = UnsafeRawPointer(address)
        return 0
    }

    /// See `V4L2Kernel`.
    public func unmap(_ start: UnsafeRawPointer, length: Int) -> CInt {
        outcome(CV4L2_unmap(UnsafeMutableRawPointer(mutating: start), length))
    }

    /// See `V4L2Kernel`.
    public func poll(_ entries: UnsafeMutableBufferPointer<pollfd>, milliseconds: CInt) -> CInt {
        outcome(Glibc.poll(entries.baseAddress, nfds_t(entries.count), milliseconds))
    }

    /// Turns a failed call's -1 into the negative `errno`. Not inlined, so that nothing comes between the two.
    @inline(never)
    private func outcome(_ result: CInt) -> CInt {
        result >= 0 ? result : -errno
    }
}

extension V4L2Request {
    fileprivate var number: UInt {
        switch self {
        case .queryCapability: CV4L2_QUERYCAP
        case .enumerateFormats: CV4L2_ENUM_FMT
        case .enumerateSizes: CV4L2_ENUM_FRAMESIZES
        case .enumerateIntervals: CV4L2_ENUM_FRAMEINTERVALS
        case .setFormat: CV4L2_S_FMT
        case .getParameters: CV4L2_G_PARM
        case .setParameters: CV4L2_S_PARM
        case .requestBuffers: CV4L2_REQBUFS
        case .queryBuffer: CV4L2_QUERYBUF
        case .queueBuffer: CV4L2_QBUF
        case .dequeueBuffer: CV4L2_DQBUF
        case .streamOn: CV4L2_STREAMON
        case .streamOff: CV4L2_STREAMOFF
        }
    }
}
