import Foundation
import Glibc
import Platform
import Testing
import Varlink

@Suite struct ListeningSocketTests {
    private func withPath(_ body: (String) throws -> Void) rethrows {
        let path = "/tmp/listening-\(UUID().uuidString.prefix(8)).sock"
        defer { ListeningSocket.remove(path: path) }
        try body(path)
    }

    @Test func `a stale socket file is replaced`() throws {
        try withPath { path in
            // The descriptor is closed at once and leaves its file behind, as a killed process does.
            _ = try ListeningSocket.open(path: path, mode: 0o600)
            var facts = stat()
            #expect(stat(path, &facts) == 0)
            let second = try ListeningSocket.open(path: path, mode: 0o660)
            #expect(stat(path, &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o660)
            _ = second
        }
    }

    @Test func `a live owner's is left alone`() throws {
        try withPath { path in
            let owner = try ListeningSocket.open(path: path, mode: 0o600)
            #expect(throws: ListeningSocketError.addressInUse(path: path)) {
                try ListeningSocket.open(path: path, mode: 0o600)
            }
            _ = owner.number
        }
    }

    @Test func `a regular file, a folder and a link are left alone`() throws {
        try withPath { path in
            try Data("keep".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: ListeningSocketError.notASocket(path: path)) {
                try ListeningSocket.open(path: path, mode: 0o600)
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep")
        }
        withPath { path in
            mkdir(path, 0o700)
            defer { rmdir(path) }
            #expect(throws: ListeningSocketError.notASocket(path: path)) {
                try ListeningSocket.open(path: path, mode: 0o600)
            }
        }
        withPath { path in
            symlink("/etc/hostname", path)
            #expect(throws: ListeningSocketError.notASocket(path: path)) {
                try ListeningSocket.open(path: path, mode: 0o600)
            }
        }
    }

    @Test func `a path that no address holds is refused`() {
        let path = "/tmp/" + String(repeating: "a", count: 110)
        #expect(throws: ListeningSocketError.pathTooLong(path: path)) {
            try ListeningSocket.open(path: path, mode: 0o600)
        }
        ListeningSocket.remove(path: path)
    }

    @Test func `a folder that is missing is told`() {
        let error = #expect(throws: ListeningSocketError.self) {
            try ListeningSocket.open(path: "/no/such/folder/a.sock", mode: 0o600)
        }
        #expect(error?.name == "system_error")
    }
}
