import FoundationEssentials
import LivenessInterface
import Platform

/// Shows what happens in a scan.
protocol EventPrinter {
    /// One reply of the scan; `time` since its first picture, nil where it is not known.
    func show(_ reply: ScanReply, at time: Duration?)
    /// Where the media are.
    func saved(_ paths: [String])
}

/// One JSON object per event, in the shape of the socket's replies with `time_ms` beside.
struct JSONPrinter: EventPrinter {
    private struct Line: Encodable {
        let reply: ScanReply
        let time: Duration?

        enum CodingKeys: String, CodingKey {
            case time = "time_ms"
        }

        func encode(to encoder: any Encoder) throws {
            try reply.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(time?.wholeMilliseconds, forKey: .time)
        }
    }

    private struct Saved: Encodable {
        let saved: [String]
    }

    func show(_ reply: ScanReply, at time: Duration?) { write(Line(reply: reply, time: time)) }

    func saved(_ paths: [String]) { write(Saved(saved: paths)) }

    private func write(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, whole numbers and finite fractions always encode.
        guard let data = try? encoder.encode(value) else { return }
        StandardStream.output.write(String(decoding: data, as: UTF8.self) + "\n")
    }
}

/// One line that changes in place on a terminal, one line per event elsewhere, and the result below.
final class PlainPrinter: EventPrinter {
    private let isTerminal = StandardStream.output.isTerminal
    private var phase = ""
    private var hint = ""
    private var progress = ""

    func show(_ reply: ScanReply, at time: Duration?) {
        if let started = reply.started {
            StandardStream.output.write("\(started.camera.name) (\(started.source.rawValue))\n")
        }
        if let value = reply.phase { phase = value.rawValue }
        if let value = reply.hint { hint = value.rawValue }
        if let value = reply.progress { progress = "\(value.done) of \(value.total)" }
        if let completed = reply.completed {
            endLine()
            show(completed)
        } else if let failed = reply.failed {
            endLine()
            StandardStream.output.write("failed: \(failed.reason.rawValue) (\(failed.message))\n")
        } else if reply.started == nil {
            showLine(at: time)
        }
    }

    func saved(_ paths: [String]) {
        for path in paths { StandardStream.output.write("saved \(path)\n") }
    }

    private func showLine(at time: Duration?) {
        let clock = time.map { $0.inSeconds.rounded(to: 1) + " s  " } ?? ""
        let line = clock + [phase, progress, hint].filter { !$0.isEmpty }.joined(separator: "  ")
        StandardStream.output.write(isTerminal ? "\r\u{1B}[K" + line : line + "\n")
    }

    private func endLine() {
        if isTerminal { StandardStream.output.write("\r\u{1B}[K") }
    }

    private func show(_ completed: ScanCompleted) {
        let actions = completed.actions.map {
            "\($0.action.rawValue) at \(Duration.milliseconds($0.timeMs).inSeconds.rounded(to: 1)) s"
        }
        StandardStream.output.write(
            "completed: \(actions.joined(separator: ", ")); source \(completed.source.rawValue)\n")
        for (name, medium) in [
            ("autoshot", completed.autoshot), ("snapshot", completed.snapshot), ("clip", completed.clip),
        ] {
            let length = medium.durationMs.map { ", \(Duration.milliseconds($0).inSeconds.rounded(to: 1)) s" } ?? ""
            StandardStream.output.write(
                "  \(name)  \(medium.mediaType)  \(medium.width)x\(medium.height)\(length)  \(medium.size) bytes\n")
        }
    }
}
