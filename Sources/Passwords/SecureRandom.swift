import COpenSSL

/// Random bytes that nobody can foretell, from OpenSSL's generator, which the system's entropy seeds.
public enum SecureRandom {
    /// Makes random bytes.
    ///
    /// - Parameter count: How many; at least 1.
    /// - Throws: `CryptographyError.noRandomness` when the generator is not seeded or failed. There is no fallback.
    public static func bytes(_ count: Int) throws(CryptographyError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count > 0, let number = Int32(exactly: count), RAND_bytes(&bytes, number) == 1 else {
            throw .noRandomness
        }
        return bytes
    }
}

/// OpenSSL failed, as it never does on a sound system.
public enum CryptographyError: Error, Equatable, CustomStringConvertible {
    /// `RAND_bytes` failed.
    case noRandomness
    /// A digest or a key derivation failed: no memory, or an OpenSSL whose configuration leaves SHA-2 out.
    case digestFailed
    /// AES failed: no memory, or a key or nonce of another length.
    case cipherFailed
    /// A key of P-256 cannot be used: no memory, or bytes that are no public key.
    case keyFailed

    public var description: String {
        switch self {
        case .noRandomness: "OpenSSL gives no random bytes; the system's random source is not ready."
        case .digestFailed: "OpenSSL cannot compute SHA-2; look at its configuration (openssl.cnf)."
        case .cipherFailed: "OpenSSL cannot use AES-GCM; look at its configuration (openssl.cnf)."
        case .keyFailed: "OpenSSL cannot use a key of P-256; look at its configuration (openssl.cnf)."
        }
    }
}

/// Whether two byte strings are the same, in a time that depends on their lengths alone (`CRYPTO_memcmp`). The time of
/// a refusal then reveals nothing.
///
/// Strings of different lengths are not the same; that they differ in length is no secret.
public func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}
