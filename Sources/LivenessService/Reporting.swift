import Camera
import Imaging
import Liveness
import LivenessInterface
import Platform

extension CameraError {
    /// The socket's name for it.
    var reason: FailureReason { FailureReason(fault) }
}

extension FailureReason {
    /// The socket's name for a camera's fault.
    init(_ fault: CameraFault) {
        self =
            switch fault {
            case .notFound: .cameraNotFound
            case .denied: .cameraDenied
            case .busy: .cameraBusy
            case .lost: .cameraLost
            case .bandwidth: .usbBandwidth
            case .unsupportedFormat: .unsupportedFormat
            case .virtual: .virtualCamera
            }
    }
}

extension ReportedSource {
    /// The socket's name for it.
    public init(_ kind: SourceKind) {
        self =
            switch kind {
            case .camera: .camera
            case .replay: .replay
            case .virtual: .virtual
            }
    }
}

extension ReportedCamera {
    /// What the socket tells of a camera.
    public init(_ camera: CameraDescription) {
        self.init(id: camera.id, name: camera.name, node: camera.node, kind: ReportedSource(camera.kind))
    }
}

extension Guide {
    /// The circle that the rules use.
    init(_ settings: LivenessSettings) {
        self.init(centreX: settings.guideCentreX, centreY: settings.guideCentreY, radius: settings.guideRadius)
    }
}

extension ScanEvent {
    /// The event as a reply of `Scan`, the media of `completed` by `parcel`.
    ///
    /// - Throws: whatever the parcel throws.
    public func reply(
        from source: SourceKind, packing parcel: inout MediaParcel
    ) throws(SystemError) -> ScanReply {
        switch kind {
        case .phase(let phase): ScanReply(phase: phase)
        case .hint(let hint): ScanReply(hint: hint)
        case .progress(let done, let total): ScanReply(progress: ScanProgress(done: done, total: total))
        case .failed(let reason, let message): ScanReply(failed: ScanFailed(reason: reason, message: message))
        case .completed(let outcome):
            ScanReply(
                completed: ScanCompleted(
                    source: ReportedSource(source),
                    actions: outcome.actions.map {
                        ReportedAction(action: $0.action, timeMs: Int($0.time.wholeMilliseconds))
                    },
                    autoshot: try parcel.pack(outcome.autoshot), snapshot: try parcel.pack(outcome.snapshot),
                    clip: try parcel.pack(outcome.clip), durationMs: Int(outcome.duration.wholeMilliseconds)))
        }
    }
}
