import CPlatform
import Platform

/// Who is at the other end of a connection, as the kernel saw it when they connected (SO_PEERCRED).
public struct PeerCredentials: Sendable, Equatable {
    /// Process id.
    public var processID: Int32
    /// User id.
    public var userID: UInt32
    /// Group id.
    public var groupID: UInt32

    /// All facts at once.
    public init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }

    /// The peer of a connected socket.
    ///
    /// - Throws: `SystemError`.
    init(of socket: Descriptor) throws(SystemError) {
        self.init(processID: 0, userID: 0, groupID: 0)
        try systemCall("getsockopt(SO_PEERCRED)") {
            CPlatform_peer_credentials(socket.number, &processID, &userID, &groupID)
        }
    }
}
