import Glibc

/// `CLOCK_MONOTONIC`, the clock that camera drivers stamp frames with: time since boot without suspended time.
public enum MonotonicClock {
    /// Time since boot.
    public static var now: Duration {
        var value = timespec()
        // Fails for a bad clock id or address only.
        clock_gettime(CLOCK_MONOTONIC, &value)
        return .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
    }
}

extension Duration {
    /// Whole nanoseconds; saturates beyond 292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : scaled + attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, rounded towards zero.
    public var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }

    /// Seconds as a floating-point number.
    public var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}
