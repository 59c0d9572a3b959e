import Passwords

/// The keys of a tenant's channels. None of them is stored: each follows from the secret key.
struct ChannelKeys: Sendable {
    /// 32 bytes.
    let root: [UInt8]

    /// The key pair by which push services know the tenant.
    /// - Throws: `CryptographyError`.
    func vapid() throws(CryptographyError) -> P256Key {
        try P256Key.derive(from: root, info: Array("vapid".utf8))
    }

    /// The secret of a webhook. A higher number is another secret.
    /// - Parameter salt: the channel's.
    /// - Throws: `CryptographyError`.
    func webhookSecret(salt: [UInt8], number: Int64) throws(CryptographyError) -> WebhookSecret {
        let info = Array("webhook/\(number)/".utf8) + salt
        return WebhookSecret(bytes: try KeyDerivation.sha256(root, info: info))
    }

    /// The place of a sealed value.
    struct Place: Sendable, Equatable {
        /// The channel's salt.
        let salt: [UInt8]
        /// The URL of the server that gets the value.
        let target: String

        fileprivate var context: [UInt8] { salt + Array(target.utf8) }
    }

    /// Seals a value of a channel. It opens in its place alone.
    /// - Throws: `CryptographyError`.
    func seal(_ value: [UInt8], at place: Place) throws(CryptographyError) -> [UInt8] {
        try SealedBytes.seal(value, key: try sealingKey(), context: place.context)
    }

    /// Opens a value of a channel.
    /// - Returns: nil where it was sealed under another key, or for another place.
    /// - Throws: `CryptographyError`.
    func open(_ sealed: [UInt8], at place: Place) throws(CryptographyError) -> [UInt8]? {
        try SealedBytes.open(sealed, key: try sealingKey(), context: place.context)
    }

    private func sealingKey() throws(CryptographyError) -> [UInt8] {
        try KeyDerivation.sha256(root, info: Array("sealed".utf8))
    }
}
