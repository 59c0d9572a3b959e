import Foundation

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
    /// It needs no key: the same cards again change nothing.
    public static let conditions: Conditions = []
    public static let summary =
        "Adds and updates contacts from vCards (RFC 6350, RFC 2426), each by itself; the same cards again change nothing."
    public static let errors = [ErrorCode.rateLimited]

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

    /// The text of the cards, one behind the other, at most 1 MiB.
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

/// All contacts as vCards.
public struct ExportContacts: Operation {
    /// The cards, one behind the other.
    public typealias Output = String

    public static let name = "contacts.export"
    public static let endpoint = Endpoint.get("/v1/contacts.vcf")
    public static let access = Access.device
    public static let summary = "Gives all contacts as vCards, as a text on HTTP."
    public static let errors = [ErrorCode.rateLimited]
    public static let mediaType: String? = "text/vcard"

    /// The version of vCard, `3.0` (RFC 2426) or `4.0` (RFC 6350); `3.0` unless given.
    public var version: String?

    /// All contacts in a version of vCard.
    public init(version: String? = nil) { self.version = version }
}

extension MergeContacts: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["from": .list(upTo: 20)]
}

extension ImportContacts: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["cards": .text(1...1_048_576)]
}
