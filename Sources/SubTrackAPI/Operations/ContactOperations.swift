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

extension ListContacts: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "search": .text(0...100), "limit": .pageLimit, "cursor": .cursor,
    ]
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
