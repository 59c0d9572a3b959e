import MariaDB
import SubTrackAPI

/// The rows that an area keeps for users, and the acts on a user that concern them.
///
/// No member has a default, so that the compiler names a hook that an area forgets. `UserDataTests` compares ``tables``
/// with the tables of a migrated database, and the acts with their rows.
protocol UserData: Sendable {
    /// The tables whose rows name a user.
    var tables: [UserTable] { get }
    /// The bounds on the rows of one user.
    var limits: [UserLimit] { get }
    /// The preparations before a user's rows are read.
    var preparations: [any UserPreparation] { get }
    /// Its sections of a user's export, in their order.
    var export: [ExportSection] { get }

    /// Moves the rows of a user without account to another user. Later areas go first.
    /// - Parameters:
    ///   - merged: the report for the device.
    ///   - connection: in the transaction that has both scopes locked.
    /// - Throws: `too_many` when both together have more than a user may have.
    func merge(
        _ merge: UserMerge, into merged: inout CreateSession.Merged, on connection: Connection
    ) async throws

    /// Removes some rows of a deleted user. Later areas go first.
    /// - Parameters:
    ///   - limit: about how many.
    ///   - connection: in a transaction that has the user's scope locked.
    /// - Returns: how many rows it has looked after; less than the limit when none is left.
    func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int
}

/// A table whose rows name a user, and the hooks that look after these rows.
struct UserTable: Sendable {
    /// Whether the area's hook looks after the rows.
    enum Hook: Sendable, Equatable {
        case covered
        /// The hook passes over them, with the reason.
        case left(because: String)
    }

    /// Where the rows are shown in an export.
    enum Shown: Sendable, Equatable {
        case section(String)
        /// They are not shown, with the reason.
        case left(because: String)
    }

    /// The table.
    let name: String
    /// The column that has the user's id.
    let column: String
    /// Tables whose rows belong to its rows, and share their fate.
    var parts: [String] = []
    /// ``UserData/merge(_:into:on:)``.
    let merge: Hook
    /// ``UserData/erase(_:upTo:on:)``.
    let erase: Hook
    /// ``UserData/export``.
    let export: Shown
    /// Whether a user with a row has data, and so is not idle.
    let data: Hook

    /// The condition that a user has a row.
    /// - Parameter user: the user's id, or a column of another table.
    func has(_ user: SQL) -> SQL {
        "EXISTS (SELECT 1 FROM \(SQL(unsafeText: name)) WHERE \(SQL(unsafeText: column)) = \(user))"
    }
}
