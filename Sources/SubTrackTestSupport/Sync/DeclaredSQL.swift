import SubTrackAPI

/// The triggers that track changes of a declared kind, and the views that show its rows as text, as they are committed
/// in the folder of its area.
///
/// Plain SQL for readers and reviewers. A test says when a file is stale, and `script/generate-sql` writes it.
public struct DeclaredSQL: Sendable {
    let declaration: EntityDeclaration
    /// The name of the area.
    let area: String

    /// The files of a kind of an area.
    public init(_ declaration: EntityDeclaration, area: String) {
        self.declaration = declaration
        self.area = area
    }

    /// The files by their paths in the area's folder.
    public var files: [(path: String, text: String)] {
        let (table, parts) = (declaration.table, declaration.parts)
        return [
            ("triggers/\(table).sql", file(rowTriggers)), ("triggers/User+\(declaration.name).sql", file(userTrigger)),
            (
                "views/\(table)_text.sql",
                view(table, [declaration.key], declaration.fields, ["Created_at", "Deleted_at"])
            ),
        ]
            + parts.map { ("triggers/\($0.table).sql", file(partTriggers($0))) }
            + parts.map { ("views/\($0.table)_text.sql", view($0.table, [declaration.key, $0.key], $0.fields, [])) }
    }

    private static let head = """
        SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;
        SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
        """

    private var origin: String { "Written by script/generate-sql from the declaration of \(declaration.name)." }

    private func file(_ triggers: [String]) -> String {
        "-- \(origin)\n\(Self.head)\n\nDELIMITER //\n\n" + triggers.joined(separator: "\n\n") + "\n\nDELIMITER ;\n"
    }

    private func trigger(_ table: String, _ time: String, _ event: String, named: String? = nil, _ body: String)
        -> String
    {
        let name = named ?? "\(table)_\(time)_\(event)".lowercased()
        let full = named ?? table + name.dropFirst(table.count)
        return """
            DROP TRIGGER IF EXISTS \(full)//
            CREATE TRIGGER \(full) \(time.uppercased()) \(event.uppercased()) ON \(table == "User" ? "`User`" : table) FOR EACH ROW
            BEGIN
            \(body)
            END//
            """
    }

    // MARK: Rows

    private var rowTriggers: [String] {
        let (table, key) = (declaration.table, declaration.key)
        let versions = declaration.groups.map(EntityDeclaration.versionColumn)
        return [
            trigger(
                table, "before", "insert",
                """
                    DECLARE found INT;
                \(Self.declareProblem)
                \(newID(key))
                \(refuse(table, faults(declaration.fields)))
                \(flags(declaration.fields))    -- A row that is there already takes no version: it is REPLACE, IGNORE or an update that changes nothing.
                    SET NEW.Ver = 0;
                    SELECT COUNT(*) INTO found FROM \(table) WHERE User_ID = NEW.User_ID AND \(key) = NEW.\(key);
                    IF found = 0 THEN
                \(Self.nextVersion("NEW", indent: 8))
                        SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
                    END IF;
                    SET \((["NEW.Created_at = UTC_TIMESTAMP()"] + versions.map { "NEW.\($0) = NEW.Ver" }).joined(separator: ", "));
                """),
            trigger(table, "after", "insert", Self.refuseReplace(table, key)),
            trigger(table, "before", "update", rowUpdate(versions)),
            trigger(
                table, "after", "update",
                """
                    IF OLD.Deleted_at IS NULL AND NEW.Deleted_at IS NOT NULL THEN
                        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
                        VALUES (NEW.User_ID, NEW.Ver, \(declaration.number), NEW.\(key), UTC_TIMESTAMP());
                    END IF;
                """),
        ] + (declaration.parts.isEmpty ? [] : [trigger(table, "before", "delete", removeParts)]) + [
            trigger(
                table, "after", "delete",
                """
                    -- One that was marked as deleted has its tombstone already.
                    IF OLD.Deleted_at IS NULL THEN
                \(Self.nextVersion("OLD", indent: 8))
                        INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
                        SELECT Scope_ID, Ver, \(declaration.number), OLD.\(key), UTC_TIMESTAMP() FROM Scope WHERE Scope_ID = OLD.User_ID;
                    END IF;
                """)
        ]
    }

    private func rowUpdate(_ versions: [String]) -> String {
        let (table, key) = (declaration.table, declaration.key)
        let groups = declaration.groups
        let fixed =
            [Fault(column: key, when: "NEW.\(key) <> OLD.\(key) OR NEW.User_ID <> OLD.User_ID", text: "never changes")]
            + declaration.fields.filter(\.isImmutable).map {
                Fault(column: $0.column, when: different($0), text: "never changes")
            }
        let changes = groups.map { group in
            declaration.fields.filter { !$0.isImmutable && $0.group == group }.map(different).joined(separator: " OR ")
        }
        return """
                -- Version 0 asks for a new one: a part has changed.
                DECLARE asked BOOLEAN DEFAULT COALESCE(NEW.Ver, 0) = 0;
            \(groups.isEmpty ? "" : "    DECLARE \(groups.map { "changed_\($0.lowercased())" }.joined(separator: ", ")) BOOLEAN;\n")\(Self.declareProblem)
            \(refuse(table, fixed + faults(declaration.fields)))
            \(flags(declaration.fields))\(zip(groups, changes).map { "    SET changed_\($0.lowercased()) = \($1);\n" }.joined())    SET \((["Created_at", "Ver"] + versions).map { "NEW.\($0) = OLD.\($0)" }.joined(separator: ", "));
                IF asked OR NOT (NEW.Deleted_at <=> OLD.Deleted_at)\(groups.map { " OR changed_\($0.lowercased())" }.joined()) THEN
            \(Self.nextVersion("NEW", indent: 8))
                    SET NEW.Ver = (SELECT Ver FROM Scope WHERE Scope_ID = NEW.User_ID);
            \(zip(groups, versions).map { "        SET NEW.\($1) = IF(changed_\($0.lowercased()), NEW.Ver, OLD.\($1));\n" }.joined())    END IF;
            """
    }

    private var removeParts: String {
        let row = "User_ID = OLD.User_ID AND \(declaration.key) = OLD.\(declaration.key)"
        return declaration.parts.map { list in
            """
                -- Version 0 says that they go with their \(declaration.name). A cascade of a foreign key would fire no trigger.
                UPDATE \(list.table) SET Ver = 0 WHERE \(row);
                DELETE FROM \(list.table) WHERE \(row);
            """
        }.joined(separator: "\n")
    }

    private var userTrigger: [String] {
        [
            trigger(
                "User", "before", "delete", named: "User_before_delete_\(declaration.name)",
                """
                    -- The scope first, as every writer does, whichever trigger runs first.
                    INSERT INTO Scope (Scope_ID, Ver) VALUES (OLD.User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver;
                    DELETE FROM \(declaration.table) WHERE User_ID = OLD.User_ID;
                """)
        ]
    }

    // MARK: Parts

    private func partTriggers(_ list: EntityPart) -> [String] {
        let (table, key, rowKey) = (list.table, list.key, declaration.key)
        func row(_ side: String) -> String { "User_ID = \(side).User_ID AND \(rowKey) = \(side).\(rowKey)" }
        func touch(_ side: String) -> String { "UPDATE \(declaration.table) SET Ver = 0 WHERE \(row(side));" }
        let version = "COALESCE((SELECT Ver FROM \(declaration.table) WHERE \(row("NEW"))), 0)"
        let fixed = Fault(
            column: key,
            when: "NEW.\(key) <> OLD.\(key) OR NEW.\(rowKey) <> OLD.\(rowKey) OR NEW.User_ID <> OLD.User_ID",
            text: "never changes")
        return [
            trigger(
                table, "before", "insert",
                """
                    DECLARE found INT;
                \(Self.declareProblem)
                \(newID(key))
                \(refuse(table, faults(list.fields)))
                \(flags(list.fields))    SET NEW.Ver = 0;
                    SELECT COUNT(*) INTO found FROM \(table) WHERE \(row("NEW")) AND \(key) = NEW.\(key);
                    IF found = 0 THEN
                        -- It takes the version that its \(declaration.name) gets with it.
                        \(touch("NEW"))
                        SET NEW.Ver = \(version);
                    END IF;
                """),
            trigger(table, "after", "insert", Self.refuseReplace(table, key)),
            trigger(
                table, "before", "update",
                """
                    DECLARE changed BOOLEAN DEFAULT \(list.fields.map(different).joined(separator: " OR "));
                \(Self.declareProblem)
                \(refuse(table, [fixed] + faults(list.fields)))
                \(flags(list.fields))    -- Version 0 says that it goes with its \(declaration.name).
                    IF changed OR COALESCE(NEW.Ver, 0) <> 0 THEN
                        SET NEW.Ver = OLD.Ver;
                    END IF;
                    IF changed THEN
                        \(touch("NEW"))
                        SET NEW.Ver = \(version);
                    END IF;
                """),
            trigger(
                table, "after", "delete",
                """
                    IF OLD.Ver > 0 THEN
                        \(touch("OLD"))
                    END IF;
                """),
        ]
    }

    // MARK: Pieces

    /// A fault of a column, and the condition under which a row has it.
    private struct Fault {
        let column: String
        let when: String
        let text: String
        /// The value that ends the text.
        var value: String?
    }

    /// The faults of the fields, in the words of the input check.
    private func faults(_ fields: [EntityField]) -> [Fault] {
        fields.flatMap { field -> [Fault] in
            let value = "NEW.\(field.column)"
            switch field.kind {
            case .text(let lengths):
                let isBlank = field.isOptional ? "TRIM(\(value)) = ''" : "TRIM(COALESCE(\(value), '')) = ''"
                return [
                    Fault(column: field.column, when: isBlank, text: "must not be empty"),
                    Fault(
                        column: field.column, when: "CHAR_LENGTH(\(value)) > \(lengths.upperBound)",
                        text: "may have \(lengths.upperBound) characters, has ", value: "CHAR_LENGTH(\(value))"),
                ]
            case .integer(let range):
                return [
                    Fault(
                        column: field.column, when: "\(value) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)",
                        text: "must be from \(range.lowerBound) to \(range.upperBound), is ", value: value)
                ]
            case .flag, .day, .id: return []
            }
        }
    }

    private func refuse(_ table: String, _ faults: [Fault]) -> String {
        let cases = faults.map { fault in
            let text = "'\(fault.column): \(fault.text)'"
            return "        WHEN \(fault.when) THEN \(fault.value.map { "CONCAT(\(text), \($0))" } ?? text)"
        }
        return """
                SET problem = CASE
            \(cases.joined(separator: "\n"))
                END;
                IF problem IS NOT NULL THEN
                    SET problem = LEFT(CONCAT('\(table).', problem), 128);
                    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
                END IF;
            """
    }

    private func flags(_ fields: [EntityField]) -> String {
        fields.filter { $0.kind == .flag }.map { "    SET NEW.\($0.column) = COALESCE(NEW.\($0.column), 0) <> 0;\n" }
            .joined()
    }

    private func different(_ field: EntityField) -> String {
        let (new, old) = ("NEW.\(field.column)", "OLD.\(field.column)")
        // Texts by their bytes: for the collation, e and é are one.
        if case .text = field.kind { return "NOT (CAST(\(new) AS BINARY) <=> CAST(\(old) AS BINARY))" }
        return "NOT (\(new) <=> \(old))"
    }

    private static let declareProblem =
        "    DECLARE problem VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;"

    private func newID(_ key: String) -> String {
        """
            IF COALESCE(NEW.\(key), '') IN ('', 0x00000000000000000000000000000000) THEN
                SET NEW.\(key) = UNHEX(CONCAT(
                    LPAD(HEX(UNIX_TIMESTAMP() * 1000 + MICROSECOND(UTC_TIMESTAMP(3)) DIV 1000), 12, '0'), '7',
                    SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 3), '8', SUBSTRING(SHA2(CONCAT(UUID(), RAND()), 256), 1, 15)));
            END IF;
        """
    }

    private static func nextVersion(_ side: String, indent: Int) -> String {
        String(repeating: " ", count: indent)
            + "INSERT INTO Scope (Scope_ID, Ver) VALUES (\(side).User_ID, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;"
    }

    private static func refuseReplace(_ table: String, _ key: String) -> String {
        """
            IF NEW.Ver = 0 THEN
                SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '\(table).\(key): not by REPLACE; use INSERT ... ON DUPLICATE KEY UPDATE';
            END IF;
        """
    }

    // MARK: Views

    private func view(_ table: String, _ keys: [String], _ fields: [EntityField], _ more: [String]) -> String {
        let ids = (["User_ID"] + keys).map { Self.text(ofID: $0) }
        let columns = fields.map { $0.kind == .id ? Self.text(ofID: $0.column) : "    \($0.column)" }
        return """
            -- \(table), its ids as text. \(origin)
            SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;

            CREATE OR REPLACE SQL SECURITY INVOKER VIEW \(table)_text AS
            SELECT
            \((ids + columns + (more + ["Ver"]).map { "    \($0)" }).joined(separator: ",\n"))
            FROM \(table);

            """
    }

    private static func text(ofID column: String) -> String {
        """
            CONVERT(LOWER(CONCAT(
                HEX(SUBSTRING(\(column), 1, 4)), '-', HEX(SUBSTRING(\(column), 5, 2)), '-',
                HEX(SUBSTRING(\(column), 7, 2)), '-', HEX(SUBSTRING(\(column), 9, 2)), '-',
                HEX(SUBSTRING(\(column), 11, 6))
            )) USING ascii) COLLATE ascii_general_ci AS \(column)
        """
    }
}
