import Foundation

/// A number in an input: area code and number, or the whole number with its country.
public struct ContactPhone: Codable, Sendable, Hashable {
    /// The part's id, if the client has made one.
    public var id: UUID?
    /// Three digits, beside ``number``.
    public var area: String?
    /// Seven digits, beside ``area``.
    public var number: String?
    /// The whole number in place of both: `+` and 2 to 15 digits (ITU-T E.164).
    public var e164: String?
    /// A word for it; `cell` unless given.
    public var type: String?

    /// A number.
    public init(
        id: UUID? = nil, area: String? = nil, number: String? = nil, e164: String? = nil, type: String? = nil
    ) {
        self.id = id
        self.area = area
        self.number = number
        self.e164 = e164
        self.type = type
    }
}

/// A postal address in an input, with a street, apartment, city, state or zip at least.
public struct ContactAddress: Codable, Sendable, Hashable {
    /// The part's id, if the client has made one.
    public var id: UUID?
    /// The street with its number, at most 40 characters.
    public var street: String?
    /// The apartment, the floor or the like.
    public var apt: String?
    /// The city.
    public var city: String?
    /// The state or province.
    public var state: String?
    /// The postal code, at most 10 characters.
    public var zip: String?
    /// The country in the user's words.
    public var country: String?
    /// A word for it; `home` unless given.
    public var type: String?

    /// An address.
    public init(
        id: UUID? = nil, street: String? = nil, apt: String? = nil, city: String? = nil, state: String? = nil,
        zip: String? = nil, country: String? = nil, type: String? = nil
    ) {
        self.id = id
        self.street = street
        self.apt = apt
        self.city = city
        self.state = state
        self.zip = zip
        self.country = country
        self.type = type
    }
}

/// An address of mail in an input.
public struct ContactEmail: Codable, Sendable, Hashable {
    /// The part's id, if the client has made one.
    public var id: UUID?
    /// The address, with an `@` inside.
    public var email: String
    /// A word for it; `home` unless given.
    public var type: String?

    /// An address of mail.
    public init(id: UUID? = nil, email: String, type: String? = nil) {
        self.id = id
        self.email = email
        self.type = type
    }
}

/// A day that matters in an input.
public struct ContactDate: Codable, Sendable, Hashable {
    /// The part's id, if the client has made one.
    public var id: UUID?
    /// The day: `1995-06-25` of the years 1000 to 2999, or `--06-25` where the year is not known.
    public var date: String
    /// Whether it comes each year; true unless given. A day without a year always does.
    public var yearly: Bool?
    /// How many days before it the user wants to be reminded, 0…365; null: as the settings say.
    public var reminderDays: Int?
    /// A word for it; `birthday` unless given.
    public var type: String?

    /// A day that matters.
    public init(
        id: UUID? = nil, date: String, yearly: Bool? = nil, reminderDays: Int? = nil, type: String? = nil
    ) {
        self.id = id
        self.date = date
        self.yearly = yearly
        self.reminderDays = reminderDays
        self.type = type
    }
}

extension StoredContact {
    /// The rules of a new contact's fields.
    static var inputRules: [String: FieldRule] {
        declaration.rules.merging(
            Dictionary(uniqueKeysWithValues: declaration.parts.map { ($0.name, FieldRule.list(upTo: $0.maximum)) })
        ) { $1 }
    }

    /// The rules of a part's fields.
    static func inputRules(of list: String) -> [String: FieldRule] {
        declaration.parts.first { $0.name == list }?.rules ?? [:]
    }
}

extension ContactPhone: FieldRules {
    public static let fieldRules = StoredContact.inputRules(of: "phones")
}

extension ContactAddress: FieldRules {
    public static let fieldRules = StoredContact.inputRules(of: "addresses")
}

extension ContactEmail: FieldRules {
    public static let fieldRules = StoredContact.inputRules(of: "emails")
}

extension ContactDate: FieldRules {
    public static let fieldRules = StoredContact.inputRules(of: "dates")
}
