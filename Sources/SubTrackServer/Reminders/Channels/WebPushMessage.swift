import Passwords

/// A message to a browser, encrypted for it (RFC 8291) as one record of `aes128gcm` (RFC 8188).
enum WebPushMessage {
    /// The most bytes of a text: a push service has to take 4,096 bytes (RFC 8030 §7.2), of which 103 are not the text's.
    static let longestText = 3993
    /// How many bytes a browser's authentication secret has.
    static let authCount = 16

    private static let recordSize: [UInt8] = [0, 0, 0x10, 0]

    /// The keys that a browser gives for its messages.
    struct Keys: Sendable, Equatable {
        /// Its public key, an uncompressed point of P-256.
        let p256dh: [UInt8]
        /// Its authentication secret, 16 bytes.
        let auth: [UInt8]

        /// The keys; nil for bytes that are no point of the curve, or a secret of another length.
        init?(p256dh: [UInt8], auth: [UInt8]) {
            guard P256Key.isPublicKey(p256dh), auth.count == WebPushMessage.authCount else { return nil }
            self.p256dh = p256dh
            self.auth = auth
        }
    }

    /// Encrypts a text.
    /// - Parameters:
    ///   - key: a new key for each message.
    ///   - salt: 16 new random bytes for each message.
    /// - Throws: `CryptographyError`.
    static func encrypt(
        _ text: [UInt8], for keys: Keys, key: P256Key, salt: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let shared = try key.sharedSecret(with: keys.p256dh)
        let secret = try KeyDerivation.sha256(
            shared, salt: keys.auth, info: Array("WebPush: info\0".utf8) + keys.p256dh + key.publicKey)
        let content = try KeyDerivation.sha256(
            secret, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
        let nonce = try KeyDerivation.sha256(
            secret, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), count: 12)
        // 2 ends the text of the last record.
        let sealed = try SealedBytes.seal(text + [2], key: content, nonce: nonce)
        return salt + recordSize + [UInt8(key.publicKey.count)] + key.publicKey + sealed
    }

    /// Encrypts a text under a new key.
    /// - Throws: `CryptographyError`.
    static func encrypt(_ text: [UInt8], for keys: Keys) throws(CryptographyError) -> [UInt8] {
        try encrypt(text, for: keys, key: try P256Key.generate(), salt: try SecureRandom.bytes(16))
    }
}
