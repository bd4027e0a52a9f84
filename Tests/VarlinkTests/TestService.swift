import Foundation
import Glibc
import Platform
import Synchronization
import Varlink

/// An interface whose methods do what the tests need.
final class TestInterface: VarlinkInterface {
    struct Text: Codable, Equatable {
        var text: String
    }

    struct Count: Codable, Equatable {
        var count: Int
    }

    let name = "org.example.test"
    let text = "interface org.example.test\nmethod Echo(text: string) -> (text: string)"
    let methods: Set<String> = ["Echo", "Count", "Hold", "Flood", "File", "Mixed", "Fail"]
    let hangUps = Atomic(0)
    private let held = Mutex<[VarlinkCall]>([])

    func handle(_ call: VarlinkCall) {
        do throws(VarlinkError) {
            try run(call)
        } catch {
            call.fail(error)
        }
    }

    func release() {
        for call in held.withLock({ $0 }) { call.reply(Text(text: "released")) }
    }

    private func run(_ call: VarlinkCall) throws(VarlinkError) {
        switch call.method {
        case "Echo": call.reply(try call.parameters(Text.self))
        case "Count":
            guard call.wantsMore else { throw .expectedMore }
            let count = try call.parameters(Count.self).count
            for number in 1...count { call.reply(Count(count: number), continues: number < count) }
        case "Hold":
            call.onHangUp { [self] in hangUps.add(1, ordering: .sequentiallyConsistent) }
            held.withLock { $0.append(call) }
        case "Flood":
            let block = String(repeating: "x", count: 100_000)
            let count = try call.parameters(Count.self).count
            for _ in 0..<count { call.reply(Text(text: block), continues: true) }
            call.onHangUp { [self] in hangUps.add(1, ordering: .sequentiallyConsistent) }
        case "File", "Mixed":
            let count = try call.parameters(Count.self).count
            let isMixed = call.method == "Mixed"
            for number in 0..<count {
                let file = try? MemoryFile.sealed("test", holding: Array("file \(number)".utf8))
                call.reply(
                    Count(count: number), descriptors: file.map { isMixed && number % 4 != 3 ? [] : [$0] } ?? [],
                    continues: number + 1 < count)
            }
        default: throw VarlinkError("org.example.test.Failed", Text(text: "because"))
        }
    }
}

/// A server on a socket of its own, stopped with its owner.
final class TestService {
    let interface = TestInterface()
    let path: String
    private let server: VarlinkServer
    private let ended = DispatchSemaphore(value: 0)

    init(
        limits: VarlinkLimits = VarlinkLimits(), admits: @escaping @Sendable (PeerCredentials) -> Bool = { _ in true }
    ) throws {
        path = "/tmp/varlink-test-\(UUID().uuidString.prefix(8)).sock"
        let listener = try ListeningSocket.open(path: path, mode: 0o600)
        let info = ServiceInfo(vendor: "vendor", product: "product", version: "1", url: "https://example.org")
        let server = try VarlinkServer(info: info, interfaces: [interface], limits: limits, admits: admits)
        self.server = server
        try BlockingThread.start("server") { [ended] in
            do { try server.run(on: [listener]) } catch { print("the server ended: \(error)") }
            ended.signal()
        }
    }

    deinit {
        stop()
        ListeningSocket.remove(path: path)
    }

    func stop() {
        server.stop()
        _ = ended.wait(timeout: .now() + 10)
        ended.signal()
    }

    func client() throws -> VarlinkClient { try VarlinkClient(path: path) }

    func echo(_ text: String) throws -> String {
        try client().call("org.example.test.Echo", TestInterface.Text(text: text), as: TestInterface.Text.self).0.text
    }
}

/// A connection that sends any bytes.
final class RawPeer {
    let socket: Descriptor

    init(_ path: String) throws {
        let socket = Descriptor(
            owning: try systemCall("socket") { Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0) })
        self.socket = socket
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket.number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        try systemCall("connect") {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }

    /// How many bytes the service took before it closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress?.advanced(by: done), $0.count - done, CInt(MSG_NOSIGNAL))
            }
            if count <= 0 { break }
            done += count
        }
        return done
    }

    func send(_ text: String) { send(Array(text.utf8) + [0]) }

    /// The next message as text; nil where the service closed the connection.
    func receive() -> String? {
        var message: [UInt8] = []
        var byte: UInt8 = 0
        while recv(socket.number, &byte, 1, 0) == 1 {
            if byte == 0 { return String(decoding: message, as: UTF8.self) }
            message.append(byte)
        }
        return nil
    }
}

/// Waits for what another thread brings about.
func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<2000 {
        if condition() { return true }
        usleep(5000)
    }
    return false
}
