import Glibc
import Platform

extension CameraError {
    /// What a failed call while a camera is opened means.
    static func opening(_ node: String, _ error: SystemError) -> CameraError {
        switch error.errno {
        case ENOENT, ENXIO, ENODEV: CameraError(.notFound, "\(node): \(error)")
        case EACCES, EPERM:
            CameraError(.denied, "\(node): \(error); the service's user must be in the group of the device, video")
        case EBUSY: CameraError(.busy, "\(node): \(error); another program has it open: fuser -v \(node)")
        case ENOSPC:
            CameraError(.bandwidth, "\(node): \(error); give it a USB controller of its own, or a smaller size")
        case EINVAL, ENOTTY: CameraError(.unsupportedFormat, "\(node): \(error)")
        default: CameraError(.lost, "\(node): \(error)")
        }
    }

    /// What a failed call while a camera streams means.
    static func streaming(_ node: String, _ error: SystemError) -> CameraError {
        CameraError(.lost, "\(node): \(error)")
    }
}
