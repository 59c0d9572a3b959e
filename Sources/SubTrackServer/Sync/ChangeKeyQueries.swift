import MariaDB
import SubTrackAPI

/// The statements that find changes in a scope, in order, without reading the rows themselves.
///
/// Most kinds of rows are found by an index that has them in the order of their versions. A page reads as many as it
/// has room for. Periods and prices have no scope of their own and are found by way of their subscriptions and plans. A
/// period's version is never above its subscription's, so that the periods of a page's subscriptions are enough.
/// Prices, where much is left, are looked for in a window of versions.
enum ChangeKeyQueries {
    /// A request for changes of a scope.
    struct Range: Sendable {
        /// Where the last page ended.
        var position: SyncCursor.Position
        /// The scope's counter in this snapshot.
        var head: Int64

        /// The first version that may have something.
        fileprivate var first: Int64 { position.place == nil ? position.version + 1 : position.version }
        /// The first version whose tombstones are of use: older ones are of rows that were never given.
        fileprivate var firstTombstone: Int64 { max(first, position.base + 1) }

        /// How many versions may have something.
        fileprivate var width: Int64 { max(0, head - first) }

        /// The same up to another version.
        fileprivate func upTo(_ version: Int64) -> Range { Range(position: position, head: min(head, version)) }

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
        var window = Int64(4 * limit)
        guard range.width > window else {
            let isRare = try await hasFewPrices(range, on: connection)
            return try await read(direct(range, limit) + nested(range, byVersion: isRare), limit: limit, on: connection)
        }
        var keys = try await read(direct(range, limit), limit: limit, on: connection)
        // Changes behind a full page need not be read.
        let last = keys.count == limit ? keys.last?.version ?? range.head : range.head
        var found: [ChangeKey] = []
        while true {
            let upper = range.first + window
            let parts = nested(range.upTo(min(upper, last)), byVersion: false)
            guard !parts.isEmpty else { return keys }
            found = try await read(parts, limit: limit, on: connection)
            if found.count == limit || upper >= last { break }
            window *= 4
        }
        keys += found
        return Array(keys.sorted().prefix(limit))
    }

    /// How many changes there are.
    static func count(in range: Range, on connection: Connection) async throws -> Int {
        let parts = (direct(range, nil) + nested(range, byVersion: false)).map { part -> SQL in "(\(part.select))" }
        return try await connection.query(
            "SELECT COUNT(*) FROM (\(SQL.joined(parts, separator: " UNION ALL "))) AS Changes"
        ).decode(Int.self).first ?? 0
    }

    /// The rows of one kind: `Ver`, `Kind`, `Row_ID` and `Row_ver`.
    private struct Part {
        var select: SQL
        /// By version and then by id, in the words of an index. Where no two rows have one version, that is enough.
        var order: SQL = "Ver"
    }

    private static func read(_ parts: [Part], limit: Int, on connection: Connection) async throws -> [ChangeKey] {
        let parts = parts.map { part -> SQL in "(\(part.select) ORDER BY \(part.order) LIMIT \(limit))" }
        return try await connection.query(
            """
            SELECT Ver, Kind, Row_ID, Row_ver FROM (\(SQL.joined(parts, separator: " UNION ALL "))) AS Changes
            ORDER BY Ver, Kind, Row_ID LIMIT \(limit)
            """
        ).decode(as: ChangeKey.self)
    }

    /// Rows that an index has in the order of versions.
    /// - Parameter limit: how many are wanted of each kind; nil: all are counted.
    private static func direct(_ range: Range, _ limit: Int?) -> [Part] {
        let (first, head) = (range.first, range.head)
        let rows: [Part] =
            switch range.position.scope {
            case .user(let user): own(user, range, limit)
            case .reference: reference(range)
            case .catalogue(let country):
                [
                    Part(
                        select: """
                            SELECT Ver, 104 AS Kind, CAST(Plan_ID AS BINARY) AS Row_ID, Ver AS Row_ver FROM Plan
                            WHERE Country_ID = \(country) AND Listed = 1 AND Ver >= \(first) AND Ver <= \(head)
                              AND \(range.isBehind("Ver", rank: "104", id: "CAST(Plan_ID AS BINARY)"))
                            """)
                ]
            }
        return rows + [
            Part(
                select: """
                    SELECT Ver, Entity AS Kind, Row_ID, Ver AS Row_ver FROM Tombstone
                    WHERE Scope_ID = \(range.position.scope.id) AND Ver >= \(range.firstTombstone) AND Ver <= \(head)
                      AND \(range.isBehind("Ver", rank: "Entity", id: "Row_ID"))
                    """, order: "Ver, Entity, Row_ID")
        ]
    }

    private static func own(_ user: UserID, _ range: Range, _ limit: Int?) -> [Part] {
        let (first, head) = (range.first, range.head)
        let period: SQL = "CONCAT(x.Subscription_ID, CAST(x.Period AS BINARY))"
        var subscriptions: SQL = """
            SELECT Ver, Subscription_ID FROM Subscription
            WHERE User_ID = \(user.uuid) AND Ver >= \(first) AND Ver <= \(head) AND Deleted_at IS NULL
            """
        if let limit { subscriptions += " ORDER BY Ver LIMIT \(limit)" }
        return [
            Part(
                select: """
                    SELECT Ver, 101 AS Kind, User_ID AS Row_ID, Ver AS Row_ver FROM `User`
                    WHERE User_ID = \(user.uuid) AND Ver >= \(first) AND Ver <= \(head)
                      AND \(range.isBehind("Ver", rank: "101", id: "User_ID"))
                    """),
            Part(
                select: """
                    SELECT Ver, 102 AS Kind, Subscription_ID AS Row_ID, Ver AS Row_ver FROM Subscription
                    WHERE User_ID = \(user.uuid) AND Ver >= \(first) AND Ver <= \(head) AND Deleted_at IS NULL
                      AND \(range.isBehind("Ver", rank: "102", id: "Subscription_ID"))
                    """),
            // Behind their subscription; those that the client has had before are left out.
            Part(
                select: """
                    SELECT s.Ver AS Ver, 103 AS Kind, \(period) AS Row_ID, x.Ver AS Row_ver
                    FROM (\(subscriptions)) AS s
                        STRAIGHT_JOIN Subscription_period x ON x.Subscription_ID = s.Subscription_ID
                    WHERE x.Ver > \(range.position.since ?? range.position.version)
                      AND \(range.isBehind("s.Ver", rank: "103", id: period))
                    """, order: "s.Ver, Row_ID"),
            Part(
                select: """
                    SELECT Ver, 104 AS Kind, CAST(Plan_ID AS BINARY) AS Row_ID, Ver AS Row_ver FROM Plan
                    WHERE Owner_ID = \(user.uuid) AND Ver >= \(first) AND Ver <= \(head)
                      AND \(range.isBehind("Ver", rank: "104", id: "CAST(Plan_ID AS BINARY)"))
                    """),
        ]
    }

    private static func reference(_ range: Range) -> [Part] {
        let (first, head) = (range.first, range.head)
        return [
            Part(
                select: """
                    SELECT Ver, 106 AS Kind, CAST(Provider AS BINARY) AS Row_ID, Ver AS Row_ver FROM Provider
                    WHERE Ver >= \(first) AND Ver <= \(head)
                      AND \(range.isBehind("Ver", rank: "106", id: "CAST(Provider AS BINARY)"))
                    """),
            Part(
                select: """
                    SELECT Ver, 107 AS Kind, CAST(Country_ID AS BINARY) AS Row_ID, Ver AS Row_ver FROM Country
                    WHERE Ver >= \(first) AND Ver <= \(head)
                      AND \(range.isBehind("Ver", rank: "107", id: "CAST(Country_ID AS BINARY)"))
                    """),
            Part(
                select: """
                    SELECT Ver, 108 AS Kind, CAST(Currency_code AS BINARY) AS Row_ID, Ver AS Row_ver FROM Currency
                    WHERE Ver >= \(first) AND Ver <= \(head)
                      AND \(range.isBehind("Ver", rank: "108", id: "CAST(Currency_code AS BINARY)"))
                    """),
        ]
    }

    /// Whether so few prices of all scopes have these versions that a catalogue's are found quickest among them. Else its
    /// plans are looked through: many users have prices of their own, and their versions are the same small numbers.
    private static func hasFewPrices(_ range: Range, on connection: Connection) async throws -> Bool {
        guard range.position.scope.country != nil else { return false }
        let few = 100
        let found = try await connection.query(
            """
            SELECT COUNT(*) FROM (SELECT 1 FROM Plan_price WHERE Ver >= \(range.first) AND Ver <= \(range.head)
                                  LIMIT \(few)) AS Found
            """)
        return try found.decode(Int.self).first ?? 0 < few
    }

    /// Rows that are found by way of other rows. In this order and no other: the optimizer does not know that versions
    /// of many scopes stand side by side.
    /// - Parameter byVersion: finds a catalogue's prices by their versions first.
    private static func nested(_ range: Range, byVersion: Bool) -> [Part] {
        let (first, head) = (range.first, range.head)
        let price: SQL = "CAST(CONCAT(x.Plan_ID, ' ', x.Effective_on) AS BINARY)"
        switch range.position.scope {
        case .user(let user):
            return [
                Part(
                    select: """
                        SELECT x.Ver AS Ver, 105 AS Kind, \(price) AS Row_ID, x.Ver AS Row_ver
                        FROM Plan p STRAIGHT_JOIN Plan_price x ON x.Plan_ID = p.Plan_ID
                        WHERE p.Owner_ID = \(user.uuid) AND x.Ver >= \(first) AND x.Ver <= \(head)
                          AND \(range.isBehind("x.Ver", rank: "105", id: price))
                        """, order: "x.Ver")
            ]
        case .catalogue(let country):
            let tables: SQL =
                byVersion
                ? "Plan_price x STRAIGHT_JOIN Plan p ON p.Plan_ID = x.Plan_ID"
                : "Plan p STRAIGHT_JOIN Plan_price x ON x.Plan_ID = p.Plan_ID"
            return [
                Part(
                    select: """
                        SELECT x.Ver AS Ver, 105 AS Kind, \(price) AS Row_ID, x.Ver AS Row_ver FROM \(tables)
                        WHERE x.Ver >= \(first) AND x.Ver <= \(head) AND p.Country_ID = \(country) AND p.Listed = 1
                          AND \(range.isBehind("x.Ver", rank: "105", id: price))
                        """, order: "x.Ver")
            ]
        case .reference: return []
        }
    }
}
