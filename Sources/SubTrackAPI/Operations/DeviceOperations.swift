import Foundation

/// The first start of a client: a new user without account, and a device that is signed in as that user.
public struct RegisterDevice: Operation {
    public static let name = "devices.register"
    public static let endpoint = Endpoint.post("/v1/devices", status: 201)
    public static let access = Access.public
    public static let handlesSecrets = true
    public static let takesEndedTokens = true
    public static let givesToken = true
    public static let summary = "Registers a device and makes a user without account for it."
    public static let errors = [ErrorCode.deviceKnown, .rateLimited]

    /// A device, its user, and the token that it is known by.
    public struct Output: Codable, Sendable, Hashable {
        /// The new user.
        public var user: User
        /// The device.
        public var device: Device
        /// The bearer token; it is shown this once, and left out where it comes as a cookie.
        public var token: String

        /// A registration.
        public init(user: User, device: Device, token: String) {
            self.user = user
            self.device = device
            self.token = token
        }
    }

    /// The device's id, if the client has made one.
    public var id: UUID?
    /// The user's name for it, 1…100 characters.
    public var name: String
    /// ISO 3166-1 alpha-2; the tenant's own unless given.
    public var country: String?
    /// IANA time zone; `UTC` unless given.
    public var timeZone: String?

    /// A device by name.
    public init(id: UUID? = nil, name: String, country: String? = nil, timeZone: String? = nil) {
        self.id = id
        self.name = name
        self.country = country
        self.timeZone = timeZone
    }
}

extension RegisterDevice: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "name": .text(1...100).example("My laptop"), "country": .country, "timeZone": .timeZone,
    ]
}

extension RegisterDevice.Output: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["token": .leftOut]
}
