import Glibc
import Settings

/// Which users may call.
struct Admission: Sendable {
    /// Nil for everybody whom the socket's mode lets in.
    private let users: Set<UInt32>?

    /// - Throws: `SettingsError` (`out_of_range`) for a user that doesn't exist.
    init(users names: [String]) throws(SettingsError) {
        guard !names.isEmpty else {
            users = nil
            return
        }
        var users: Set<UInt32> = []
        for name in names {
            if let number = UInt32(name) {
                users.insert(number)
            } else if let entry = getpwnam(name) {
                users.insert(entry.pointee.pw_uid)
            } else {
                throw SettingsError(.outOfRange, at: nil, "[socket] users: there is no user \"\(name)\"")
            }
        }
        self.users = users
    }

    func admits(_ user: UInt32) -> Bool { users?.contains(user) ?? true }
}
