import Foundation
import MariaDB
import SubTrackAPI

/// The way from a change of a catalogue to the users whose plans it concerns: their scopes become stale.
///
/// A change of a catalogue was committed before its subscribers are marked, and a look reads after it has the user's lock.
/// So no look misses it. A run that is cut off is done again.
enum CatalogueLook {
    /// How many users one statement marks.
    private static let batch = 500

    /// Marks the subscribers of the plans of a country that have changed, and notes the country as planned.
    static func spread(_ scope: ScopeID, in tenant: Tenant) async throws {
        let found = try await tenant.read { connection in
            try await connection.query("SELECT Ver, Planned_ver FROM Scope WHERE Scope_ID = \(scope)")
                .decode((Int64, Int64).self).first
        }
        guard let (head, planned) = found else { return }
        if let country = scope.country {
            let plans = try await tenant.read { try await changed(country, after: planned, upTo: head, on: $0) }
            for plan in plans { try await mark(plan, in: tenant) }
        }
        _ = try await tenant.read { connection in
            try await connection.execute("UPDATE Scope SET Planned_ver = \(head) WHERE Scope_ID = \(scope)")
        }
    }

    /// The plans of a country whose row or prices have changed. A price that was removed has left a tombstone, whose row begins with the plan.
    private static func changed(
        _ country: String, after planned: Int64, upTo head: Int64, on connection: Connection
    ) async throws -> [Int64] {
        try await connection.query(
            """
            SELECT Plan_ID FROM Plan
            WHERE Country_ID = \(country) AND Listed = 1 AND Ver > \(planned) AND Ver <= \(head)
            UNION
            SELECT p.Plan_ID FROM Plan p JOIN Plan_price x ON x.Plan_ID = p.Plan_ID
            WHERE p.Country_ID = \(country) AND p.Listed = 1 AND x.Ver > \(planned) AND x.Ver <= \(head)
            UNION
            SELECT CAST(SUBSTRING_INDEX(CONVERT(Row_ID USING ascii), ' ', 1) AS SIGNED) FROM Tombstone
            WHERE Scope_ID = \(ScopeID.country(country)) AND Entity = 5
              AND Ver > \(planned) AND Ver <= \(head)
            """
        ).decode(Int64.self)
    }

    private static func mark(_ plan: Int64, in tenant: Tenant) async throws {
        var last: UUID?
        while true {
            let isAfter: SQL = last.map { " AND User_ID > \($0)" } ?? ""
            let users = try await tenant.read { connection in
                try await connection.query(
                    """
                    SELECT DISTINCT User_ID FROM Subscription
                    WHERE Plan_ID = \(plan) AND Deleted_at IS NULL\(isAfter) ORDER BY User_ID LIMIT \(batch)
                    """
                ).decode(UUID.self)
            }
            guard let final = users.last else { return }
            _ = try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) { connection in
                // Ascending, as every writer locks them.
                _ = try await connection.query(
                    """
                    SELECT Scope_ID FROM Scope FORCE INDEX (PRIMARY)
                    WHERE Scope_ID IN (\(list: users.filledUp())) ORDER BY Scope_ID FOR UPDATE
                    """)
                return try await connection.execute(
                    "UPDATE Scope SET Planned_ver = 0 WHERE Scope_ID IN (\(list: users.filledUp()))")
            }
            last = final
        }
    }
}

extension ScopeID {
    /// The country of a catalogue's scope; nil: it is another one.
    var country: String? {
        guard isNamed, bytes[0] == UInt8(ascii: "C") else { return nil }
        return String(decoding: bytes[1..<3], as: UTF8.self)
    }

    /// Whether it has a name, and is no user's.
    var isNamed: Bool { bytes.suffix(7).allSatisfy { $0 == 0 } }
}
