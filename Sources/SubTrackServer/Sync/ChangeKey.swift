import Foundation
import MariaDB
import SubTrackAPI

/// Which change it is, and its place in the order of its scope: by version, then deletions before rows, then by kind and
/// id. Periods come with their subscription: they have no scope of their own by which they could be found in order.
struct ChangeKey: Sendable, Hashable {
    /// Its place among the versions of the scope: the row's version, or that of the subscription that a period belongs to.
    var version: Int64
    /// The row's version.
    var rowVersion: Int64
    /// The kind of row as it is numbered in `Tombstone`; for rows that are there 100 more.
    var rank: Int
    /// The row's id in bytes, as `Tombstone` has it.
    var id: [UInt8]

    /// The offset to the number of a kind for rows that are there.
    static let live = 100

    /// The numbers of the kinds in `Tombstone`.
    static func number(of entity: SyncEntity) -> Int {
        switch entity {
        case .me: 1
        case .subscription: 2
        case .period: 3
        case .plan: 4
        case .price: 5
        case .provider: 6
        case .country: 7
        case .currency: 8
        }
    }

    private static let entities = Dictionary(
        uniqueKeysWithValues: SyncEntity.allCases.map { (number(of: $0), $0) })

    /// The kind of row; nil for a number that this version does not know.
    var entity: SyncEntity? { Self.entities[rank % Self.live] }

    /// Whether the row is gone.
    var isDeletion: Bool { rank < Self.live }

    /// The id as clients have it: UUIDs as text, a period's and a price's number or day after a space.
    var text: String {
        switch entity {
        case .me?, .subscription?: Self.uuid(id)
        case .period?: Self.uuid(Array(id.prefix(16))) + " " + String(decoding: id.dropFirst(16), as: UTF8.self)
        default: String(decoding: id, as: UTF8.self)
        }
    }

    /// The id of the owner of a period or a price: the bytes of a subscription's, the number of a plan in decimal.
    var parent: [UInt8]? {
        switch entity {
        case .period?: Array(id.prefix(16))
        case .price?: Array(id.prefix { $0 != UInt8(ascii: " ") })
        default: nil
        }
    }

    /// The text of a UUID's bytes, in small letters.
    static func uuid(_ bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return "" }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
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
