import Foundation
import SubTrackAPI

/// A card taken into a contact that is held. Names stay the held ones: the caller compares them before.
public struct CardMerge: Sendable {
    /// The treatment of parts that the card lacks.
    public enum Mode: Sendable {
        /// The card adds: held parts, note and properties stay. For files.
        case add
        /// The card is the whole contact: held parts that it lacks go. For CardDAV.
        case replace
    }

    /// The contact with the card's values. Parts that are equal keep their ids: numbers by digits, addresses of mail in
    /// small letters, dates by day, postal addresses by their fields.
    public let contact: StoredContact
    /// The properties without field, as ``CardContact/rest``.
    public let rest: String?
    /// Whether the contact or the rest differs from the held one.
    public let isChanged: Bool
    /// Values of the card that found no room, each as a sentence for the user.
    public let adjusted: [String]

    /// Takes a card into a contact.
    /// - Parameter rest: the held properties without field.
    public init(_ card: CardContact, into held: StoredContact, rest: String?, mode: Mode) {
        var told: [String] = []
        let note: String?
        switch mode {
        case .add:
            note = Self.joined(held.note, card.contact.note, &told)
            let (joined, left) = CardRest.join(card.rest, rest)
            // The order of properties says nothing.
            self.rest = Self.lines(joined) == Self.lines(rest) ? rest : joined
            if !left.isEmpty { told.append("\(left.joined(separator: ", ")): a card has no room for more") }
        case .replace:
            note = card.contact.note
            self.rest = card.rest
        }
        let contact = StoredContact(
            firstName: held.firstName, middleName: held.middleName, lastName: held.lastName, note: note,
            phones: Self.merged(card.contact.phones, into: held.phones, mode, &told),
            addresses: Self.merged(card.contact.addresses, into: held.addresses, mode, &told),
            emails: Self.merged(card.contact.emails, into: held.emails, mode, &told),
            dates: Self.merged(card.contact.dates, into: held.dates, mode, &told))
        self.contact = contact
        // The order of parts is that of their ids in both.
        isChanged = contact != Self.ordered(held) || self.rest != rest
        adjusted = told
    }

    private static func lines(_ rest: String?) -> [Substring] { (rest ?? "").split(separator: "\n").sorted() }

    private static func ordered(_ contact: StoredContact) -> StoredContact {
        StoredContact(
            firstName: contact.firstName, middleName: contact.middleName, lastName: contact.lastName,
            note: contact.note, phones: contact.phones, addresses: contact.addresses, emails: contact.emails,
            dates: contact.dates)
    }

    /// The held note with the lines of the card's that it lacks.
    private static func joined(_ held: String?, _ note: String?, _ told: inout [String]) -> String? {
        guard let held, let note else { return held ?? note }
        let lines = Set(held.split(separator: "\n"))
        let missing = note.split(separator: "\n").filter { !lines.contains($0) }
        guard !missing.isEmpty else { return held }
        let joined = held + "\n" + missing.joined(separator: "\n")
        guard joined.unicodeScalars.count <= CardBuilder.maximumNote else {
            told.append(
                "the note of the card is not taken: with it the note has more than \(CardBuilder.maximumNote) characters"
            )
            return held
        }
        return joined
    }

    private static func merged<Part: CardPart>(
        _ parts: [Part], into held: [Part], _ mode: Mode, _ told: inout [String]
    ) -> [Part] {
        switch mode {
        case .add:
            let keys = Set(held.map(\.key) + held.map(\.typedKey))
            let missing = parts.filter { !keys.contains(Part.isTyped ? $0.typedKey : $0.key) }
            let room = max(0, 50 - held.count)
            if missing.count > room {
                told.append("\(missing.count - room) \(Part.plural) are not taken: a contact has at most 50")
            }
            return held + missing.prefix(room)
        case .replace:
            var left = held
            // The parts of the same type first: two parts of one day are a birthday and an anniversary.
            var taken: [Int: Part] = [:]
            for isSameType in [true, false] {
                for (index, part) in parts.enumerated() where taken[index] == nil {
                    let place = left.firstIndex { isSameType ? $0.typedKey == part.typedKey : $0.key == part.key }
                    guard let place else { continue }
                    taken[index] = part.taking(left.remove(at: place))
                }
            }
            return parts.enumerated().map { taken[$0.offset] ?? $0.element }
        }
    }
}

/// A part of a contact that a card has too.
private protocol CardPart {
    static var plural: String { get }
    /// Whether parts with equal keys and other types are two parts.
    static var isTyped: Bool { get }
    var key: String { get }
    var type: String { get }
    /// This part with the id of an equal held one, and with the values that no card has.
    func taking(_ held: Self) -> Self
}

extension CardPart {
    static var isTyped: Bool { false }
    var typedKey: String { key + "\n" + type.lowercased() }
}

extension StoredContact.Phone: CardPart {
    static var plural: String { "numbers" }
    var key: String { PhoneNumber((area, number, e164))?.key ?? "" }

    func taking(_ held: Self) -> Self {
        var part = held
        part.type = type
        return part
    }
}

extension StoredContact.Email: CardPart {
    static var plural: String { "e-mail addresses" }
    var key: String { email.lowercased() }

    func taking(_ held: Self) -> Self {
        var part = self
        part.id = held.id
        return part
    }
}

extension StoredContact.Address: CardPart {
    static var plural: String { "postal addresses" }
    var key: String {
        [street, apt, city, state, zip, country].map { ($0 ?? "").lowercased() }.joined(separator: "\n")
    }

    func taking(_ held: Self) -> Self {
        var part = self
        part.id = held.id
        return part
    }
}

extension StoredContact.Occasion: CardPart {
    static var plural: String { "days" }
    static var isTyped: Bool { true }
    var key: String { date }

    func taking(_ held: Self) -> Self {
        var part = self
        part.id = held.id
        // Other programs drop the parameters of this service.
        if yearly { part.yearly = held.yearly }
        part.reminderDays = reminderDays ?? held.reminderDays
        return part
    }
}
