import Camera

/// A call to the kernel, as faults and records name it.
public enum FakeCall: Sendable, Hashable, CustomStringConvertible {
    case open
    case close
    case map
    case unmap
    case poll
    case request(V4L2Request)

    /// As the manual spells it.
    public var description: String {
        switch self {
        case .open: "open"
        case .close: "close"
        case .map: "mmap"
        case .unmap: "munmap"
        case .poll: "poll"
        case .request(let request): request.name
        }
    }
}

/// A call that was made.
public struct FakeCallRecord: Sendable, Equatable {
    /// Which.
    public let call: FakeCall
    /// On which node; empty for calls that concern none or several.
    public let node: String
    /// What it returned: a negative errno where it failed.
    public let result: CInt
    /// The virtual time at its start.
    public let time: Duration
}

/// What the program under test holds and what it did wrong.
public struct FakeLedger: Sendable, Equatable {
    /// Descriptors that are not closed.
    public internal(set) var openDescriptors = 0
    /// Mappings that are not taken back.
    public internal(set) var mappings = 0
    /// Buffers that are not freed.
    public internal(set) var buffers = 0
    /// Streams that run: cameras whose light is on.
    public internal(set) var streams = 0
    /// The most descriptors that were open for one node at one time.
    public internal(set) var mostOpenOfOneNode = 0
    /// The most filled buffers that the program held back when it went to wait for more.
    public internal(set) var mostHeldAtPoll = 0
    /// Frames that found no buffer queued.
    public internal(set) var framesWithoutBuffer = 0
    /// Calls that no correct program makes: an unknown descriptor, a buffer queued twice …
    public internal(set) var violations: [String] = []
}

/// A call that goes otherwise than it would.
struct FakeFault {
    enum Effect {
        case failure(CInt)
        case delay(Duration)
        /// Changes the answer of a request that succeeded.
        case alteration(@Sendable (UnsafeMutableRawPointer) -> Void)
    }

    let call: FakeCall
    /// nil for any.
    let node: String?
    /// How many such calls go well before.
    var skipping: Int
    /// How many go wrong then.
    var times: Int
    let effect: Effect
}

/// The faults that are still to come.
struct FakeFaults {
    private var faults: [FakeFault] = []

    mutating func add(_ fault: FakeFault) {
        faults.append(fault)
    }

    /// The effects on this call, in the order in which they were added.
    mutating func take(_ call: FakeCall, _ node: String) -> [FakeFault.Effect] {
        var effects: [FakeFault.Effect] = []
        for index in faults.indices where faults[index].call == call && faults[index].node ?? node == node {
            if faults[index].skipping > 0 {
                faults[index].skipping -= 1
            } else if faults[index].times > 0 {
                faults[index].times -= 1
                effects.append(faults[index].effect)
            }
        }
        faults.removeAll { $0.times == 0 }
        return effects
    }

    mutating func removeAll() {
        faults = []
    }
}
