extension MariaDBConfiguration.Session {
    /// The statements that make a session as this describes it.
    func statements(for version: ServerVersion) -> [String] {
        var assignments = [
            "NAMES utf8mb4 COLLATE \(collation)",
            "autocommit = 1",
            "sql_mode = '\(sqlMode.joined(separator: ","))'",
            "time_zone = '\(timeZone)'",
            "innodb_lock_wait_timeout = \(max(1, lockWaitTimeout.wholeSeconds))",
        ]
        assignments += Self.independence(of: version)
        // Set to "never" as well: the server's own default may be a moment.
        let milliseconds = statementTimeout.map { max(1, $0.nanoseconds / 1_000_000) } ?? 0
        assignments.append(
            version.isMariaDB
                ? "max_statement_time = \(milliseconds) / 1000" : "max_execution_time = \(milliseconds)")
        return [
            "SET " + assignments.joined(separator: ", "),
            "SET SESSION TRANSACTION ISOLATION LEVEL \(isolation.rawValue), READ WRITE",
        ]
    }

    /// One statement by which a session of another client commits each statement and does what is typed, whatever the
    /// server's defaults are. The modes of SQL stay the server's. Comments hold what only one of the products knows.
    public static var statementForOtherClients: String {
        "SET SESSION " + (["autocommit = 1"] + independence).joined(separator: ", ")
            + " /*M! , check_constraint_checks = 1, tx_read_only = 0, max_statement_time = 0 */"
            + " /*!80000 , transaction_read_only = 0, max_execution_time = 0 */"
    }

    /// Settings of a session by which statements do what they say, whatever the server's defaults are. Each can be set without
    /// a privilege, and all versions from MariaDB 10.6 and MySQL 8.0 on know it.
    private static let independence = [
        "foreign_key_checks = 1", "unique_checks = 1", "sql_safe_updates = 0", "sql_auto_is_null = 0",
        "sql_big_selects = 1", "sql_select_limit = 18446744073709551615", "completion_type = 0",
        "div_precision_increment = 4", "max_sort_length = 1024",
    ]

    /// As ``independence``, with what a version knows beyond it.
    private static func independence(of version: ServerVersion) -> [String] {
        var assignments = independence
        guard version.isMariaDB else { return assignments }
        assignments += ["check_constraint_checks = 1", "max_session_mem_used = 9223372036854775807"]
        // From 11.5 on the server takes no notice of it.
        if !version.isAtLeast(11, 5) { assignments.append("alter_algorithm = 'DEFAULT'") }
        return assignments
    }
}

extension Duration {
    /// Rounded up, at least 0.
    var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: max(0, seconds + (attoseconds > 0 ? 1 : 0)))
    }
}
