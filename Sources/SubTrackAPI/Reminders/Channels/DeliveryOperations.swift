import Foundation

/// The messages of a channel that did not arrive.
public struct ListDeliveries: Operation {
    public static let name = "deliveries.list"
    public static let endpoint = Endpoint.get("/v1/channels/{id}/deliveries")
    public static let access = Access.device
    public static let summary = "Lists the messages of a channel that did not arrive after all attempts."

    /// A message that did not arrive.
    public struct Delivery: Codable, Sendable, Hashable {
        /// The number of the notification.
        public var notification: Int64
        /// When it was said first.
        public var firedAt: Instant
        /// How often it was tried.
        public var attempts: Int
        /// The last attempt.
        public var deadAt: Instant
        /// The reason of the last failure.
        public var problem: String?

        /// A message that did not arrive.
        public init(notification: Int64, firedAt: Instant, attempts: Int, deadAt: Instant, problem: String?) {
            self.notification = notification
            self.firedAt = firedAt
            self.attempts = attempts
            self.deadAt = deadAt
            self.problem = problem
        }
    }

    /// The messages.
    public struct Output: Codable, Sendable, Hashable {
        /// The messages, the last one first, at most 100.
        public var deliveries: [Delivery]

        /// A list of messages.
        public init(deliveries: [Delivery]) { self.deliveries = deliveries }
    }

    /// The channel.
    public var id: UUID

    /// The messages of a channel.
    public init(id: UUID) { self.id = id }
}

/// Sends messages once more.
public struct ResendDeliveries: Operation {
    public static let name = "deliveries.resend"
    public static let endpoint = Endpoint.post("/v1/channels/{id}/deliveries")
    public static let access = Access.device
    public static let summary = "Sends the messages of a channel that did not arrive once more, as far as they still hold."

    /// The number of messages.
    public struct Output: Codable, Sendable, Hashable {
        /// How many are sent again.
        public var resent: Int

        /// So many messages.
        public init(resent: Int) { self.resent = resent }
    }

    /// The channel.
    public var id: UUID
    /// The notification; all of them unless given.
    public var notification: Int64?

    /// Messages of a channel.
    public init(id: UUID, notification: Int64? = nil) {
        self.id = id
        self.notification = notification
    }
}

extension ResendDeliveries: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["notification": .rowNumber]
}
