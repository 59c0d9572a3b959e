import Foundation
import SubTrackAPI

/// A contact as a vCard holds it.
public struct CardContact: Sendable, Hashable {
    /// The card's `UID`, 1…255 characters; nil: the card has none.
    public var uid: String?
    /// The fields of the contact. Ids of parts are new, in the order of the card, preferred parts first.
    public var contact: StoredContact
    /// The card's other properties, one to a line (`\n`), unfolded and otherwise as they came. At most 256 KiB.
    public var rest: String?
    /// Values that had to move, each as a sentence for the user: `phones: "110" is in the note: it lacks a country`.
    public var adjusted: [String]

    /// A contact of a card.
    public init(uid: String? = nil, contact: StoredContact, rest: String? = nil, adjusted: [String] = []) {
        self.uid = uid
        self.contact = contact
        self.rest = rest
        self.adjusted = adjusted
    }

    /// The contact's id, where the `UID` is one that ``VCardWriter`` made of it; nil for other texts.
    public var id: UUID? {
        guard let uid else { return nil }
        let text = uid.lowercased().hasPrefix("urn:uuid:") ? uid.dropFirst(9) : Substring(uid)
        return UUID(uuidString: String(text))
    }
}

/// A refusal of one card.
public struct CardRefusal: Error, Sendable, Hashable {
    /// The fault with its place: `line 7: a quote is not closed`.
    public var reason: String

    /// A refusal.
    public init(_ reason: String) { self.reason = reason }
}

/// A card of a text, read or refused.
public struct ReadCard: Sendable {
    /// The card's place among the cards of the text, from 0.
    public var index: Int
    /// The line of the text on which the card begins, from 1.
    public var line: Int
    /// The card's name for messages, at most 100 characters; empty where it has none.
    public var name: String
    /// The contact, or the reason why there is none.
    public var result: Result<CardContact, CardRefusal>

    /// A card that was read or refused.
    public init(index: Int, line: Int, name: String, result: Result<CardContact, CardRefusal>) {
        self.index = index
        self.line = line
        self.name = name
        self.result = result
    }
}
