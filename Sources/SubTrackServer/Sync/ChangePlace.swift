import MariaDB
import SubTrackAPI

/// The place of a change that a client made: the scope of its row, and all scopes in which the change writes.
struct ChangePlace: WritePlace, Equatable {
    /// The scope in which the row lies. A row never changes its scope: it is deleted in one, and made in another.
    let row: SyncScope
    /// The scopes to be locked.
    let scopes: WriteScopes

    /// The place of a row.
    /// - Parameters:
    ///   - others: other users whose memberships change with it.
    ///   - shared: further shared scopes with rows that change.
    init(
        _ row: SyncScope, writer: UserID, others: Set<UserID> = [], shared: Set<ScopeID> = []
    ) {
        self.row = row
        scopes = WriteScopes(writer, others: others, shared: row.isUser ? shared : shared.union([row.id]))
    }

    /// The place of rows of the user's own.
    static func own(_ user: UserID) -> ChangePlace { ChangePlace(.user(user), writer: user) }
}

/// Finds the places of changes of an entity whose rows lie in shared scopes, or change with others'.
protocol ChangePlaces: Sendable {
    /// The place of a change. It is asked for without locks first, and then again under them.
    ///
    /// It says nothing of rights: these are for ``ChangeableEntity/apply(_:on:)``, which reads memberships under the
    /// locks. For a row that there is not it returns ``ChangePlace/own(_:)``.
    /// - Throws: a problem, when the change names no place.
    func place(
        of change: PushChanges.Mutation, by user: UserID, on connection: Connection
    ) async throws -> ChangePlace
}
