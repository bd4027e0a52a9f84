import Glibc
import Platform

/// CPU time, which other work on the machine does not add to.
enum CPUClock {
    /// Of all threads of this process.
    static var process: Duration {
        var value = timespec()
        // Fails for a bad clock id or address only.
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &value)
        return .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
    }
}

extension Duration {
    var milliseconds: Double { Double(wholeNanoseconds) / 1e6 }
}

extension [Duration] {
    /// In milliseconds; 0 where there is nothing.
    var median: Double { isEmpty ? 0 : sorted()[count / 2].milliseconds }
    /// In milliseconds; 0 where there is nothing.
    var ninetiethPercentile: Double { isEmpty ? 0 : sorted()[count * 9 / 10].milliseconds }
}
