import Foundation

/// The ways beside mail on which the user is told.
public struct ListChannels: Operation {
    public static let name = "channels.list"
    public static let endpoint = Endpoint.get("/v1/channels")
    public static let access = Access.device
    public static let summary = "Lists the channels by which the user is told beside mail."

    /// The channels.
    public struct Output: Codable, Sendable, Hashable {
        /// The channels, the oldest first.
        public var channels: [ReminderChannel]

        /// A list of channels.
        public init(channels: [ReminderChannel]) { self.channels = channels }
    }

    /// No input.
    public init() {}
}

/// Adds a channel.
public struct CreateChannel: Operation {
    public static let name = "channels.create"
    public static let endpoint = Endpoint.post("/v1/channels", status: 201)
    public static let access = Access.device
    public static let handlesSecrets = true
    public static let errors = [ErrorCode.idTaken, .statusConflict, .tooMany]
    public static let summary =
        "Adds a channel; a browser that is there already gets the new keys. The answer has the secret of a webhook."

    /// A new channel.
    public struct Output: Codable, Sendable, Hashable {
        /// The channel.
        public var channel: ReminderChannel
        /// The secret that signs the messages to a webhook: `whsec_` and base64. Null for other channels.
        public var secret: String?

        /// A channel, and its secret.
        public init(channel: ReminderChannel, secret: String?) {
            self.channel = channel
            self.secret = secret
        }
    }

    /// The channel's id, if the client has made one.
    public var id: UUID?
    /// Its kind.
    public var kind: ChannelKind
    /// The user's name for it.
    public var name: String?
    /// The URL: of the topic of a ntfy server, of a webhook, or the endpoint of a browser.
    public var target: String
    /// The access token of a ntfy server.
    public var token: String?
    /// The keys of a browser. The channel then belongs to the caller's device.
    public var push: PushKeys?

    /// A channel.
    public init(
        id: UUID? = nil, kind: ChannelKind, name: String? = nil, target: String, token: String? = nil,
        push: PushKeys? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.target = target
        self.token = token
        self.push = push
    }
}

/// Changes a channel.
public struct UpdateChannel: Operation {
    public typealias Output = ReminderChannel

    public static let name = "channels.update"
    public static let endpoint = Endpoint.patch("/v1/channels/{id}")
    public static let access = Access.device
    public static let handlesSecrets = true
    public static let errors = [ErrorCode.statusConflict]
    public static let summary = "Changes, pauses or resumes a channel (merge patch)."

    /// The channel.
    public var id: UUID
    /// The user's name for it.
    public var name: Patch<String>
    /// The URL. With another one, the access token has to be given again.
    public var target: Patch<String>
    /// The access token of a ntfy server; null: none.
    public var token: Patch<String>
    /// The keys of a browser.
    public var push: Patch<PushKeys>
    /// Whether it is paused. A channel that is resumed gets the messages that are not too late.
    public var paused: Patch<Bool>

    /// A change of the named fields.
    public init(
        id: UUID, name: Patch<String> = .keep, target: Patch<String> = .keep, token: Patch<String> = .keep,
        push: Patch<PushKeys> = .keep, paused: Patch<Bool> = .keep
    ) {
        self.id = id
        self.name = name
        self.target = target
        self.token = token
        self.push = push
        self.paused = paused
    }
}

/// Removes a channel.
public struct DeleteChannel: Operation {
    public typealias Output = Empty

    public static let name = "channels.delete"
    public static let endpoint = Endpoint.delete("/v1/channels/{id}")
    public static let access = Access.device
    public static let summary = "Removes a channel with the messages that are on their way."

    /// The channel.
    public var id: UUID

    /// A channel to remove.
    public init(id: UUID) { self.id = id }
}

/// Sends a test by a channel.
public struct TestChannel: Operation {
    public static let name = "channels.test"
    public static let endpoint = Endpoint.post("/v1/channels/{id}/test", status: 202)
    public static let access = Access.device
    public static let errors = [ErrorCode.statusConflict, .rateLimited]
    public static let summary =
        "Has a test sent within seconds. Its end is in the channel: `testedAt`, and `lastProblem` where it failed."

    /// The channel of which a test is sent.
    public struct Output: Codable, Sendable, Hashable {
        /// The channel as it is before the test.
        public var channel: ReminderChannel

        /// A channel.
        public init(channel: ReminderChannel) { self.channel = channel }
    }

    /// The channel.
    public var id: UUID

    /// A channel to test.
    public init(id: UUID) { self.id = id }
}

/// Gives a webhook another secret.
public struct RotateChannelSecret: Operation {
    public static let name = "channels.rotateSecret"
    public static let endpoint = Endpoint.post("/v1/channels/{id}/secret")
    public static let access = Access.device
    public static let handlesSecrets = true
    public static let errors = [ErrorCode.statusConflict]
    public static let summary = "Gives a webhook another secret; for 24 hours the former one signs as well."

    /// A new secret.
    public struct Output: Codable, Sendable, Hashable {
        /// The secret: `whsec_` and base64.
        public var secret: String

        /// A secret.
        public init(secret: String) { self.secret = secret }
    }

    /// The channel.
    public var id: UUID

    /// A webhook whose secret is changed.
    public init(id: UUID) { self.id = id }
}

/// The key of the service for browsers' push subscriptions.
public struct GetPushKey: Operation {
    /// The public key: a point of P-256, 65 bytes in base64url.
    public typealias Output = String

    public static let name = "push.key"
    public static let endpoint = Endpoint.get("/v1/push-key")
    public static let access = Access.public
    public static let errors = [ErrorCode.notFound]
    public static let mediaType: String? = "application/octet-stream"
    public static let summary =
        "Gives the public key that a browser needs to subscribe (RFC 8292), in base64url. Not found where push is off."

    /// No input.
    public init() {}
}

extension CreateChannel: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "name": .channelName, "target": .channelTarget, "token": .channelToken,
    ]
}

extension UpdateChannel: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "name": .channelName, "target": .channelTarget.notNull, "token": .channelToken, "push": .notNull,
        "paused": .notNull,
    ]
}
