/// Credits the actions. Both are watched on every frame, whatever their order.
struct ActionWatch {
    private let settings: LivenessSettings
    private var turn = ConsecutiveRun()
    private var turnSign = 0.0
    private var times: [Action: Duration] = [:]

    init(_ settings: LivenessSettings) {
        self.settings = settings
        times.reserveCapacity(Action.allCases.count)
    }

    /// How many actions are credited.
    var done: Int { times.count }

    /// When `action` was credited.
    func time(of action: Action) -> Duration? { times[action] }

    mutating func reset() {
        times.removeAll(keepingCapacity: true)
        endTurn()
    }

    /// A frame in which no turn can be told: no face, or the camera itself moved.
    mutating func endTurn() {
        turn.end()
        turnSign = 0
    }

    /// Watches a frame in which the face was seen.
    mutating func watch(
        closure: ClosureMeter.Reading, yawFromRest: Double, cameraMoved: Bool, at time: Duration
    ) {
        if closure.isTrusted, closure.closure >= settings.blinkClosure { credit(.blink, at: time) }
        guard !cameraMoved, abs(yawFromRest) >= settings.turnDegrees else { return endTurn() }
        let sign = yawFromRest < 0 ? -1.0 : 1.0
        if sign != turnSign { turn.end() }
        turnSign = sign
        turn.extend(at: time, longestGap: .milliseconds(settings.runGapMs))
        if turn.count >= settings.turnFrames { credit(.turnHead, at: time) }
    }

    private mutating func credit(_ action: Action, at time: Duration) {
        if times[action] == nil { times[action] = time }
    }
}
