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
            "SELECT Scope_ID, Ver, Floor_ver FROM Scope WHERE Scope_ID IN (\(list: scopes.map(\.id)))")
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
            "SELECT 1 FROM `User` WHERE User_ID = \(user.uuid) AND \(UserErasure.isNot(user))"
        ).isEmpty
    }

    /// The counter of a user's scope.
    static func counter(of user: UserID, on connection: Connection) async throws -> Int64 {
        try await connection.query("SELECT Ver FROM Scope WHERE Scope_ID = \(user.uuid)").decode(Int64.self).first ?? 0
    }

    /// The sum of all counters.
    /// - Parameter isLocking: reads the present rows and waits for writers, on a server that takes writes.
    static func counterSum(isLocking: Bool, on connection: Connection) async throws -> Int64 {
        let lock: SQL = isLocking ? " LOCK IN SHARE MODE" : ""
        return try await connection.query("SELECT CAST(COALESCE(SUM(Ver), 0) AS UNSIGNED) FROM Scope\(lock)")
            .decode(Int64.self).first ?? 0
    }

    /// The key of cursors; nil where none was made yet, empty where it cannot be read.
    static func cursorKey(on connection: Connection) async throws -> [UInt8]? {
        let text = try await connection.query(
            "SELECT Setting_value FROM Setting WHERE Setting_name = 'Cursor_key'"
        ).decode(String.self).first
        return text.map { Data(base64Encoded: $0).map { Array($0) } ?? [] }
    }

    /// Removes the key of cursors: those that were made by it lead nowhere from then on.
    static func deleteCursorKey(on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Setting WHERE Setting_name = 'Cursor_key'")
    }

    /// Keeps a key of cursors, unless another replica was quicker.
    static func insertCursorKey(_ key: [UInt8], on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Setting (Setting_name, Setting_value)
            VALUES ('Cursor_key', \(Data(key).base64EncodedString()))
            ON DUPLICATE KEY UPDATE Setting_value = Setting_value
            """)
    }
}
