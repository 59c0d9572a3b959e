/// HKDF with SHA-256 (RFC 5869): makes keys for several uses of one key, none of which tells of another.
public enum KeyDerivation {
    /// The most bytes that a key may have.
    public static let longest = 255 * 32

    /// Derives a key.
    ///
    /// - Parameters:
    ///   - secret: The input keying material.
    ///   - salt: Bytes that need not be secret; empty: none.
    ///   - info: The use of the key.
    ///   - count: How many bytes, at most ``longest``.
    /// - Throws: `CryptographyError.digestFailed`.
    public static func sha256(
        _ secret: [UInt8], salt: [UInt8] = [], info: [UInt8], count: Int = 32
    ) throws(CryptographyError) -> [UInt8] {
        guard count > 0, count <= longest else { throw .digestFailed }
        let zeroes = [UInt8](repeating: 0, count: 32)
        let key = try MessageAuthentication.sha256(secret, key: salt.isEmpty ? zeroes : salt)
        var block: [UInt8] = []
        var output: [UInt8] = []
        var number: UInt8 = 1
        while output.count < count {
            block = try MessageAuthentication.sha256(block + info + [number], key: key)
            output += block
            number &+= 1
        }
        return Array(output.prefix(count))
    }
}
