import MariaDB

/// What a client holds of a user's scope: pulled in pages, in the order of versions.
struct FeedClient: Equatable {
    /// A row's entity and id.
    struct Key: Hashable, Comparable {
        var entity: Int
        var id: [UInt8]

        static func < (left: Key, right: Key) -> Bool {
            left.entity != right.entity ? left.entity < right.entity : left.id.lexicographicallyPrecedes(right.id)
        }
    }

    /// A row as it was pulled.
    struct Held: Equatable {
        var version: Int64
        var data: String
    }

    /// The entities of a user's scope, numbered as in `Tombstone`.
    enum Entity {
        static let me = 1
        static let subscription = 2
        static let period = 3
        static let plan = 4
        static let price = 5
    }

    let user: [UInt8]
    private(set) var rows: [Key: Held] = [:]
    private(set) var version: Int64 = 0

    init(user: [UInt8]) { self.user = user }

    /// Pulls pages until nothing is left.
    mutating func pull(_ client: MariaDBClient, limit: Int) async throws {
        while try await pullPage(client, limit: limit) {}
    }

    /// Pulls one page: rows and tombstones of the scope from one snapshot, in which the counter is read first.
    ///
    /// A page is not cut inside a version: a subscription and its periods may share one, and a cursor behind it would
    /// leave out the rest.
    /// - Returns: whether more is left.
    mutating func pullPage(_ client: MariaDBClient, limit: Int) async throws -> Bool {
        let (user, since) = (user, version)
        let (head, changes) = try await client.withTransaction(isolation: .repeatableRead, isReadOnly: true) {
            connection in
            let heads = try await connection.query("SELECT Ver FROM Scope WHERE Scope_ID = \(user)")
            let head = try heads.decode(Int64.self).first ?? Int64(0)
            let changes = try await connection.query(Self.changes(of: user, after: since, upTo: head))
            return (head, try changes.decode((Int64, Int, Bool, [UInt8], String?).self))
        }
        let last = changes.count > limit ? changes[limit - 1].0 : head
        for (version, entity, isDeleted, id, data) in changes where version <= last {
            apply(Key(entity: entity, id: id), version: version, data: isDeleted ? nil : data ?? "")
        }
        version = last
        return last < head
    }

    private mutating func apply(_ key: Key, version: Int64, data: String?) {
        // A row older than the one held is ignored.
        let isNewer = rows[key].map { $0.version <= version } ?? true
        if let data {
            if isNewer { rows[key] = Held(version: version, data: data) }
            return
        }
        if isNewer { rows[key] = nil }
        // Whoever drops the parent drops its children; those too that came before their parent could.
        for (child, held) in rows where child.isChild(of: key) && held.version <= version { rows[child] = nil }
    }

    /// What differs from another client, for messages.
    func differences(from other: FeedClient) -> [String] {
        let keys = Set(rows.keys).union(other.rows.keys).sorted()
        return (version == other.version ? [] : ["version \(version), not \(other.version)"])
            + keys.filter { rows[$0] != other.rows[$0] }.prefix(5).map {
                "\($0): \(rows[$0]?.data ?? "nothing"), not \(other.rows[$0]?.data ?? "nothing")"
            }
    }

    /// All changes of a scope in `since < version <= head`, in order.
    private static func changes(of user: [UInt8], after since: Int64, upTo head: Int64) -> SQL {
        """
        SELECT * FROM (
            SELECT Ver, 1 AS Entity, FALSE AS Deleted, CAST(User_ID AS BINARY) AS Row_ID,
                CONCAT(COALESCE(User_name, ''), Country_ID) AS Data
            FROM `User` WHERE User_ID = \(user) AND Ver > \(since) AND Ver <= \(head)
            UNION ALL
            SELECT Ver, 2, FALSE, CAST(Subscription_ID AS BINARY), CONCAT_WS(' ', Start_date, End_date, Period, Plan_ID,
                Period_fee, Note)
            FROM Subscription WHERE User_ID = \(user) AND Deleted_at IS NULL AND Ver > \(since) AND Ver <= \(head)
            UNION ALL
            SELECT p.Ver, 3, FALSE, CONCAT(p.Subscription_ID, CAST(p.Period AS BINARY)), CONCAT_WS(' ', p.Start_date,
                p.End_date, p.Fee)
            FROM Subscription s JOIN Subscription_period p ON p.Subscription_ID = s.Subscription_ID
            WHERE s.User_ID = \(user) AND s.Deleted_at IS NULL AND s.Ver > \(since) AND p.Ver > \(since)
                AND p.Ver <= \(head)
            UNION ALL
            SELECT Ver, 4, FALSE, CAST(Plan_ID AS BINARY), CONCAT_WS(' ', Provider, Plan_name, Fee)
            FROM Plan WHERE Owner_ID = \(user) AND Ver > \(since) AND Ver <= \(head)
            UNION ALL
            SELECT p.Ver, 5, FALSE, CAST(CONCAT(p.Plan_ID, ' ', p.Effective_on) AS BINARY), CONCAT(p.Fee, '')
            FROM Plan l JOIN Plan_price p ON p.Plan_ID = l.Plan_ID
            WHERE l.Owner_ID = \(user) AND p.Ver > \(since) AND p.Ver <= \(head)
            UNION ALL
            SELECT Ver, Entity, TRUE, Row_ID, NULL
            FROM Tombstone WHERE Scope_ID = \(user) AND Ver > \(since) AND Ver <= \(head)
        ) AS Changes
        ORDER BY Ver, Deleted DESC, Entity
        """
    }
}

extension FeedClient.Key {
    /// Whether this is a period of that subscription, or a price of that plan.
    func isChild(of parent: FeedClient.Key) -> Bool {
        switch parent.entity {
        case FeedClient.Entity.subscription:
            entity == FeedClient.Entity.period && id.starts(with: parent.id)
        case FeedClient.Entity.plan:
            entity == FeedClient.Entity.price && id.starts(with: parent.id + [UInt8(ascii: " ")])
        default: false
        }
    }
}
