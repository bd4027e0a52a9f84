/// How the video of a scan is encoded: the `[clip]` settings table.
public struct ClipSettings: Codable, Sendable, Equatable {
    /// Bits a second that the encoder aims at; a backend needs to see a face move, no more.
    public var bitRate = 250_000
    /// The widest picture, pixels; larger ones are made smaller by a whole factor.
    public var maximumWidth = 640
    /// x264's preset: faster ones need more bits for the same picture.
    public var preset = "superfast"

    /// The defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case bitRate = "bit_rate"
        case maximumWidth = "maximum_width"
        case preset
    }
}

/// A video that could not be encoded.
public struct ClipError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed, with libav's words.
    public let description: String

    /// `description` says what failed.
    init(_ description: String) {
        self.description = description
    }
}
