import Foundation
import MariaDB

/// What is looked at in a server.
extension Doctor {
    private static let names = [
        "log_bin", "log_bin_trust_function_creators", "binlog_format", "wsrep_on", "partial_revokes",
        "lower_case_table_names", "sql_mode", "max_connections", "max_prepared_stmt_count", "max_allowed_packet",
        "group_replication_group_name", "group_replication_single_primary_mode", "auto_increment_increment",
        "version_comment",
    ]

    /// The beginning of the subject of findings about an account's rights.
    static let rightsSubject = "rights of "

    /// Everything that does not depend on an account's rights.
    func serverFindings(_ connection: Connection, _ configuration: MariaDBConfiguration) async throws -> [Finding] {
        let variables = try await DoctorQueries.variables(Self.names, on: connection)
        let account = try await DoctorQueries.account(on: connection)
        var findings = try await ServerRequirements.faults(on: connection).map { fault -> Finding in
            var fault = fault
            fault.isUnusable = true
            return fault
        }
        if !findings.contains(where: { $0.subject == "version" }) {
            findings.insert(
                ServerSupport.finding(try connection.serverVersion, comment: variables["version_comment"] ?? ""), at: 0)
        }
        let said = Set(findings.map(\.subject))
        findings += Self.settings(variables).filter { !said.contains($0.subject) }
        findings.append(try await collation(connection))
        findings.append(try await encryption(connection, configuration))
        findings.append(try await clock(connection))
        findings += Self.limits(
            variables, accountConnections: try await DoctorQueries.accountConnections(on: connection), account: account,
            connections: access.settings.databaseConnections, statements: access.settings.databaseStatements)
        return findings
    }

    /// What the server's variables say.
    static func settings(_ variables: [String: String]) -> [Finding] {
        var findings: [Finding] = []
        let hasLog = DoctorQueries.isOn(variables["log_bin"])
        if hasLog, variables["binlog_format"]?.uppercased() == "STATEMENT" {
            findings.append(
                .problem(
                    "binlog_format", "is STATEMENT, with which writes fail (error 1665) or replicas differ",
                    remedy:
                        "SET GLOBAL binlog_format = 'ROW';   -- and binlog_format = ROW in the server's configuration"))
        } else if hasLog {
            findings.append(.ok("binlog_format", variables["binlog_format"] ?? "ROW"))
        }
        if let reason = severalPrimaries(variables) {
            findings.append(
                .warning(
                    "primaries",
                    "\(reason): what keeps a plan from being deleted while somebody subscribes to it holds on one server alone",
                    remedy:
                        "Let one server take all writes: name it in --database-url, or a proxy that sends them there."
                ))
        }
        if let names = variables["lower_case_table_names"] {
            findings.append(
                names == "0"
                    ? .ok("lower_case_table_names", "0")
                    : .warning(
                        "lower_case_table_names",
                        "is \(names): table names do not keep their capitals, and plain dumps differ from other servers'",
                        remedy:
                            "It holds for the life of a server's data; take tenants elsewhere by subtrackd tenant export."
                    ))
        }
        let mode = (variables["sql_mode"] ?? "").uppercased()
        if mode.contains("STRICT_ALL_TABLES") || mode.contains("STRICT_TRANS_TABLES") {
            findings.append(.ok("sql_mode", "strict"))
        } else {
            findings.append(
                .warning(
                    "sql_mode",
                    "is not strict: in an admin's session a value that does not fit is changed (the service's own are strict)",
                    remedy: "SET GLOBAL sql_mode = CONCAT(@@GLOBAL.sql_mode, ',STRICT_ALL_TABLES');"))
        }
        if let text = variables["max_allowed_packet"], let bytes = Int(text), bytes < 4 << 20 {
            findings.append(
                .problem(
                    "max_allowed_packet", "is \(bytes): a request's largest body (1 MiB) may not fit as it is stored",
                    remedy: "SET GLOBAL max_allowed_packet = 16777216;   -- and in the server's configuration"))
        }
        return findings
    }

    /// Why it looks as if several servers took writes; nil when it does not.
    private static func severalPrimaries(_ variables: [String: String]) -> String? {
        if DoctorQueries.isOn(variables["wsrep_on"]) { return "wsrep_on: each node of a Galera cluster takes writes" }
        // MySQL has these once the plugin is there; the group's name is empty where there is none.
        if let group = variables["group_replication_group_name"], !group.isEmpty,
            let isSingle = variables["group_replication_single_primary_mode"], !DoctorQueries.isOn(isSingle)
        {
            return "group_replication_single_primary_mode is off: each member of the group takes writes"
        }
        if let step = variables["auto_increment_increment"].flatMap({ Int($0) }), step > 1 {
            return
                "auto_increment_increment is \(step), as where several servers that replicate to each other take writes"
        }
        return nil
    }

    private func collation(_ connection: Connection) async throws -> Finding {
        try await DoctorQueries.knowsCollation(on: connection)
            ? .ok("collation", "utf8mb4_unicode_ci is known")
            : .problem(
                "collation", "utf8mb4_unicode_ci is not known",
                remedy: "The server was built without the Unicode collations; use another build.")
    }

    /// Whether what goes over the network is encrypted, with a server that was verified.
    private func encryption(_ connection: Connection, _ configuration: MariaDBConfiguration) async throws -> Finding {
        let cipher = try await DoctorQueries.cipher(on: connection)
        guard case .tcp(let host, _) = configuration.endpoint else { return .ok("TLS", "a Unix socket needs none") }
        if case .required = configuration.tls, !cipher.isEmpty {
            return .ok("TLS", "\(cipher), and the server's certificate is verified")
        }
        let text =
            cipher.isEmpty
            ? "what is sent to \(host), the password as well, can be read on the way"
            : "the connection to \(host) is encrypted, and nobody verifies with whom"
        let remedy = "--database-ca-file FILE   -- the authority that made the server's certificate"
        return host == "localhost" || host == "::1" || host.hasPrefix("127.")
            ? .warning("TLS", text + " (it stays on this machine)", remedy: remedy)
            : .problem("TLS", text, remedy: remedy)
    }

    /// Compares the server's clock with this machine's.
    private func clock(_ connection: Connection) async throws -> Finding {
        let before = Date.now.timeIntervalSince1970
        let theirs = Double(try await DoctorQueries.now(on: connection)) / 1_000_000
        let ours = (before + Date.now.timeIntervalSince1970) / 2
        return Self.clock(difference: theirs - ours)
    }

    /// - Parameter difference: how far the server's clock is ahead, in seconds.
    static func clock(difference: Double) -> Finding {
        guard abs(difference) >= 2 else { return .ok("clock", "the server's and this machine's agree") }
        let seconds = Int(abs(difference).rounded())
        return .warning(
            "clock", "the server's is \(seconds) s \(difference > 0 ? "ahead of" : "behind") this machine's",
            remedy: "Keep both by NTP: timedatectl set-ntp true")
    }

    /// Whether there is room for the service's connections and statements.
    static func limits(
        _ variables: [String: String], accountConnections: Int64, account: String, connections: Int, statements: Int
    ) -> [Finding] {
        var findings: [Finding] = []
        // Beside the service's own: two for migrations, some for an operator.
        let wanted = connections + 4
        if accountConnections > 0, accountConnections < Int64(wanted) {
            findings.append(
                .problem(
                    "connections", "\(account) may have \(accountConnections), and a service wants up to \(wanted)",
                    remedy: "ALTER USER \(account) WITH MAX_USER_CONNECTIONS \(wanted);   -- for each replica, or "
                        + "--database-connections \(max(1, accountConnections - 4))"))
        }
        if let most = variables["max_connections"].flatMap({ Int($0) }) {
            findings.append(
                most < wanted * 2
                    ? .warning(
                        "connections",
                        "the server has \(most) for all its clients, and a replica wants up to \(wanted)",
                        remedy: "SET GLOBAL max_connections = \(max(151, wanted * 4));   -- or a smaller "
                            + "--database-connections")
                    : .ok("connections", "\(wanted) for each replica, of \(most)"))
        }
        if let most = variables["max_prepared_stmt_count"].flatMap({ Int($0) }) {
            findings.append(
                statements > most / 2
                    ? .warning(
                        "prepared statements",
                        "a replica keeps up to \(statements), and the server has \(most) for all its clients",
                        remedy: "SET GLOBAL max_prepared_stmt_count = \(statements * 4);   -- or --database-statements "
                            + "\(max(100, most / 4))")
                    : .ok("prepared statements", "\(statements) for each replica, of \(most)"))
        }
        return findings
    }

    /// Whether an account may do what it has to, and nothing else; and whether triggers can be made.
    func rights(_ connection: Connection, isMigrator: Bool, isService: Bool) async throws -> [Finding] {
        let account = try await DoctorQueries.account(on: connection)
        let grants = try await DoctorQueries.grants(on: connection)
        let variables = try await DoctorQueries.variables(Self.names, on: connection)
        // The service's own limit is another one, which `limits` looks at.
        let connections =
            isService ? [] : try await ServerRequirements.migratorConnections(atLeast: 4, on: connection)
        return connections
            + Self.rights(
                grants, account: account, control: control, isMigrator: isMigrator, isService: isService,
                variables: variables)
    }

    static func rights(
        _ grants: Grants, account: String, control: String, isMigrator: Bool, isService: Bool,
        variables: [String: String]
    ) -> [Finding] {
        var findings: [Finding] = []
        let subject = rightsSubject + account
        let wanted = isMigrator ? GrantStatements.migrator : GrantStatements.service
        // A tenant's database that is not there yet stands for all.
        for (database, pattern) in zip([control, control + "_zz"], GrantStatements.patterns(control: control)) {
            let missing = grants.missing(wanted, on: database, countsRoles: !isMigrator)
            guard !missing.isEmpty else { continue }
            findings.append(
                .problem(
                    subject, "missing on `\(pattern)`: \(missing.joined(separator: ", "))",
                    remedy: "GRANT \(missing.joined(separator: ", ")) ON `\(pattern)`.* TO \(account);"))
        }
        if DoctorQueries.isOn(variables["partial_revokes"]) {
            findings.append(
                .problem(
                    "partial_revokes", "is on: `\(control)\\_%` is then the name of one database and no pattern",
                    remedy:
                        "SET PERSIST partial_revokes = OFF; FLUSH PRIVILEGES;   -- or GRANT on each tenant's database "
                        + "by its name"))
        }
        let taken = grants.excess(control: control)
        // What is missing already is said above.
        let first =
            findings.isEmpty
            ? grants.wantedBefore(taking: taken, control: control, isMigrator: isMigrator, account: account) : []
        for grant in taken {
            findings.append(excess(grant, subject, account, after: grant == taken.first ? first : []))
        }
        for other in grants.otherExcess(control: control) { findings.append(excess(other, subject, account)) }
        if isService, !isMigrator {
            let ddl = GrantStatements.migrator.filter { !GrantStatements.service.contains($0) }
            let there = ddl.filter { grants.missing([$0], on: control + "_zz").isEmpty }
            if !there.isEmpty, grants.excess(control: control).isEmpty {
                findings.append(
                    .warning(
                        subject, "\(there.joined(separator: ", ")) are the migrator's, the service has no use for them",
                        remedy: GrantStatements.patterns(control: control)
                            .map { "REVOKE \(there.joined(separator: ", ")) ON `\($0)`.* FROM \(account);" }
                            .joined(separator: "\n")))
            }
        }
        if isMigrator {
            let isLogged = DoctorQueries.isOn(variables["log_bin"]) || DoctorQueries.isOn(variables["wsrep_on"])
            if isLogged, !DoctorQueries.isOn(variables["log_bin_trust_function_creators"]), !grants.hasGlobal("SUPER") {
                findings.append(
                    .problem(
                        "triggers", "cannot be made while there is a binary log (error 1419)",
                        remedy:
                            "SET GLOBAL log_bin_trust_function_creators = 1;   -- and in the server's configuration, "
                            + "or a restart forgets it"
                    ))
            } else {
                findings.append(.ok("triggers", "can be made"))
            }
        }
        if !findings.contains(where: { $0.subject == subject }) {
            findings.append(.ok(subject, "what is needed, and nothing else"))
        }
        return findings
    }

    private static func excess(_ other: Grants.Other, _ subject: String, _ account: String) -> Finding {
        switch other {
        case .role(let role):
            .warning(
                subject, "it has the role \(role), whose rights are not looked at here",
                remedy: "REVOKE \(role) FROM \(account);   -- and GRANT to the account itself what it needs")
        case .proxy(let who):
            .warning(
                subject, "it may act as \(who), with all that this may do",
                remedy: "REVOKE PROXY ON \(who) FROM \(account);")
        case .routine(let privileges, let kind, let database, let name):
            .warning(
                subject, "\(privileges) on the \(kind.lowercased()) `\(database)`.`\(name)` is more than it needs",
                remedy: "REVOKE \(privileges) ON \(kind) `\(database)`.`\(name)` FROM \(account);")
        case .line(let line):
            .warning(
                subject, "it has a right that is not understood: \(line)",
                remedy: "SHOW GRANTS FOR \(account);   -- and REVOKE what is not in subtrackd doctor --grants")
        }
    }

    private static func excess(
        _ grant: Grants.Grant, _ subject: String, _ account: String, after statements: [String]
    ) -> Finding {
        let object =
            grant.database == "*" ? "*.*" : "`\(grant.database)`.\(grant.table == "*" ? "*" : "`\(grant.table)`")"
        let listed = grant.privileges.sorted().joined(separator: ", ")
        let what = listed.count > 120 ? "\(grant.privileges.count) privileges" : listed
        var revoked = grant.privileges.subtracting(["USAGE"]).sorted()
        if grant.hasGrantOption { revoked.append("GRANT OPTION") }
        return .warning(
            subject, "\(what)\(grant.hasGrantOption ? " WITH GRANT OPTION" : "") on \(object) is more than it needs",
            remedy: (statements + ["REVOKE \(revoked.joined(separator: ", ")) ON \(object) FROM \(account);"])
                .joined(separator: "\n"))
    }
}
