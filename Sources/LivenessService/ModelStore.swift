import FaceTracking
import Platform
import Synchronization

/// The face model, read once. Reading takes about a second, so it begins when the service starts; where it failed, the
/// next scan tries again, for an operator who has put the file in its place meanwhile.
final class ModelStore: Sendable {
    private let path: String
    private let model = Mutex<FaceModel?>(nil)
    private let loaded = Atomic(false)

    init(path: String) {
        self.path = path
    }

    /// Whether a scan can begin at once.
    var isLoaded: Bool { loaded.load(ordering: .acquiring) }

    /// The model, waited for where it is being read.
    ///
    /// - Throws: `FaceTrackingError`.
    func get() throws(FaceTrackingError) -> FaceModel {
        try model.withLock { (model) throws(FaceTrackingError) in
            if let model { return model }
            let fresh = try FaceModel(landmarksPath: path)
            model = fresh
            loaded.store(true, ordering: .releasing)
            return fresh
        }
    }

    /// Reads the model on a thread of its own.
    ///
    /// - Throws: `SystemError` where no thread can be made.
    func preload() throws(SystemError) {
        try BlockingThread.start("model") { [self] in
            do throws(FaceTrackingError) {
                _ = try get()
                Log.info("the landmark model is read", ["PATH": path])
            } catch {
                Log.error("no scan can run: \(error)", ["REASON": error.reason])
            }
        }
    }
}
