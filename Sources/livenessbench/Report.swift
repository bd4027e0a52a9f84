import FoundationEssentials

/// What was measured, for people and for programs.
struct Report: Encodable {
    private let width: Int
    private let height: Int
    private let frames: Int
    private let startup: Startup
    private let costs: FrameCosts
    private let peer: PeerCost?

    init(frames: JPEGFrames, startup: Startup, costs: FrameCosts, peer: PeerCost?) {
        width = frames.width
        height = frames.height
        self.frames = frames.frames.count
        self.startup = startup
        self.costs = costs
        self.peer = peer
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    func text() -> String {
        var lines = [
            "\(frames) frames of \(width)x\(height) JPEG, CPU ms a frame", "",
            "step                          median     p90",
        ]
        for (name, times) in [
            ("decode to planes", costs.decode), ("track, points, motion", costs.track), ("judge", costs.judge),
            ("clip", costs.clip), ("all of it", costs.total),
        ] {
            lines.append(pad(name, 28) + pad(times.median, 8) + pad(times.ninetiethPercentile, 8))
        }
        lines.append("face found in \(costs.found) of \(frames)")
        lines.append("")
        if let peer {
            lines.append(
                pad("plain dlib loop in Python", 28) + pad(peer.medianMs, 8) + "   face found in \(peer.found)")
            lines.append("this pipeline takes \(pad(costs.total.median / peer.medianMs * 100, 0)) % of it")
        } else {
            lines.append("NOT MEASURED: the plain Python loop (--python and --peer were not given)")
        }
        lines.append("")
        lines.append("start-up: model \(pad(startup.modelMs, 0)) ms, detector \(pad(startup.detectorMs, 0)) ms")
        return lines.joined(separator: "\n") + "\n"
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// With two digits after the point, to the right.
    private func pad(_ value: Double, _ width: Int) -> String {
        let hundredths = Int((value * 100).rounded())
        let fraction = hundredths % 100
        let text = "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
