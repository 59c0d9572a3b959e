import Foundation
import MariaDB

/// The identity of a change, and its place in the order of its scope: by version, then deletions before rows, then by
/// entity and id. Rows that come with another one have that one's place.
struct ChangeKey: Sendable, Hashable {
    /// Its place among the versions of the scope: the row's version, or that of the row with which it comes.
    var version: Int64
    /// The row's version.
    var rowVersion: Int64
    /// The entity's number; for rows that are there ``EntityNumber/live`` more.
    var rank: Int
    /// The row's id in bytes, as `Tombstone` has it.
    var id: [UInt8]

    /// Whether the row is gone.
    var isDeletion: Bool { rank < EntityNumber.live }

    /// The text of a UUID's bytes, in small letters.
    static func uuid(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.count == 16 else { return "" }
        return Array(bytes).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
    }
}

extension ChangeKey: Comparable {
    static func < (left: ChangeKey, right: ChangeKey) -> Bool {
        if left.version != right.version { return left.version < right.version }
        if left.rank != right.rank { return left.rank < right.rank }
        return left.id.lexicographicallyPrecedes(right.id)
    }
}

extension ChangeKey: RowDecodable {
    init(row: Row) throws {
        (version, rank, id, rowVersion) = try row.decode((Int64, Int, [UInt8], Int64).self)
    }
}
