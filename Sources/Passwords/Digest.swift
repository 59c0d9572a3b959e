import COpenSSL

/// SHA-256 (FIPS 180-4), for telling whether two inputs are the same. Not for passwords: it is fast.
public enum Digest {
    /// SHA-256, found once. OpenSSL would look for `EVP_sha256()` anew at each use (crypto(7), "explicit fetching").
    ///
    /// `nonisolated(unsafe)`: an imported pointer is not `Sendable`. OpenSSL never changes this object, and nothing frees it.
    nonisolated(unsafe) static let function: OpaquePointer? = EVP_MD_fetch(nil, "SHA2-256", nil) ?? EVP_sha256()

    /// The 32 bytes of a digest.
    ///
    /// - Throws: `CryptographyError.digestFailed`.
    public static func sha256(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_Digest(bytes, bytes.count, &digest, nil, function, nil) == 1 else { throw .digestFailed }
        return digest
    }
}
