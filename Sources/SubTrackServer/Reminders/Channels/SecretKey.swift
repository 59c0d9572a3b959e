import Foundation
import Passwords

/// The service's secret key, which is not in the database. It gives the keys of all channels.
public struct SecretKey: Sendable {
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

extension SecretKey {
    /// Reads a key from a file.
    /// - Throws: ``SettingsError``.
    public init(file path: String) throws {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw SettingsError("the file of the secret key cannot be read: \(path)")
        }
        guard let key = SecretKey(bytes) else {
            throw SettingsError(
                "the file of the secret key must have \(Self.count) bytes, has \(bytes.count): \(path) (openssl rand -out secret.key 32 makes one)"
            )
        }
        self = key
    }

    /// The key in the state directory of a service with an embedded database. It is made at the first start, and then stays.
    /// - Throws: ``SettingsError``, `CryptographyError`.
    static func inStateDirectory(_ folder: URL) throws -> SecretKey {
        let path = folder.appending(path: "secret.key").path
        if FileManager.default.fileExists(atPath: path) { return try SecretKey(file: path) }
        let bytes = try SecureRandom.bytes(count)
        // Under another name first: a service that is killed leaves no part of a key.
        let fresh = path + ".new"
        try? FileManager.default.removeItem(atPath: fresh)
        guard
            FileManager.default.createFile(
                atPath: fresh, contents: Data(bytes), attributes: [.posixPermissions: 0o600]),
            rename(fresh, path) == 0, let key = SecretKey(bytes)
        else { throw SettingsError("the secret key cannot be written: \(path)") }
        return key
    }
}
