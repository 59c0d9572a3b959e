import Foundation
import MariaDB

/// Tells which scopes of a kind with members users see: those of which they are members at the moment.
///
/// An area has rows of memberships. A trigger of such a row raises the counter of the member's own scope, whenever the
/// user joins or leaves, in the same transaction. The counter is how a pull and a socket learn of it.
protocol SharedScopeSource: ScopeSource {
    /// The scopes of which some users are members, by one statement that uses an index of users.
    func memberships(
        of users: [UserID], on connection: Connection
    ) async throws -> [(user: UserID, scope: UUID)]
}

extension SharedScopeSource {
    func scope(key: [UInt8]) -> SyncScope? {
        guard key.count == 16 else { return nil }
        return .shared(kind, key.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }

    func key(of scope: SyncScope) -> [UInt8] { scope.id.bytes }

    func visible(to users: [UserID], on connection: Connection) async throws -> [UserID: Set<SyncScope>] {
        var visible: [UserID: Set<SyncScope>] = [:]
        for (user, scope) in try await memberships(of: users, on: connection) {
            visible[user, default: []].insert(.shared(kind, scope))
        }
        return visible
    }

    /// All scopes of the user: each membership is read.
    func gained(by user: UserID, after version: Int64, on connection: Connection) async throws -> Set<SyncScope> {
        try await visible(to: [user], on: connection)[user] ?? []
    }

    /// All that are not among the memberships.
    func lost(
        of held: [SyncScope], by user: UserID, since version: Int64, on connection: Connection
    ) async throws -> Set<SyncScope> { Set(held) }
}
