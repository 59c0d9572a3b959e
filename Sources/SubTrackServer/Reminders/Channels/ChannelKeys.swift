import Foundation
import Passwords
import SubTrackAPI

/// The service's secret key, which is not in the database. It gives the keys of all channels.
struct SecretKey: Sendable {
    /// How many bytes it has.
    static let count = 32

    private let bytes: [UInt8]

    /// A key; nil unless it has 32 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    /// The keys of a tenant. No tenant's keys tell of another's.
    /// - Parameter slug: the tenant's slug.
    /// - Throws: `CryptographyError`.
    func channelKeys(of slug: String) throws(CryptographyError) -> ChannelKeys {
        ChannelKeys(root: try KeyDerivation.sha256(bytes, info: Array("subtrackit/channels/\(slug)".utf8)))
    }
}

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
    /// - Throws: `CryptographyError`.
    func webhookSecret(
        user: UserID, channel: UUID, number: Int64
    ) throws(CryptographyError) -> WebhookSecret {
        let info = "webhook/\(user.uuid)/\(channel)/\(number)".lowercased()
        return WebhookSecret(bytes: try KeyDerivation.sha256(root, info: Array(info.utf8)))
    }

    /// Seals a value of a channel. It opens in the row of that channel alone.
    /// - Throws: `CryptographyError`.
    func seal(_ value: [UInt8], user: UserID, channel: UUID) throws(CryptographyError) -> [UInt8] {
        try SealedBytes.seal(value, key: try sealingKey(), context: Self.context(user, channel))
    }

    /// Opens a value of a channel.
    /// - Returns: nil where it was sealed under another key, or for another row.
    /// - Throws: `CryptographyError`.
    func open(_ sealed: [UInt8], user: UserID, channel: UUID) throws(CryptographyError) -> [UInt8]? {
        try SealedBytes.open(sealed, key: try sealingKey(), context: Self.context(user, channel))
    }

    private func sealingKey() throws(CryptographyError) -> [UInt8] {
        try KeyDerivation.sha256(root, info: Array("sealed".utf8))
    }

    /// The key of the row.
    private static func context(_ user: UserID, _ channel: UUID) -> [UInt8] {
        withUnsafeBytes(of: user.uuid.uuid) { Array($0) } + withUnsafeBytes(of: channel.uuid) { Array($0) }
    }
}
