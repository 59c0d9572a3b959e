import COpenSSL

/// AES in Galois/Counter Mode (NIST SP 800-38D): hides bytes, and tells whether they were changed.
public enum SealedBytes {
    private static let nonceCount = 12
    private static let tagCount = 16

    /// Seals bytes under a nonce, which is used once for a key.
    ///
    /// - Parameters:
    ///   - key: 16 bytes for AES-128, 32 for AES-256.
    ///   - nonce: 12 bytes.
    ///   - context: Bytes that are not hidden, and without which the seal does not open.
    /// - Returns: The hidden bytes, and behind them the tag of 16 bytes.
    /// - Throws: `CryptographyError.cipherFailed`.
    public static func seal(
        _ bytes: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        guard nonce.count == nonceCount, let algorithm = algorithm(for: key), let cipher = EVP_CIPHER_CTX_new() else {
            throw .cipherFailed
        }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var output = [UInt8](repeating: 0, count: bytes.count)
        var tag = [UInt8](repeating: 0, count: tagCount)
        var none = [UInt8](repeating: 0, count: 16)
        var length: Int32 = 0
        guard let size = Int32(exactly: bytes.count), let contextSize = Int32(exactly: context.count),
            EVP_EncryptInit_ex2(cipher, algorithm, key, nonce, nil) == 1,
            context.isEmpty || EVP_EncryptUpdate(cipher, nil, &length, context, contextSize) == 1,
            bytes.isEmpty || EVP_EncryptUpdate(cipher, &output, &length, bytes, size) == 1,
            EVP_EncryptFinal_ex(cipher, &none, &length) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), &tag) == 1
        else { throw .cipherFailed }
        return output + tag
    }

    /// Seals bytes under a random nonce, which comes first in the result.
    ///
    /// - Throws: `CryptographyError`.
    public static func seal(_ bytes: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let nonce = try SecureRandom.bytes(nonceCount)
        return nonce + (try seal(bytes, key: key, nonce: nonce, context: context))
    }

    /// Opens bytes that were sealed under a random nonce.
    ///
    /// - Returns: The bytes; nil where they were changed, or were sealed with another key or context.
    /// - Throws: `CryptographyError.cipherFailed`.
    public static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptographyError) -> [UInt8]? {
        guard sealed.count >= nonceCount + tagCount else { return nil }
        guard let algorithm = algorithm(for: key), let cipher = EVP_CIPHER_CTX_new() else { throw .cipherFailed }
        defer { EVP_CIPHER_CTX_free(cipher) }
        let nonce = Array(sealed.prefix(nonceCount))
        let hidden = Array(sealed.dropFirst(nonceCount).dropLast(tagCount))
        var tag = Array(sealed.suffix(tagCount))
        var output = [UInt8](repeating: 0, count: hidden.count)
        var none = [UInt8](repeating: 0, count: 16)
        var length: Int32 = 0
        guard let size = Int32(exactly: hidden.count), let contextSize = Int32(exactly: context.count),
            EVP_DecryptInit_ex2(cipher, algorithm, key, nonce, nil) == 1,
            context.isEmpty || EVP_DecryptUpdate(cipher, nil, &length, context, contextSize) == 1,
            hidden.isEmpty || EVP_DecryptUpdate(cipher, &output, &length, hidden, size) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1
        else { throw .cipherFailed }
        // The tag is compared here.
        return EVP_DecryptFinal_ex(cipher, &none, &length) == 1 ? output : nil
    }

    private static func algorithm(for key: [UInt8]) -> OpaquePointer? {
        switch key.count {
        case 16: EVP_aes_128_gcm()
        case 32: EVP_aes_256_gcm()
        default: nil
        }
    }
}
