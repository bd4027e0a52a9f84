/// When a frame was taken. The driver's stamp counts where it can be true; else the time at which the frame was
/// fetched does.
struct FrameClock {
    private var last: Duration

    /// No frame is older than `start`, the moment before the stream was switched on.
    init(start: Duration) {
        last = start
    }

    /// The time of the next frame.
    ///
    /// - Parameters:
    ///   - stamp: The driver's, on `CLOCK_MONOTONIC`; nil where it is on another clock.
    ///   - now: When the frame was fetched.
    mutating func time(stamp: Duration?, now: Duration) -> Duration {
        // Seen of drivers: zero, the same stamp twice, backwards, wall time under a monotonic flag, jumps of an hour.
        if let stamp, stamp > last, stamp <= now {
            last = stamp
        } else {
            last = max(last, now)
        }
        return last
    }
}
