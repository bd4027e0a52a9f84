import Camera
import Dispatch
import Foundation
import Imaging
import LivenessInterface
import LivenessService
import LivenessTestKit
import Platform
import Synchronization
import Varlink

/// The service in this process, on a socket of its own, with a synthetic person before its camera.
final class RunningService {
    let path = "/tmp/liveness-test-\(UUID().uuidString.prefix(8)).sock"
    let endpoint: LivenessEndpoint
    private let server: VarlinkServer
    private let ended = DispatchSemaphore(value: 0)

    init(
        _ provider: any FrameSourceProvider, modelPath: String = LandmarkModelFile.path,
        silence: Duration = .seconds(5)
    ) throws {
        endpoint = LivenessEndpoint(
            provider: provider, source: .virtual, settings: PipelineSettings(), modelPath: modelPath,
            silence: silence)
        server = try VarlinkServer(
            info: ServiceInfo(vendor: "test", product: "test", version: "1", url: "https://example.org"),
            interfaces: [endpoint], admits: { _ in true })
        let listener = try ListeningSocket.open(path: path, mode: 0o600)
        try BlockingThread.start("socket") { [server, ended] in
            do { try server.run(on: [listener]) } catch { print("the server ended: \(error)") }
            ended.signal()
        }
    }

    deinit {
        endpoint.stop()
        server.stop()
        _ = ended.wait(timeout: .now() + 10)
        ListeningSocket.remove(path: path)
    }

    func client() throws -> LivenessClient { try LivenessClient(path: path) }

    /// Waits until no scan runs.
    func becomesIdle(within limit: Duration) -> Bool {
        let end = MonotonicClock.now + limit
        while MonotonicClock.now < end {
            if let status = try? client().status(), !status.busy { return true }
            usleep(2000)
        }
        return false
    }
}

/// A scan on a thread of its own, with what it was told.
final class BackgroundScan: Sendable {
    private struct State {
        var replies: [ScanReply] = []
        var error: String?
        var shutDown: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let started = DispatchSemaphore(value: 0)
    private let over = DispatchSemaphore(value: 0)

    init(_ path: String) throws {
        try BlockingThread.start("scan") { [self] in
            do {
                let client = try LivenessClient(path: path)
                state.withLock { $0.shutDown = client.shutDown }
                try client.scan(media: .base64) { reply, _ in
                    state.withLock { $0.replies.append(reply) }
                    if reply.started != nil { started.signal() }
                }
            } catch {
                state.withLock { $0.error = "\(error)" }
            }
            started.signal()
            over.signal()
        }
    }

    var replies: [ScanReply] { state.withLock { $0.replies } }
    var error: String? { state.withLock { $0.error } }
    var id: String? { replies.first?.started?.id }

    /// Ends the client's connection.
    func shutDown() { state.withLock { $0.shutDown }?() }

    /// Whether the first reply came.
    func begins() -> Bool {
        _ = started.wait(timeout: .now() + 30)
        return id != nil
    }

    func ends() -> Bool { over.wait(timeout: .now() + 60) == .success }
}
