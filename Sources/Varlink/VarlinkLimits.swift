/// What one peer may cost.
public struct VarlinkLimits: Sendable, Equatable {
    /// The longest message that is read, bytes. A longer one closes its connection.
    public var messageBytes = 1024 * 1024
    /// Connections at one time.
    public var connections = 64
    /// Connections of one user at one time; root is not bounded by it.
    public var connectionsPerUser = 32
    /// What waits for a peer that does not read, bytes. More closes its connection.
    public var outgoingBytes = 32 * 1024 * 1024
    /// How many descriptors may come with a message.
    public var descriptors = 4
    /// How long the rest of a message that has begun may take.
    public var messageTime = Duration.seconds(30)
    /// How long stopping waits for peers to read what is queued.
    public var stopTime = Duration.seconds(1)

    /// The defaults.
    public init() {}
}
