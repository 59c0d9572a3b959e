import MariaDB
import SubTrackAPI

/// The user's own rows, and those that the platform keeps for a user: stored answers and tombstones.
struct AccountData: UserData {
    let tables = [
        UserTable(
            name: "User", column: "User_ID", merge: .covered,
            erase: .left(because: "the row goes last, when no area has rows left"), export: .section("user"),
            data: .left(because: "it is the user")),
        UserTable(
            name: "Account", column: "User_ID", merge: .left(because: "a user with an account is not merged"),
            erase: .left(because: "the trigger of Erasure removes it at once"), export: .section("user"),
            data: .left(because: "an account keeps its user by itself")),
        UserTable(
            name: "Device", column: "User_ID", parts: ["Session"], merge: .covered,
            erase: .left(because: "the trigger of Erasure removes it at once"), export: .section("sessions"),
            data: .left(because: "a device without data can begin again")),
        UserTable(
            name: "Known_device", column: "User_ID",
            merge: .left(because: "a user without account has signed in nowhere"),
            erase: .left(because: "the trigger of Erasure removes it at once"),
            export: .left(because: "it repeats devices that have signed in"),
            data: .left(because: "it belongs to an account")),
        UserTable(
            name: "Erasure", column: "User_ID", merge: .left(because: "a deleted user is not merged"),
            erase: .left(because: "it goes with the user's row"),
            export: .left(because: "a deleted user asks for nothing"), data: .left(because: "its user is deleted")),
        UserTable(
            name: "Idempotency", column: "User_ID", merge: .covered, erase: .covered,
            export: .left(because: "it repeats answers that the user has had"),
            data: .left(because: "without the rows an answer is of no use")),
        UserTable(
            name: "Tombstone", column: "Scope_ID",
            merge: .left(because: "it tells devices of the former user that its rows have left"), erase: .covered,
            export: .left(because: "it tells that a row is gone, and nothing of it"),
            data: .left(because: "its row is gone")),
    ]
    let limits: [UserLimit] = []
    let preparations: [any UserPreparation] = []
    let export = [
        ExportSection(name: "user") { try await writeUser(to: &$0) },
        ExportSection(name: "sessions") { try await writeSessions(to: &$0) },
    ]

    func merge(
        _ merge: UserMerge, into merged: inout CreateSession.Merged, on connection: Connection
    ) async throws {
        try await SessionQueries.deleteAll(of: merge.former, butOn: merge.device, on: connection)
        try await IdempotencyQueries.move(merge.former, to: merge.user, on: connection)
        try await IdempotencyQueries.forgetOldest(of: merge.user, limits: merge.limits, on: connection)
        try await SessionQueries.moveDevices(merge.former, to: merge.user, on: connection)
        try await AccountQueries.takeName(of: merge.former, for: merge.user, on: connection)
    }

    func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        let answers = try await IdempotencyQueries.deleteSome(of: user, limit: limit, on: connection)
        guard answers < limit else { return answers }
        return answers
            + (try await SyncUpkeepQueries.deleteTombstones(of: user, limit: limit - answers, on: connection))
    }

    /// - Throws: `user_deleted`.
    private static func writeUser(to export: inout UserExport) async throws {
        guard let user = try await UserQueries.user(export.session.user, on: export.connection) else {
            throw AccountHandlers.userGone
        }
        try await export.put(user)
    }

    private static func writeSessions(to export: inout UserExport) async throws {
        let session = export.session
        let rows = try await SessionQueries.list(of: session.user, after: nil, limit: 1000, on: export.connection)
        try await export.put(
            rows.map { row in
                ListSessions.Session(
                    id: row.id, device: row.device, createdAt: row.createdAt, lastUsedAt: row.lastUsedAt,
                    current: row.id == session.id)
            })
    }
}
