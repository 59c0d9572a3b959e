/// The caller.
public struct GetMe: Operation {
    public typealias Output = User

    public static let name = "me.get"
    public static let endpoint = Endpoint.get("/v1/me")
    public static let access = Access.device
    public static let summary = "Gives the user that the device is signed in as."

    /// No input.
    public init() {}
}

/// Changes the user's name, country or time zone.
public struct UpdateMe: Operation {
    public typealias Output = User

    public static let name = "me.update"
    public static let endpoint = Endpoint.patch("/v1/me")
    public static let access = Access.device
    public static let summary = "Changes the user's name, country or time zone (merge patch)."

    /// The user's name, 1…100 characters; null: no name.
    public var userName: Patch<String>
    /// ISO 3166-1 alpha-2.
    public var country: Patch<String>
    /// IANA time zone.
    public var timeZone: Patch<String>

    /// A change of the named fields.
    public init(userName: Patch<String> = .keep, country: Patch<String> = .keep, timeZone: Patch<String> = .keep) {
        self.userName = userName
        self.country = country
        self.timeZone = timeZone
    }
}

extension UpdateMe: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "userName": .text(0...100).example("Ada"), "country": .country.notNull, "timeZone": .timeZone.notNull,
    ]
}
