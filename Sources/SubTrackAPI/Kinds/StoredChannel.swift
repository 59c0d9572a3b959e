import Foundation

/// The ways beside mail on which a user is told.
public enum ChannelKind: String, Codable, Sendable, Hashable, CaseIterable {
    /// A browser, by its push service (RFC 8030).
    case webpush
    /// A topic of a ntfy server.
    case ntfy
    /// A URL that takes messages as Standard Webhooks has them.
    case webhook
}

/// A channel as clients hold it. The id of the change is the channel's.
public struct StoredChannel: EntityRow {
    public static let entity: SyncEntity = "channel"
    /// The number in the table `Tombstone`.
    public static let number = 10

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

    /// A channel with all that clients hold.
    public init(
        kind: ChannelKind, name: String?, target: String?, deviceId: UUID? = nil, pausedAt: Instant? = nil,
        failingSince: Instant? = nil, lastProblem: String? = nil, testedAt: Instant? = nil
    ) {
        self.kind = kind
        self.name = name
        self.target = target
        self.deviceId = deviceId
        self.pausedAt = pausedAt
        self.failingSince = failingSince
        self.lastProblem = lastProblem
        self.testedAt = testedAt
    }
}
