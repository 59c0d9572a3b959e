/// What an operator is told of a tenant.
public struct TenantSummary: Encodable, Sendable {
    /// How much it has.
    public struct Counts: Encodable, Sendable {
        public let users: Int64
        public let accounts: Int64
        public let subscriptions: Int64
        /// Plans of the catalogue.
        public let plans: Int64
        /// What tables and indexes take, as the server estimates it.
        public let bytes: Int64
    }

    /// What its people are answered.
    public enum Status: String, Encodable, Sendable, CaseIterable {
        case active
        case suspended
        /// Work is done on the data.
        case closed
    }

    public let slug: String
    public let database: String
    /// The server that its database is on; nil: the control database's.
    public let server: String?
    public let hosts: [String]
    public let status: Status
    /// The areas that are on.
    public let areas: [String]
    public let createdAt: String
    /// Changes when a backup was restored.
    public let epoch: String
    /// Where it was looked at: how much there is.
    public var counts: Counts?
    /// Where it was looked at: what is wrong with its database.
    public var problem: String?

    init(_ row: TenantQueries.Row, hosts: [String], areas: AreaList) {
        slug = row.slug
        database = row.database
        server = row.server
        self.hosts = hosts
        status = row.status
        self.areas = areas.names(in: areas.on(row.areas))
        createdAt = row.createdAt
        epoch = row.epoch.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension TenantQueries.Row {
    /// The answer that the tenant's people get.
    var status: TenantSummary.Status { isSuspended ? .suspended : isClosed ? .closed : .active }
}
