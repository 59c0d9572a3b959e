import Logging
import MariaDB

/// Checks all rights of an account for a migration before its first statement. Because DDL commits by itself, a right
/// that is missing in the middle leaves a half.
enum RightsCheck {
    /// Rights that a migration needs.
    private static let wanted = GrantStatements.migrator.filter { $0 != "SHOW VIEW" }

    /// The rights of an account that are missing, as far as they can be told.
    struct Missing: Error, CustomStringConvertible {
        let account: String
        let database: String
        let rights: [String]

        /// Whether the account has a role, which may give them.
        let hasRole: Bool

        var description: String {
            "\(account) may not \(rights.joined(separator: ", ")) in \(database); nothing was changed"
                + (hasRole ? ". What a role gives does not count: triggers and views run without it" : "")
        }
    }

    /// Triggers cannot be made by the account while the server writes a binary log.
    struct Untrusted: Error, CustomStringConvertible {
        let account: String

        var description: String {
            "\(account) may not make triggers while the server writes a binary log (error 1419); nothing was changed. "
                + "SET GLOBAL log_bin_trust_function_creators = 1;   -- and in the server's configuration"
        }
    }

    /// - Parameters:
    ///   - databases: those that are to be changed, or names that stand for them.
    ///   - connection: the migrator's.
    /// - Throws: ``Missing``; ``Untrusted``; the database's errors.
    static func check(_ databases: [String], on connection: Connection) async throws {
        let account = try await DoctorQueries.account(on: connection)
        let grants = try await DoctorQueries.grants(on: connection)
        let variables = try await DoctorQueries.variables(
            ["partial_revokes", "log_bin", "wsrep_on", "log_bin_trust_function_creators"], on: connection)
        try check(grants, variables, account: account, databases: databases)
    }

    /// Checks the rights of the service's own account, where a migrator prepares the databases for it. The rights of an
    /// account that cannot sign in from here are not known, and are not refused.
    /// - Throws: ``Missing``.
    static func checkService(_ databases: [String], access: DatabaseAccess, logger: Logger) async throws {
        guard access.settings.migrator != nil else { return }
        let client = try access.client(logger: logger)
        let found = try? await client.withConnection(nil) { connection in
            (
                account: try await DoctorQueries.account(on: connection),
                grants: try await DoctorQueries.grants(on: connection)
            )
        }
        await client.shutdown()
        guard let found, found.grants.others.isEmpty else { return }
        for database in databases {
            let rights = found.grants.missing(GrantStatements.service, on: database)
            guard rights.isEmpty else {
                throw Missing(account: found.account, database: database, rights: rights, hasRole: false)
            }
        }
    }

    static func check(
        _ grants: Grants, _ variables: [String: String], account: String, databases: [String]
    ) throws {
        // A line that is not understood may give the right.
        guard !grants.others.contains(where: { if case .line = $0 { true } else { false } }) else { return }
        let hasRole = grants.others.contains { if case .role = $0 { true } else { false } }
        let arePatternsNames = DoctorQueries.isOn(variables["partial_revokes"])
        for database in databases {
            let rights = grants.missing(
                wanted, on: database, arePatternsNames: arePatternsNames, countsRoles: false)
            guard rights.isEmpty else {
                throw Missing(account: account, database: database, rights: rights, hasRole: hasRole)
            }
        }
        let isLogged = DoctorQueries.isOn(variables["log_bin"]) || DoctorQueries.isOn(variables["wsrep_on"])
        // `BINLOG ADMIN` lets an account set the variable, and make no triggers.
        if isLogged, !DoctorQueries.isOn(variables["log_bin_trust_function_creators"]), !grants.hasGlobal("SUPER") {
            throw Untrusted(account: account)
        }
    }
}
