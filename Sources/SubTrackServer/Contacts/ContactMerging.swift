import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operations that find contacts which may be one person, and make one of them.
enum ContactMerging {
    /// How many pairs one answer has.
    private static let maximumPairs = 500

    /// Handles ``ListContactDuplicates``.
    @Sendable static func duplicates(
        _ input: ListContactDuplicates, _ call: Call
    ) async throws -> Reply<ListContactDuplicates.Output> {
        let user = try call.requireSession().user
        let rows = try await call.tenant.read { connection in
            try await ContactsArea.entity.read(of: user, where: "r.Deleted_at IS NULL", on: connection)
        }
        // An id tells when it was made: the older contact is the first one.
        let contacts = try rows.sorted { $0.idText < $1.idText }.map { (id: $0.id, contact: try $0.contact) }
        let pairs = ContactDuplicates.pairs(contacts)
        let shown = pairs.prefix(maximumPairs)
        let ids = Set(shown.flatMap { [$0.first, $0.second] })
        let named = try rows.filter { ids.contains($0.id) }.map { try Contact(row: $0) }
        return Reply(
            ListContactDuplicates.Output(
                pairs: shown.map { .init(first: $0.first, second: $0.second, reasons: $0.reasons) },
                contacts: named.sorted { (name($0), $0.id.uuidString) < (name($1), $1.id.uuidString) },
                more: pairs.count > shown.count))
    }

    private static func name(_ contact: Contact) -> String {
        ContactText.folded("\(contact.lastName) \(contact.firstName)")
    }

    /// Handles ``MergeContacts``.
    @Sendable static func merge(_ input: MergeContacts, _ call: Call) async throws -> Reply<MergeContacts.Output> {
        let user = try call.requireSession().user
        return try await call.write(input) { connection in
            let entity = ContactsArea.entity
            let rows = try await entity.read(
                of: user,
                where: "r.Contact_ID IN (\(list: [input.id] + input.from.map(\.id))) AND r.Deleted_at IS NULL",
                on: connection)
            func row(_ id: UUID) throws -> DeclaredEntity.Row {
                guard let row = rows.first(where: { $0.id == id }) else {
                    throw Problem(.notFound, "There is no such contact.")
                }
                return row
            }
            let kept = try row(input.id)
            try check(input)
            guard call.ifMatch.allows(kept.version) else { throw Problem.stale(kept.answer) }
            let others = try input.from.map { source in
                let other = try row(source.id)
                if let version = source.version, version != other.version { throw Problem.stale(other.answer) }
                return other
            }
            try await combine(kept, of: user, others, of: user, call, on: connection)
            for other in others {
                try await DeclaredWrites(entity: entity, user: user, id: other.id).setDeleted(true, on: connection)
            }
            try await call.tenant.limits.boundTombstones(of: user, on: connection)
            let contact = try await entity.find(input.id, of: user, on: connection)
            return .row(
                MergeContacts.Output(
                    contact: try entity.answer(contact, as: Contact.self), merged: input.from.map(\.id)))
        }
    }

    private static func check(_ input: MergeContacts) throws {
        var faults = InputFaults()
        if input.from.isEmpty { faults.add("from", .required, "needs at least one contact") }
        let ids = input.from.map(\.id)
        for (index, id) in ids.enumerated() {
            if id == input.id {
                faults.add("from.\(index).id", .conflict, "a contact cannot be merged with itself")
            } else if ids.prefix(index).contains(id) {
                faults.add("from.\(index).id", .conflict, "is named twice")
            }
        }
        try faults.finish()
    }

    /// Gives a contact of a user the parts that others have beside it, and the names and properties of their cards. The others
    /// stay as they are.
    /// - Throws: `too_many` where a list of parts, the note or the card would be too long.
    static func combine(
        _ kept: DeclaredEntity.Row, of user: UserID, _ others: [DeclaredEntity.Row], of owner: UserID, _ call: Call?,
        on connection: Connection
    ) async throws {
        let entity = ContactsArea.entity
        let rest = try await ContactQueries.rests(of: [kept.id], user, on: connection)[kept.id]
        let rests = try await ContactQueries.rests(of: others.map(\.id), owner, on: connection)
        let merge = ContactMerge(
            try kept.contact, rest: rest, with: try others.map { (contact: try $0.contact, rest: rests[$0.id]) })
        guard merge.lost.isEmpty else {
            throw Problem(
                .tooMany, "Together they are more than a contact may have: \(merge.lost.joined(separator: "; "))")
        }
        var edit = try DeclaredEdit(merge.contact, to: kept.row)
        _ = try edit.check()
        try await DeclaredWrites(entity: entity, user: user, id: kept.id).update(edit, call, on: connection)
        if merge.rest != rest {
            try await ContactQueries.setRest(merge.rest, of: kept.id, user, on: connection)
        }
        try await ContactQueries.takeCards(of: others.map(\.id), owner, to: kept.id, of: user, on: connection)
    }
}

extension DeclaredEdit {
    /// The change that makes a row another contact. Parts are told apart by their ids.
    init(_ contact: StoredContact, to row: [String: AnyJSON]?) throws {
        guard case .object(let members) = try AnyJSON(encoding: contact) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a contact is an object"))
        }
        self.init(members, to: row, of: StoredContact.declaration)
    }
}
