import Clip
import FoundationEssentials
import Glibc
import Imaging
import LivenessInterface
import Platform

/// The media of one message: facts in the message, bytes as the peer wants them.
public struct MediaParcel {
    /// Where the bytes go.
    public enum Carriage: Sendable {
        case descriptors
        case base64
        /// Nowhere: the message tells of the media only.
        case nowhere
    }

    /// What goes beside the message.
    public private(set) var descriptors: [Descriptor] = []
    private let carriage: Carriage

    /// An empty parcel.
    public init(_ carriage: Carriage) {
        self.carriage = carriage
    }

    /// As the peer asked; base64 where it didn't.
    public init(_ transport: MediaTransport?) {
        carriage = transport == .descriptors ? .descriptors : .base64
    }

    /// Adds a still.
    ///
    /// - Throws: `SystemError` where no memory file can be made.
    public mutating func pack(_ still: Still) throws(SystemError) -> Medium {
        let medium = Medium(
            mediaType: "image/jpeg", size: still.jpeg.count, sha256: try digest(still.jpeg), width: still.width,
            height: still.height)
        return try put(still.jpeg, in: medium) { () throws(SystemError) in
            try MemoryFile.sealed("liveness-still", holding: still.jpeg)
        }
    }

    /// Adds a clip.
    ///
    /// - Throws: `SystemError` where its memory file can't be read.
    public mutating func pack(_ clip: EncodedClip) throws(SystemError) -> Medium {
        let bytes = try MemoryFile.read(clip.file)
        let medium = Medium(
            mediaType: "video/mp4", size: bytes.count, sha256: try digest(bytes), width: clip.width,
            height: clip.height, durationMs: Int(clip.duration.wholeMilliseconds))
        return try put(bytes, in: medium) { clip.file }
    }

    private mutating func put(
        _ bytes: [UInt8], in medium: Medium, file: () throws(SystemError) -> Descriptor
    ) throws(SystemError) -> Medium {
        var medium = medium
        switch carriage {
        case .descriptors:
            medium.descriptor = descriptors.count
            descriptors.append(try file())
        case .base64: medium.base64 = Data(bytes).base64EncodedString()
        case .nowhere: break
        }
        return medium
    }

    private func digest(_ bytes: [UInt8]) throws(SystemError) -> String {
        guard let digest = MediaDigest.sha256(bytes) else { throw SystemError(call: "EVP_Digest", errno: ENOMEM) }
        return digest
    }
}
