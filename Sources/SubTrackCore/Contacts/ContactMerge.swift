import Foundation
import SubTrackAPI

/// The merge of contacts into one, by the rules by which cards are taken in: nothing is lost, and nothing is there twice.
public struct ContactMerge: Sendable {
    /// The contact with the parts of the others that it lacks, and their notes behind its own. Its names stay.
    public private(set) var contact: StoredContact
    /// The properties of all cards: of each name those of the first card that has it.
    public private(set) var rest: String?
    /// Values that found no room, each as a sentence for the user; empty where nothing is lost.
    public private(set) var lost: [String] = []

    /// A merge of others into a contact, each with the properties of its card that have no field.
    ///
    /// Parts keep their ids, unless the contact has another part of that id.
    public init(
        _ contact: StoredContact, rest: String? = nil, with others: [(contact: StoredContact, rest: String?)]
    ) {
        self.contact = contact
        self.rest = rest
        for other in others {
            var card = CardContact(contact: other.contact, rest: other.rest)
            Self.separate(&card.contact.phones, from: self.contact.phones, id: \.id)
            Self.separate(&card.contact.addresses, from: self.contact.addresses, id: \.id)
            Self.separate(&card.contact.emails, from: self.contact.emails, id: \.id)
            Self.separate(&card.contact.dates, from: self.contact.dates, id: \.id)
            let merge = CardMerge(card, into: self.contact, rest: self.rest, mode: .add)
            self.contact = merge.contact
            self.rest = merge.rest
            lost += merge.adjusted
        }
    }

    private static func separate<Part>(
        _ parts: inout [Part], from held: [Part], id: WritableKeyPath<Part, UUID>
    ) {
        let ids = Set(held.map { $0[keyPath: id] })
        for index in parts.indices where ids.contains(parts[index][keyPath: id]) { parts[index][keyPath: id] = UUID() }
    }
}
