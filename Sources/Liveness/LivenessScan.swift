import FaceGeometry

/// One check that a live person is there: an eye closure and a natural head turn, never prompted.
///
/// Pure: no I/O and no clock; time comes with each observation, and the same observations with the same seed give
/// the same events.
///
///     settling -> framing -> scanning -> completed
///                   ^           |  \
///                   +-----------+   -> failed
///
/// Scanning falls back to framing when the person can't be told to be the one of the autoshot. The cap runs from the
/// first moment of scanning whatever happens.
public struct LivenessScan {
    /// What the last observation measured, for traces and diagnosis.
    public struct Trace: Sendable {
        /// A face was seen and measured.
        public var isFound = false
        /// Mean of both eyes; 0 without a face.
        public var eyeAspectRatio = 0.0
        /// Open-eye EAR; nil until enough frames were seen.
        public var baseline: Double?
        /// 0 (open) to 1 (closed).
        public var closure = 0.0
        /// Degrees.
        public var yaw = 0.0
        /// Degrees.
        public var pitch = 0.0
        /// Degrees; nil while it is still measured.
        public var restingYaw: Double?
        /// The face is inside the guide and of the right size.
        public var isInside = false
    }

    /// Where the scan is; nil before the first observation.
    public private(set) var phase: Phase?
    /// The actions in the order drawn.
    public let actions: [Action]
    /// What the last observation measured.
    public private(set) var trace = Trace()

    private let settings: LivenessSettings
    private var started: Duration?
    private var lastTime: Duration?
    private var framingSince = Duration.zero
    private var scanningSince: Duration?
    private var doneSince: Duration?
    private var announced: Int?
    private var framed = ConsecutiveRun()
    private var closureMeter: ClosureMeter
    private var restingYaw: RestingYaw
    private var watch: ActionWatch
    private var continuity: PersonContinuity
    private var hints: HintRule

    /// A scan that has seen nothing yet. `seed` draws the order of the actions.
    public init(settings: LivenessSettings, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        actions = Action.allCases.shuffled(using: &generator)
        self.settings = settings
        closureMeter = ClosureMeter(settings)
        restingYaw = RestingYaw(settings)
        watch = ActionWatch(settings)
        continuity = PersonContinuity(settings)
        hints = HintRule(settings)
    }

    /// Whether the scan has completed or failed; it then ignores what comes.
    public var isOver: Bool { phase == .completed || phase == .failed }

    /// Judges one observation. One that is not later than the last is ignored.
    ///
    /// - Returns: what happened, in order; nearly always nothing.
    public mutating func observe(_ observation: FaceObservation) -> [LivenessEvent] {
        guard !isOver, isLater(observation.time) else { return [] }
        lastTime = observation.time
        var events: [LivenessEvent] = []
        advance(to: observation.time, &events)
        if isOver { return events }
        let face = measure(observation)
        if !observation.isDamaged { judge(observation, face, &events) }
        if phase != .settling, !isOver {
            if let hint = hints.choose(observation, face: face, done: watch.done, total: actions.count) {
                events.append(.hint(hint))
            }
        }
        return events
    }

    /// Lets time pass without a picture, so that the cap holds when no frame comes. Nothing begins before the first
    /// observation.
    public mutating func advance(to time: Duration) -> [LivenessEvent] {
        guard started != nil, !isOver, isLater(time) else { return [] }
        var events: [LivenessEvent] = []
        advance(to: time, &events)
        return events
    }

    private func isLater(_ time: Duration) -> Bool {
        guard let lastTime else { return true }
        return time > lastTime
    }

    private mutating func enter(_ next: Phase, _ events: inout [LivenessEvent]) {
        phase = next
        events.append(.phase(next))
    }
}

// MARK: - Time

extension LivenessScan {
    private mutating func advance(to time: Duration, _ events: inout [LivenessEvent]) {
        guard let started else {
            started = time
            return enter(.settling, &events)
        }
        if phase == .settling, time - started >= .milliseconds(settings.settlingMs) {
            framingSince = time
            enter(.framing, &events)
        }
        if let scanningSince, doneSince == nil, time - scanningSince >= .milliseconds(settings.capMs) {
            enter(.failed, &events)
            events.append(.timedOut)
        }
    }
}

// MARK: - The picture

extension LivenessScan {
    /// Nil where there is no face; a damaged picture is measured for the trace only.
    private mutating func measure(_ observation: FaceObservation) -> FaceMeasures? {
        trace = Trace()
        guard let found = observation.face else { return nil }
        let guide = GuideCircle(
            settings, imageWidth: observation.imageWidth, imageHeight: observation.imageHeight)
        guard let face = FaceMeasures(found, guide: guide) else { return nil }
        trace.isFound = true
        trace.eyeAspectRatio = face.eyeAspectRatio
        trace.yaw = face.pose.yaw
        trace.pitch = face.pose.pitch
        trace.isInside = face.framing == .inside
        trace.restingYaw = restingYaw.yaw
        return face
    }

    private mutating func judge(
        _ observation: FaceObservation, _ face: FaceMeasures?, _ events: inout [LivenessEvent]
    ) {
        let time = observation.time
        let verdict = continuity.judge(
            face, comparableFaces: observation.comparableFaces, at: time, since: started ?? time)
        switch verdict {
        case .same: break
        case .unseen: watch.endTurn()
        case .disturbed: forgetPerson(&events)
        case .changed: startAgain(at: time, &events)
        }
        let isAlone = verdict == .same || verdict == .changed
        let closure = face.map { isAlone ? follow($0, observation) : .init() }
        switch phase {
        case .framing: frame(face, isAlone: isAlone, at: time, &events)
        case .scanning: if isAlone, let face, let closure { scan(face, closure, at: time, &events) }
        default: break
        }
    }

    /// Updates what is known of the person and credits actions while scanning.
    private mutating func follow(_ face: FaceMeasures, _ observation: FaceObservation) -> ClosureMeter.Reading {
        // Yaw is measured against the camera: after it has moved, the head rests at another one.
        if observation.cameraMoved { restingYaw.reset() }
        restingYaw.measure(face.pose.yaw, at: observation.time)
        let closure = closureMeter.measure(face, restingYaw: restingYaw.yaw, at: observation.time)
        trace.restingYaw = restingYaw.yaw
        trace.baseline = closure.baseline
        trace.closure = closure.closure
        if phase == .scanning, let rest = restingYaw.yaw {
            watch.watch(
                closure: closure, yawFromRest: face.pose.yaw - rest, cameraMoved: observation.cameraMoved,
                at: observation.time)
        }
        return closure
    }
}

// MARK: - One person

extension LivenessScan {
    private mutating func forgetPerson(_ events: inout [LivenessEvent]) {
        watch.reset()
        restingYaw.reset()
        closureMeter.reset()
        framed.end()
        doneSince = nil
        announceProgress(&events)
    }

    private mutating func startAgain(at time: Duration, _ events: inout [LivenessEvent]) {
        forgetPerson(&events)
        guard phase == .scanning else { return }
        framingSince = time
        enter(.framing, &events)
    }
}

// MARK: - Phases

extension LivenessScan {
    private mutating func frame(
        _ face: FaceMeasures?, isAlone: Bool, at time: Duration, _ events: inout [LivenessEvent]
    ) {
        if isAlone, face?.framing == .inside {
            framed.extend(at: time, longestGap: .milliseconds(settings.runGapMs))
        } else {
            framed.end()
        }
        let isFramed = framed.count >= settings.autoshotFrames
        guard isFramed || time - framingSince >= .milliseconds(settings.framingMs) else { return }
        framed.end()
        events.append(.autoshot(framed: isFramed))
        if scanningSince == nil { scanningSince = time }
        enter(.scanning, &events)
        announceProgress(&events)
    }

    private mutating func announceProgress(_ events: inout [LivenessEvent]) {
        guard phase == .scanning, watch.done != announced else { return }
        announced = watch.done
        events.append(.progress(done: watch.done, total: actions.count))
    }

    private mutating func scan(
        _ face: FaceMeasures, _ closure: ClosureMeter.Reading, at time: Duration, _ events: inout [LivenessEvent]
    ) {
        announceProgress(&events)
        guard watch.done == actions.count else { return }
        let since = doneSince ?? time
        doneSince = since
        let isReady = closure.baseline != nil && closure.closure == 0 && isNearRest(face)
        guard isReady || time - since >= .milliseconds(settings.snapshotMs) else { return }
        events.append(.snapshot)
        enter(.completed, &events)
        events.append(
            .completed(
                actions.compactMap { action in
                    watch.time(of: action).map { CreditedAction(action: action, time: $0) }
                }))
    }

    private func isNearRest(_ face: FaceMeasures) -> Bool {
        guard let rest = restingYaw.yaw else { return false }
        return abs(face.pose.yaw - rest) <= settings.snapshotYaw
    }
}
