import Foundation
import LivenessInterface
import LivenessTestKit
import Platform
import Synchronization
import Testing
import Varlink

@Suite(.serialized) struct PreviewTests {
    @Test func `a preview shows pictures until its scan ends`() throws {
        let service = try RunningService(try LivelyCameras())
        let scan = try BackgroundScan(service.path)
        #expect(scan.begins())
        var sizes: [Int] = []
        try service.client().preview(PreviewRequest(id: try #require(scan.id), rate: 20, width: 320)) { jpeg in
            #expect(jpeg.starts(with: [0xFF, 0xD8]))
            sizes.append(jpeg.count)
        }
        #expect(sizes.count > 5)
        #expect(scan.ends())
        #expect(scan.replies.last?.completed != nil)
    }

    @Test func `a viewer that never reads slows nobody and costs one picture at most`() throws {
        let service = try RunningService(try LivelyCameras())
        let scan = try BackgroundScan(service.path)
        #expect(scan.begins())
        let id = try #require(scan.id)
        let deaf = try DeafViewer(service.path, id: id)
        var seen = 0
        try service.client().preview(PreviewRequest(id: id, rate: 20)) { _ in seen += 1 }
        #expect(scan.ends())
        #expect(scan.replies.last?.completed != nil)
        #expect(seen > 5)
        // What was sent is what the kernel's socket buffers hold, and one picture more.
        #expect(try deaf.received() < 2_000_000)
    }

    @Test(arguments: [(0.0, 320), (1000, 320), (10, 1), (10, 100_000), (-1, 320)])
    func `rates and sizes out of range are refused`(rate: Double, width: Int) throws {
        let service = try RunningService(try LivelyCameras())
        #expect(throws: LivenessClientError.self) {
            try service.client().preview(PreviewRequest(id: "0", rate: rate, width: width)) { _ in }
        }
    }

    @Test func `an id that is none's is refused`() throws {
        let service = try RunningService(try LivelyCameras())
        let error = #expect(throws: LivenessClientError.self) {
            try service.client().preview(PreviewRequest(id: "0123")) { _ in }
        }
        guard case .refused(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .unknownScan)
    }
}

/// A viewer that asks and then reads nothing.
private final class DeafViewer {
    private let socket: Descriptor

    init(_ path: String, id: String) throws {
        let socket = Descriptor(
            owning: try systemCall("socket") { Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) })
        self.socket = socket
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try systemCall("connect") {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        let call =
            "{\"method\":\"io.livenessd.Liveness.Preview\",\"parameters\":{\"id\":\"\(id)\",\"rate\":60},\"more\":true}\0"
        try systemCall("send") { send(socket.number, call, call.utf8.count, 0) }
    }

    /// How many bytes came, read at last.
    func received() throws -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        while true {
            let count = recv(socket.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return total }
            total += count
        }
    }
}
