import MariaDB

/// The doctor's statements.
enum DoctorQueries {
    /// The account that a connection is signed in as, as statements want it: `'subtrackit'@'%'`.
    static func account(on connection: Connection) async throws -> String {
        let text =
            try await connection.query("SELECT CONVERT(CURRENT_USER() USING utf8mb4)").decode(String.self).first ?? ""
        let at = text.lastIndex(of: "@") ?? text.endIndex
        let (user, host) = (text[..<at], text[at...].dropFirst())
        func quoted(_ part: Substring) -> String { "'\(part.replacing("'", with: "''"))'" }
        return "\(quoted(user))@\(quoted(host))"
    }

    /// The lines of SHOW GRANTS.
    static func grants(on connection: Connection) async throws -> Grants {
        let rows = try await connection.query("SHOW GRANTS FOR CURRENT_USER()")
        return Grants(lines: try rows.map { try $0[0].decode(String.self) })
    }

    /// The server's global variables among some names; those that it does not know are not there.
    static func variables(_ names: [String], on connection: Connection) async throws -> [String: String] {
        let rows = try await connection.query("SHOW GLOBAL VARIABLES")
        return try rows.reduce(into: [:]) { found, row in
            let name = try row[0].decode(String.self).lowercased()
            if names.contains(name) { found[name] = try row[1].decode(String.self) }
        }
    }

    /// The cipher of a connection; empty where it has no TLS.
    static func cipher(on connection: Connection) async throws -> String {
        try await connection.query("SHOW SESSION STATUS LIKE 'Ssl_cipher'").first?[1].decode(String.self) ?? ""
    }

    /// How many connections of one account there may be; 0: any number.
    static func accountConnections(on connection: Connection) async throws -> Int64 {
        try await connection.query("SELECT CAST(@@SESSION.max_user_connections AS SIGNED)").decode(Int64.self).first
            ?? 0
    }

    /// The server's time in UTC, in microseconds since 1970.
    static func now(on connection: Connection) async throws -> Int64 {
        try await connection.query(
            "SELECT CAST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) AS SIGNED)"
        ).decode(Int64.self).first ?? 0
    }

    /// Whether the server knows the collation of all texts.
    static func knowsCollation(on connection: Connection) async throws -> Bool {
        try await connection.query("SHOW COLLATION LIKE 'utf8mb4_unicode_ci'").count > 0
    }

    /// The default collation of a database; nil when it is not there, or may not be seen.
    static func collation(of database: String, on connection: Connection) async throws -> String? {
        try await connection.query(
            """
            SELECT CONVERT(DEFAULT_COLLATION_NAME USING utf8mb4) FROM information_schema.SCHEMATA
            WHERE SCHEMA_NAME = \(database)
            """
        ).decode(String.self).first
    }

    /// The databases that have a tenant's name and tables, of those that the account may see. A tenant that was moved or replaced
    /// has a number behind its name.
    static func tenantDatabases(control: String, on connection: Connection) async throws -> [String] {
        let names = try await connection.query(
            """
            SELECT CONVERT(TABLE_SCHEMA USING utf8mb4) FROM information_schema.TABLES
            WHERE LOWER(TABLE_NAME) IN ('migration', 'scope', 'plan', 'subscription')
                AND LEFT(TABLE_SCHEMA, CHAR_LENGTH(\(control)) + 1) = CONCAT(\(control), '_')
            GROUP BY TABLE_SCHEMA HAVING COUNT(*) = 4 ORDER BY 1
            """
        ).decode(String.self)
        // A tenant's name follows the prefix. Because another installation may be called subtrackit_staging.
        return names.filter { name in
            guard name.hasPrefix(control + "_") else { return false }
            let parts = name.dropFirst(control.count + 1).split(separator: "_", omittingEmptySubsequences: false)
            guard let slug = parts.first, (try? TenantName.checked(slug: String(slug))) != nil else {
                return false
            }
            return parts.count == 1 || (parts.count == 2 && Int(parts[1]).map { (2..<1_000).contains($0) } == true)
        }
    }

    static func isOn(_ value: String?) -> Bool { value == "1" || value?.uppercased() == "ON" }

    /// Whether a database has the first name that a tenant's database gets: without a number behind it.
    static func isFirstName(_ database: String, control: String) -> Bool {
        !database.dropFirst(control.count + 1).contains("_")
    }
}
