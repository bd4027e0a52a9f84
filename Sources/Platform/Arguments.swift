/// A command line that can't be understood; programs end with status 2 on it.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, in one sentence.
    public let description: String

    /// `description` says what is wrong.
    public init(_ description: String) {
        self.description = description
    }
}

/// The arguments of a program, taken one by one; what is left over at the end is an error.
public struct Arguments {
    private var rest: [String]

    /// The arguments without the program's name.
    public init(_ arguments: some Sequence<String>) {
        rest = Array(arguments)
    }

    /// Takes `name` wherever it stands; whether it was there.
    public mutating func flag(_ name: String) -> Bool {
        guard let index = rest.firstIndex(of: name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// Takes `name VALUE` or `name=VALUE`; nil where it isn't there.
    ///
    /// - Throws: `UsageError` where the value is missing.
    public mutating func value(_ name: String) throws(UsageError) -> String? {
        if let index = rest.firstIndex(where: { $0.hasPrefix(name + "=") }) {
            return String(rest.remove(at: index).dropFirst(name.count + 1))
        }
        guard let index = rest.firstIndex(of: name) else { return nil }
        guard index + 1 < rest.count, !rest[index + 1].hasPrefix("--") else {
            throw UsageError("\(name) needs a value")
        }
        rest.remove(at: index)
        return rest.remove(at: index)
    }

    /// Takes `name NUMBER`; nil where it isn't there.
    ///
    /// - Throws: `UsageError` where the value is missing or no whole number from 0.
    public mutating func number(_ name: String) throws(UsageError) -> UInt64? {
        guard let text = try value(name) else { return nil }
        guard let number = UInt64(text) else { throw UsageError("\(name) needs a whole number, not \(text)") }
        return number
    }

    /// Takes the first argument that is no option; nil where there is none.
    public mutating func positional() -> String? {
        guard let index = rest.firstIndex(where: { !$0.hasPrefix("-") || $0 == "-" }) else { return nil }
        return rest.remove(at: index)
    }

    /// Call last.
    ///
    /// - Throws: `UsageError` naming the first argument that nobody took.
    public func expectEnd() throws(UsageError) {
        guard let first = rest.first else { return }
        throw UsageError(first.hasPrefix("-") ? "there is no option \(first)" : "unexpected argument \(first)")
    }
}
