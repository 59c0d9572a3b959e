import Foundation
import SubTrackAPI

/// A change as a pull gives it, of a kind that may be newer than this kit.
struct PulledChange: Decodable, Sendable {
    /// The set of rows that it belongs to.
    var scope: String
    /// The version in its scope.
    var version: Int64
    /// What kind of row; nil: one that this kit does not know, which is to be ignored.
    var entity: SyncEntity?
    /// The row's id.
    var id: String
    /// The row; nil: it is gone.
    var data: (any StoredColumns & Sendable)?

    private enum CodingKeys: String, CodingKey {
        case scope, version, entity, id, deleted, data
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scope = try container.decode(String.self, forKey: .scope)
        version = try container.decode(Int64.self, forKey: .version)
        entity = SyncEntity(rawValue: try container.decode(String.self, forKey: .entity))
        id = try container.decode(String.self, forKey: .id)
        guard let entity, try !container.decode(Bool.self, forKey: .deleted) else { return }
        data = try Self.decode(entity.columns, from: container)
    }

    private static func decode<Stored: StoredColumns & Codable & Sendable>(
        _ type: Stored.Type, from container: KeyedDecodingContainer<CodingKeys>
    ) throws -> any StoredColumns & Sendable {
        try container.decode(type, forKey: .data)
    }

    /// The change that an answer to a push brings along.
    init(_ change: Change) {
        scope = change.scope
        version = change.version
        entity = change.entity
        id = change.id
        data =
            switch change.data {
            case .me(let row): row
            case .subscription(let row): row
            case .period(let row): row
            case .plan(let row): row
            case .price(let row): row
            case .provider(let row): row
            case .country(let row): row
            case .currency(let row): row
            case nil: nil
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
