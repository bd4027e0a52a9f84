import FoundationEssentials
import Platform
import Varlink

/// Why a call to the service came to nothing.
public enum LivenessClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The service said no.
    case refused(Refusal)
    /// There is no service, or it can't be understood.
    case connection(VarlinkClientError)

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .refused(let refusal): "\(refusal.reason.rawValue): \(refusal.message)"
        case .connection(let error): "\(error)"
        }
    }
}

/// A blocking client of the service on one connection.
public final class LivenessClient {
    private let client: VarlinkClient

    /// Connects to the service that listens on `path`.
    ///
    /// - Throws: `LivenessClientError`.
    public init(path: String) throws(LivenessClientError) {
        do {
            client = try VarlinkClient(path: path)
        } catch {
            throw .connection(error)
        }
    }

    /// Ends a call in hand from another thread; a scan of this connection is cancelled by it.
    public var shutDown: @Sendable () -> Void { client.shutDown }

    /// Runs a scan and hands each reply to `onReply`, the last with the bytes of its media where it completed.
    ///
    /// - Throws: `LivenessClientError`, and whatever `onReply` throws.
    public func scan(
        camera: String? = nil, media: MediaTransport = .descriptors,
        onReply: (ScanReply, ReceivedMedia?) throws -> Void
    ) throws {
        let request = ScanRequest(camera: camera, media: media)
        try translating {
            try client.stream(method("Scan"), request, as: ScanReply.self) { reply, descriptors in
                try onReply(reply, try reply.completed.map { try ReceivedMedia($0, descriptors) })
            }
        }
    }

    /// Hands the scan's pictures to `onPicture`, as JPEG, until it ends.
    ///
    /// - Throws: `LivenessClientError`, and whatever `onPicture` throws.
    public func preview(_ request: PreviewRequest, onPicture: ([UInt8]) throws -> Void) throws {
        try translating {
            try client.stream(method("Preview"), request, as: PreviewReply.self) { reply, descriptors in
                if let picture = reply.picture { try onPicture(ReceivedMedia.bytes(of: picture, descriptors)) }
            }
        }
    }

    /// Ends the scan `id`.
    ///
    /// - Throws: `LivenessClientError`.
    public func cancel(_ id: String) throws {
        _ = try call("Cancel", CancelRequest(id: id), as: Nothing.self)
    }

    /// What can be opened now.
    ///
    /// - Throws: `LivenessClientError`.
    public func cameras() throws -> [ReportedCamera] {
        try call("ListCameras", Nothing(), as: CameraList.self).cameras
    }

    /// What the service is doing.
    ///
    /// - Throws: `LivenessClientError`.
    public func status() throws -> ServiceStatus { try call("GetStatus", Nothing(), as: ServiceStatus.self) }

    /// Counters in Prometheus' text format.
    ///
    /// - Throws: `LivenessClientError`.
    public func metrics() throws -> String { try call("GetMetrics", Nothing(), as: MetricsText.self).text }

    private func call<Reply: Decodable>(
        _ name: String, _ parameters: some Encodable, as type: Reply.Type
    ) throws -> Reply {
        try translating { try client.call(method(name), parameters, as: type).0 }
    }

    private func method(_ name: String) -> String { "\(LivenessInterfaceText.name).\(name)" }

    private func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as VarlinkClientError {
            if case .refused(let refusal) = error, refusal.name == Refusal.name,
                let parameters = refusal.decodeParameters(Refusal.self)
            {
                throw LivenessClientError.refused(parameters)
            }
            throw LivenessClientError.connection(error)
        }
    }
}

/// The bytes of a completed scan's media, checked against their sizes and check sums.
public struct ReceivedMedia: Sendable {
    /// JPEG.
    public let autoshot: [UInt8]
    /// JPEG.
    public let snapshot: [UInt8]
    /// MP4.
    public let clip: [UInt8]

    init(_ completed: ScanCompleted, _ descriptors: [Descriptor]) throws {
        autoshot = try Self.bytes(of: completed.autoshot, descriptors)
        snapshot = try Self.bytes(of: completed.snapshot, descriptors)
        clip = try Self.bytes(of: completed.clip, descriptors)
    }

    /// - Throws: `LivenessClientError` where the bytes are missing or not those that the message tells of.
    static func bytes(of medium: Medium, _ descriptors: [Descriptor]) throws -> [UInt8] {
        var bytes: [UInt8]?
        if let index = medium.descriptor, descriptors.indices.contains(index) {
            bytes = try? MemoryFile.read(descriptors[index])
        } else if let text = medium.base64 {
            bytes = Data(base64Encoded: text).map(Array.init)
        }
        guard let bytes, bytes.count == medium.size, MediaDigest.sha256(bytes) == medium.sha256 else {
            throw LivenessClientError.connection(.malformed("a medium is missing or damaged"))
        }
        return bytes
    }
}
