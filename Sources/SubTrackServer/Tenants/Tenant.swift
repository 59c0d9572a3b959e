import MariaDB
import SubTrackAPI

/// One customer of the deployment: a database of its own, and what the service remembers of it.
final class Tenant: Sendable {
    /// The name in paths and in the database's name.
    let slug: String
    /// The tenant's database.
    let database: String
    /// Whether the operator has suspended it.
    let isSuspended: Bool
    /// The client through which its database is reached.
    let client: MariaDBClient
    /// Who its tokens stand for.
    let sessions: SessionStore
    /// How many digits its currencies have.
    let currencies: CurrencyDigits

    /// A tenant on a database that is migrated.
    init(slug: String, database: String, isSuspended: Bool, client: MariaDBClient) {
        self.slug = slug
        self.database = database
        self.isSuspended = isSuspended
        self.client = client
        sessions = SessionStore(client: client, database: database)
        currencies = CurrencyDigits(client: client, database: database)
    }

    /// Reads from the tenant's database.
    func read<Result>(_ body: (Connection) async throws -> Result) async throws -> Result {
        try await client.withConnection(database, body)
    }

    /// Changes the rows of one user, in a transaction that has the user's scope locked before anything is read, so that
    /// changes of one user come one after the other and cannot deadlock.
    func write<Result>(scope user: UserID, _ body: (Connection) async throws -> Result) async throws -> Result {
        try await client.withTransaction(database, isolation: .readCommitted) { connection in
            _ = try await connection.query("SELECT Ver FROM Scope WHERE Scope_ID = \(user.uuid) FOR UPDATE")
            return try await body(connection)
        }
    }
}
