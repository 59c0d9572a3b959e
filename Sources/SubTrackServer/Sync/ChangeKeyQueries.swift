import MariaDB
import SubTrackAPI

/// The statements that find what has changed in a scope, in order, without reading the rows themselves.
///
/// Each kind of row is found by an index on its version, so that the cost is that of the changes and not of the rows.
enum ChangeKeyQueries {
    /// What is asked for of a scope.
    struct Range: Sendable {
        /// Where the last page ended.
        var position: SyncCursor.Position
        /// The scope's counter in this snapshot.
        var head: Int64

        /// The first version that may have something.
        fileprivate var first: Int64 { position.place == nil ? position.version + 1 : position.version }
        /// The first version whose tombstones are of use: older ones are of rows that were never given.
        fileprivate var firstTombstone: Int64 { max(first, position.base + 1) }

        /// Whether a row lies behind the place where the last page ended.
        /// - Parameters:
        ///   - version: its version.
        ///   - rank: its rank.
        ///   - id: its id in bytes.
        fileprivate func isBehind(_ version: SQL, rank: SQL, id: SQL) -> SQL {
            let place = position.place ?? SyncCursor.Place(rank: 999, id: [])
            return """
                (\(version) > \(position.version) OR \(rank) > \(place.rank)
                 OR \(rank) = \(place.rank) AND \(id) > \(place.id))
                """
        }
    }

    /// The keys of the next changes.
    static func keys(in range: Range, limit: Int, on connection: Connection) async throws -> [ChangeKey] {
        let rows = try await connection.query(
            """
            SELECT Ver, Kind, Row_ID FROM (\(union(range, limit: limit))) AS Changes
            ORDER BY Ver, Kind, Row_ID LIMIT \(limit)
            """)
        return try rows.decode(as: ChangeKey.self)
    }

    /// How many changes there are.
    static func count(in range: Range, on connection: Connection) async throws -> Int {
        try await connection.query("SELECT COUNT(*) FROM (\(union(range, limit: nil))) AS Changes")
            .decode(Int.self).first ?? 0
    }

    private static func union(_ range: Range, limit: Int?) -> SQL {
        let parts =
            switch range.position.scope {
            case .user(let user): own(user, range)
            case .reference: reference(range)
            case .catalogue(let country): catalogue(country, range)
            }
        let ordered = parts.map { part -> SQL in
            guard let limit else { return "(\(part))" }
            return "(\(part) ORDER BY Ver, Row_ID LIMIT \(limit))"
        }
        return SQL.joined(ordered, separator: " UNION ALL ")
    }

    private static func tombstones(_ range: Range) -> SQL {
        """
        SELECT Ver, Entity AS Kind, Row_ID FROM Tombstone
        WHERE Scope_ID = \(range.position.scope.id) AND Ver >= \(range.firstTombstone) AND Ver <= \(range.head)
          AND \(range.isBehind("Ver", rank: "Entity", id: "Row_ID"))
        """
    }

    private static func own(_ user: UserID, _ range: Range) -> [SQL] {
        let (first, head) = (range.first, range.head)
        return [
            """
            SELECT Ver, 101 AS Kind, CAST(User_ID AS BINARY) AS Row_ID FROM `User`
            WHERE User_ID = \(user.uuid) AND Ver >= \(first) AND Ver <= \(head)
              AND \(range.isBehind("Ver", rank: "101", id: "User_ID"))
            """,
            """
            SELECT Ver, 102 AS Kind, CAST(Subscription_ID AS BINARY) AS Row_ID FROM Subscription
            WHERE User_ID = \(user.uuid) AND Ver >= \(first) AND Ver <= \(head) AND Deleted_at IS NULL
              AND \(range.isBehind("Ver", rank: "102", id: "Subscription_ID"))
            """,
            // A period's version is never above its subscription's.
            """
            SELECT x.Ver AS Ver, 103 AS Kind, CONCAT(x.Subscription_ID, CAST(x.Period AS BINARY)) AS Row_ID
            FROM Subscription s JOIN Subscription_period x ON x.Subscription_ID = s.Subscription_ID
            WHERE s.User_ID = \(user.uuid) AND s.Ver >= \(first) AND s.Deleted_at IS NULL
              AND x.Ver >= \(first) AND x.Ver <= \(head)
              AND \(range.isBehind("x.Ver", rank: "103", id: "CONCAT(x.Subscription_ID, CAST(x.Period AS BINARY))"))
            """,
            """
            SELECT Ver, 104 AS Kind, CAST(Plan_ID AS BINARY) AS Row_ID FROM Plan
            WHERE Owner_ID = \(user.uuid) AND Ver >= \(first) AND Ver <= \(head)
              AND \(range.isBehind("Ver", rank: "104", id: "CAST(Plan_ID AS BINARY)"))
            """,
            """
            SELECT x.Ver AS Ver, 105 AS Kind, CAST(CONCAT(x.Plan_ID, ' ', x.Effective_on) AS BINARY) AS Row_ID
            FROM Plan p JOIN Plan_price x ON x.Plan_ID = p.Plan_ID
            WHERE p.Owner_ID = \(user.uuid) AND x.Ver >= \(first) AND x.Ver <= \(head)
              AND \(range.isBehind(
                "x.Ver", rank: "105", id: "CAST(CONCAT(x.Plan_ID, ' ', x.Effective_on) AS BINARY)"))
            """,
            tombstones(range),
        ]
    }

    private static func catalogue(_ country: String, _ range: Range) -> [SQL] {
        let (first, head) = (range.first, range.head)
        return [
            """
            SELECT Ver, 104 AS Kind, CAST(Plan_ID AS BINARY) AS Row_ID FROM Plan
            WHERE Country_ID = \(country) AND Listed = 1 AND Ver >= \(first) AND Ver <= \(head)
              AND \(range.isBehind("Ver", rank: "104", id: "CAST(Plan_ID AS BINARY)"))
            """,
            // By version alone: of each scope there is at most one price of a version.
            """
            SELECT x.Ver AS Ver, 105 AS Kind, CAST(CONCAT(x.Plan_ID, ' ', x.Effective_on) AS BINARY) AS Row_ID
            FROM Plan_price x JOIN Plan p ON p.Plan_ID = x.Plan_ID
            WHERE x.Ver >= \(first) AND x.Ver <= \(head) AND p.Country_ID = \(country) AND p.Listed = 1
              AND \(range.isBehind(
                "x.Ver", rank: "105", id: "CAST(CONCAT(x.Plan_ID, ' ', x.Effective_on) AS BINARY)"))
            """,
            tombstones(range),
        ]
    }

    private static func reference(_ range: Range) -> [SQL] {
        let (first, head) = (range.first, range.head)
        return [
            """
            SELECT Ver, 106 AS Kind, CAST(Provider AS BINARY) AS Row_ID FROM Provider
            WHERE Ver >= \(first) AND Ver <= \(head)
              AND \(range.isBehind("Ver", rank: "106", id: "CAST(Provider AS BINARY)"))
            """,
            """
            SELECT Ver, 107 AS Kind, CAST(Country_ID AS BINARY) AS Row_ID FROM Country
            WHERE Ver >= \(first) AND Ver <= \(head)
              AND \(range.isBehind("Ver", rank: "107", id: "CAST(Country_ID AS BINARY)"))
            """,
            """
            SELECT Ver, 108 AS Kind, CAST(Currency_code AS BINARY) AS Row_ID FROM Currency
            WHERE Ver >= \(first) AND Ver <= \(head)
              AND \(range.isBehind("Ver", rank: "108", id: "CAST(Currency_code AS BINARY)"))
            """,
            tombstones(range),
        ]
    }
}
