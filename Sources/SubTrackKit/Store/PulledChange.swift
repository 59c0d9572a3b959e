import Foundation
import SubTrackAPI

/// A change as a pull gives it, of a kind that may be newer than this kit.
struct PulledChange: Decodable, Sendable {
    /// The content of a change.
    enum Content: Sendable {
        /// The row is gone.
        case gone
        /// A row of a kind with a table of its own.
        case columns(any StoredColumns & Sendable)
        /// A row of any other kind, as JSON.
        case json(String)
        /// A row that this kit cannot read. It is left alone.
        case unreadable
    }

    /// The set of rows that it belongs to.
    var scope: String
    /// The version in its scope.
    var version: Int64
    /// What kind of row.
    var entity: SyncEntity
    /// The row's id.
    var id: String
    /// The row, or that it is gone.
    var content: Content

    private enum CodingKeys: String, CodingKey {
        case scope, version, entity, id, deleted, data
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scope = try container.decode(String.self, forKey: .scope)
        version = try container.decode(Int64.self, forKey: .version)
        entity = try container.decode(SyncEntity.self, forKey: .entity)
        id = try container.decode(String.self, forKey: .id)
        if try container.decode(Bool.self, forKey: .deleted) {
            content = .gone
        } else if let columns = entity.columns {
            content = .columns(try Self.decode(columns, from: container))
        } else {
            let json = try? container.decode(AnyJSON.self, forKey: .data)
            content = try json.map { .json(try JSON.text($0)) } ?? .unreadable
        }
    }

    private static func decode<Stored: StoredColumns & Codable & Sendable>(
        _ type: Stored.Type, from container: KeyedDecodingContainer<CodingKeys>
    ) throws -> any StoredColumns & Sendable {
        try container.decode(type, forKey: .data)
    }

    /// The change that an answer to a push brings along.
    init(_ change: Change) throws {
        scope = change.scope
        version = change.version
        entity = change.entity
        id = change.id
        content =
            switch change.data {
            case .me(let row): .columns(row)
            case .subscription(let row): .columns(row)
            case .period(let row): .columns(row)
            case .plan(let row): .columns(row)
            case .price(let row): .columns(row)
            case .provider(let row): .columns(row)
            case .country(let row): .columns(row)
            case .currency(let row): .columns(row)
            case .other(let row): .json(try JSON.text(row))
            case nil: .gone
            }
    }
}

/// A page of changes.
struct PulledPage: Decodable, Sendable {
    var dropped: [String]
    var changes: [PulledChange]
    var cursor: String
    var more: Bool
    var total: Int
}
