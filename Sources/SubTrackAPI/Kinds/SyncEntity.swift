/// A kind of row that clients hold a copy of, by its name on the wire. A newer service may have kinds that this version
/// does not name.
public struct SyncEntity: RawRepresentable, Codable, Sendable, Hashable {
    /// The name on the wire and in outboxes.
    public let rawValue: String

    /// A kind of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The user.
    public static let me = SyncEntity(rawValue: "me")
    /// A subscription.
    public static let subscription = SyncEntity(rawValue: "subscription")
    /// A period that has ended.
    public static let period = SyncEntity(rawValue: "period")
    /// A plan, of the catalogue or of the user's own.
    public static let plan = SyncEntity(rawValue: "plan")
    /// Another price of a plan.
    public static let price = SyncEntity(rawValue: "price")
    /// A provider of the catalogue.
    public static let provider = SyncEntity(rawValue: "provider")
    /// A country.
    public static let country = SyncEntity(rawValue: "country")
    /// A currency.
    public static let currency = SyncEntity(rawValue: "currency")
}

extension SyncEntity: CaseIterable {
    /// The kinds with a form of their own in ``Change/Data``, and those of ``EntityTable``.
    public static let allCases: [SyncEntity] =
        [.me, .subscription, .period, .plan, .price, .provider, .country, .currency]
        + EntityTable.rows.map { $0.entity }
}

extension SyncEntity: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { rawValue = value }

    /// The name.
    public var description: String { rawValue }
}
