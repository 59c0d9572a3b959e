import COpenSSL

/// HMAC-SHA256 (RFC 2104): tells whether bytes that come back are those that were given out. Only a holder of the key
/// can make one.
public enum MessageAuthentication {
    /// The 32 bytes of a code.
    ///
    /// - Throws: `CryptographyError.digestFailed`.
    public static func sha256(_ bytes: [UInt8], key: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        guard let length = Int32(exactly: key.count),
            HMAC(Digest.function, key, length, bytes, bytes.count, &code, nil) != nil
        else { throw .digestFailed }
        return code
    }
}
