/// Gives frames times that move on, near the moment they were taken, whatever the driver says.
struct FrameStamps {
    private var last: Duration?

    /// How far a driver's stamp may lie behind the clock: a frame that waited in the queue.
    private static let oldest = Duration.seconds(5)
    /// How far it may lie ahead: stamps of hardware clocks jitter.
    private static let furthest = Duration.milliseconds(100)

    /// The time of a frame that was dequeued at `now` with the driver's `stamp`.
    mutating func time(stamp: Duration?, now: Duration) -> Duration {
        var time = now
        if let stamp, stamp > now - Self.oldest, stamp < now + Self.furthest { time = stamp }
        if let last, time <= last { time = max(now, last + .microseconds(1)) }
        last = time
        return time
    }
}
