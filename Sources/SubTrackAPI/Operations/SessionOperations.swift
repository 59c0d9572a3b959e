import Foundation

/// Signs in with e-mail and password, or makes the account in the same step.
public struct CreateSession: Operation {
    public static let name = "sessions.create"
    public static let endpoint = Endpoint.post("/v1/sessions")
    public static let access = Access.public
    public static let errors: [ErrorCode] = [
        .credentialsInvalid, .emailTaken, .deviceKnown, .tooMany, .rateLimited,
    ]
    public static let handlesSecrets = true
    public static let takesEndedTokens = true
    public static let givesToken = true
    public static let summary =
        "Signs in with e-mail and password; data of a device without account are merged into the account's user."

    /// The device that signs in.
    public struct NewDevice: Codable, Sendable, Hashable {
        /// The device's id, if the client has made one. With a token it is the token's device and may be left out.
        public var id: UUID?
        /// The user's name for it, 1…100 characters; a new device is called `Device` unless told.
        public var name: String?
        /// ISO 3166-1 alpha-2, for a user that is made; the tenant's own unless given.
        public var country: String?
        /// IANA time zone, for a user that is made; `UTC` unless given.
        public var timeZone: String?

        /// A device with its details.
        public init(id: UUID? = nil, name: String? = nil, country: String? = nil, timeZone: String? = nil) {
            self.id = id
            self.name = name
            self.country = country
            self.timeZone = timeZone
        }
    }

    /// The fate of the data that the device had without account.
    public struct Merged: Codable, Sendable, Hashable {
        /// A subscription that both had: the device's row is gone, the account's stands for it.
        public struct Same: Codable, Sendable, Hashable {
            /// The id on the device.
            public var from: UUID
            /// The id of the account's.
            public var to: UUID

            /// A pair of ids of one subscription.
            public init(from: UUID, to: UUID) {
                self.from = from
                self.to = to
            }
        }

        /// How many subscriptions were moved to the account's user.
        public var moved: Int
        /// Those that the account's user had already.
        public var same: [Same]

        /// Moved rows, and rows that were there already.
        public init(moved: Int = 0, same: [Same] = []) {
            self.moved = moved
            self.same = same
        }
    }

    /// The user, the device and its new token.
    public struct Output: Codable, Sendable, Hashable {
        /// The account's user.
        public var user: User
        /// The device.
        public var device: Device
        /// The bearer token; it is shown this once, and left out where it comes as a cookie. The device's former one has
        /// ended.
        public var token: String
        /// Whether the account was made.
        public var created: Bool
        /// The fate of the data that the device had without account.
        public var merged: Merged

        /// A session with all its fields.
        public init(user: User, device: Device, token: String, created: Bool, merged: Merged) {
            self.user = user
            self.device = device
            self.token = token
            self.created = created
            self.merged = merged
        }
    }

    /// The account's e-mail address, in any case.
    public var email: String
    /// Its password.
    public var password: String
    /// The user's name, where there is none yet and the account is made; 1…100 characters.
    public var userName: String?
    /// Whether the account is made when there is none of this address; false unless given.
    public var createIfMissing: Bool?
    /// The device; with a token, the token's device unless told.
    public var device: NewDevice?

    /// A sign-in.
    public init(
        email: String, password: String, userName: String? = nil, createIfMissing: Bool? = nil,
        device: NewDevice? = nil
    ) {
        self.email = email
        self.password = password
        self.userName = userName
        self.createIfMissing = createIfMissing
        self.device = device
    }
}

/// Where the user is signed in.
public struct ListSessions: Operation {
    public static let name = "sessions.list"
    public static let endpoint = Endpoint.get("/v1/sessions")
    public static let access = Access.device
    public static let summary = "Lists the user's sessions, the last used first."

    /// A device that is signed in.
    public struct Session: Codable, Sendable, Hashable {
        /// The session's id.
        public var id: UUID
        /// The device.
        public var device: Device
        /// When it signed in.
        public var createdAt: Instant
        /// When its token was last used, to the hour.
        public var lastUsedAt: Instant
        /// Whether it is the caller's own.
        public var current: Bool

        /// A session with all its fields.
        public init(id: UUID, device: Device, createdAt: Instant, lastUsedAt: Instant, current: Bool) {
            self.id = id
            self.device = device
            self.createdAt = createdAt
            self.lastUsedAt = lastUsedAt
            self.current = current
        }
    }

    /// A page of sessions.
    public struct Output: Codable, Sendable, Hashable {
        /// The sessions of this page.
        public var sessions: [Session]
        /// The `cursor` for the next page; null on the last.
        public var nextCursor: String?

        /// A page.
        public init(sessions: [Session], nextCursor: String?) {
            self.sessions = sessions
            self.nextCursor = nextCursor
        }
    }

    /// How many at most, 1…200; 50 unless given.
    public var limit: Int?
    /// Where the page begins.
    public var cursor: String?

    /// A page of the sessions.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// Signs a device out from afar.
public struct DeleteSession: Operation {
    public typealias Output = Empty

    public static let name = "sessions.delete"
    public static let endpoint = Endpoint.delete("/v1/sessions/{id}")
    public static let access = Access.device
    public static let summary = "Ends a session of the user: its token is refused from now on."

    /// The session.
    public var id: UUID

    /// The session of this id.
    public init(id: UUID) { self.id = id }
}

/// Signs out on this device.
public struct EndSession: Operation {
    public static let name = "sessions.end"
    public static let endpoint = Endpoint.delete("/v1/sessions/current", status: 200)
    public static let access = Access.device
    public static let errors: [ErrorCode] = [.statusConflict, .rateLimited]
    public static let handlesSecrets = true
    public static let givesToken = true
    public static let summary = "Signs out: the device gets a fresh user without account, and a new token."

    /// The fresh user and the device's new token, as when it was registered.
    public typealias Output = RegisterDevice.Output

    /// No input.
    public init() {}
}

extension CreateSession: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "email": FieldRule().example("ada@example.org"), "password": FieldRule().example("correct horse battery"),
        "userName": .text(0...100).example("Ada"),
    ]
}

extension CreateSession.NewDevice: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "name": .text(0...100).example("My phone"), "country": .country, "timeZone": .timeZone,
    ]
}

extension ListSessions: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["limit": .pageLimit, "cursor": .cursor]
}

extension CreateSession.Output: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["token": .leftOut]
}
