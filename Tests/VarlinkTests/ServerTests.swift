import Foundation
import Glibc
import Platform
import Testing
import Varlink

private typealias Text = TestInterface.Text
private typealias Count = TestInterface.Count

@Suite struct ServerTests {
    private struct Info: Codable {
        var product: String
        var interfaces: [String]
    }

    @Test func `introspection lists the interfaces and gives their texts`() throws {
        let service = try TestService()
        let client = try service.client()
        let info = try client.call("org.varlink.service.GetInfo", [String: String](), as: Info.self).0
        #expect(info.product == "product")
        #expect(info.interfaces == ["org.varlink.service", "org.example.test"])
        for interface in info.interfaces {
            let text = try client.call(
                "org.varlink.service.GetInterfaceDescription", ["interface": interface], as: [String: String].self
            ).0
            #expect(text["description"]?.contains("interface \(interface)") == true)
        }
    }

    @Test func `calls on one connection are answered one after the other`() throws {
        let service = try TestService()
        let peer = try RawPeer(service.path)
        let calls = ["a", "b", "c"].map { "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"\($0)\"}}" }
        peer.send(calls.joined(separator: "\0"))
        #expect(["a", "b", "c"].allSatisfy { peer.receive()?.contains("\"\($0)\"") == true })
    }

    @Test func `a call with more gets every reply`() throws {
        let service = try TestService()
        var counts: [Int] = []
        try service.client().stream("org.example.test.Count", Count(count: 500), as: Count.self) { reply, _ in
            counts.append(reply.count)
        }
        #expect(counts == Array(1...500))
    }

    @Test func `a oneway call gets no reply`() throws {
        let service = try TestService()
        let peer = try RawPeer(service.path)
        peer.send("{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"a\"},\"oneway\":true}")
        peer.send("{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"b\"}}")
        #expect(peer.receive()?.contains("\"b\"") == true)
    }

    @Test(arguments: [
        ("{\"method\":\"org.example.test.Nothing\"}", "org.varlink.service.MethodNotFound"),
        ("{\"method\":\"org.example.none.Echo\"}", "org.varlink.service.InterfaceNotFound"),
        ("{\"method\":\"Echo\"}", "org.varlink.service.InterfaceNotFound"),
        ("{\"method\":\"\"}", "org.varlink.service.InterfaceNotFound"),
        ("{\"method\":\"org.example.test.Echo\"}", "org.varlink.service.InvalidParameter"),
        (
            "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":5}}",
            "org.varlink.service.InvalidParameter"
        ),
        ("{\"method\":\"org.example.test.Echo\",\"upgrade\":true}", "org.varlink.service.MethodNotImplemented"),
        (
            "{\"method\":\"org.example.test.Count\",\"parameters\":{\"count\":3}}",
            "org.varlink.service.ExpectedMore"
        ),
        ("{\"method\":\"org.example.test.Fail\"}", "org.example.test.Failed"),
    ])
    func `a wrong call gets its error, and the connection goes on`(call: String, error: String) throws {
        let service = try TestService()
        let peer = try RawPeer(service.path)
        peer.send(call)
        #expect(peer.receive()?.contains("\"\(error)\"") == true)
        peer.send("{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"on\"}}")
        #expect(peer.receive()?.contains("\"on\"") == true)
    }

    @Test(arguments: [
        "", "\0", "{", "[]", "5", "null", "{}", "{\"method\":5}", "\u{FEFF}{}", "{\"method\":\"a.b\",\"more\":7}",
        String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
    ])
    func `what is no call closes the connection, and the service serves on`(text: String) throws {
        let service = try TestService()
        let peer = try RawPeer(service.path)
        peer.send(text)
        #expect(peer.receive() == nil)
        #expect(try service.echo("on") == "on")
    }

    @Test func `bad UTF-8 is refused, and the service serves on`() throws {
        let service = try TestService()
        let peer = try RawPeer(service.path)
        let before = "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\""
        peer.send(Array(before.utf8) + [0xC3, 0x28, 0xFF] + Array("\"}}".utf8) + [0])
        let reply = peer.receive()
        #expect(reply == nil || reply?.contains("org.varlink.service.InvalidParameter") == true)
        #expect(try service.echo("on") == "on")
    }

    @Test func `half a message, then the end`() throws {
        let service = try TestService()
        do {
            let peer = try RawPeer(service.path)
            peer.send(Array("{\"method\":\"org.exa".utf8))
        }
        #expect(try service.echo("on") == "on")
    }

    @Test func `a message of 64 MB is cut off at the limit`() throws {
        let service = try TestService()
        let peer = try RawPeer(service.path)
        let taken = peer.send([UInt8](repeating: UInt8(ascii: "a"), count: 64 * 1024 * 1024))
        #expect(peer.receive() == nil)
        // The limit, one read beyond it, and what the kernel's own buffers hold.
        #expect(taken < 3 * 1024 * 1024)
        #expect(try service.echo("on") == "on")
    }

    @Test func `a message that does not go on is given up`() throws {
        var limits = VarlinkLimits()
        limits.messageTime = .milliseconds(50)
        let service = try TestService(limits: limits)
        let peer = try RawPeer(service.path)
        peer.send(Array("{\"meth".utf8))
        #expect(peer.receive() == nil)
    }

    @Test func `a peer that closes its side after the call still gets the reply`() throws {
        let service = try TestService()
        let peer = try RawPeer(service.path)
        peer.send("{\"method\":\"org.example.test.Hold\"}")
        shutdown(peer.socket.number, CInt(SHUT_WR))
        #expect(try service.echo("on") == "on")
        service.interface.release()
        #expect(peer.receive()?.contains("released") == true)
        #expect(peer.receive() == nil)
    }

    @Test func `a peer that goes away is noticed while its call is in hand`() throws {
        let service = try TestService()
        do {
            let peer = try RawPeer(service.path)
            peer.send("{\"method\":\"org.example.test.Hold\"}")
            #expect(try service.echo("on") == "on")
            #expect(service.interface.hangUps.load(ordering: .sequentiallyConsistent) == 0)
        }
        #expect(eventually { service.interface.hangUps.load(ordering: .sequentiallyConsistent) == 1 })
        // An answer that comes too late goes nowhere.
        service.interface.release()
        #expect(try service.echo("on") == "on")
    }
}

@Suite struct LimitTests {
    @Test func `a peer that does not read is closed at the bound, and nobody else waits`() throws {
        var limits = VarlinkLimits()
        limits.outgoingBytes = 2_000_000
        let service = try TestService(limits: limits)
        let peer = try RawPeer(service.path)
        peer.send("{\"method\":\"org.example.test.Flood\",\"parameters\":{\"count\":100},\"more\":true}")
        #expect(eventually { service.interface.hangUps.load(ordering: .sequentiallyConsistent) == 1 })
        #expect(try service.echo("on") == "on")
    }

    @Test func `connections beyond the limit are closed, and room comes back`() throws {
        var limits = VarlinkLimits()
        limits.connections = 3
        let service = try TestService(limits: limits)
        do {
            let peers = try (0..<3).map { _ in try RawPeer(service.path) }
            for peer in peers {
                peer.send("{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"a\"}}")
                #expect(peer.receive() != nil)
            }
            #expect(try RawPeer(service.path).receive() == nil)
        }
        #expect(eventually { (try? service.echo("on")) == "on" })
    }

    @Test func `who is not admitted gets PermissionDenied`() throws {
        let service = try TestService(admits: { _ in false })
        let error = #expect(throws: VarlinkClientError.self) { try service.echo("a") }
        guard case .refused(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.name == "org.varlink.service.PermissionDenied")
    }

    @Test func `the peer's credentials are the process's own`() throws {
        let service = try TestService(admits: { $0.userID == getuid() && $0.processID == getpid() })
        #expect(try service.echo("a") == "a")
    }

    @Test func `stopping sends what is queued`() throws {
        let service = try TestService()
        let peer = try RawPeer(service.path)
        peer.send("{\"method\":\"org.example.test.Hold\"}")
        #expect(try service.echo("on") == "on")
        service.interface.release()
        service.stop()
        #expect(peer.receive()?.contains("released") == true)
    }
}

@Suite struct DescriptorTests {
    @Test func `each message brings its own descriptor, however many wait`() throws {
        let service = try TestService()
        var contents: [String] = []
        try service.client().stream("org.example.test.File", Count(count: 50), as: Count.self) { _, files in
            #expect(files.count == 1)
            for file in files { contents.append(String(decoding: try MemoryFile.read(file), as: UTF8.self)) }
        }
        #expect(contents == (0..<50).map { "file \($0)" })
    }
}

extension DescriptorTests {
    @Test func `descriptors stay with their message when earlier ones are read along with it`() throws {
        let service = try TestService()
        var contents: [Int: String] = [:]
        try service.client().stream("org.example.test.Mixed", Count(count: 40), as: Count.self) { reply, files in
            #expect(files.count == (reply.count % 4 == 3 ? 1 : 0))
            if let file = files.first {
                contents[reply.count] = String(decoding: try MemoryFile.read(file), as: UTF8.self)
            }
        }
        #expect(contents.count == 10)
        #expect(contents.allSatisfy { $1 == "file \($0)" })
    }
}

@Suite struct ClientTests {
    @Test func `nobody there is told apart from a refusal`() {
        let error = #expect(throws: VarlinkClientError.self) { try VarlinkClient(path: "/tmp/nobody-listens.sock") }
        guard case .unreachable(_, let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.errno == ENOENT)
    }

    @Test func `an error's parameters can be read`() throws {
        let service = try TestService()
        let error = #expect(throws: VarlinkClientError.self) {
            try service.client().call("org.example.test.Fail", [String: String](), as: Text.self)
        }
        guard case .refused(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.decodeParameters(Text.self) == Text(text: "because"))
    }

    @Test func `a reply of another shape is malformed`() throws {
        let service = try TestService()
        let error = #expect(throws: VarlinkClientError.self) {
            try service.client().call("org.example.test.Echo", Text(text: "a"), as: Count.self)
        }
        guard case .malformed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
