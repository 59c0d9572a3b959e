import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operation that lists a user's contacts, or searches them.
enum ContactList {
    /// Handles ``ListContacts``.
    @Sendable static func list(_ input: ListContacts, _ call: Call) async throws -> Reply<ListContacts.Output> {
        guard let text = input.search, !text.allSatisfy(\.isWhitespace) else { return try await all(input, call) }
        guard let search = ContactSearch(text) else {
            throw Problem.input("search", .range, "may have \(ContactSearch.maximumTerms) terms")
        }
        return try await found(by: search, input, call)
    }

    private static func all(_ input: ListContacts, _ call: Call) async throws -> Reply<ListContacts.Output> {
        let user = try call.requireSession().user
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "contacts", fields: 3)
        let after = try page.after.map { fields -> (last: String, first: String, id: UUID) in
            guard let id = UUID(uuidString: fields[2]) else { throw PageRequest.foreignCursor }
            return (fields[0], fields[1], id)
        }
        let output = try await call.tenant.read { connection in
            let rows = try await ContactQueries.page(of: user, after: after, limit: page.limit + 1, on: connection)
            let shown = Page(rows, request: page, kind: "contacts") { [$0.last, $0.first, $0.id.uuidString] }
            return ListContacts.Output(
                contacts: try await contacts(shown.elements.map(\.id), of: user, on: connection),
                nextCursor: shown.nextCursor)
        }
        return Reply(output).taggedByContent()
    }

    private static func found(
        by search: ContactSearch, _ input: ListContacts, _ call: Call
    ) async throws -> Reply<ListContacts.Output> {
        let user = try call.requireSession().user
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "contacts-found", fields: 4)
        let after = try page.after.map { fields -> ContactSearch.Order in
            guard let rank = Int(fields[0]), UUID(uuidString: fields[3]) != nil else { throw PageRequest.foreignCursor }
            return ContactSearch.Order(rank: rank, last: fields[1], first: fields[2], id: fields[3])
        }
        let output = try await call.tenant.read { connection in
            let hits = try await ContactQueries.candidates(for: search, of: user, on: connection)
                .compactMap { candidate -> (order: ContactSearch.Order, candidate: ContactQueries.Candidate)? in
                    guard let rank = search.rank(candidate.texts) else { return nil }
                    let order = ContactSearch.Order(
                        rank: rank, last: candidate.last, first: candidate.first, id: candidate.id.uuidString)
                    guard after.map({ $0 < order }) ?? true else { return nil }
                    return (order, candidate)
                }.sorted { $0.order < $1.order }
            let shown = Page(Array(hits.prefix(page.limit + 1)), request: page, kind: "contacts-found") { hit in
                ["\(hit.order.rank)", hit.candidate.last, hit.candidate.first, hit.candidate.id.uuidString]
            }
            return ListContacts.Output(
                contacts: try await contacts(shown.elements.map(\.candidate.id), of: user, on: connection),
                nextCursor: shown.nextCursor)
        }
        return Reply(output).taggedByContent()
    }

    /// Contacts in the order of their ids.
    static func contacts(_ ids: [UUID], of user: UserID, on connection: Connection) async throws -> [Contact] {
        guard !ids.isEmpty else { return [] }
        let rows = try await ContactsArea.entity.read(
            of: user, where: "r.Contact_ID IN (\(list: ids))", on: connection)
        let byID = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        return try ids.compactMap { id in try byID[id].map { try Contact(row: $0) } }
    }
}

extension Contact {
    /// A row as operations answer it.
    init(row: DeclaredEntity.Row) throws {
        self.init(try row.contact, id: row.id, version: row.version)
    }
}

extension DeclaredEntity.Row {
    /// The row in its type.
    var contact: StoredContact {
        get throws { try AnyJSON.object(row).decoded(as: StoredContact.self) }
    }
}
