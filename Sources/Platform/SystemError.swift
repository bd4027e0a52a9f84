import Glibc

/// A system call that failed: its name and the `errno` it left.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The call as in its manual page, `memfd_create` for example.
    public let call: String
    /// The value of `errno` right after the call.
    public let errno: CInt

    /// An error of a call that is known to have failed with `errno`.
    public init(call: String, errno: CInt) {
        self.call = call
        self.errno = errno
    }

    /// `call: message of strerror`.
    public var description: String { "\(call): \(String(cString: strerror(errno)))" }
}

/// Runs a system call that reports failure by a negative result, again when a signal interrupted it.
///
/// `errno` is read before anything else can run, and the function is not inlined so that no optimiser moves it.
@inline(never)
@discardableResult
public func systemCall<Result: BinaryInteger>(_ call: String, _ body: () -> Result) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(call: call, errno: code) }
    }
}
