import FoundationEssentials

/// A call as it comes over the wire; its parameters stay encoded until the method knows their type.
struct IncomingCall {
    private struct Envelope: Decodable {
        var method: String
        var more: Bool?
        var oneway: Bool?
        var upgrade: Bool?
    }

    private struct Parameters<Value: Decodable>: Decodable {
        var parameters: Value?
    }

    /// The full name.
    let method: String
    let more: Bool
    let oneway: Bool
    let upgrade: Bool
    private let bytes: Data

    /// Nil where the bytes are no call: the peer doesn't speak varlink.
    init?(_ bytes: some Collection<UInt8>) {
        self.bytes = Data(bytes)
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: self.bytes) else { return nil }
        method = envelope.method
        more = envelope.more ?? false
        oneway = envelope.oneway ?? false
        upgrade = envelope.upgrade ?? false
    }

    /// The method's name without its interface's; empty where there is no dot.
    var shortMethod: String { method.lastIndex(of: ".").map { String(method[method.index(after: $0)...]) } ?? "" }
    /// The interface's name.
    var interface: String { method.lastIndex(of: ".").map { String(method[..<$0]) } ?? method }

    /// - Throws: `VarlinkError` (`InvalidParameter`) naming the member that is wrong.
    func parameters<Value: Decodable>(_ type: Value.Type) throws(VarlinkError) -> Value {
        do {
            if let value = try JSONDecoder().decode(Parameters<Value>.self, from: bytes).parameters { return value }
            return try JSONDecoder().decode(type, from: Data("{}".utf8))
        } catch {
            throw .invalidParameter(Self.member(error))
        }
    }

    private static func member(_ error: any Error) -> String {
        let path: [any CodingKey] =
            switch error {
            case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context):
                context.codingPath
            default: []
            }
        return path.map(\.stringValue).filter { $0 != "parameters" }.joined(separator: ".")
    }
}

/// A reply as it goes over the wire.
struct OutgoingReply<Value: Encodable>: Encodable {
    var parameters: Value?
    var continues: Bool?
    var error: String?
}
