import MariaDB

/// Looks whether an account may do all that a migration does, before it does the first of it: DDL commits by itself, so that a
/// right that is missing in the middle leaves a half.
enum RightsCheck {
    /// What a migration cannot do without.
    private static let wanted = GrantStatements.migrator.filter { $0 != "SHOW VIEW" }

    /// The rights of an account that are missing, as far as they can be told.
    struct Missing: Error, CustomStringConvertible {
        let account: String
        let database: String
        let rights: [String]

        var description: String {
            "\(account) may not \(rights.joined(separator: ", ")) in \(database); nothing was changed"
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
    /// - Throws: ``Missing``; ``Untrusted``; what the database says.
    static func check(_ databases: [String], on connection: Connection) async throws {
        let account = try await DoctorQueries.account(on: connection)
        let grants = try await DoctorQueries.grants(on: connection)
        let variables = try await DoctorQueries.variables(
            ["partial_revokes", "log_bin", "wsrep_on", "log_bin_trust_function_creators"], on: connection)
        try check(grants, variables, account: account, databases: databases)
    }

    static func check(
        _ grants: Grants, _ variables: [String: String], account: String, databases: [String]
    ) throws {
        // What a role gives, or a line that is not understood, may be what is wanted.
        guard !grants.others.contains(where: { $0.mayGive }) else { return }
        let arePatternsNames = Doctor.isOn(variables["partial_revokes"])
        for database in databases {
            let rights = grants.missing(wanted, on: database, arePatternsNames: arePatternsNames)
            guard rights.isEmpty else { throw Missing(account: account, database: database, rights: rights) }
        }
        let isLogged = Doctor.isOn(variables["log_bin"]) || Doctor.isOn(variables["wsrep_on"])
        if isLogged, !Doctor.isOn(variables["log_bin_trust_function_creators"]), !grants.hasGlobal("SUPER"),
            !grants.hasGlobal("BINLOG ADMIN")
        {
            throw Untrusted(account: account)
        }
    }
}

extension Grants.Other {
    /// Whether it may give rights on tables that no other line shows.
    fileprivate var mayGive: Bool {
        switch self {
        case .role, .line: true
        case .proxy, .routine: false
        }
    }
}
