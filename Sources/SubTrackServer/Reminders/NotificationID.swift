import Foundation
import Passwords

/// The id under which a notification goes out by one channel. Each attempt has the same one, so that the other side can
/// tell a second copy.
struct NotificationID: Sendable, Hashable {
    /// The first bytes of SHA-256 of the tenant, the user, the number and the channel.
    private let bytes: [UInt8]

    /// The id of a notification.
    /// - Parameters:
    ///   - tenant: the tenant's slug.
    ///   - channel: the name or the id of the channel.
    /// - Throws: `CryptographyError.digestFailed`.
    init(tenant: String, user: UserID, number: Int64, channel: String) throws {
        bytes = try Digest.sha256(Array("\(tenant)/\(user.uuid)/\(number)/\(channel)".utf8))
    }

    /// `msg_` and 24 hexadecimal digits.
    var text: String { "msg_" + bytes.prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// The id of a mail: a UUID whose bits are the digest's (version 8, RFC 9562 §5.8).
    var uuid: UUID {
        var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        withUnsafeMutableBytes(of: &uuid) { target in
            target.copyBytes(from: bytes.prefix(16))
            target[6] = target[6] & 0x0F | 0x80
            target[8] = target[8] & 0x3F | 0x80
        }
        return UUID(uuid: uuid)
    }
}
