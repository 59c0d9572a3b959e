import MariaDB

/// The checks for settings of a server that make the service's work impossible. They run before anything is written.
///
/// A session sets the variables that it can for itself (`SessionSetup` of the client). These are left: settings of the whole
/// server, which an administrator has to change. Each was seen to fail.
enum ServerRequirements {
    /// The variables that are looked at.
    static let names = [
        "binlog_format", "log_bin", "read_only", "super_read_only", "innodb_read_only", "innodb_force_recovery",
        "enforce_storage_engine", "disabled_storage_engines", "innodb_page_size", "innodb_default_row_format",
        "max_allowed_packet", "max_prepared_stmt_count", "thread_stack", "offline_mode", "pxc_strict_mode",
        "version_comment", "aurora_version",
    ]

    /// The smallest packet that takes a request's largest body, as it is stored.
    static let smallestPacket = 1 << 20
    /// The smallest stack of a server's thread that the triggers fit in, with those that they set off.
    static let smallestStack = 160 << 10

    /// The facts about a server beside its variables.
    struct Facts: Sendable {
        var version: ServerVersion
        /// `SELECT VERSION()`, which a proxy passes on, while it may say a version of its own at sign-in.
        var innerVersion: ServerVersion
        /// Whether there is InnoDB.
        var hasInnoDB = true
        /// Whether the account may write to a server that is `read_only`.
        var mayWriteReadOnly = false
    }

    /// Asks a server, and names its faults.
    static func faults(on connection: Connection) async throws -> [Finding] {
        let variables = try await DoctorQueries.variables(names, on: connection)
        return faults(variables, try await facts(connection, variables))
    }

    /// Whether the account that changes databases may have as many connections at a time as that takes.
    /// - Parameter atLeast: 2 for a migration; with fewer it waits for itself.
    static func migratorConnections(atLeast wanted: Int64, on connection: Connection) async throws -> [Finding] {
        let allowed = try await DoctorQueries.accountConnections(on: connection)
        guard (1..<wanted).contains(allowed) else { return [] }
        let account = try await DoctorQueries.account(on: connection)
        var finding = Finding.problem(
            "connections",
            "\(account) may have \(allowed) at a time (MAX_USER_CONNECTIONS), and migrations need up to 4",
            remedy: "ALTER USER \(account) WITH MAX_USER_CONNECTIONS 4;")
        finding.isUnusable = true
        return [finding]
    }

    private static func facts(_ connection: Connection, _ variables: [String: String]) async throws -> Facts {
        let version = try connection.serverVersion
        let inner = try await connection.query("SELECT CONVERT(VERSION() USING utf8mb4)").decode(String.self).first
        let engine = try await connection.query(
            "SELECT CONVERT(SUPPORT USING utf8mb4) FROM information_schema.ENGINES WHERE ENGINE = 'InnoDB'"
        ).decode(String.self).first
        var facts = Facts(version: version, innerVersion: inner.map { ServerVersion($0) } ?? version)
        facts.hasInnoDB = ["YES", "DEFAULT"].contains(engine?.uppercased() ?? "")
        if isSet(variables["read_only"]) {
            let grants = try await DoctorQueries.grants(on: connection)
            let exempt: [String] =
                version.isMariaDB
                ? ["READ ONLY ADMIN"] + (version.isAtLeast(10, 11) ? [] : ["SUPER"]) : ["CONNECTION_ADMIN", "SUPER"]
            facts.mayWriteReadOnly = exempt.contains { grants.hasGlobal($0) }
        }
        return facts
    }

    /// Whether a variable with several values is not off.
    private static func isSet(_ value: String?) -> Bool { !["", "0", "OFF"].contains(value?.uppercased() ?? "") }

    /// The faults of a server's variables, with the remedy of each.
    static func faults(_ variables: [String: String], _ facts: Facts) -> [Finding] {
        identity(variables, facts) + writing(variables, facts) + storage(variables, facts) + sizes(variables)
    }

    private static func identity(_ variables: [String: String], _ facts: Facts) -> [Finding] {
        if let name = ServerSupport.otherServer(variables["version_comment"] ?? "") {
            return [
                .problem(
                    "version",
                    "the server calls itself \(facts.version) and is \(name), which is neither MariaDB nor MySQL",
                    remedy: "Use a MariaDB from 10.6 on, or a MySQL from 8.0 on.")
            ]
        }
        if let reason = ServerSupport.refusal(of: facts.innerVersion) {
            return [
                .problem(
                    "version", "behind a proxy that calls itself \(facts.version): \(reason)",
                    remedy: "Upgrade the server.")
            ]
        }
        if facts.innerVersion.isMariaDB != facts.version.isMariaDB {
            return [
                .problem(
                    "version", "a proxy says that the server is \(facts.version), and it is \(facts.innerVersion)",
                    remedy: "Have the proxy say the server's version (ProxySQL: mysql-server_version, MaxScale: "
                        + "version_string).")
            ]
        }
        return []
    }

    private static func writing(_ variables: [String: String], _ facts: Facts) -> [Finding] {
        var found: [Finding] = []
        if DoctorQueries.isOn(variables["log_bin"]), variables["binlog_format"]?.uppercased() == "STATEMENT" {
            found.append(
                .problem(
                    "binlog_format", "is STATEMENT, with which writes fail (error 1665) or replicas differ",
                    remedy:
                        "SET GLOBAL binlog_format = 'ROW';   -- and binlog_format = ROW in the server's configuration"))
        }
        let isReplica = "-- A replica takes no writes: name the primary in --database-url."
        if isSet(variables["super_read_only"]) {
            found.append(
                .problem(
                    "super_read_only", "is on: the server takes no writes",
                    remedy:
                        "\(isReplica)\nSET GLOBAL super_read_only = OFF; SET GLOBAL read_only = OFF;   -- on a primary")
            )
        } else if isSet(variables["read_only"]), !facts.mayWriteReadOnly {
            found.append(
                .problem(
                    "read_only", "is on: the server takes no writes",
                    remedy: "\(isReplica)\nSET GLOBAL read_only = OFF;   -- on a primary"))
        }
        if isSet(variables["offline_mode"]) {
            found.append(
                .problem(
                    "offline_mode", "is on: the server ends the connections of ordinary accounts",
                    remedy: "SET GLOBAL offline_mode = OFF;"))
        }
        if ["ENFORCING", "MASTER"].contains(variables["pxc_strict_mode"]?.uppercased() ?? "") {
            found.append(
                .problem(
                    "pxc_strict_mode",
                    "is \(variables["pxc_strict_mode"] ?? ""): migrations lock tables (LOCK TABLES), which it forbids",
                    remedy: "SET GLOBAL pxc_strict_mode = 'PERMISSIVE';   -- and in the server's configuration"))
        }
        return found
    }

    private static func storage(_ variables: [String: String], _ facts: Facts) -> [Finding] {
        var found: [Finding] = []
        let configuration = "in the server's configuration, and a restart"
        if !facts.hasInnoDB {
            found.append(
                .problem(
                    "innodb", "is not there: all tables are InnoDB's",
                    remedy: "-- innodb = ON \(configuration)"))
        }
        if let engine = variables["enforce_storage_engine"], !engine.isEmpty, engine.uppercased() != "INNODB" {
            found.append(
                .problem(
                    "enforce_storage_engine", "is \(engine): no table of InnoDB can be made (error 1290)",
                    remedy: "SET GLOBAL enforce_storage_engine = NULL;   -- and in the server's configuration"))
        }
        let disabled = (variables["disabled_storage_engines"] ?? "").uppercased().split(separator: ",")
        if disabled.contains(where: { String($0).trimmingSpaces() == "INNODB" }) {
            found.append(
                .problem(
                    "disabled_storage_engines", "names InnoDB: no table of it can be made (error 3161)",
                    remedy: "-- disabled_storage_engines without InnoDB \(configuration)"))
        }
        if isSet(variables["innodb_read_only"]) {
            found.append(
                .problem(
                    "innodb_read_only", "is on: no row can be written",
                    remedy: "-- innodb_read_only = OFF \(configuration)"))
        }
        if let level = variables["innodb_force_recovery"].flatMap({ Int($0) }), level >= 4 {
            found.append(
                .problem(
                    "innodb_force_recovery", "is \(level): InnoDB takes no writes",
                    remedy: "-- innodb_force_recovery = 0 \(configuration), once the data are saved"))
        }
        if let text = variables["innodb_page_size"], let size = Int(text), size < 8192 {
            found.append(
                .problem(
                    "innodb_page_size", "is \(size): rows and indexes of the schema do not fit (errors 1118, 1071)",
                    remedy: "-- It holds for the life of a server's data: make a server with innodb_page_size = 16384.")
            )
        }
        if let format = variables["innodb_default_row_format"]?.lowercased(), ["compact", "redundant"].contains(format)
        {
            found.append(
                .problem(
                    "innodb_default_row_format", "is \(format): indexes of the schema do not fit (error 1709)",
                    remedy:
                        "SET GLOBAL innodb_default_row_format = 'dynamic';   -- and in the server's configuration"))
        }
        return found
    }

    private static func sizes(_ variables: [String: String]) -> [Finding] {
        var found: [Finding] = []
        if let text = variables["max_allowed_packet"], let bytes = Int(text), bytes < smallestPacket {
            found.append(
                .problem(
                    "max_allowed_packet", "is \(bytes): triggers and requests do not fit (error 1153)",
                    remedy: "SET GLOBAL max_allowed_packet = 16777216;   -- and in the server's configuration"))
        }
        if variables["max_prepared_stmt_count"] == "0" {
            found.append(
                .problem(
                    "max_prepared_stmt_count", "is 0: no statement can be prepared (error 1461)",
                    remedy: "SET GLOBAL max_prepared_stmt_count = 16382;   -- and in the server's configuration"))
        }
        if let text = variables["thread_stack"], let bytes = Int(text), bytes < smallestStack {
            found.append(
                .problem(
                    "thread_stack", "is \(bytes): triggers that set off others do not fit (error 1436)",
                    remedy: "-- thread_stack = 292K in the server's configuration, and a restart"))
        }
        return found
    }
}

/// A server on which the service cannot work. Nothing was written to it.
struct ServerUnusable: Error, CustomStringConvertible {
    /// The faults of the server.
    let faults: [Finding]

    var description: String {
        var lines = ["the database server cannot be used as it is set:"]
        for fault in faults {
            lines.append("\(fault.subject) \(fault.text)")
            lines += (fault.remedy ?? "").split(separator: "\n").map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// Looks at a server before something is written to it.
    /// - Throws: ``ServerUnusable``, or the database's error.
    static func check(_ client: MariaDBClient) async throws {
        let faults = try await client.withConnection(nil) { connection in
            let faults = try await ServerRequirements.faults(on: connection)
            return try await faults + ServerRequirements.migratorConnections(atLeast: 2, on: connection)
        }
        guard faults.isEmpty else { throw ServerUnusable(faults: faults) }
    }
}
