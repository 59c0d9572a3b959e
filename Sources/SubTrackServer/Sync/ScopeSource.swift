import MariaDB
import SubTrackAPI

/// Tells which scopes of one kind users see. An area declares one for each kind of scope that it has.
protocol ScopeSource: Sendable {
    /// The kind.
    var kind: ScopeKind { get }

    /// The scopes of this kind that every user sees.
    var always: [SyncScope] { get }

    /// The scope of a cursor's key; nil for bytes that are no key.
    func scope(key: [UInt8]) -> SyncScope?

    /// The bytes of a scope in a cursor, ``ScopeKind/keyLength`` of them.
    func key(of scope: SyncScope) -> [UInt8]

    /// The scopes that some users see.
    func visible(to users: [UserID], on connection: Connection) async throws -> [UserID: Set<SyncScope>]

    /// The scopes that a user sees by rows that changed after a version, and those that do not depend on rows.
    func gained(by user: UserID, after version: Int64, on connection: Connection) async throws -> Set<SyncScope>

    /// Those of some scopes that a user no longer sees.
    /// - Parameters:
    ///   - held: scopes that the user saw at a version, and that ``gained(by:after:on:)`` does not name.
    ///   - version: the version of the user's own scope at which the user saw them.
    func lost(
        of held: [SyncScope], by user: UserID, since version: Int64, on connection: Connection
    ) async throws -> Set<SyncScope>
}

extension ScopeSource {
    var always: [SyncScope] { [] }

    func visible(to users: [UserID], on connection: Connection) async throws -> [UserID: Set<SyncScope>] { [:] }

    func gained(by user: UserID, after version: Int64, on connection: Connection) async throws -> Set<SyncScope> { [] }

    func lost(
        of held: [SyncScope], by user: UserID, since version: Int64, on connection: Connection
    ) async throws -> Set<SyncScope> { [] }
}
