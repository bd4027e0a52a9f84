/// A picture that can't be decoded or encoded; the raw values are stable names for logs and counters.
public enum ImagingFault: String, Error, Sendable, CaseIterable {
    /// The bytes don't begin a JPEG picture that can be read.
    case notAJPEG = "not_a_jpeg"
    /// A JPEG of a kind that no camera should send: CMYK, arithmetic coding, more scans than a picture needs.
    case unsupportedJPEG = "unsupported_jpeg"
    /// The picture's own size is not the one agreed with the camera.
    case wrongSize = "wrong_size"
    /// Fewer bytes than the size needs.
    case shortFrame = "short_frame"
    /// A size that no picture can have, or memory for it can't be had.
    case impossibleSize = "impossible_size"
    /// libturbojpeg refused to encode.
    case notEncoded = "not_encoded"
}

/// What failed, with libturbojpeg's own words where it had some.
public struct ImagingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The stable name.
    public let fault: ImagingFault
    /// Details for a log.
    public let message: String

    init(_ fault: ImagingFault, _ message: String) {
        self.fault = fault
        self.message = message
    }

    /// `name: message`.
    public var description: String { "\(fault.rawValue): \(message)" }
}
