import CCrypto

/// The check sum of a medium.
public enum MediaDigest {
    /// The SHA-256 of `bytes` as 64 hexadecimal digits (FIPS 180-4, by libcrypto); nil where libcrypto has no memory.
    public static func sha256(_ bytes: [UInt8]) -> String? {
        var digest = [UInt8](repeating: 0, count: 32)
        guard CCrypto_sha256(bytes, bytes.count, &digest) == 1 else { return nil }
        return String(decoding: digest.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
