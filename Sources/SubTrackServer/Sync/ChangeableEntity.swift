import MariaDB
import SubTrackAPI
import SubTrackCore

/// An entity whose rows clients change.
protocol ChangeableEntity: Sendable {
    /// The name on the wire and in outboxes, that of a ``SyncedEntity``.
    var name: String { get }

    /// Finds the scopes in which changes write; nil: they write in the user's own alone.
    var places: (any ChangePlaces)? { get }

    /// The id of a row as clients have it; nil for a text that is no id.
    func id(_ text: String, of user: UserID) -> String?

    /// A row that the caller sees, found by one statement; nil when there is none of this id. In a shared scope that is
    /// a row of a scope of which the caller is a member.
    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot?

    /// Makes a change, in a transaction that has the scopes of its place locked.
    /// - Throws: a problem, when the change is refused.
    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange

    /// The row of the user's own that is answered beside the changed one, as it is now; nil: there is none.
    func companion(
        of change: PushedChange, _ row: RowSnapshot?, on connection: Connection
    ) async throws -> (entity: String, row: RowSnapshot)?

    /// The session of a sender whose change has left a row so.
    func session(_ session: Session, after row: RowSnapshot) -> Session
}

extension ChangeableEntity {
    var places: (any ChangePlaces)? { nil }

    func companion(
        of change: PushedChange, _ row: RowSnapshot?, on connection: Connection
    ) async throws -> (entity: String, row: RowSnapshot)? { nil }

    func session(_ session: Session, after row: RowSnapshot) -> Session { session }
}

/// A row that clients change, as one statement found it.
struct RowSnapshot: Sendable {
    /// The id as clients have it.
    var id: String
    /// The row's version.
    var version: Int64
    /// The versions of its merge groups.
    var groups: [FieldGroup: Int64]
    /// The row as a JSON object; nil: it was deleted, and can be restored.
    var row: [UInt8]?
    /// The fields by the names of the operation that changes them.
    var values: [String: AnyJSON] = [:]

    /// Whether somebody else has changed anything since a version.
    /// - Parameter own: the sender's own writes.
    func isChanged(since base: Int64, notBy own: WriteLineage) -> Bool {
        groups.contains { own.lastOfOthers($0.key, $0.value) > base }
    }
}

/// The result of a change that an entity has applied.
struct AppliedChange: Sendable {
    /// The row before the change; nil: it was not there.
    var before: RowSnapshot?
    /// The row directly after the change; nil: it is gone.
    var after: RowSnapshot?
    /// The row as it is now, where more has happened to it since: nothing that its sender or anybody else has changed.
    var now: RowSnapshot?
    /// The versions of merge groups of another row that was changed with it, before and after.
    var companions: (before: [FieldGroup: Int64], after: [FieldGroup: Int64]) = ([:], [:])
    /// The fields of which somebody else's value was kept.
    var lost: [LostField] = []
}
