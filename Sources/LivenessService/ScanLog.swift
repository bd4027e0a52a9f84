import LivenessInterface
import Platform

/// The line that the log gets for each scan.
enum ScanLog {
    static func write(_ last: ScanEvent, _ facts: ScanFacts) {
        let result: String
        var detail = ""
        switch last.kind {
        case .completed: result = "completed"
        case .failed(let reason, let message):
            result = reason.rawValue
            detail = ": \(message)"
        default: result = "unfinished"
        }
        let camera = facts.camera.map { $0.id } ?? "none"
        Log.write(
            isOperatorsBusiness(last) ? .warning : .info, "the scan ended: \(result)\(detail)",
            [
                "RESULT": result, "CAMERA": camera, "MS": "\(last.time.wholeMilliseconds)",
                "FRAMES": "\(facts.frames)", "DROPPED": "\(facts.dropped)", "DAMAGED": "\(facts.damaged)",
                "UNDECODABLE": "\(facts.undecodable)",
            ])
    }

    /// Whether somebody has to mend something: not where a person was not recognised as alive, or went away.
    private static func isOperatorsBusiness(_ last: ScanEvent) -> Bool {
        guard case .failed(let reason, _) = last.kind else { return false }
        return ![.timeout, .cancelled, .stopping].contains(reason)
    }
}
