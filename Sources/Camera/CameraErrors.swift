import Glibc
import Platform

extension CameraError {
    /// What a failed call means for whoever wants frames of `node`.
    init(_ error: SystemError, node: String) {
        let fault = CameraFault(error)
        self.init(fault, "\(node): \(error)\(Self.advice(on: fault, error))")
    }

    private static func advice(on fault: CameraFault, _ error: SystemError) -> String {
        switch fault {
        case .denied: "; the service's user must be in the node's group, usually \"video\""
        case .busy: "; another program uses the camera"
        case .bandwidth: "; the USB bus has no room left: use another port or a smaller size"
        case .notFound, .lost, .unsupportedFormat, .virtual: ""
        }
    }
}

extension CameraFault {
    /// The fault that a failed call shows. The meanings are those of the error tables in the kernel's
    /// "Video for Linux API", ioctl by ioctl.
    init(_ error: SystemError) {
        switch error.errno {
        case EACCES, EPERM: self = .denied
        case EBUSY: self = .busy
        case ENOENT, ENXIO: self = .notFound
        case ENOSPC: self = .bandwidth
        // A node of another kind answers so to the first question.
        case ENOTTY, EINVAL: self = Self.ofRefusal(error.call)
        // ENODEV and EIO above all; whatever else stops a stream leaves no frames either.
        default: self = .lost
        }
    }

    private static func ofRefusal(_ call: String) -> CameraFault {
        switch call {
        case "open", V4L2Request.queryCapability.name: .notFound
        case V4L2Request.queueBuffer.name, V4L2Request.dequeueBuffer.name, "poll": .lost
        default: .unsupportedFormat
        }
    }
}
