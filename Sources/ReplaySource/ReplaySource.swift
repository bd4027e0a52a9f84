import CLibAV
import Camera
import Glibc
import Imaging
import Platform
import Synchronization

/// When the pictures of a file come, and which time they carry.
public enum ReplayPace: Sendable {
    /// At the file's own pace; times are on the monotonic clock, as a camera's.
    case realTime
    /// As fast as they are asked for; times count from the file's beginning.
    case immediate
    /// As fast as they are asked for, with the time that the function gives for the n-th picture, from 0.
    case given(@Sendable (Int) -> Duration)
}

/// A video file in a camera's place: anything that libav can decode.
///
/// Times go on over the seam where the file is repeated.
public final class ReplaySource: FrameSource {
    /// What is open; `kind` is `replay`.
    public let description: CameraDescription
    private let path: String
    private let pace: ReplayPace
    private let repeats: Bool
    private let wake: WakeUp
    private let isInterrupted = Interruption()
    private var file: VideoFile?
    private var converter: PictureConverter
    private var position = ReplayPosition()
    private var pending: Frame?
    private var started: Duration?

    /// Opens the file.
    ///
    /// - Throws: `CameraError`: `camera_not_found` where it can't be opened, `unsupported_format` where it is no video.
    public init(path: String, pace: ReplayPace, repeats: Bool) throws(CameraError) {
        self.path = path
        self.pace = pace
        self.repeats = repeats
        let name = path.split(separator: "/").last.map(String.init) ?? path
        description = CameraDescription(id: "replay:\(name)", name: name, node: path, kind: .replay)
        do {
            wake = try WakeUp()
        } catch {
            throw CameraError(.lost, "\(error)")
        }
        let file = try VideoFile(path)
        self.file = file
        converter = PictureConverter(quarterTurns: file.quarterTurns)
    }

    /// Ends a wait in `next`, now or when it is next called.
    public var interrupt: @Sendable () -> Void {
        { [wake, isInterrupted] in
            isInterrupted.set()
            wake.signal()
        }
    }

    /// The next picture, which in real time is due within `timeout`.
    ///
    /// - Throws: `CameraError` (`camera_lost`, `unsupported_format`) where the file can't be decoded on.
    public func next(timeout: Duration) throws(CameraError) -> FrameWait {
        guard !isInterrupted.isSet else { return .ended }
        if pending == nil { pending = try decode() }
        guard let frame = pending else { return .ended }
        pending = nil
        guard case .realTime = pace else { return .frame(frame) }
        guard waitUntil(frame.time, atMost: timeout) else {
            pending = frame
            return .nothing
        }
        return isInterrupted.isSet ? .ended : .frame(frame)
    }

    /// Closes the file.
    public func close() {
        file = nil
        pending = nil
    }

    private func decode() throws(CameraError) -> Frame? {
        guard var file else { return nil }
        while true {
            if let (picture, time) = try file.next() {
                let (bytes, layout) = try converter.convert(picture)
                let elapsed = position.advance(to: time, lasting: file.pictureDuration)
                return Frame(
                    bytes: bytes, layout: layout, time: stamp(elapsed), sequence: position.count - 1,
                    isDamaged: picture.pointee.decode_error_flags != 0
                        || picture.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0)
            }
            guard repeats, position.hasGivenAny else { return nil }
            file = try VideoFile(path)
            self.file = file
            position.startAgain()
        }
    }

    private func stamp(_ elapsed: Duration) -> Duration {
        switch pace {
        case .immediate: return elapsed
        case .given(let time): return time(Int(position.count) - 1)
        case .realTime:
            let start = started ?? MonotonicClock.now
            started = start
            return start + elapsed
        }
    }

    /// Whether `time` came within `timeout`, or the wait was interrupted.
    private func waitUntil(_ time: Duration, atMost timeout: Duration) -> Bool {
        let wait = time - MonotonicClock.now
        let (isDue, bounded) = (wait <= timeout, min(wait, timeout))
        guard bounded > .zero else { return isDue }
        var entry = pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0)
        // A signal may end the wait early, and the picture then comes a moment before its time.
        _ = poll(&entry, 1, CInt(clamping: (bounded.wholeNanoseconds + 999_999) / 1_000_000))
        return isDue || isInterrupted.isSet
    }
}

/// Where a file that may be repeated has got to.
private struct ReplayPosition {
    private(set) var count: UInt32 = 0
    private(set) var hasGivenAny = false
    private var base = Duration.zero
    private var end = Duration.zero

    /// The time of a picture since the first one of all. A container that tells no time, or one that runs backwards,
    /// is taken to have pictures at its frame rate.
    mutating func advance(to time: Duration?, lasting duration: Duration) -> Duration {
        let told = time.map { base + $0 } ?? end
        let elapsed = hasGivenAny && told < end - duration / 2 ? end : told
        end = elapsed + duration
        hasGivenAny = true
        count &+= 1
        return elapsed
    }

    mutating func startAgain() {
        base = end
        hasGivenAny = false
    }
}

/// A flag that any thread sets once.
private final class Interruption: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}

/// Opens one file, whatever selector is asked for.
public struct ReplayProvider: FrameSourceProvider {
    private let path: String
    private let pace: ReplayPace
    private let repeats: Bool

    /// Opens `path` at `pace`, again and again where it `repeats`.
    public init(path: String, pace: ReplayPace, repeats: Bool) {
        self.path = path
        self.pace = pace
        self.repeats = repeats
    }

    /// The file, where it can be opened.
    ///
    /// - Throws: `CameraError`.
    public func list() throws(CameraError) -> [CameraDescription] {
        [try ReplaySource(path: path, pace: pace, repeats: repeats).description]
    }

    /// Opens the file from its beginning.
    ///
    /// - Throws: `CameraError`; `camera_not_found` for a selector that is not the file's id, name or path.
    public func open(_ selector: String?) throws(CameraError) -> any FrameSource {
        let source = try ReplaySource(path: path, pace: pace, repeats: repeats)
        let names = [source.description.id, source.description.name, source.description.node]
        if let selector, !names.contains(selector) {
            throw CameraError(.notFound, "\(selector) is not the file that stands for the camera")
        }
        return source
    }
}
