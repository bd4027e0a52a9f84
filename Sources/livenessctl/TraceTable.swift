import Glibc
import Liveness
import Platform

/// A CSV file with one row per frame.
final class TraceTable {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>

    /// Begins the file with its header.
    init(path: String) throws {
        guard let file = fopen(path, "we") else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        self.path = path
        self.file = file
        try write("time,found,EAR,baseline,closure,yaw,pitch,inside,phase")
    }

    deinit {
        fclose(file)
    }

    /// Seconds, ratios and degrees; empty where there was no face or no baseline yet.
    func append(_ trace: LivenessScan.Trace, _ phase: Phase?, at time: Duration) throws {
        let measured = { (value: Double, digits: Int) in trace.isFound ? value.rounded(to: digits) : "" }
        let fields = [
            time.inSeconds.rounded(to: 3), trace.isFound ? "1" : "0", measured(trace.eyeAspectRatio, 4),
            trace.baseline.map { $0.rounded(to: 4) } ?? "", measured(trace.closure, 3), measured(trace.yaw, 2),
            measured(trace.pitch, 2), trace.isInside ? "1" : "0", phase?.rawValue ?? "",
        ]
        try write(fields.joined(separator: ","))
    }

    /// Says when the file could not be written to its end.
    func finish() throws {
        if fflush(file) != 0 { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    }

    private func write(_ line: String) throws {
        if fputs(line + "\n", file) < 0 { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    }
}

extension Double {
    /// With that many digits after the point, in every locale.
    func rounded(to digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let whole = Int((magnitude * scale).rounded())
        let (before, after) = whole.quotientAndRemainder(dividingBy: Int(scale))
        let fraction = String(after + Int(scale)).dropFirst()
        return (self < 0 && whole != 0 ? "-" : "") + "\(before).\(fraction)"
    }
}
