import MariaDB

/// The database of a tenant that was there once and is not any more: it was dropped by hand, or its server was restored without it.
///
/// Only an operator's command makes it anew. An empty database in its place would tell the tenant's clients that their data are gone.
struct DatabaseGone: Error, CustomStringConvertible {
    /// What is left of the database.
    enum Rest: Sendable {
        case nothing
        /// A database without the service's notes of applied files.
        case withoutNotes
    }

    let slug: String
    let database: String
    /// The server that it was on; nil: the control database's.
    let server: String?
    let rest: Rest

    init(_ row: TenantQueries.Row, _ rest: Rest) {
        self.init(slug: row.slug, database: row.database, server: row.server, rest: rest)
    }

    init(slug: String, database: String, server: String?, rest: Rest) {
        (self.slug, self.database, self.server, self.rest) = (slug, database, server, rest)
    }

    /// The fault in words, without the remedy.
    var reason: String {
        let place = server.map { "\(database) on \($0)" } ?? database
        return switch rest {
        case .nothing: "its database is gone (\(place))"
        case .withoutNotes: "its database is empty or was loaded in part (\(place))"
        }
    }

    /// The restore of this tenant alone: others of a backup may have been dropped on purpose.
    private var restore: String {
        // There may be data in a database that was loaded in part.
        "subtrackd restore FOLDER --tenant \(slug)\(rest == .nothing ? "" : " --replace")"
    }

    /// The commands that mend it, a line for each.
    var remedies: [String] {
        let dump =
            rest == .nothing
            ? [] : ["subtrackd tenant restored \(slug)   -- after a whole dump was loaded into \(database)"]
        return dump + [
            "subtrackd tenant import \(slug) FILE --replace   -- FILE: \(slug).jsonl of a backup, or another export of it",
            "\(restore)   -- FOLDER: a backup that has it; other tenants stay as they are",
            "subtrackd tenant drop \(slug)   -- gives the tenant up",
        ]
    }

    /// The commands in one line, for the output of a command.
    var advice: String {
        let dump = rest == .nothing ? "" : "load a whole dump and run subtrackd tenant restored \(slug), or "
        return dump
            + "put a backup back by subtrackd tenant import \(slug) FILE --replace or by \(restore), "
            + "or give the tenant up by subtrackd tenant drop \(slug)"
    }

    var description: String { "\(reason); \(advice)" }

    /// Looks at a tenant's database.
    /// - Parameter client: a client of its server.
    /// - Returns: nil where the database has notes of applied files.
    /// - Throws: the database's errors, such as those of a server that is away.
    static func rest(of database: String, client: MariaDBClient) async throws -> Rest? {
        let name = try Identifier(database)
        do {
            // The list of databases leaves out those that the account has no rights in: only an attempt to use it tells. A connection
            // that used it before it was dropped is still on it by name.
            return try await client.withConnection(database) { connection -> Rest? in
                guard try await MigrationQueries.tables(["Migration"], on: connection).isEmpty else { return nil }
                return try await MigrationQueries.exists(name, on: connection) ? .withoutNotes : .nothing
            }
        } catch let error as MariaDBError where error.code == MariaDBError.unknownDatabase {
            return .nothing
        }
    }

    /// - Throws: ``DatabaseGone`` for a tenant whose database was complete once and is missing; the database's errors.
    static func check(_ row: TenantQueries.Row, client: MariaDBClient) async throws {
        guard row.isMade, let rest = try await rest(of: row.database, client: client) else { return }
        throw DatabaseGone(row, rest)
    }
}

extension MariaDBError {
    /// There is no such database (`ER_BAD_DB_ERROR`).
    static let unknownDatabase: UInt32 = 1049
}
