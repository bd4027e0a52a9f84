/// Where a scan is. Names are those of the socket's interface.
public enum Phase: String, Sendable, Codable, CaseIterable {
    /// The camera's first pictures pass unjudged.
    case settling
    /// The autoshot waits for a face inside the guide.
    case framing
    /// Actions are watched for.
    case scanning
    case completed
    case failed
}

/// What a live person does by nature and a scan waits for; never named to the person.
public enum Action: String, Sendable, Codable, CaseIterable {
    case blink
    case turnHead
}

/// The one thing that helps the person most right now. Names are those of the socket's interface.
public enum Hint: String, Sendable, Codable, CaseIterable {
    case noFace = "no_face"
    case moveIntoFrame = "move_into_frame"
    case tooFar = "too_far"
    case tooClose = "too_close"
    case tooDark = "too_dark"
    case tooBright = "too_bright"
    case blurred
    case onePersonOnly = "one_person_only"
    case cameraMoving = "camera_moving"
    case cameraBlocked = "camera_blocked"
    case lowFrameRate = "low_frame_rate"
    case keepGoing = "keep_going"
    case done
}

/// An action with the time at which it was credited.
public struct CreditedAction: Sendable, Equatable {
    /// What was credited.
    public var action: Action
    /// On the clock of the observations.
    public var time: Duration

    /// `action`, credited at `time`.
    public init(action: Action, time: Duration) {
        self.action = action
        self.time = time
    }
}

/// What a scan says about an observation.
public enum LivenessEvent: Sendable, Equatable {
    case phase(Phase)
    case hint(Hint)
    case progress(done: Int, total: Int)
    /// The observation's picture is the autoshot; it replaces an earlier one.
    case autoshot(framed: Bool)
    /// The observation's picture is the snapshot. The camera can be stopped.
    case snapshot
    /// Both actions, in the order drawn.
    case completed([CreditedAction])
    /// The cap was reached.
    case timedOut
}
