import LivenessInterface
import Platform
import Synchronization

/// What is counted since the service started. Never anything about a person.
final class ServiceCounters: Sendable {
    private struct State {
        var completed = 0
        var failed: [FailureReason: Int] = [:]
        var frames = ScanFacts()
    }

    private let started = MonotonicClock.now
    private let state = Mutex(State())

    /// Since the service started.
    var uptime: Duration { MonotonicClock.now - started }

    /// How the scans ended.
    var scans: ScanCounts {
        state.withLock { state in
            var counts = ScanCounts()
            counts.completed = state.completed
            counts.failed = state.failed.values.reduce(0, +)
            return counts
        }
    }

    /// Adds a scan that has ended.
    func count(_ last: ScanEvent, _ facts: ScanFacts) {
        state.withLock { state in
            switch last.kind {
            case .completed: state.completed += 1
            case .failed(let reason, _): state.failed[reason, default: 0] += 1
            default: break
            }
            state.frames.frames += facts.frames
            state.frames.dropped += facts.dropped
            state.frames.damaged += facts.damaged
            state.frames.undecodable += facts.undecodable
        }
    }

    /// Prometheus' text format, version 0.0.4.
    func text(isBusy: Bool) -> String {
        let state = state.withLock { $0 }
        let failures = FailureReason.allCases.compactMap { reason in
            state.failed[reason].map { ("result=\"\(reason.rawValue)\"", $0) }
        }
        let frames = state.frames
        return family(
            "liveness_scans_total", "counter", "Scans that ended, by result",
            [("result=\"completed\"", state.completed)] + failures)
            + family(
                "liveness_frames_total", "counter", "Frames of scans, by what became of them",
                [
                    ("kind=\"judged\"", frames.frames - frames.undecodable), ("kind=\"dropped\"", frames.dropped),
                    ("kind=\"damaged\"", frames.damaged), ("kind=\"undecodable\"", frames.undecodable),
                ])
            + family("liveness_scan_running", "gauge", "Whether a scan runs", [("", isBusy ? 1 : 0)])
            + family(
                "liveness_uptime_seconds", "gauge", "Since the service started",
                [("", Int(uptime.wholeMilliseconds / 1000))])
    }

    private func family(_ name: String, _ type: String, _ help: String, _ samples: [(String, Int)]) -> String {
        let lines = samples.map { labels, value in "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n" }
        return "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n" + lines.joined()
    }
}
