import Foundation

/// A contact as clients hold it: a person with numbers, addresses and days that matter.
public struct StoredContact: DeclaredRow {
    public static let declaration = EntityDeclaration(
        "contact", number: 12, table: "Contact", limit: 10_000, restorableDays: 30, title: ["firstName", "lastName"],
        fields: [
            .text("firstName", 1...100).immutable, .text("middleName", 1...100).optional.immutable,
            .text("lastName", 1...100).immutable, .text("note", 1...2000).optional.multiline,
        ],
        parts: [
            EntityPart(
                "phones", table: "Contact_phone", key: "Phone_ID", maximum: 50,
                fields: [
                    .text("area", 1...10).optional.column("Area_code"),
                    .text("number", 1...20).optional.column("Phone_number"), .text("e164", 1...20).optional,
                    .text("type", 1...30).column("Phone_type").unlessGiven("cell"),
                ]),
            EntityPart(
                "addresses", table: "Contact_address", key: "Address_ID", maximum: 50,
                fields: [
                    .text("street", 1...40).optional, .text("apt", 1...100).optional, .text("city", 1...100).optional,
                    .text("state", 1...100).optional, .text("zip", 1...10).optional,
                    .text("country", 1...100).optional,
                    .text("type", 1...30).column("Address_type").unlessGiven("home"),
                ]),
            EntityPart(
                "emails", table: "Contact_email", key: "Email_ID", maximum: 50,
                fields: [
                    .text("email", 3...254), .text("type", 1...30).column("Email_type").unlessGiven("home"),
                ]),
            EntityPart(
                "dates", table: "Contact_date", key: "Date_ID", maximum: 50,
                fields: [
                    .text("date", 1...10).column("Happens_on"), .flag("yearly").unlessGiven(true),
                    .integer("reminderDays", 0...365).optional,
                    .text("type", 1...30).column("Date_type").unlessGiven("birthday"),
                ]),
        ])

    /// A number: area code and number as dialled at home, or the whole number with its country.
    public struct Phone: Codable, Sendable, Hashable {
        /// The part's id.
        public var id: UUID
        /// Three digits, beside ``number``.
        public var area: String?
        /// Seven digits, beside ``area``.
        public var number: String?
        /// The whole number in place of both: `+` and 2 to 15 digits (ITU-T E.164).
        public var e164: String?
        /// A word for it: `cell`, `home`, `work`.
        public var type: String

        /// A number.
        public init(
            id: UUID = UUID(), area: String? = nil, number: String? = nil, e164: String? = nil, type: String = "cell"
        ) {
            self.id = id
            self.area = area
            self.number = number
            self.e164 = e164
            self.type = type
        }
    }

    /// A postal address with a street, apartment, city, state or zip at least.
    public struct Address: Codable, Sendable, Hashable {
        /// The part's id.
        public var id: UUID
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
        /// A word for it: `home`, `work`.
        public var type: String

        /// An address.
        public init(
            id: UUID = UUID(), street: String? = nil, apt: String? = nil, city: String? = nil, state: String? = nil,
            zip: String? = nil, country: String? = nil, type: String = "home"
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

    /// An address of mail.
    public struct Email: Codable, Sendable, Hashable {
        /// The part's id.
        public var id: UUID
        /// The address, with an `@` inside.
        public var email: String
        /// A word for it: `home`, `work`.
        public var type: String

        /// An address of mail.
        public init(id: UUID = UUID(), email: String, type: String = "home") {
            self.id = id
            self.email = email
            self.type = type
        }
    }

    /// A day that matters.
    public struct Occasion: Codable, Sendable, Hashable {
        /// The part's id.
        public var id: UUID
        /// The day, `1995-06-25` of the years 1000 to 2999, or `--06-25` where the year is not known.
        public var date: String
        /// Whether it comes each year. A day without a year always does.
        public var yearly: Bool
        /// How many days before it the user wants to be reminded, 0…365; null: as the settings say.
        public var reminderDays: Int?
        /// A word for it: `birthday`, `anniversary`.
        public var type: String

        /// A day that matters.
        public init(
            id: UUID = UUID(), date: String, yearly: Bool = true, reminderDays: Int? = nil, type: String = "birthday"
        ) {
            self.id = id
            self.date = date
            self.yearly = yearly
            self.reminderDays = reminderDays
            self.type = type
        }
    }

    /// The first name, 1…100 characters. It never changes.
    public var firstName: String
    /// The middle name. It never changes.
    public var middleName: String?
    /// The last name, 1…100 characters. It never changes.
    public var lastName: String
    /// A note, at most 2,000 characters.
    public var note: String?
    /// The numbers, in the order of their ids.
    public var phones: [Phone]
    /// The postal addresses, in the order of their ids.
    public var addresses: [Address]
    /// The addresses of mail, in the order of their ids.
    public var emails: [Email]
    /// The days that matter, in the order of their ids.
    public var dates: [Occasion]

    /// A contact.
    public init(
        firstName: String, middleName: String? = nil, lastName: String, note: String? = nil, phones: [Phone] = [],
        addresses: [Address] = [], emails: [Email] = [], dates: [Occasion] = []
    ) {
        self.firstName = firstName
        self.middleName = middleName
        self.lastName = lastName
        self.note = note
        self.phones = phones.sorted { $0.id.uuidString < $1.id.uuidString }
        self.addresses = addresses.sorted { $0.id.uuidString < $1.id.uuidString }
        self.emails = emails.sorted { $0.id.uuidString < $1.id.uuidString }
        self.dates = dates.sorted { $0.id.uuidString < $1.id.uuidString }
    }
}
