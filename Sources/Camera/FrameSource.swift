import Imaging
import Platform

/// Where frames come from, as results and status name it.
public enum SourceKind: String, Sendable, Codable, CaseIterable {
    /// A camera on a USB or PCI bus.
    case camera
    /// A video file.
    case replay
    /// A camera that software plays.
    case virtual
}

/// A camera, or what stands for one, as lists and status show it.
public struct CameraDescription: Sendable, Equatable {
    /// A name that stays the same over replugging: the by-id link where there is one, else `vid:pid[:serial]`.
    public var id: String
    /// The name the device gives itself.
    public var name: String
    /// The device node or the file.
    public var node: String
    /// What plays it.
    public var kind: SourceKind

    /// All facts at once.
    public init(id: String, name: String, node: String, kind: SourceKind) {
        self.id = id
        self.name = name
        self.node = node
        self.kind = kind
    }
}

/// Why no frame can be had; the raw values are the stable names of the socket's interface.
public enum CameraFault: String, Error, Sendable, CaseIterable {
    /// No camera is connected, or none that the name fits.
    case notFound = "camera_not_found"
    /// The device node may not be opened.
    case denied = "camera_denied"
    /// Another program uses the camera.
    case busy = "camera_busy"
    /// The camera went away, or its stream broke off.
    case lost = "camera_lost"
    /// The USB bus has no room for any of the camera's modes.
    case bandwidth = "usb_bandwidth"
    /// The camera delivers nothing that is decoded here.
    case unsupportedFormat = "unsupported_format"
    /// Software plays the camera, and the settings don't allow that.
    case virtual = "virtual_camera"
}

/// A camera that can't be used, with a sentence for whoever has to mend it.
public struct CameraError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of fault it is.
    public let fault: CameraFault
    /// What failed and, where it is known, what to do about it.
    public let message: String

    /// An error of a kind, with its sentence.
    public init(_ fault: CameraFault, _ message: String) {
        self.fault = fault
        self.message = message
    }

    /// `fault: message`.
    public var description: String { "\(fault.rawValue): \(message)" }
}

/// What waiting for a frame gave.
public enum FrameWait: Sendable {
    /// The newest frame.
    case frame(Frame)
    /// Nothing came in the given time.
    case nothing
    /// `interrupt()` was called, or a file that does not loop is over.
    case ended
}

/// An open source of frames. One thread owns it and calls everything but `interrupt`.
public protocol FrameSource: AnyObject {
    /// What is open.
    var description: CameraDescription { get }

    /// The newest frame, waited for at most `timeout`.
    ///
    /// - Throws: `CameraError`, after which the source gives no more frames.
    func next(timeout: Duration) throws(CameraError) -> FrameWait

    /// A function that ends a wait in `next`, now or when it is next called; any thread may call it at any time.
    var interrupt: @Sendable () -> Void { get }

    /// Stops the camera; its light goes out. Safe to call twice; also done when the source is released.
    func close()
}

/// Finds and opens sources: the machine's cameras, or a file that stands for one.
public protocol FrameSourceProvider: Sendable {
    /// What can be opened now.
    ///
    /// - Throws: `CameraError`.
    func list() throws(CameraError) -> [CameraDescription]

    /// Opens the source that `selector` names (an id, name or node), or the only one there is.
    ///
    /// - Throws: `CameraError`.
    func open(_ selector: String?) throws(CameraError) -> any FrameSource
}
