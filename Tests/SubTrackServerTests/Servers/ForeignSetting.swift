import SubTrackTestSupport
import TestTraits
import Testing

/// A setting of a server that its owner chose for somebody else's sake.
struct ForeignSetting: Sendable, CustomTestStringConvertible {
    /// The outcome that the service owes on such a server.
    enum Outcome: Sendable, Equatable {
        /// Everything works.
        case holds
        /// `migrate` refuses, with this in its words, and has written nothing.
        case refused(naming: String)
    }

    /// Its name in the documentation.
    let name: String
    /// Settings of one kind exclude each other.
    let kind: String
    /// The arguments of mariadbd; nil: MariaDB has no such setting.
    var mariaDB: [String]?
    /// The arguments of mysqld; nil: MySQL has no such setting.
    var mySQL: [String]?
    /// A variable without which this version of the server has no such setting.
    var variable: String?
    /// Statements of the administrator, with `{control}` for the control database.
    var statements = ""
    var outcome = Outcome.holds

    var testDescription: String { name }

    private init(
        _ name: String, _ kind: String, both arguments: [String]? = nil, mariaDB: [String]? = nil,
        mySQL: [String]? = nil,
        variable: String? = nil, statements: String = "", outcome: Outcome = .holds
    ) {
        self.name = name
        self.kind = kind
        self.mariaDB = mariaDB ?? arguments
        self.mySQL = mySQL ?? arguments
        self.variable = variable
        self.statements = statements
        self.outcome = outcome
    }

    /// The server's own defaults.
    static let defaults = ForeignSetting("defaults", "", both: [])

    private static let binaryLog = ["--log-bin=binary-log", "--server-id=1"]
    private static let trust = "--log-bin-trust-function-creators=1"

    /// All settings, each tried by itself.
    static let all: [ForeignSetting] = [
        defaults,
        .init("character_set_server=latin1", "charset", both: charset("latin1", "latin1_swedish_ci")),
        .init("character_set_server=utf8mb3", "charset", both: charset("utf8mb3", "utf8mb3_general_ci")),
        .init(
            "collation_server=utf8mb4_uca1400_ai_ci", "charset", mariaDB: [], variable: "character_set_collations",
            // By a statement: versions that do not know the collation would not start with it.
            statements: "/*M!101000 SET GLOBAL collation_server = utf8mb4_uca1400_ai_ci */;"),
        .init(
            "character_set_collations", "collations",
            mariaDB: [
                "--loose-character-set-collations=utf8mb4=utf8mb4_uca1400_ai_ci,"
                    + "latin1=latin1_general_cs,ascii=ascii_bin"
            ], variable: "character_set_collations"),
        .init("sql_mode=''", "sql_mode", both: ["--sql-mode="]),
        .init("sql_mode=ANSI", "sql_mode", both: ["--sql-mode=ANSI"]),
        .init("sql_mode=ORACLE", "sql_mode", mariaDB: ["--sql-mode=ORACLE"]),
        .init("sql_mode=NO_BACKSLASH_ESCAPES", "sql_mode", both: ["--sql-mode=NO_BACKSLASH_ESCAPES"]),
        .init("lower_case_table_names=1", "names", both: ["--lower-case-table-names=1"]),
        .init("transaction_isolation=SERIALIZABLE", "isolation", both: ["--transaction-isolation=SERIALIZABLE"]),
        .init(
            "transaction_isolation=READ-UNCOMMITTED", "isolation", both: ["--transaction-isolation=READ-UNCOMMITTED"]),
        .init("max_allowed_packet=1M", "packet", both: ["--max-allowed-packet=1M"]),
        .init("time_zone=+13:00", "zone", both: ["--default-time-zone=+13:00"]),
        .init("time_zone=-12:00", "zone", both: ["--default-time-zone=-12:00"]),
        .init("autocommit=0", "autocommit", both: ["--autocommit=0"]),
        .init(
            "innodb_snapshot_isolation=ON", "snapshot", mariaDB: ["--loose-innodb-snapshot-isolation=ON"],
            variable: "innodb_snapshot_isolation"),
        .init(
            "innodb_snapshot_isolation=OFF", "snapshot", mariaDB: ["--loose-innodb-snapshot-isolation=OFF"],
            variable: "innodb_snapshot_isolation"),
        .init(
            "explicit_defaults_for_timestamp=0", "timestamp", both: ["--loose-explicit-defaults-for-timestamp=0"],
            variable: "explicit_defaults_for_timestamp"),
        .init(
            "default_storage_engine=MyISAM", "engine", both: ["--default-storage-engine=MyISAM"]),
        .init("sql_require_primary_key=ON", "keys", mySQL: ["--sql-require-primary-key=ON"]),
        .init("innodb_force_primary_key=ON", "keys", mariaDB: ["--innodb-force-primary-key=ON"]),
        .init("binlog_format=ROW", "log", both: binaryLog + [trust, "--binlog-format=ROW"]),
        .init("binlog_format=MIXED", "log", both: binaryLog + [trust, "--binlog-format=MIXED"]),
        .init(
            "binlog_format=STATEMENT", "log", both: binaryLog + [trust, "--binlog-format=STATEMENT"],
            outcome: .refused(naming: "binlog_format")),
        .init(
            "log_bin without log_bin_trust_function_creators", "log",
            both: binaryLog + ["--log-bin-trust-function-creators=0"],
            outcome: .refused(naming: "log_bin_trust_function_creators")),
        .init(
            "read_only=ON (a replica)", "replica", both: [], statements: "SET GLOBAL read_only = ON;",
            outcome: .refused(naming: "read_only")),
        .init(
            "a database made before, latin1", "database", both: [],
            statements: "CREATE DATABASE `{control}` CHARACTER SET latin1 COLLATE latin1_german1_ci;"
                + "CREATE DATABASE `{control}_default` CHARACTER SET latin1 COLLATE latin1_general_cs;"),
    ]

    private static func charset(_ name: String, _ collation: String) -> [String] {
        ["--character-set-server=\(name)", "--collation-server=\(collation)"]
    }

    /// Several settings of different kinds at once, each drawn at random.
    static func combination(seed: UInt64, isMySQL: Bool) -> [ForeignSetting] {
        var random = SeededGenerator(seed: seed)
        let fitting = all.filter {
            $0.outcome == .holds && !$0.kind.isEmpty && (isMySQL ? $0.mySQL : $0.mariaDB) != nil
        }
        var kinds = Set<String>()
        return fitting.shuffled(using: &random).filter { kinds.insert($0.kind).inserted }
            .prefix(Int.random(in: 4...8, using: &random)).sorted { $0.name < $1.name }
    }
}
