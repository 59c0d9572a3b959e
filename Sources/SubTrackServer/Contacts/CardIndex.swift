import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The contacts of a user that some cards may be.
struct CardIndex {
    /// A contact with its card.
    struct Held {
        let id: UUID
        var contact: StoredContact
        /// The properties of its card that the contact has no field for.
        var rest: String?
        /// The `UID` of its card; nil: its id.
        var name: String?
    }

    private var held: [UUID: Held] = [:]
    private var byName: [String: UUID] = [:]
    private var former: [String: UUID] = [:]
    private var byNames: [String: [UUID]] = [:]
    private var removed: Set<UUID> = []

    /// Reads the contacts that some cards may be: those of their names elsewhere, and those of their persons' names.
    static func read(_ cards: [ReadCard], of user: UserID, on connection: Connection) async throws -> CardIndex {
        let known = cards.compactMap { try? $0.result.get() }
        let names = known.compactMap(\.uid)
        var index = CardIndex()
        index.former = try await ContactQueries.formerCards(names, of: user, on: connection)
        let ids = Set(known.compactMap(\.id) + index.former.values)
        let lasts = Set(known.map(\.contact.lastName))
        var conditions: [SQL] = []
        if !names.isEmpty { conditions.append("r.Card_UID IN (\(list: names))") }
        if !ids.isEmpty { conditions.append("r.Contact_ID IN (\(list: Array(ids)))") }
        if !lasts.isEmpty { conditions.append("r.Last_name IN (\(list: Array(lasts)))") }
        guard !conditions.isEmpty else { return index }
        let condition: SQL = "r.Deleted_at IS NULL AND (\(SQL.joined(conditions, separator: " OR ")))"
        let written = try await ContactQueries.cards(where: condition, of: user, on: connection)
        for row in try await ContactsArea.entity.read(of: user, where: condition, on: connection) {
            let card = written[row.id]
            index.add(Held(id: row.id, contact: try row.contact, rest: card?.rest, name: card?.name))
        }
        return index
    }

    /// Adds a contact, or the contact as it is now.
    mutating func add(_ contact: Held) {
        held[contact.id] = contact
        if let name = contact.name { byName[name] = contact.id }
        let names = ContactText.names(contact.contact)
        if byNames[names]?.contains(contact.id) != true { byNames[names, default: []].append(contact.id) }
    }

    /// Adds the contacts that a trial has made, and takes away those that it has removed.
    mutating func add(_ other: CardIndex) {
        for contact in other.held.values { add(contact) }
        former.merge(other.former) { $1 }
        removed.formUnion(other.removed)
        for id in other.removed { held[id] = nil }
    }

    /// Removes a contact.
    mutating func remove(_ contact: Held) {
        held[contact.id] = nil
        removed.insert(contact.id)
    }

    /// The contact that a card is: by its `UID`; else by its names, and a number, an address of mail or a birthday. A contact with
    /// another card is another one.
    func contact(of card: CardContact) -> Held? {
        if let uid = card.uid {
            let known = [byName[uid], card.id, former[uid]].lazy.compactMap { $0.flatMap { held[$0] } }.first
            if let known { return known }
        }
        let same = byNames[ContactText.names(card.contact), default: []].compactMap { held[$0] }
        return same.first { one in
            // A device that took the card without network keeps no `UID`.
            (card.uid == nil || one.name == nil) && Self.haveSameNames(one.contact, card.contact)
                && Self.haveInCommon(one.contact, card.contact)
        }
    }

    /// Whether two contacts have the same names, by their letters.
    static func haveSameNames(_ one: StoredContact, _ other: StoredContact) -> Bool {
        one.firstName == other.firstName && one.middleName == other.middleName && one.lastName == other.lastName
    }

    private static func haveInCommon(_ one: StoredContact, _ other: StoredContact) -> Bool {
        func keys(_ contact: StoredContact) -> Set<String> {
            Set(contact.phones.map(ContactText.key)).union(contact.emails.map(ContactText.key))
                .union(contact.dates.filter { $0.type == "birthday" }.map(\.date))
        }
        // Nothing but a name: the same card again.
        let (mine, theirs) = (keys(one), keys(other))
        return mine.isEmpty && theirs.isEmpty || !mine.isDisjoint(with: theirs)
    }
}
