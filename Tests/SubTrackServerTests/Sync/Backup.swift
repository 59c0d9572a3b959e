import SubTrackSQL
import SubTrackTestSupport

/// A copy of a tenant's rows, to be restored as a dump is: the rows as they were, under no trigger, with all versions.
struct Backup {
    private let database: TestDatabase
    private let copy: String
    private let tables: [(name: String, columns: String)]

    /// Copies all rows into a database beside it, which goes when those of the control database do.
    init(of database: TestDatabase) async throws {
        self.database = database
        copy = database.name + "_backup"
        let printed = try await database.run(
            """
            SET SESSION group_concat_max_len = 100000;
            SELECT c.TABLE_NAME, GROUP_CONCAT(CONCAT('`', c.COLUMN_NAME, '`') ORDER BY c.ORDINAL_POSITION)
            FROM information_schema.COLUMNS c JOIN information_schema.TABLES t USING (TABLE_SCHEMA, TABLE_NAME)
            WHERE TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE' AND COALESCE(c.GENERATION_EXPRESSION, '') = ''
            GROUP BY c.TABLE_NAME;
            """)
        tables = printed.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t")
            return (String(parts[0]), String(parts[1]))
        }
        let copy = copy
        try await database.run(
            "DROP DATABASE IF EXISTS `\(copy)`; CREATE DATABASE `\(copy)`;\n"
                + tables.map { table, columns in
                    """
                    CREATE TABLE `\(copy)`.`\(table)` LIKE `\(table)`;
                    INSERT INTO `\(copy)`.`\(table)` (\(columns)) SELECT \(columns) FROM `\(table)`;
                    """
                }.joined(separator: "\n"))
    }

    /// Puts all rows back as they were.
    func restore() async throws {
        let triggers = try await database.run(
            "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()")
        var script = "SET FOREIGN_KEY_CHECKS = 0;\n"
        for trigger in triggers.split(separator: "\n") { script += "DROP TRIGGER `\(trigger)`;\n" }
        for (table, columns) in tables {
            script += """
                DELETE FROM `\(table)`;
                INSERT INTO `\(table)` (\(columns)) SELECT \(columns) FROM `\(copy)`.`\(table)`;

                """
        }
        try await database.run(
            script + SQLFiles.files(in: "tenant/triggers").map(\.text).joined(separator: "\n"))
    }
}
