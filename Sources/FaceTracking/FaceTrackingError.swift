/// Why faces can't be looked for.
public enum FaceTrackingError: Error, Sendable, Equatable {
    /// The landmark model's file can't be opened; `detail` is the system's text.
    case modelMissing(path: String, detail: String)
    /// The file is no 68-point model of dlib's, or is damaged.
    case modelUnreadable(path: String, detail: String)
    /// There was not enough memory for the detector.
    case outOfMemory

    /// The stable name of the case, for the socket and the log.
    public var reason: String {
        switch self {
        case .modelMissing: "model_missing"
        case .modelUnreadable: "model_unreadable"
        case .outOfMemory: "out_of_memory"
        }
    }
}

extension FaceTrackingError: CustomStringConvertible {
    /// A sentence for a log, with the file's path.
    public var description: String {
        switch self {
        case .modelMissing(let path, let detail): "cannot open the landmark model \(path): \(detail)"
        case .modelUnreadable(let path, let detail): "\(path) is not a usable landmark model: \(detail)"
        case .outOfMemory: "not enough memory for the face detector"
        }
    }
}
