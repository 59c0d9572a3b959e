import Foundation
import MariaDB
import SubTrackAPI

/// The statements on scopes and cursors.
enum SyncQueries {
    /// The counters of some scopes, in the connection's transaction. A caller without a transaction uses
    /// ``ScopeCounters``.
    static func counters(of scopes: [SyncScope], on connection: Connection) async throws -> [SyncScope: ScopeCounter] {
        let byID = Dictionary(scopes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = try await connection.query(
            "SELECT Scope_ID, Ver, Floor_ver FROM Scope WHERE Scope_ID IN (\(list: scopes.map(\.id).filledUp()))")
        var counters: [SyncScope: ScopeCounter] = [:]
        for (id, version, floor) in try rows.decode((UUID, Int64, Int64).self) {
            guard let scope = byID[ScopeID(uuid: id)] else { continue }
            counters[scope] = ScopeCounter(version: version, floor: floor)
        }
        return counters
    }

    /// Whether there is a user, and was not deleted.
    static func exists(_ user: UserID, on connection: Connection) async throws -> Bool {
        try await !connection.query(
            "SELECT 1 FROM `User` WHERE User_ID = \(user.uuid) AND \(user.isNotErased)"
        ).isEmpty
    }

    /// The counter of a scope.
    static func counter(of scope: ScopeID, on connection: Connection) async throws -> Int64 {
        try await connection.query("SELECT Ver FROM Scope WHERE Scope_ID = \(scope)").decode(Int64.self).first ?? 0
    }
}
