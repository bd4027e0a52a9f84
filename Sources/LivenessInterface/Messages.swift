import Liveness

/// `Camera` of the interface.
public struct ReportedCamera: Codable, Sendable, Equatable {
    /// Stays the same over replugging.
    public var id: String
    /// The name that the device gives itself.
    public var name: String
    /// The device node or file.
    public var node: String
    /// What it is.
    public var kind: ReportedSource

    /// All facts at once.
    public init(id: String, name: String, node: String, kind: ReportedSource) {
        self.id = id
        self.name = name
        self.node = node
        self.kind = kind
    }
}

/// `Guide` of the interface: the circle for the face, normalised.
public struct Guide: Codable, Sendable, Equatable {
    /// As a part of the picture's width.
    public var centreX: Double
    /// As a part of the picture's height.
    public var centreY: Double
    /// As a part of the picture's shorter side.
    public var radius: Double

    /// All facts at once.
    public init(centreX: Double, centreY: Double, radius: Double) {
        self.centreX = centreX
        self.centreY = centreY
        self.radius = radius
    }

    private enum CodingKeys: String, CodingKey {
        case centreX = "centre_x"
        case centreY = "centre_y"
        case radius
    }
}

/// `Medium` of the interface: a still or a clip, either in a descriptor or as base64.
public struct Medium: Codable, Sendable, Equatable {
    /// `image/jpeg` or `video/mp4`.
    public var mediaType: String
    /// Bytes.
    public var size: Int
    /// 64 hexadecimal digits.
    public var sha256: String
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// The clip's length; nil for a still.
    public var durationMs: Int?
    /// Index into the descriptors that came with the message.
    public var descriptor: Int?
    /// The bytes.
    public var base64: String?

    /// A medium whose bytes are nowhere yet.
    public init(mediaType: String, size: Int, sha256: String, width: Int, height: Int, durationMs: Int? = nil) {
        self.mediaType = mediaType
        self.size = size
        self.sha256 = sha256
        self.width = width
        self.height = height
        self.durationMs = durationMs
    }

    private enum CodingKeys: String, CodingKey {
        case mediaType = "media_type"
        case size, sha256, width, height
        case durationMs = "duration_ms"
        case descriptor, base64
    }
}

/// `Started` of the interface: a scan's first reply.
public struct ScanStarted: Codable, Sendable, Equatable {
    /// Unguessable; `Preview` and `Cancel` want it.
    public var id: String
    /// What the pictures come from.
    public var source: ReportedSource
    /// The camera that was opened.
    public var camera: ReportedCamera
    /// The circle to draw.
    public var guide: Guide

    /// All facts at once.
    public init(id: String, source: ReportedSource, camera: ReportedCamera, guide: Guide) {
        self.id = id
        self.source = source
        self.camera = camera
        self.guide = guide
    }
}

/// `Progress` of the interface.
public struct ScanProgress: Codable, Sendable, Equatable {
    /// How many actions were credited.
    public var done: Int
    /// How many there are.
    public var total: Int

    /// Both facts at once.
    public init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}

/// `CreditedAction` of the interface.
public struct ReportedAction: Codable, Sendable, Equatable {
    /// What was credited.
    public var action: Action
    /// Milliseconds since the scan's first picture.
    public var timeMs: Int

    /// Both facts at once.
    public init(action: Action, timeMs: Int) {
        self.action = action
        self.timeMs = timeMs
    }

    private enum CodingKeys: String, CodingKey {
        case action
        case timeMs = "time_ms"
    }
}

/// `Completed` of the interface.
public struct ScanCompleted: Codable, Sendable, Equatable {
    /// What the pictures came from.
    public var source: ReportedSource
    /// In the order drawn.
    public var actions: [ReportedAction]
    /// From before the scan.
    public var autoshot: Medium
    /// From its end.
    public var snapshot: Medium
    /// From the one to the other.
    public var clip: Medium
    /// The clip's length.
    public var durationMs: Int

    /// All facts at once.
    public init(
        source: ReportedSource, actions: [ReportedAction], autoshot: Medium, snapshot: Medium, clip: Medium,
        durationMs: Int
    ) {
        self.source = source
        self.actions = actions
        self.autoshot = autoshot
        self.snapshot = snapshot
        self.clip = clip
        self.durationMs = durationMs
    }

    private enum CodingKeys: String, CodingKey {
        case source, actions, autoshot, snapshot, clip
        case durationMs = "duration_ms"
    }
}

/// `Failed` of the interface.
public struct ScanFailed: Codable, Sendable, Equatable {
    /// The stable name.
    public var reason: FailureReason
    /// A sentence for a log.
    public var message: String

    /// Both facts at once.
    public init(reason: FailureReason, message: String) {
        self.reason = reason
        self.message = message
    }
}

/// `Holder` of the interface: who runs a scan.
public struct Holder: Codable, Sendable, Equatable {
    /// Process id.
    public var process: Int
    /// User id.
    public var user: Int

    /// Both facts at once.
    public init(process: Int, user: Int) {
        self.process = process
        self.user = user
    }
}
