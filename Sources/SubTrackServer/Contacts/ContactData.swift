import Foundation
import MariaDB
import SubTrackAPI

/// A user's contacts. At a sign-in a card that both users have becomes one contact.
struct ContactData: UserData {
    private let rows = DeclaredData(entities: [ContactsArea.entity])

    var tables: [UserTable] { rows.tables }
    var limits: [UserLimit] { rows.limits }
    let preparations: [any UserPreparation] = []
    var export: [ExportSection] { rows.export }

    func merge(
        _ merge: UserMerge, into merged: inout CreateSession.Merged, on connection: Connection
    ) async throws {
        let entity = ContactsArea.entity
        for (former, kept) in try await ContactQueries.sameCards(merge.former, merge.user, on: connection) {
            guard let mine = try await entity.find(former, of: merge.former, on: connection),
                let theirs = try await entity.find(kept, of: merge.user, on: connection)
            else { continue }
            do {
                try await ContactMerging.combine(
                    theirs, of: merge.user, [mine], of: merge.former, nil, on: connection)
                try await ContactQueries.remove(former, of: merge.former, on: connection)
            } catch let problem as Problem where problem.code == .tooMany {
                // Both stay, and one of them has the card's name.
                try await ContactQueries.forgetCard(of: former, of: merge.former, on: connection)
            }
        }
        try await rows.merge(merge, into: &merged, on: connection)
    }

    func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        try await rows.erase(user, upTo: limit, on: connection)
    }
}
