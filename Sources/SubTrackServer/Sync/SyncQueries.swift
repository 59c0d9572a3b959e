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

    /// Whether a subscription that changed after a version renews by itself and has not yet.
    static func awaitsRenewal(
        of user: UserID, after version: Int64, today: CalendarDate, on connection: Connection
    ) async throws -> Bool {
        let rows = try await connection.query(
            """
            SELECT 1 FROM Subscription
            WHERE User_ID = \(user.uuid) AND Ver > \(version) AND End_date <= \(today) AND Auto_renew
              AND Cancelled_on IS NULL AND Deleted_at IS NULL
            LIMIT 1
            """)
        return !rows.isEmpty
    }

    /// A user's country; nil when the user was deleted.
    static func country(of user: UserID, on connection: Connection) async throws -> String? {
        try await connection.query(
            "SELECT Country_ID FROM `User` WHERE User_ID = \(user.uuid) AND \(UserErasure.isNot(user))"
        ).decode(String.self).first
    }

    /// The countries of the catalogue's plans that a user's subscriptions have or had, as far as they changed after a
    /// version.
    static func heldCountries(
        of user: UserID, after version: Int64, on connection: Connection
    ) async throws -> [String] {
        try await connection.query(
            """
            SELECT p.Country_ID FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Ver > \(version) AND s.Deleted_at IS NULL AND p.Owner_ID IS NULL
            UNION
            SELECT p.Country_ID
            FROM Subscription s JOIN Subscription_period x ON x.Subscription_ID = s.Subscription_ID
                JOIN Plan p ON p.Plan_ID = x.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Ver > \(version) AND x.Ver > \(version) AND s.Deleted_at IS NULL
              AND p.Owner_ID IS NULL
            """
        ).decode(String.self)
    }

    /// The countries whose catalogues users see: their own, and those of the plans that they have or had.
    static func countries(
        of users: [UserID], on connection: Connection
    ) async throws -> [UserID: Set<String>] {
        let ids = users.map(\.uuid)
        let rows = try await connection.query(
            """
            SELECT User_ID, Country_ID FROM `User` WHERE User_ID IN (\(list: ids))
            UNION
            SELECT s.User_ID, p.Country_ID FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID
            WHERE s.User_ID IN (\(list: ids)) AND s.Deleted_at IS NULL AND p.Owner_ID IS NULL
            UNION
            SELECT s.User_ID, p.Country_ID
            FROM Subscription s JOIN Subscription_period x ON x.Subscription_ID = s.Subscription_ID
                JOIN Plan p ON p.Plan_ID = x.Plan_ID
            WHERE s.User_ID IN (\(list: ids)) AND s.Deleted_at IS NULL AND p.Owner_ID IS NULL
            """)
        var countries: [UserID: Set<String>] = [:]
        for (user, country) in try rows.decode((UUID, String).self) {
            countries[UserID(uuid: user), default: []].insert(country)
        }
        return countries
    }

    /// Whether a user may have let go of a plan since a version: something was deleted, or got another plan. The country of
    /// the user's own may have changed as well, which is another one's to see.
    static func hasLetGo(user: UserID, after version: Int64, on connection: Connection) async throws -> Bool {
        let rows = try await connection.query(
            """
            SELECT EXISTS (SELECT 1 FROM Tombstone WHERE Scope_ID = \(user.uuid) AND Ver > \(version))
                OR EXISTS (SELECT 1 FROM Subscription
                           WHERE User_ID = \(user.uuid) AND Ver > \(version)
                             AND COALESCE(Ver_terms, Ver_billing) > \(version))
                OR EXISTS (SELECT 1 FROM `User`
                           WHERE User_ID = \(user.uuid) AND COALESCE(Ver_country, Ver) > \(version))
            """)
        return try rows.decode(Bool.self).first ?? true
    }

    /// Whether one of a user's subscriptions has or had a plan of the catalogue of a country.
    static func holds(_ country: String, user: UserID, on connection: Connection) async throws -> Bool {
        let now = try await connection.query(
            """
            SELECT 1 FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Deleted_at IS NULL AND p.Country_ID = \(country)
              AND p.Owner_ID IS NULL
            LIMIT 1
            """)
        guard now.isEmpty else { return true }
        let before = try await connection.query(
            """
            SELECT 1
            FROM Subscription s JOIN Subscription_period x ON x.Subscription_ID = s.Subscription_ID
                JOIN Plan p ON p.Plan_ID = x.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Deleted_at IS NULL AND p.Country_ID = \(country)
              AND p.Owner_ID IS NULL
            LIMIT 1
            """)
        return !before.isEmpty
    }

    /// The counter of a user's scope.
    static func counter(of user: UserID, on connection: Connection) async throws -> Int64 {
        try await connection.query("SELECT Ver FROM Scope WHERE Scope_ID = \(user.uuid)").decode(Int64.self).first ?? 0
    }

    /// The versions of a user's subscription, deleted or not; nil when there is none of this id.
    static func versions(
        ofSubscription id: UUID, user: UserID, on connection: Connection
    ) async throws -> RowVersions? {
        try await connection.query(
            """
            SELECT Ver, Ver_billing, COALESCE(Ver_terms, Ver_billing), Ver_intent, Ver_notes, Deleted_at IS NOT NULL
            FROM Subscription WHERE User_ID = \(user.uuid) AND Subscription_ID = \(id)
            """
        ).decode((Int64, Int64, Int64, Int64, Int64, Bool).self).first.map { row in
            RowVersions(
                version: row.0, groups: [.billing: row.1, .terms: row.2, .intent: row.3, .notes: row.4],
                isDeleted: row.5)
        }
    }

    /// The versions of a user's own row; nil when the user was deleted.
    static func versions(ofUser user: UserID, on connection: Connection) async throws -> RowVersions? {
        try await connection.query(
            """
            SELECT Ver, COALESCE(Ver_name, Ver), COALESCE(Ver_country, Ver), COALESCE(Ver_zone, Ver) FROM `User`
            WHERE User_ID = \(user.uuid)
            """
        ).decode((Int64, Int64, Int64, Int64).self).first.map { version, name, country, zone in
            RowVersions(version: version, groups: [.name: name, .country: country, .zone: zone])
        }
    }

    /// The version of a plan of a user's own; nil when there is none.
    static func version(ofPlan id: Int64, owner: UserID, on connection: Connection) async throws -> Int64? {
        try await connection.query("SELECT Ver FROM Plan WHERE Plan_ID = \(id) AND Owner_ID = \(owner.uuid)")
            .decode(Int64.self).first
    }

    /// The version of the plan of a user's own that a subscription has; nil when it has another one.
    static func version(ofPlanOf id: UUID, user: UserID, on connection: Connection) async throws -> Int64? {
        try await connection.query(
            """
            SELECT p.Ver FROM Subscription s JOIN Plan p ON p.Plan_ID = s.Plan_ID
            WHERE s.User_ID = \(user.uuid) AND s.Subscription_ID = \(id) AND p.Owner_ID = s.User_ID
            """
        ).decode(Int64.self).first
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
