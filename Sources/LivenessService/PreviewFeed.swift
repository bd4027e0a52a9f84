import Dispatch
import Imaging
import Platform
import Synchronization

/// Someone who looks at a scan's pictures.
protocol PreviewViewer: Sendable {
    /// Nobody looks any more.
    var isGone: Bool { get }
    /// Whether the last picture has left, so that the next may come.
    var isReady: Bool { get }
    /// Takes a picture. Called on the feed's thread.
    func show(_ still: Still)
    /// Nothing follows.
    func end()
}

/// Shows the newest picture of a scan to those who asked for it.
///
/// Pictures are encoded on a thread of the feed's own, and only while someone looks. A viewer whose last picture has
/// not left yet gets none: pictures are dropped, never queued.
final class PreviewFeed: Sendable {
    private struct Viewer {
        let viewer: any PreviewViewer
        let interval: Duration
        let maximumWidth: Int
        var due = Duration.zero
    }

    private struct State {
        var picture: Picture?
        var time = Duration.zero
        var viewers: [Viewer] = []
        var hasThread = false
        var isClosed = false

        /// The viewers who may have the newest picture. A quarter of the interval is forgiven: at equal rates a
        /// picture that comes a moment early must not be left out.
        mutating func takeDue() -> [Viewer] {
            viewers.removeAll { $0.viewer.isGone }
            var taken: [Viewer] = []
            for index in viewers.indices {
                let viewer = viewers[index]
                guard viewer.due - viewer.interval / 4 <= time else { continue }
                viewers[index].due = max(viewer.due, time - viewer.interval) + viewer.interval
                taken.append(viewer)
            }
            return taken
        }
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)
    /// Pictures on the way are for looking at, not for matching.
    private let encoder = StillEncoder(quality: 0.7)

    /// The newest picture; called for every frame, and cheap while nobody looks.
    func publish(_ picture: Picture, at time: Duration) {
        let isWatched = state.withLock { state in
            guard !state.viewers.isEmpty else { return false }
            state.picture = picture
            state.time = time
            return true
        }
        if isWatched { news.signal() }
    }

    /// Adds a viewer, which is told the end of the scan too.
    ///
    /// - Throws: `SystemError` where no thread can be made.
    func add(_ viewer: any PreviewViewer, maximumRate: Double, maximumWidth: Int) throws(SystemError) {
        let entry = Viewer(viewer: viewer, interval: .seconds(1 / maximumRate), maximumWidth: maximumWidth)
        let (isClosed, needsThread) = state.withLock { state in
            guard !state.isClosed else { return (true, false) }
            state.viewers.append(entry)
            defer { state.hasThread = true }
            return (false, !state.hasThread)
        }
        if isClosed { viewer.end() }
        if needsThread { try BlockingThread.start("preview") { self.run() } }
    }

    /// Ends every viewer's stream and lets the picture go.
    func close() {
        let viewers = state.withLock { state in
            state.isClosed = true
            state.picture = nil
            defer { state.viewers = [] }
            return state.viewers
        }
        news.signal()
        for entry in viewers { entry.viewer.end() }
    }

    private func run() {
        while true {
            news.wait()
            let (picture, due) = state.withLock { ($0.picture, $0.takeDue()) }
            if state.withLock({ $0.isClosed }) { return }
            guard let picture else { continue }
            for entry in due where entry.viewer.isReady { show(picture, to: entry) }
        }
    }

    private func show(_ picture: Picture, to entry: Viewer) {
        do {
            entry.viewer.show(try encoder.encode(picture, maximumWidth: entry.maximumWidth))
        } catch {
            Log.warning("a preview picture could not be encoded: \(error)")
        }
    }
}
