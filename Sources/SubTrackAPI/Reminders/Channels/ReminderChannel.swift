import Foundation

/// A channel as operations answer it: the row that clients hold, with its id and version.
public struct ReminderChannel: Codable, Sendable, Hashable, Versioned {
    /// The channel's id.
    public var id: UUID
    /// Its kind. It never changes.
    public var kind: ChannelKind
    /// The user's name for it.
    public var name: String?
    /// The URL; null for a browser, whose URL is a secret.
    public var target: String?
    /// The device of a browser, which is told as long as it is signed in.
    public var deviceId: UUID?
    /// When it was paused; null: it is told.
    public var pausedAt: Instant?
    /// The first failure since the last success; null: it works, or nothing was sent yet.
    public var failingSince: Instant?
    /// The reason of the last failure since the last success.
    public var lastProblem: String?
    /// The end of the last test.
    public var testedAt: Instant?
    /// The version in the user's scope.
    public var version: Int64

    /// A row with its id and version.
    public init(_ row: StoredChannel, id: UUID, version: Int64) {
        self.id = id
        kind = row.kind
        name = row.name
        target = row.target
        deviceId = row.deviceId
        pausedAt = row.pausedAt
        failingSince = row.failingSince
        lastProblem = row.lastProblem
        testedAt = row.testedAt
        self.version = version
    }

    /// The row that clients hold.
    public var row: StoredChannel {
        StoredChannel(
            kind: kind, name: name, target: target, deviceId: deviceId, pausedAt: pausedAt, failingSince: failingSince,
            lastProblem: lastProblem, testedAt: testedAt)
    }
}

/// The keys of a browser's push subscription (RFC 8291), as its `PushSubscription` gives them.
public struct PushKeys: Codable, Sendable, Hashable {
    /// The public key: a point of P-256, 65 bytes in base64url.
    public var p256dh: String
    /// The authentication secret, 16 bytes in base64url.
    public var auth: String

    /// The keys of a browser.
    public init(p256dh: String, auth: String) {
        self.p256dh = p256dh
        self.auth = auth
    }
}

extension PushKeys: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["p256dh": .text(1...100), "auth": .text(1...30)]
}

extension FieldRule {
    /// A URL to which messages are posted.
    static let channelTarget = text(1...2000).example("https://ntfy.sh/my-topic")
    /// A name for a channel.
    static let channelName = text(0...100).example("My phone")
    /// The access token of a ntfy server.
    static let channelToken = text(0...500)
}
