import MariaDB

/// The database servers that the service works on, and those that it is tested on.
enum ServerSupport {
    /// The oldest versions with all that the schema needs: CHECK, triggers by name, `REFERENCES` across rows.
    static let oldest = (mariaDB: (major: 10, minor: 6), mySQL: (major: 8, minor: 0))
    /// The versions on which the tests run.
    static let tested = (mariaDB: [(major: 10, minor: 11), (major: 11, minor: 8)], mySQL: [(major: 9, minor: 7)])

    /// Programs that speak MySQL's protocol and are other servers. Their names stand in the texts of their versions.
    private static let others = [
        "TiDB", "Vitess", "PlanetScale", "OceanBase", "SingleStore", "MemSQL", "Xpand", "Clustrix", "Doris",
        "StarRocks",
        "ClickHouse", "Dolt", "Databend", "CockroachDB", "Manticore",
    ]

    /// The remedy where a proxy stands between the service and its server.
    private static let proxyAdvice =
        "Where a proxy says this for a newer server, have it say the server's own version (ProxySQL: mysql-server_version, "
        + "MaxScale: version_string)."

    /// Says why the service does not use a server of that version; nil: it does.
    static func refusal(of version: ServerVersion) -> String? {
        if let name = otherServer(version.description) {
            return
                "\(version) is \(name), which speaks MySQL's protocol and is another server. The service is made for "
                + "MariaDB and MySQL: it needs their triggers and foreign keys. Give it a MariaDB from 10.6 on, or a MySQL "
                + "from 8.0 on."
        }
        guard version.major > 0 else {
            return
                "the version that it says, \"\(version)\", is none of MariaDB's (from 10.6 on) or MySQL's (from 8.0 on). "
                + proxyAdvice
        }
        let (major, minor) = version.isMariaDB ? oldest.mariaDB : oldest.mySQL
        guard version.isAtLeast(major, minor) else {
            return "\(name(version)) is too old; upgrade to MariaDB 10.6 or MySQL 8.0, or newer. \(proxyAdvice)"
        }
        return nil
    }

    /// The name of another server in a server's text about itself.
    static func otherServer(_ text: String) -> String? {
        let text = text.lowercased()
        return others.first { text.contains($0.lowercased()) }
    }

    /// Whether the version is one that is tested.
    /// - Parameters:
    ///   - version: as the server says it at sign-in.
    ///   - comment: its `version_comment`: `Percona Server (GPL), Release 28`.
    static func finding(_ version: ServerVersion, comment: String) -> Finding {
        let known = version.isMariaDB ? tested.mariaDB : tested.mySQL
        let list = "tested on \(testedVersions)"
        if let fork = fork(comment) {
            return .warning(
                "version", "\(version) is \(fork), a server that was made of MySQL's; the service is \(list)",
                remedy: "-- subtrackd doctor, with the migrator's account, tries there what the service does.")
        }
        if let newest = known.last, (version.major, version.minor) > (newest.major, newest.minor) {
            return .warning(
                "version", "\(version) is newer than those that the service is \(list)",
                remedy: "-- Try a copy of your data there first; subtrackd doctor tries what the service does.")
        }
        let isTested = known.contains { $0.major == version.major && $0.minor == version.minor }
        return .ok("version", isTested ? "\(version), which is tested" : "\(version) (the service is \(list))")
    }

    /// The tested versions, for people.
    static let testedVersions =
        "MariaDB " + tested.mariaDB.map { "\($0.major).\($0.minor)" }.joined(separator: " and ") + " and MySQL "
        + tested.mySQL.map { "\($0.major).\($0.minor)" }.joined(separator: " and ")

    private static func fork(_ comment: String) -> String? {
        for name in ["Percona", "Aurora", "WSREP", "Alibaba", "TDSQL", "PolarDB", "GaussDB", "AliSQL"]
        where comment.lowercased().contains(name.lowercased()) { return name }
        return nil
    }

    private static func name(_ version: ServerVersion) -> String {
        "\(version.isMariaDB ? "MariaDB" : "MySQL") \(version.major).\(version.minor).\(version.patch)"
    }
}
