import Foundation
import MariaDB
import SubTrackAPI

extension ScopeKind {
    /// Countries, currencies and providers.
    static let reference = ScopeKind(name: "reference", tag: 1, keyLength: 0)
    /// The plans of a country and their prices.
    static let catalogue = ScopeKind(name: "catalogue", tag: 2, keyLength: 2)
}

extension SyncScope {
    /// Countries, currencies and providers.
    static let reference = SyncScope(.reference, id: .reference)

    /// The plans of a country and their prices.
    static func catalogue(country: String) -> SyncScope { SyncScope(.catalogue, key: country, id: .country(country)) }
}

/// Countries, currencies and providers, which everybody sees.
struct ReferenceScopes: ScopeSource {
    let kind = ScopeKind.reference
    let always = [SyncScope.reference]

    func scope(key: [UInt8]) -> SyncScope? { .reference }

    func key(of scope: SyncScope) -> [UInt8] { [] }
}

/// The catalogues of countries. A user sees that of the user's own country, and those of the plans that the user's
/// subscriptions have or had.
struct CatalogueScopes: ScopeSource {
    let kind = ScopeKind.catalogue

    func scope(key: [UInt8]) -> SyncScope? { .catalogue(country: String(decoding: key, as: UTF8.self)) }

    func key(of scope: SyncScope) -> [UInt8] { Array(scope.key.utf8.prefix(kind.keyLength)) }

    func visible(to users: [UserID], on connection: Connection) async throws -> [UserID: Set<SyncScope>] {
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
        var scopes: [UserID: Set<SyncScope>] = [:]
        for (user, country) in try rows.decode((UUID, String).self) {
            scopes[UserID(uuid: user), default: []].insert(.catalogue(country: country))
        }
        return scopes
    }

    func gained(by user: UserID, after version: Int64, on connection: Connection) async throws -> Set<SyncScope> {
        let countries = try await connection.query(
            """
            SELECT Country_ID FROM `User` WHERE User_ID = \(user.uuid)
            UNION
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
        return Set(countries.map { .catalogue(country: $0) })
    }

    func lost(
        of held: [SyncScope], by user: UserID, since version: Int64, on connection: Connection
    ) async throws -> Set<SyncScope> {
        // Without a read of all rows of a user: a country is lost with a subscription, a period or another plan.
        guard try await mayHaveLost(user, since: version, on: connection) else { return [] }
        var lost: Set<SyncScope> = []
        for scope in held where try await !holds(scope.key, user: user, on: connection) { lost.insert(scope) }
        return lost
    }

    /// Whether a user may have lost a plan since a version: something was deleted, or got another plan. The country of
    /// the user's own may have changed as well: the user then sees the catalogue of another one.
    private func mayHaveLost(_ user: UserID, since version: Int64, on connection: Connection) async throws -> Bool {
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
    private func holds(_ country: String, user: UserID, on connection: Connection) async throws -> Bool {
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
}
