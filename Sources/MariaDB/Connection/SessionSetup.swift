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
        if let statementTimeout {
            let milliseconds = max(1, statementTimeout.nanoseconds / 1_000_000)
            assignments.append(
                version.isMariaDB
                    ? "max_statement_time = \(milliseconds) / 1000"
                    : "max_execution_time = \(milliseconds)")
        }
        return [
            "SET " + assignments.joined(separator: ", "),
            "SET SESSION TRANSACTION ISOLATION LEVEL \(isolation.rawValue)",
        ]
    }
}

extension Duration {
    /// Rounded up, at least 0.
    var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: max(0, seconds + (attoseconds > 0 ? 1 : 0)))
    }
}
