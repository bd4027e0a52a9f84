/// The yaw at which this person looks at the camera without turning: the median since the face appeared.
///
/// A booth camera is often off to one side, and a face that stays at 13 degrees has not turned.
struct RestingYaw {
    private let settings: LivenessSettings
    private var samples = SampleWindow()
    /// Degrees; nil while it is still measured.
    private(set) var yaw: Double?

    init(_ settings: LivenessSettings) {
        self.settings = settings
    }

    mutating func reset() {
        samples.removeAll()
        yaw = nil
    }

    mutating func measure(_ yaw: Double, at time: Duration) {
        guard self.yaw == nil else { return }
        samples.append([yaw, 0, 0, 0], at: time)
        guard let oldest = samples.oldest, samples.count >= settings.restFrames,
            time - oldest >= .milliseconds(settings.restMs)
        else { return }
        self.yaw = samples.percentile(0.5, of: 0)
    }
}
