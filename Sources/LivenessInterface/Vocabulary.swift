import Liveness

/// The interface `io.livenessd.Liveness`.
public enum LivenessInterfaceText {
    /// The interface's name.
    public static let name = "io.livenessd.Liveness"
    /// The interface's definition, as introspection gives it. Every name in it is written there first.
    public static let text = String(decoding: PackageResources.io_livenessd_Liveness_varlink, as: UTF8.self)
}

/// Why a scan failed or a call was refused; `Reason` of the interface, which says what each means.
public enum FailureReason: String, Codable, Sendable, CaseIterable {
    case timeout
    case cancelled
    case cameraLost = "camera_lost"
    case cameraBusy = "camera_busy"
    case cameraNotFound = "camera_not_found"
    case cameraDenied = "camera_denied"
    case usbBandwidth = "usb_bandwidth"
    case unsupportedFormat = "unsupported_format"
    case virtualCamera = "virtual_camera"
    case shutterOrFrozen = "shutter_or_frozen"
    case modelMissing = "model_missing"
    case busy
    case unknownScan = "unknown_scan"
    case stopping
    case internalError = "internal_error"
}

/// How media come; `Transport` of the interface.
public enum MediaTransport: String, Codable, Sendable, CaseIterable {
    /// As sealed memory files beside the message.
    case descriptors
    /// As text in the message.
    case base64
}

/// What frames come from; `SourceKind` of the interface.
public enum ReportedSource: String, Codable, Sendable, CaseIterable {
    /// A camera on a bus.
    case camera
    /// A video file.
    case replay
    /// A camera that software plays.
    case virtual
}
