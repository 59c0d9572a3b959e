import MariaDB
import SubTrackAPI

/// A kind of row of which clients hold copies. It tells how the engine finds changed rows, and reads them.
///
/// An area declares one for each of its kinds. The engine knows them by name and number alone.
protocol SyncedEntity: Sendable {
    /// The name on the wire and in outboxes.
    var name: String { get }

    /// The number in the table `Tombstone`. It is never used for another kind.
    var number: EntityNumber { get }

    /// The id as clients have it.
    /// - Parameter id: its bytes, as `Tombstone` has them.
    func text(ofID id: [UInt8]) -> String

    /// Statements that find changed rows by an index that has them in the order of their versions.
    /// - Parameter limit: how many are wanted; nil: all are counted.
    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart]

    /// Statements that find changed rows by way of the rows that they belong to.
    /// - Parameter isShort: whether the range has few versions, so that rows may be looked for by version as well.
    func keysByParent(in range: ScopeRange, isShort: Bool, on connection: Connection) async throws -> [KeyPart]

    /// The rows of some keys as JSON objects, by the bytes of their ids.
    /// - Parameter keys: keys of this entity, in the order of their versions. Other rows may be returned with theirs.
    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]]
}

extension SyncedEntity {
    func text(ofID id: [UInt8]) -> String { String(decoding: id, as: UTF8.self) }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] { [] }

    func keysByParent(in range: ScopeRange, isShort: Bool, on connection: Connection) async throws -> [KeyPart] { [] }
}

/// The number of an entity in the table `Tombstone`.
struct EntityNumber: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The offset to the numbers of rows that are there, so that deletions come first in the order of a version.
    static let live = 100

    /// 1 to 99.
    let value: Int

    init(integerLiteral value: Int) { self.value = value }

    /// The rank of rows that are there, as text of a statement.
    var rank: SQL { SQL(unsafeText: String(Self.live + value)) }
}

/// A statement that finds keys of one entity: columns `Ver`, `Kind`, `Row_ID` and `Row_ver`.
struct KeyPart: Sendable {
    /// The statement, without order and limit.
    var select: SQL
    /// By version and then by id, in the words of an index. Where no two rows have one version, that is enough.
    var order: SQL = "Ver"
}

/// A part of a scope's versions, behind the place where the last page ended.
struct ScopeRange: Sendable {
    /// Where the last page ended.
    var position: SyncCursor.Position
    /// The scope's counter in this snapshot.
    var head: Int64

    /// The scope.
    var scope: SyncScope { position.scope }
    /// The first version that may have something.
    var first: Int64 { position.place == nil ? position.version + 1 : position.version }
    /// The first version whose tombstones are of use: older ones are of rows that were never given.
    var firstTombstone: Int64 { max(first, position.base + 1) }
    /// How many versions may have something.
    var width: Int64 { max(0, head - first) }

    /// The same range up to another version.
    func upTo(_ version: Int64) -> ScopeRange { ScopeRange(position: position, head: min(head, version)) }

    /// Whether a row lies behind the place where the last page ended.
    /// - Parameters:
    ///   - version: its version.
    ///   - rank: its rank.
    ///   - id: its id in bytes.
    func isBehind(_ version: SQL, rank: SQL, id: SQL) -> SQL {
        let place = position.place ?? SyncCursor.Place(rank: 999, id: [])
        return """
            (\(version) > \(position.version) OR \(rank) > \(place.rank)
             OR \(rank) = \(place.rank) AND \(id) > \(place.id))
            """
    }
}
