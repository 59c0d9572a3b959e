import Foundation

/// A contact as operations answer it: the row that clients hold, with its id and version.
public struct Contact: Codable, Sendable, Hashable, Versioned {
    /// The contact's id.
    public var id: UUID
    /// The first name. It never changes.
    public var firstName: String
    /// The middle name. It never changes.
    public var middleName: String?
    /// The last name. It never changes.
    public var lastName: String
    /// A note.
    public var note: String?
    /// The numbers, in the order of their ids.
    public var phones: [StoredContact.Phone]
    /// The postal addresses, in the order of their ids.
    public var addresses: [StoredContact.Address]
    /// The addresses of mail, in the order of their ids.
    public var emails: [StoredContact.Email]
    /// The days that matter, in the order of their ids.
    public var dates: [StoredContact.Occasion]
    /// The version in the user's scope.
    public var version: Int64

    /// A row with its id and version.
    public init(_ row: StoredContact, id: UUID, version: Int64) {
        self.id = id
        firstName = row.firstName
        middleName = row.middleName
        lastName = row.lastName
        note = row.note
        phones = row.phones
        addresses = row.addresses
        emails = row.emails
        dates = row.dates
        self.version = version
    }

    /// The row that clients hold.
    public var row: StoredContact {
        StoredContact(
            firstName: firstName, middleName: middleName, lastName: lastName, note: note, phones: phones,
            addresses: addresses, emails: emails, dates: dates)
    }
}

/// The user's contacts.
public struct ListContacts: Operation {
    public static let name = "contacts.list"
    public static let endpoint = Endpoint.get("/v1/contacts")
    public static let access = Access.device
    public static let summary = "Lists the user's contacts by name, or those that a search finds, the best first."

    /// A page of contacts.
    public struct Output: Codable, Sendable, Hashable {
        /// The contacts of this page.
        public var contacts: [Contact]
        /// The `cursor` for the next page; null on the last.
        public var nextCursor: String?

        /// A page.
        public init(contacts: [Contact], nextCursor: String?) {
            self.contacts = contacts
            self.nextCursor = nextCursor
        }
    }

    /// Up to 8 terms, parted by white space, 100 characters in all. Each has to be in the contact, in any field, in any part
    /// of a word.
    public var search: String?
    /// How many at most, 1…200; 50 unless given.
    public var limit: Int?
    /// Where the page begins.
    public var cursor: String?

    /// A page of the contacts.
    public init(search: String? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.search = search
        self.limit = limit
        self.cursor = cursor
    }
}

/// One contact.
public struct GetContact: Operation {
    public typealias Output = Contact

    public static let name = "contacts.get"
    public static let endpoint = Endpoint.get("/v1/contacts/{id}")
    public static let access = Access.device
    public static let summary = "Gives one contact."

    /// The contact.
    public var id: UUID

    /// The contact of this id.
    public init(id: UUID) { self.id = id }
}

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

/// A new contact.
public struct CreateContact: Operation {
    public typealias Output = Contact

    public static let name = "contacts.create"
    public static let endpoint = Endpoint.post("/v1/contacts", status: 201)
    public static let access = Access.device
    public static let summary = "Adds a contact with all of its parts, or nothing of it."
    public static let errors = [ErrorCode.idTaken, .tooMany]

    /// The contact's id, if the client has made one.
    public var id: UUID?
    /// The first name. It can never be changed.
    public var firstName: String
    /// The middle name. It can never be changed.
    public var middleName: String?
    /// The last name. It can never be changed.
    public var lastName: String
    /// A note, at most 2,000 characters.
    public var note: String?
    /// The numbers, at most 50.
    public var phones: [ContactPhone]?
    /// The postal addresses, at most 50.
    public var addresses: [ContactAddress]?
    /// The addresses of mail, at most 50.
    public var emails: [ContactEmail]?
    /// The days that matter, at most 50.
    public var dates: [ContactDate]?

    /// A contact with its parts.
    public init(
        id: UUID? = nil, firstName: String, middleName: String? = nil, lastName: String, note: String? = nil,
        phones: [ContactPhone]? = nil, addresses: [ContactAddress]? = nil, emails: [ContactEmail]? = nil,
        dates: [ContactDate]? = nil
    ) {
        self.id = id
        self.firstName = firstName
        self.middleName = middleName
        self.lastName = lastName
        self.note = note
        self.phones = phones
        self.addresses = addresses
        self.emails = emails
        self.dates = dates
    }
}

/// A contact as it is to be.
public struct PutContact: Operation {
    public typealias Output = Contact

    public static let name = "contacts.put"
    public static let endpoint = Endpoint.put("/v1/contacts/{id}")
    public static let access = Access.device
    public static let summary =
        "Adds a contact under an id, or replaces the note and all parts of the one that has it; its names stay."
    public static let errors = [ErrorCode.idTaken, .statusConflict, .tooMany]

    /// The contact.
    public var id: UUID
    /// The first name: of a contact that is there, the same.
    public var firstName: String
    /// The middle name: of a contact that is there, the same.
    public var middleName: String?
    /// The last name: of a contact that is there, the same.
    public var lastName: String
    /// A note, at most 2,000 characters.
    public var note: String?
    /// The numbers, at most 50.
    public var phones: [ContactPhone]?
    /// The postal addresses, at most 50.
    public var addresses: [ContactAddress]?
    /// The addresses of mail, at most 50.
    public var emails: [ContactEmail]?
    /// The days that matter, at most 50.
    public var dates: [ContactDate]?

    /// A contact with all of its parts.
    public init(
        id: UUID, firstName: String, middleName: String? = nil, lastName: String, note: String? = nil,
        phones: [ContactPhone]? = nil, addresses: [ContactAddress]? = nil, emails: [ContactEmail]? = nil,
        dates: [ContactDate]? = nil
    ) {
        self.id = id
        self.firstName = firstName
        self.middleName = middleName
        self.lastName = lastName
        self.note = note
        self.phones = phones
        self.addresses = addresses
        self.emails = emails
        self.dates = dates
    }
}

/// A change of a contact.
public struct UpdateContact: Operation {
    public typealias Output = Contact

    public static let name = "contacts.update"
    public static let endpoint = Endpoint.patch("/v1/contacts/{id}")
    public static let access = Access.device
    public static let summary = "Changes a contact (merge patch), its parts by their ids; its names never change."

    /// The contact.
    public var id: UUID
    /// A note; null: none.
    public var note: Patch<String>
    /// Numbers by their ids, each with its changed members. One of a new id is added, one that is null goes.
    public var phones: Patch<[String: AnyJSON]>
    /// Postal addresses by their ids, in the same way.
    public var addresses: Patch<[String: AnyJSON]>
    /// Addresses of mail by their ids, in the same way.
    public var emails: Patch<[String: AnyJSON]>
    /// Days that matter by their ids, in the same way.
    public var dates: Patch<[String: AnyJSON]>

    /// A change of the named fields.
    public init(
        id: UUID, note: Patch<String> = .keep, phones: Patch<[String: AnyJSON]> = .keep,
        addresses: Patch<[String: AnyJSON]> = .keep, emails: Patch<[String: AnyJSON]> = .keep,
        dates: Patch<[String: AnyJSON]> = .keep
    ) {
        self.id = id
        self.note = note
        self.phones = phones
        self.addresses = addresses
        self.emails = emails
        self.dates = dates
    }
}

/// The end of a contact.
public struct DeleteContact: Operation {
    public typealias Output = Empty

    public static let name = "contacts.delete"
    public static let endpoint = Endpoint.delete("/v1/contacts/{id}")
    public static let access = Access.device
    public static let summary = "Deletes a contact with all of its parts; it can be restored for 30 days."
    public static let conditions: Conditions = [.idempotencyKey, .ifMatch]

    /// The contact.
    public var id: UUID

    /// The contact of this id.
    public init(id: UUID) { self.id = id }
}

/// A deleted contact's return.
public struct RestoreContact: Operation {
    public typealias Output = Contact

    public static let name = "contacts.restore"
    public static let endpoint = Endpoint.post("/v1/contacts/{id}/restore")
    public static let access = Access.device
    public static let summary = "Brings a contact back that was deleted in the last 30 days, with all of its parts."
    public static let errors = [ErrorCode.tooMany]

    /// The contact.
    public var id: UUID

    /// The contact of this id.
    public init(id: UUID) { self.id = id }
}

/// Contacts that may be one person.
public struct ListContactDuplicates: Operation {
    public static let name = "contacts.duplicates"
    public static let endpoint = Endpoint.get("/v1/contacts/duplicates")
    public static let access = Access.device
    public static let summary = "Finds contacts that may be one person, in pairs, each with the reasons."

    /// Why two contacts may be one person.
    public struct Reason: Codable, Sendable, Hashable {
        /// The kind of a reason.
        public enum Kind: String, Codable, Sendable, CaseIterable {
            /// They have a number in common.
            case phone
            /// They have an address of mail in common.
            case email
            /// They have the same names, and a day that matters in common.
            case date
            /// They have the same names, and a postal address in common.
            case address
        }

        /// Which field both have in common.
        public var kind: Kind
        /// Its value as the first contact has it.
        public var value: String

        /// A reason.
        public init(kind: Kind, value: String) {
            self.kind = kind
            self.value = value
        }
    }

    /// Two contacts that may be one person.
    public struct Pair: Codable, Sendable, Hashable {
        /// The one that was added first.
        public var first: UUID
        /// The other one.
        public var second: UUID
        /// The reasons, at least one.
        public var reasons: [Reason]

        /// A pair with its reasons.
        public init(first: UUID, second: UUID, reasons: [Reason]) {
            self.first = first
            self.second = second
            self.reasons = reasons
        }
    }

    /// The pairs.
    public struct Output: Codable, Sendable, Hashable {
        /// The pairs, at most 500, by the first contact's id.
        public var pairs: [Pair]
        /// The contacts of the pairs, by name.
        public var contacts: [Contact]
        /// Whether there are more than these. They are shown once some of these are merged.
        public var more: Bool

        /// Pairs with their contacts.
        public init(pairs: [Pair], contacts: [Contact], more: Bool) {
            self.pairs = pairs
            self.contacts = contacts
            self.more = more
        }
    }

    /// No input.
    public init() {}
}

/// Contacts that become one.
public struct MergeContacts: Operation {
    public static let name = "contacts.merge"
    public static let endpoint = Endpoint.post("/v1/contacts/{id}/merge")
    public static let access = Access.device
    public static let summary =
        "Merges other contacts into one, which keeps its names; the others can be restored for 30 days."
    public static let errors = [ErrorCode.stale, .tooMany]

    /// A contact that goes.
    public struct Source: Codable, Sendable, Hashable {
        /// The contact.
        public var id: UUID
        /// The version that was seen; if it has changed since, nothing is merged.
        public var version: Int64?

        /// A contact in the version that was seen.
        public init(id: UUID, version: Int64? = nil) {
            self.id = id
            self.version = version
        }
    }

    /// The contact that stays.
    public struct Output: Codable, Sendable, Hashable, Versioned {
        /// The contact with the parts of all.
        public var contact: Contact
        /// The contacts that went. One that is restored has its parts again, which are then here as well.
        public var merged: [UUID]

        /// A merged contact.
        public init(contact: Contact, merged: [UUID]) {
            self.contact = contact
            self.merged = merged
        }

        /// The version of the contact that stays.
        public var version: Int64 { contact.version }
    }

    /// The contact that stays, with its names.
    public var id: UUID
    /// The contacts that go, 1…20.
    public var from: [Source]

    /// A merge of contacts into one.
    public init(id: UUID, from: [Source]) {
        self.id = id
        self.from = from
    }
}

/// Contacts from vCards.
public struct ImportContacts: Operation {
    public static let name = "contacts.import"
    public static let endpoint = Endpoint.post("/v1/contacts/import")
    public static let access = Access.device
    public static let summary =
        "Adds and updates contacts from vCards (RFC 6350, RFC 2426), each by itself; the same cards again change nothing."
    public static let errors = [ErrorCode.tooMany]

    /// A card that is not imported.
    public struct Refused: Codable, Sendable, Hashable {
        /// The card's place in the text, from 0.
        public var index: Int
        /// The name on it, as far as it can be read.
        public var name: String?
        /// Why it is not imported.
        public var reason: String

        /// A card that is not imported.
        public init(index: Int, name: String?, reason: String) {
            self.index = index
            self.name = name
            self.reason = reason
        }
    }

    /// A value of a card that has gone to another place, or has got another form.
    public struct Adjusted: Codable, Sendable, Hashable {
        /// The card's place in the text, from 0.
        public var index: Int
        /// The value, and where it went.
        public var what: String

        /// An adjusted value.
        public init(index: Int, what: String) {
            self.index = index
            self.what = what
        }
    }

    /// The outcome of an import.
    public struct Output: Codable, Sendable, Hashable {
        /// How many contacts are new.
        public var created: Int
        /// How many contacts were changed.
        public var updated: Int
        /// How many cards say nothing new.
        public var unchanged: Int
        /// The cards that are not imported.
        public var refused: [Refused]
        /// The values that were adjusted.
        public var adjusted: [Adjusted]

        /// An outcome.
        public init(
            created: Int = 0, updated: Int = 0, unchanged: Int = 0, refused: [Refused] = [], adjusted: [Adjusted] = []
        ) {
            self.created = created
            self.updated = updated
            self.unchanged = unchanged
            self.refused = refused
            self.adjusted = adjusted
        }
    }

    /// The text of the cards, one behind the other.
    public var cards: String
    /// Whether `?` stands for a first or last name that a card lacks; false unless given.
    public var fillNames: Bool?
    /// Whether the outcome is told and nothing is written; false unless given.
    public var dryRun: Bool?

    /// An import of cards.
    public init(cards: String, fillNames: Bool? = nil, dryRun: Bool? = nil) {
        self.cards = cards
        self.fillNames = fillNames
        self.dryRun = dryRun
    }
}

extension ListContacts: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "search": .text(0...100), "limit": .pageLimit, "cursor": .cursor,
    ]
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

extension CreateContact: FieldRules {
    public static let fieldRules = StoredContact.inputRules
}

extension PutContact: FieldRules {
    public static let fieldRules = StoredContact.inputRules
}

extension UpdateContact: FieldRules {
    /// The bound of a list's changes: each part goes, and as many come.
    private static let parts = FieldRule.members(upTo: 100, values: 1_000)

    public static let fieldRules: [String: FieldRule] = [
        "note": .text(0...2000), "phones": parts, "addresses": parts, "emails": parts, "dates": parts,
    ]
}

extension MergeContacts: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["from": .list(upTo: 20)]
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
