import Foundation
import SubTrackAPI
import SubTrackCore

/// Cards that become contacts on this device. A card is found among the contacts by its `UID`, else by its names and an equal number,
/// e-mail address or birthday.
///
/// Ids follow from the cards. Where two devices import one file, both make the same contacts, and a second import finds those of the first.
struct CardImport {
    /// The change that a card makes.
    enum Outcome: Sendable {
        case unchanged
        case create(StoredContact, id: UUID)
        /// - Parameter isDeleted: whether it was deleted, and has to be restored first.
        case update(StoredContact, id: UUID, isDeleted: Bool)
        /// Names never change: another contact takes the place of the one with the former names.
        case replace(UUID, by: StoredContact, id: UUID)
    }

    private var held: [UUID: StoredContact]
    private let deleted: [UUID: StoredContact]
    /// The contacts by names and one value.
    private var places: [String: UUID] = [:]

    init(held: [TrackedContact], deleted: [TrackedContact]) {
        self.held = Dictionary(held.map { ($0.id, $0.row) }) { first, _ in first }
        self.deleted = Dictionary(deleted.map { ($0.id, $0.row) }) { first, _ in first }
        for one in held { note(one.row, one.id) }
    }

    /// How many contacts there are.
    var count: Int { held.count }

    private mutating func note(_ contact: StoredContact, _ id: UUID) {
        for key in Self.keys(of: contact) where places[key] == nil { places[key] = id }
    }

    /// Takes a card.
    /// - Returns: the change, and values that found no room.
    mutating func take(_ card: CardContact) -> (outcome: Outcome, adjusted: [String]) {
        let names = Self.names(of: card.contact)
        let (first, second) = (Self.id(of: card, names: nil), Self.id(of: card, names: names))
        if let id = found(card, among: [first, second], names), let contact = held[id] {
            return update(contact, id, by: card, isDeleted: false)
        }
        if let former = held[first] {
            // The person of the card has another name now.
            var contact = merged(card, into: former).contact
            (contact.firstName, contact.middleName) = (card.contact.firstName, card.contact.middleName)
            contact.lastName = card.contact.lastName
            held[first] = nil
            places = places.filter { $0.value != first }
            return (.replace(first, by: add(contact, second), id: second), card.adjusted)
        }
        for id in [first, second] {
            guard let contact = deleted[id], Self.names(of: contact) == names else { continue }
            return update(contact, id, by: card, isDeleted: true)
        }
        let id = deleted[first] == nil ? first : second
        return (.create(add(Self.identified(card.contact, of: id), id), id: id), card.adjusted)
    }

    /// The contact of a card, with the card's names.
    private func found(_ card: CardContact, among ids: [UUID], _ names: [String]) -> UUID? {
        for id in ids where held[id].map(Self.names) == names { return id }
        for key in Self.keys(of: card.contact) {
            if let id = places[key] { return id }
        }
        return nil
    }

    private mutating func add(_ contact: StoredContact, _ id: UUID) -> StoredContact {
        held[id] = contact
        note(contact, id)
        return contact
    }

    private mutating func update(
        _ contact: StoredContact, _ id: UUID, by card: CardContact, isDeleted: Bool
    ) -> (outcome: Outcome, adjusted: [String]) {
        var card = card
        card.contact = Self.identified(card.contact, of: id)
        let merge = merged(card, into: contact)
        guard merge.isChanged || isDeleted else { return (.unchanged, []) }
        return (.update(add(merge.contact, id), id: id, isDeleted: isDeleted), card.adjusted + merge.adjusted)
    }

    /// A card in a contact. The properties without a field are the service's alone, and count as equal.
    private func merged(_ card: CardContact, into contact: StoredContact) -> CardMerge {
        CardMerge(card, into: contact, rest: card.rest, mode: .add)
    }

    // MARK: Names and ids

    private static func names(of contact: StoredContact) -> [String] {
        [contact.firstName, contact.middleName ?? "", contact.lastName]
    }

    /// The names with each value by which a contact is found; the names alone where it has none.
    private static func keys(of contact: StoredContact) -> [String] {
        let names = names(of: contact).joined(separator: "\n")
        let values =
            contact.phones.map { "tel:\(ContactText.key($0))" }
            + contact.emails.map { "mailto:\(ContactText.key($0))" }
            + contact.dates.filter { $0.type == "birthday" }.map { "day:\($0.date)" }
        return values.isEmpty ? [names] : values.map { "\(names)\n\($0)" }
    }

    /// The id of a card's contact: that of its `UID`, else one made of its content.
    /// - Parameter names: the names, where they make the id as well.
    private static func id(of card: CardContact, names: [String]?) -> UUID {
        if names == nil, let id = card.id { return id }
        let content = card.uid.map { [$0] } ?? self.names(of: card.contact) + keys(of: card.contact).sorted()
        return UUID(of: ["card"] + (names ?? []) + content)
    }

    /// The contact with ids of parts that follow from its own. They keep the order of the card.
    private static func identified(_ contact: StoredContact, of id: UUID) -> StoredContact {
        func ids<Part>(_ list: String, _ parts: [Part], _ text: (Part) -> String) -> [UUID] {
            parts.enumerated().map { UUID(of: [id.lowercased, list, text($1)], place: $0) }
        }
        var contact = contact
        for (index, id) in ids("phones", contact.phones, ContactText.key).enumerated() { contact.phones[index].id = id }
        for (index, id) in ids("emails", contact.emails, ContactText.key).enumerated() { contact.emails[index].id = id }
        for (index, id) in ids("addresses", contact.addresses, ContactText.key).enumerated() {
            contact.addresses[index].id = id
        }
        for (index, id) in ids("dates", contact.dates, ContactText.key).enumerated() {
            contact.dates[index].id = id
        }
        return contact
    }
}

extension UUID {
    /// An id that follows from some texts (RFC 9562 §5.8).
    /// - Parameter place: the first two bytes, so that ids are in an order.
    init(of texts: [String], place: Int? = nil) {
        var bytes: [UInt8] = []
        // FNV-1a, with two beginnings.
        for start: UInt64 in [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4] {
            var hash = start
            for byte in texts.joined(separator: "\u{0}").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            withUnsafeBytes(of: hash.bigEndian) { bytes += $0 }
        }
        if let place {
            (bytes[0], bytes[1]) = (UInt8(truncatingIfNeeded: place >> 8), UInt8(truncatingIfNeeded: place))
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
