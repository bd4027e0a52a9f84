import FoundationEssentials

/// An error that a call is answered with.
public struct VarlinkError: Error, Sendable, Equatable, CustomStringConvertible {
    private struct Parameters<Value: Decodable>: Decodable {
        var parameters: Value
    }

    /// Its full name, `org.varlink.service.InvalidParameter` for example.
    public let name: String
    /// The reply that carries it, without its end.
    let message: [UInt8]

    /// An error of an interface. Parameters that JSON can't hold (a fraction that is not finite) are left out.
    public init(_ name: String, _ parameters: some Encodable) {
        let reply = OutgoingReply(parameters: parameters, error: name)
        // A name alone always encodes: it is a string.
        let encoded = (try? JSONEncoder().encode(reply)) ?? Data("{\"error\":\"\(name)\"}".utf8)
        self.init(name: name, message: Array(encoded))
    }

    /// An error as it was received.
    init(name: String, message: [UInt8]) {
        self.name = name
        self.message = message
    }

    /// The parameters as a value; nil where they are of another shape.
    public func decodeParameters<Value: Decodable>(_ type: Value.Type) -> Value? {
        (try? JSONDecoder().decode(Parameters<Value>.self, from: Data(message)))?.parameters
    }

    /// The reply as it went over the wire.
    public var description: String { String(decoding: message, as: UTF8.self) }
}

/// The errors of `org.varlink.service` (varlink.org, "Service").
extension VarlinkError {
    /// No interface of that name is here.
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": interface])
    }

    /// The interface has no such method.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotFound", ["method": method])
    }

    /// The interface names the method, but it can't be called in this way.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotImplemented", ["method": method])
    }

    /// A parameter is missing, of the wrong type or out of its range.
    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InvalidParameter", ["parameter": parameter])
    }

    /// The caller may not do this.
    public static let permissionDenied = VarlinkError(
        "org.varlink.service.PermissionDenied", [String: String]())
    /// The method answers more than once and was called without `more`.
    public static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore", [String: String]())
}
