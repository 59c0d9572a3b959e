import Foundation
import MariaDB
import Passwords

/// The identity of an installation: a random number in its control database, and in the database of each of its tenants. By it
/// a command notices that a database is another installation's, whatever their prefixes are.
struct Installation: Sendable, Equatable, CustomStringConvertible {
    private static let name = "Installation"

    /// 16 bytes in hexadecimal.
    let id: String
    /// The control database, for messages.
    let control: String

    var description: String { "\(id) \(control)" }

    private init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { return nil }
        (id, control) = (String(parts[0]), String(parts[1]))
    }

    private init(control: String) throws {
        id = try SecureRandom.bytes(16).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        self.control = control
    }

    /// Two installations are the same by their number: a control database may be renamed.
    static func == (left: Self, right: Self) -> Bool { left.id == right.id }

    /// The installation of a control database, which gets a number if it has none.
    /// - Parameter connection: one to the control database.
    static func ensure(control: String, on connection: Connection) async throws -> Installation {
        if let known = try await find(on: connection) { return known }
        let text = try Installation(control: control).description
        _ = try await connection.execute(
            """
            INSERT INTO Setting (Setting_name, Setting_value) VALUES (\(name), \(text))
            ON DUPLICATE KEY UPDATE Setting_value = Setting_value
            """)
        guard let made = try await find(on: connection) else { throw Malformed() }
        return made
    }

    /// The installation whose database a connection is on; nil where none is noted.
    static func find(on connection: Connection) async throws -> Installation? {
        guard try await TenantCountQueries.tables(["Setting"], on: connection).contains("setting") else { return nil }
        return try await connection.query("SELECT Setting_value FROM Setting WHERE Setting_name = \(name)")
            .decode(String.self).first.flatMap { Installation($0) }
    }

    /// Notes that a tenant's database is this installation's.
    /// - Parameter isTaking: whether a note of another one is replaced.
    /// - Returns: whose it is now.
    func note(isTaking: Bool, on connection: Connection) async throws -> Installation {
        if let known = try await Self.find(on: connection), known == self || !isTaking { return known }
        let (name, text) = (Self.name, description)
        _ = try await connection.execute(
            """
            INSERT INTO Setting (Setting_name, Setting_value) VALUES (\(name), \(text))
            ON DUPLICATE KEY UPDATE Setting_value = VALUES(Setting_value)
            """)
        return self
    }

    /// What stands in the number's place is none.
    struct Malformed: Error, CustomStringConvertible {
        let description =
            "the row 'Installation' of the control database's table Setting is malformed; delete it, and a new one is made"
    }
}

extension TenantAdministration {
    /// This installation.
    func installation() async throws -> Installation {
        try await onControl { try await Installation.ensure(control: control, on: $0) }
    }

    /// Notes that a database is this installation's, whatever its data were before.
    func noteAsOwn(_ database: Identifier, client: MariaDBClient) async throws {
        let mine = try await installation()
        try await client.withConnection(database.name) { _ = try await mine.note(isTaking: true, on: $0) }
    }

    /// Refuses a server on which databases of this installation's prefix are another installation's: their commands and this
    /// one's would take each other's databases for their own.
    /// - Parameter server: nil, that of the control database, is this installation's.
    func refuseOthersPrefix(on server: String?) async throws {
        guard let server else { return }
        let (mine, client) = (try await installation(), try clients.client(of: server))
        let place = try DatabaseURL(server: server, controlDatabase: control).endpoint
        let remedy =
            "nothing was changed. Choose another server, or another name at the end of --database-url for one of both"
        let hasControl = try await client.withConnection(nil) {
            try await MigrationQueries.exists(try Identifier(control), on: $0)
        }
        if hasControl {
            let other = try await client.withConnection(control) { connection in
                let tables = try await TenantCountQueries.tables(["Tenant"], on: connection)
                guard tables.contains("tenant") else { return false }
                // By another name of it, this may be this installation's own server.
                return try await Installation.find(on: connection) != mine
            }
            guard !other else {
                throw Refusal("\(place) has the control database \(control) of another installation; \(remedy)")
            }
        }
        let own = Set(try await onControl { try await TenantQueries.all(on: $0) }.map(\.database))
        let others = try await client.withConnection(nil) {
            try await DoctorQueries.tenantDatabases(control: control, on: $0)
        }
        for database in others where !own.contains(database) {
            let owner = try await client.withConnection(database) { try await Installation.find(on: $0) }
            guard let owner, owner != mine, DoctorQueries.isFirstName(database, control: control) else { continue }
            throw Refusal(
                "\(place) has the database \(database) of another installation (control database \(owner.control)); "
                    + remedy)
        }
    }

    /// Refuses a tenant's database that another installation has among its tenants.
    func refuseIfAnothers(_ row: TenantQueries.Row) async throws {
        let (mine, client) = (try await installation(), try clients.client(of: row.server))
        let database = try Identifier(row.database)
        guard try await client.withConnection(nil, { try await MigrationQueries.exists(database, on: $0) }) else {
            return
        }
        let owner = try await client.withConnection(row.database) { try await Installation.find(on: $0) }
        guard let owner, owner != mine else { return }
        let isThere = try await client.withConnection(nil) {
            try await MigrationQueries.exists(try Identifier(owner.control), on: $0)
        }
        guard isThere else { return }
        let isTheirs = try await client.withConnection(owner.control) { connection in
            let tables = try await TenantCountQueries.tables(["Tenant"], on: connection)
            guard tables.contains("tenant"), try await Installation.find(on: connection) == owner else { return false }
            return try await TenantQueries.isUsed(database: row.database, on: connection)
        }
        guard !isTheirs else {
            throw Refusal(
                "the database \(row.database) is a tenant's of another installation, whose control database is "
                    + "\(owner.control); nothing was changed. Give \(row.slug) a database of its own: subtrackd tenant "
                    + "export there, and import here")
        }
    }
}
