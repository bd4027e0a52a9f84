import Glibc
import Settings
import Testing

@Suite struct CredentialTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `systemd's folder comes before the file`() throws {
        try folder.write("systemd/token", "from systemd\n", mode: 0o440)
        let file = try folder.write("token", "from the file\r\n", mode: 0o600)
        let both = try Credential.load("token", file: file, systemdFolder: folder.path + "/systemd")
        #expect(both?.reveal() == "from systemd")
        let other = try Credential.load("other", file: file, systemdFolder: folder.path + "/systemd")
        #expect(other?.reveal() == "from the file")
    }

    @Test func `a missing or blank one is none`() throws {
        let blank = try folder.write("blank", " \n\n", mode: 0o600)
        #expect(try Credential.load("token", file: blank, systemdFolder: nil) == nil)
        #expect(try Credential.load("token", file: folder.path + "/absent", systemdFolder: nil) == nil)
        #expect(try Credential.load("token", file: nil, systemdFolder: folder.path) == nil)
    }

    @Test(arguments: [0o640, 0o604, 0o666, 0o620] as [mode_t])
    func `a file that others can reach is refused with the fix`(mode: mode_t) throws {
        let file = try folder.write("token", "secret", mode: mode)
        #expect {
            try Credential.load("token", file: file, systemdFolder: nil)
        } throws: { error in
            guard let error = error as? SettingsError else { return false }
            return error.name == .credential && error.message.hasSuffix("chmod 600 \(file)")
        }
    }

    @Test func `a folder and a FIFO are refused at once`() throws {
        let fifo = folder.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        for path in [folder.path, fifo] {
            #expect {
                try Credential.load("token", file: path, systemdFolder: nil)
            } throws: { ($0 as? SettingsError)?.name == .credential }
        }
    }

    @Test func `no description shows the secret`() throws {
        let file = try folder.write("token", "hunter2", mode: 0o400)
        let credential = try #require(try Credential.load("token", file: file, systemdFolder: nil))
        var dumped = ""
        dump([credential], to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), "\([credential])", dumped] {
            #expect(!text.contains("hunter2"))
        }
    }
}
