import COpenSSL

/// SHA-256 (FIPS 180-4), for telling whether two inputs are the same. Not for passwords: it is fast.
public enum Digest {
    /// The 32 bytes of a digest.
    ///
    /// - Throws: `CryptographyError.digestFailed`.
    public static func sha256(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else { throw .digestFailed }
        return digest
    }
}
