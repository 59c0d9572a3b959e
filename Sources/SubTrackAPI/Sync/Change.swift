/// A row as it is now, or that it is gone.
public struct Change: Sendable, Hashable {
    /// The fields that are stored of a row. Nothing in them depends on the day.
    public enum Data: Sendable, Hashable {
        case me(StoredUser)
        case subscription(StoredSubscription)
        case period(StoredPeriod)
        case plan(StoredPlan)
        case price(StoredPrice)
        case provider(StoredProvider)
        case country(StoredCountry)
        case currency(StoredCurrency)
        /// A row of any other kind; ``Change/row(_:)`` reads it.
        case other(AnyJSON)
    }

    /// The set of rows that it belongs to: `user`, `reference`, `catalogue/US`.
    public var scope: String
    /// The version of the change in its scope.
    public var version: Int64
    /// The kind of row.
    public var entity: SyncEntity
    /// The row's id among those of its kind, as text.
    public var id: String
    /// The row; nil: it is gone, and with a subscription its periods, with a plan its prices.
    public var data: Data?

    /// Whether the row is gone.
    public var deleted: Bool { data == nil }

    /// A change with all its fields.
    public init(scope: String, version: Int64, entity: SyncEntity, id: String, data: Data?) {
        self.scope = scope
        self.version = version
        self.entity = entity
        self.id = id
        self.data = data
    }

    /// The row of a kind of ``EntityTable``; nil: it is gone, or of another kind.
    /// - Throws: `DecodingError` for a row that is not of this form.
    public func row<Row: EntityRow>(_ type: Row.Type) throws -> Row? {
        guard entity == type.entity, case .other(let json)? = data else { return nil }
        return try json.decoded(as: type)
    }
}

extension Change: Codable {
    private enum CodingKeys: String, CodingKey {
        case scope, version, entity, id, deleted, data
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scope = try container.decode(String.self, forKey: .scope)
        version = try container.decode(Int64.self, forKey: .version)
        entity = try container.decode(SyncEntity.self, forKey: .entity)
        id = try container.decode(String.self, forKey: .id)
        let isDeleted = try container.decode(Bool.self, forKey: .deleted)
        data = try container.decodeIfPresent(Data.self, forKey: .data)
        // Rows of some kinds look like those of others: the entity decides.
        if let data, data.entity != entity { self.data = try Self.data(of: entity, in: container) }
        guard isDeleted == (data == nil) else {
            throw DecodingError.dataCorruptedError(
                forKey: .data, in: container, debugDescription: "is there unless the row is deleted")
        }
    }

    private static func data(
        of entity: SyncEntity, in container: KeyedDecodingContainer<CodingKeys>
    ) throws -> Data {
        switch entity {
        case .me: .me(try container.decode(StoredUser.self, forKey: .data))
        case .subscription: .subscription(try container.decode(StoredSubscription.self, forKey: .data))
        case .period: .period(try container.decode(StoredPeriod.self, forKey: .data))
        case .plan: .plan(try container.decode(StoredPlan.self, forKey: .data))
        case .price: .price(try container.decode(StoredPrice.self, forKey: .data))
        case .provider: .provider(try container.decode(StoredProvider.self, forKey: .data))
        case .country: .country(try container.decode(StoredCountry.self, forKey: .data))
        case .currency: .currency(try container.decode(StoredCurrency.self, forKey: .data))
        default: .other(try container.decode(AnyJSON.self, forKey: .data))
        }
    }

    /// `data` is absent when the row is gone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(scope, forKey: .scope)
        try container.encode(version, forKey: .version)
        try container.encode(entity, forKey: .entity)
        try container.encode(id, forKey: .id)
        try container.encode(deleted, forKey: .deleted)
        if let data { try container.encode(data, forKey: .data) }
    }
}

extension Change: OmitsNilFields {}

extension Change.Data: OneOfTypes {
    public static var alternatives: [any Codable.Type] {
        [
            StoredUser.self, StoredSubscription.self, StoredPeriod.self, StoredPlan.self, StoredPrice.self,
            StoredProvider.self, StoredCountry.self, StoredCurrency.self,
        ] + EntityTable.rows.map { $0 as any Codable.Type }
    }

    /// The kind of row; nil for one that ``Change`` alone knows.
    public var entity: SyncEntity? {
        switch self {
        case .me: .me
        case .subscription: .subscription
        case .period: .period
        case .plan: .plan
        case .price: .price
        case .provider: .provider
        case .country: .country
        case .currency: .currency
        case .other: nil
        }
    }
}

extension Change.Data: Codable {
    /// Reads the row that it looks like; see ``Change``, whose entity decides.
    public init(from decoder: any Decoder) throws {
        if let row = try? StoredUser(from: decoder) {
            self = .me(row)
        } else if let row = try? StoredSubscription(from: decoder) {
            self = .subscription(row)
        } else if let row = try? StoredPeriod(from: decoder) {
            self = .period(row)
        } else if let row = try? StoredPlan(from: decoder) {
            self = .plan(row)
        } else if let row = try? StoredPrice(from: decoder) {
            self = .price(row)
        } else if let row = try? StoredCountry(from: decoder) {
            self = .country(row)
        } else if let row = try? StoredCurrency(from: decoder) {
            self = .currency(row)
        } else if let row = try? StoredProvider(from: decoder) {
            self = .provider(row)
        } else {
            self = .other(try AnyJSON(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .me(let row): try row.encode(to: encoder)
        case .subscription(let row): try row.encode(to: encoder)
        case .period(let row): try row.encode(to: encoder)
        case .plan(let row): try row.encode(to: encoder)
        case .price(let row): try row.encode(to: encoder)
        case .provider(let row): try row.encode(to: encoder)
        case .country(let row): try row.encode(to: encoder)
        case .currency(let row): try row.encode(to: encoder)
        case .other(let row): try row.encode(to: encoder)
        }
    }
}
