import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operation that gives all contacts as vCards.
enum ContactExport {
    /// How many contacts are read at once.
    private static let page = 200

    /// Registers the handler.
    static func register(in operations: inout OperationRegistry) {
        let desk = ExportDesk()
        operations.register(ExportContacts.self) { try await export($0, $1, desk) }
    }

    private static func export(
        _ input: ExportContacts, _ call: Call, _ desk: ExportDesk
    ) async throws -> Reply<String> {
        guard let version = VCardVersion(rawValue: input.version ?? VCardVersion.v3.rawValue) else {
            throw Problem.input("version", .range, "must be 3.0 or 4.0")
        }
        let user = try call.requireSession().user
        let ticket = try desk.begin(call)
        let spool = try await call.tenant.client.withTransaction(
            call.tenant.database, isolation: .repeatableRead, isReadOnly: true
        ) { connection in
            var spool = AnswerSpool(budget: desk.budget, ticket: ticket)
            var after: (last: String, first: String, id: UUID)?
            while true {
                let rows = try await ContactQueries.page(of: user, after: after, limit: page, on: connection)
                guard let last = rows.last else { return spool }
                let ids = rows.map(\.id)
                let cards = try await ContactQueries.cards(
                    where: "r.Contact_ID IN (\(list: ids))", of: user, on: connection)
                for contact in try await ContactList.contacts(ids, of: user, on: connection) {
                    let text = VCardWriter.write(
                        contact.row, id: contact.id, uid: cards[contact.id]?.name, rest: cards[contact.id]?.rest,
                        version: version)
                    try await spool.write(Array(text.utf8))
                }
                after = (last.last, last.first, last.id)
            }
        }
        ticket.made()
        return Reply(spooled: try await spool.finished())
    }
}
