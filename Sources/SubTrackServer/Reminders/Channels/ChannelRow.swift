import Foundation
import MariaDB
import SubTrackAPI

extension ChannelKind: SQLCodable {}

/// A channel as the database has it.
struct ChannelRow: Sendable {
    let user: UserID
    let id: UUID
    let kind: ChannelKind
    let name: String?
    let target: String
    /// A browser's keys or the access token of ntfy; nil: there is none.
    let sealed: [UInt8]?
    let salt: [UInt8]
    let secretNumber: Int64
    let secretSince: Instant?
    let device: UUID?
    let failingSince: Instant?
    let lastProblem: String?
    let pausedAt: Instant?
    let testedAt: Instant?
    let version: Int64

    /// For how many seconds after a rotation the former secret signs as well.
    private static let overlap: Int64 = 86_400

    /// The channel as operations answer it.
    var answer: ReminderChannel {
        ReminderChannel(stored, id: id, version: version)
    }

    /// The channel as clients hold it.
    var stored: StoredChannel {
        StoredChannel(
            kind: kind, name: name, target: kind == .webpush ? nil : target, deviceId: device, pausedAt: pausedAt,
            failingSince: failingSince, lastProblem: lastProblem, testedAt: testedAt)
    }

    /// The place of the sealed value. It opens for this channel and this URL alone, so that no token goes to another
    /// server.
    var seal: ChannelKeys.Place { ChannelKeys.Place(salt: salt, target: target) }

    /// The secrets that sign a message to a webhook, the present one first.
    /// - Throws: `CryptographyError`.
    func secrets(_ keys: ChannelKeys, now: Instant) throws -> [WebhookSecret] {
        var secrets = [try keys.webhookSecret(salt: salt, number: secretNumber)]
        if secretNumber > 0, let since = secretSince, now.secondsSince1970 - since.secondsSince1970 < Self.overlap {
            secrets.append(try keys.webhookSecret(salt: salt, number: secretNumber - 1))
        }
        return secrets
    }
}
