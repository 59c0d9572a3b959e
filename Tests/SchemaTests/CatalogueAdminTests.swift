import EmbeddedMariaDB
import Foundation
import SubTrackSQL
import SubTrackTestSupport
import TestTraits
import Testing

/// What an account with the rights of `sql/admin/catalogue-admin.sql` can do in the plain client, and what it cannot.
@Suite("Catalogue admins", .serialized, .tags(.otherMariaDB), .ownTime)
struct CatalogueAdminTests {
    @Test("on MariaDB")
    func mariaDB() async throws { try await check(.mariaDB) }

    @Test("on MySQL", .mySQL, .repeated)
    func mySQL() async throws { try await check(.mySQL) }

    /// The last screen of each script is its verdict: few rows, the sums, the next step.
    private func checkVerdicts(
        _ scripts: [String], in run: (String) async throws -> String, _ refused: (String) async -> String
    ) async throws {
        let many = (1...50).map { "('many', 'US', 'Filmclub', 'Plan \($0)', '\($0 <= 30 ? "x" : "5")', '1', 'month')" }
        let said = try await run(
            """
            INSERT INTO Revision (Revision, Effective_on) VALUES ('many', '2025-01-18');
            INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit)
            VALUES \(many.joined(separator: ", "));
            SET @revision = 'many';
            \(scripts[0])
            """
        ).split(separator: "\n").map(String.init)
        #expect(said.count == 22 && said.prefix(20).allSatisfy { $0.hasPrefix("rejected\t") }, "\(said)")
        #expect(
            said.suffix(2) == [
                "30\t0\t0\t0\t20\t0\t1",
                "30 rejected, of which up to 20 are shown: mend or delete them in Staged_plan by Staged_ID, and check again",
            ], "\(said)")
        // A client that goes on after an error sees it again beside the verdict.
        let verdict = try #require(scripts[1].range(of: "SELECT Outcome"))
        let before = scripts[1][..<verdict.lowerBound].split(separator: "\n").suffix(3).joined(separator: "\n")
        #expect(
            await refused("SET @revision = _utf8mb4'many' COLLATE utf8mb4_unicode_ci;\n" + before).contains(
                "30 rows are rejected"))
        // In the order of the file, whatever the country, and few lines of everything else: an OK has at most three.
        _ = try await run(
            "UPDATE Staged_plan SET Country_ID = 'DE' WHERE Revision = 'many' AND Plan_name IN ('Plan 2', 'Plan 7');")
        let ordered = try await run("SET @revision = 'many';\n" + scripts[0]).split(separator: "\n").prefix(20)
        let places = ordered.map { String($0.split(separator: "\t").dropFirst().first ?? "") }
        #expect(places == (1...20).map(String.init), "\(ordered)")
        for script in scripts {
            let statements = script.split(separator: "\n").count { $0.hasSuffix(";") }
            #expect(statements <= 24, "\(statements)")
        }
        try await checkGoingOn(scripts, in: run, refused)
        let none = try await run("SET @revision = 'none';\n" + scripts.joined(separator: "\n"))
            .split(separator: "\n").map(String.init)
        #expect(
            none == [
                "0\t0\t0\t0\t0\t0\t0", "there is no revision none: INSERT INTO Revision first", "0\t0\t0\t0\t0\t0",
                "0\t0\tthere is nothing that was checked: source sql/catalog/check.sql first",
                "0\tthere was no revision none; nothing was changed",
            ], "\(none)")
        _ = try await run("SET @revision = 'many';\n" + scripts[2])
    }

    /// A run that was cut off goes on with all countries, but not past a row that was mended without a check.
    private func checkGoingOn(
        _ scripts: [String], in run: (String) async throws -> String, _ refused: (String) async -> String
    ) async throws {
        let rows = ["DE", "JP", "KW", "US"].map { "('all', '\($0)', 'Filmclub', 'Everywhere', '5', '1', 'month')" }
        _ = try await run(
            """
            INSERT INTO Revision (Revision, Effective_on) VALUES ('all', '2025-01-18');
            INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit)
            VALUES \(rows.joined(separator: ", "));
            SET @revision = 'all';
            \(scripts[0])
            UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = 'all' AND Country_ID = 'DE';
            UPDATE Staged_plan SET Fee = '6' WHERE Revision = 'all' AND Country_ID = 'US';
            """)
        let apply = "SET @revision = 'all';\n" + scripts[1]
        #expect(await refused(apply).contains("Staged_plan has changed since the check; check it again: all"))
        let applied = try await run("SET @revision = 'all';\n" + scripts[0] + scripts[1])
        #expect(applied.hasSuffix("4\t4\tall is applied; sql/catalog/discard.sql tidies up\n"), "\(applied)")
        let fees = try await run("SELECT Country_ID, Fee FROM Plan WHERE Plan_name = 'Everywhere' ORDER BY 1;")
        #expect(fees == "DE\t5.000000\nJP\t5.000000\nKW\t5.000000\nUS\t6.000000\n")
        // A row that is mended afterwards is not applied, and neither script says that it is.
        let late = try await run(
            "UPDATE Staged_plan SET Fee = '7' WHERE Revision = 'all' AND Country_ID = 'DE';\n" + apply + scripts[2])
        #expect(
            late.split(separator: "\n").map(String.init).suffix(2) == [
                "4\t4\tapplied as it was checked; Staged_plan has changed since: check it again, and apply it",
                "4\ttidied up; what was applied stays. What was changed in Staged_plan since the check was never applied",
            ], "\(late)")
    }

    private func check(_ server: TestServer) async throws {
        try await server.leaseTenant { database in
            // As the file says: another tenant, and another account.
            let (account, views) = ("c_\(database.name)", "catalogue_\(database.name)")
            let grants = try #require(SQLFiles.file("admin/catalogue-admin.sql")).text
                .replacing("subtrackit_default", with: database.name).replacing("catalogue_default", with: views)
                .replacing("'catalogue'@'%'", with: "'\(account)'@'%'")
            // Twice: it can be run again.
            try await database.run("CREATE USER '\(account)'@'%';\n" + grants + grants)
            func run(_ statements: String) async throws -> String {
                try await Command.run(
                    "mariadb",
                    [
                        "--no-defaults", "--socket=\(database.socketPath)", "--user=\(account)",
                        "--default-character-set=utf8mb4", "--batch", "--skip-column-names", "--local-infile=1",
                        views,
                    ], input: statements)
            }
            func refused(_ statements: String) async -> String {
                do {
                    return "taken: \(try await run(statements))"
                } catch {
                    return (error as? CommandFailure)?.output ?? "\(error)"
                }
            }
            // What a user keeps for themself stands in the same table, and is not there for this account.
            try await database.run(
                """
                INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID)
                VALUES (60, 'Netflix', 'Mine', 5, 'US', 1, 'month', 0x01900000000070008000000000000001);
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (60, '2020-01-01', 4);
                """)
            let own =
                "SELECT p.Plan_name, l.* FROM Plan p JOIN Price_line l ON l.Plan_ID = p.Plan_ID WHERE p.Plan_ID = 60"
            let ownBefore = try await database.run(own)
            // Everything of the catalogue.
            let typed = try await run(
                """
                INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('CHF', 'Franc', 2);
                INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('CHF', 'Swiss Franc', 2)
                ON DUPLICATE KEY UPDATE Currency_name = VALUES(Currency_name);
                INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('CH', 'Swiss', 'CHF');
                INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('CH', 'Switzerland', 'CHF')
                ON DUPLICATE KEY UPDATE Country_name = VALUES(Country_name);
                INSERT INTO Provider (Provider, Category) VALUES ('Filmclub', 'Other');
                INSERT INTO Provider (Provider, Category) VALUES ('Filmclub', 'Video')
                ON DUPLICATE KEY UPDATE Category = VALUES(Category);
                SELECT c.Country_name, k.Currency_name, v.Category FROM Country c JOIN Currency k USING (Currency_code)
                JOIN Provider v ON v.Provider = 'Filmclub' WHERE c.Country_ID = 'CH';
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                VALUES ('Filmclub', 'Standard', 17.90, 'CH', 1, 'month');
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Fee_since)
                VALUES ('Filmclub', 'Standard', 19.90, 'CH', 1, 'month', '2099-01-01')
                ON DUPLICATE KEY UPDATE Fee = VALUES(Fee), Fee_since = VALUES(Fee_since);
                SELECT p.Currency_code, l.Fee FROM Plan p JOIN Price_line l ON l.Plan_ID = p.Plan_ID WHERE p.Country_ID = 'CH' ORDER BY 2;
                UPDATE Plan SET Withdrawn_on = '2099-06-01' WHERE Country_ID = 'CH';
                DELETE FROM Plan_price WHERE Effective_on = '2099-01-01';
                DELETE FROM Plan WHERE Country_ID = 'CH';
                DELETE FROM Provider WHERE Provider = 'Filmclub';
                DELETE FROM Country WHERE Country_ID = 'CH';
                DELETE FROM Currency WHERE Currency_code = 'CHF';
                INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '2026-01-30', 1.0812);
                """)
            #expect(typed == "Switzerland\tSwiss Franc\tVideo\nCHF\t17.900000\nCHF\t19.900000\n")

            // A revision, from a file of a Windows editor.
            let folder = try PrivateServer.temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "plans.csv").path
            try Data(
                "\u{FEFF}country,provider,plan,fee,value,unit\r\nUS,Netflix,Standard,\"17.99\",1,month\r\nUS,Filmclub,Neu,5,1,month\r\n"
                    .utf8
            )
            .write(to: URL(filePath: path))
            let scripts = ["check", "apply", "discard"].compactMap { SQLFiles.file("catalog/\($0).sql")?.text }
            #expect(scripts.count == 3)
            let revised = try await run(
                """
                INSERT INTO Revision (Revision, Effective_on) VALUES ('spring', '2025-01-18');
                LOAD DATA LOCAL INFILE '\(path)' INTO TABLE Staged_plan CHARACTER SET binary
                FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' LINES TERMINATED BY '\\n' IGNORE 1 LINES
                (Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit, Surplus) SET Revision = 'spring';
                SET @revision = 'spring';
                \(scripts.joined(separator: "\n"))
                SELECT Plan_name, Fee FROM Plan WHERE Provider = 'Filmclub';
                SELECT Effective_on, Fee FROM Price_line WHERE Plan_ID = 1 ORDER BY 1;
                SELECT COUNT(*) FROM Revised_plan;
                """)
            // The rows, then the sums with faults first, then what comes next.
            let lines = revised.split(separator: "\n").map(String.init)
            #expect(lines[0].hasPrefix("price\t1\t") && lines[0].contains("\tUS\tNetflix\tStandard\t"), "\(revised)")
            #expect(
                lines.dropFirst().prefix(2) == [
                    "0\t0\t1\t0\t1\t0\t1",
                    "nothing is rejected; up to 20 rows of each kind are shown. sql/catalog/apply.sql applies it",
                ], "\(revised)")
            #expect(
                revised.hasSuffix(
                    "1\t1\tall is applied; sql/catalog/discard.sql tidies up\n2\ttidied up; what was applied stays\nNeu\t5.000000\n2023-01-07\t15.490000\n2025-01-18\t17.990000\n0\n"
                ),
                "\(revised)")

            // A row that is rejected is told once: a client that goes on after an error asks for nothing more.
            let first =
                "UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = @revision AND Applied_at IS NULL ORDER BY Country_ID LIMIT 1;"
            let odd = """
                INSERT INTO Revision (Revision, Effective_on) VALUES ('odd', '2025-01-18');
                INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit)
                VALUES ('odd', 'US', 'Filmclub', 'Neu', 'x', '1', 'month');
                SET @revision = 'odd';

                """
            let rejected = await refused(odd + scripts[0] + scripts[1])
            #expect(rejected.contains("1 row is rejected; see Revised_plan, mend or delete it in Staged_plan"))
            let further = try await run("SET @revision = 'odd';\n" + scripts[1].replacing(first, with: "") + scripts[2])
            #expect(scripts[1].contains(first))
            #expect(
                further.split(separator: "\n").map(String.init).suffix(3) == [
                    "1\t0\t0\t0\t0\t0",
                    "1\t0\tnothing was applied: mend or delete the rejected rows, and check again",
                    "1\tthrown away; the catalogue is as it was",
                ] && further.hasPrefix("rejected\t1\t"), "\(further)")
            try await checkVerdicts(scripts, in: run, refused)

            // And nothing else: neither the tables themselves nor what the views do not show.
            let tenant = "`\(database.name)`"
            for statement in [
                "SELECT * FROM \(tenant).`User`", "SELECT * FROM \(tenant).Subscription",
                "SELECT * FROM \(tenant).Account",
                "SELECT * FROM \(tenant).Session", "SELECT * FROM \(tenant).Plan", "SELECT * FROM \(tenant).Plan_price",
                "SELECT * FROM \(tenant).Price_line", "UPDATE \(tenant).Plan SET Fee = 0", "DELETE FROM \(tenant).Plan",
                "INSERT INTO \(tenant).Revision (Revision) VALUES ('a')", "UPDATE \(tenant).Scope SET Ver = 0",
                "DELETE FROM \(tenant).Tombstone", "SELECT * FROM \(tenant).Setting",
                "DROP TRIGGER \(tenant).Plan_before_insert", "CREATE TABLE \(tenant).Mine (a INT)",
                "CREATE TABLE Mine (a INT)",
                "ALTER TABLE \(tenant).Plan ADD Mine INT", "TRUNCATE TABLE \(tenant).Plan",
                "DROP TABLE \(tenant).Staged_plan",
                "DROP VIEW Plan", "SELECT * FROM `User`", "UPDATE Revised_plan SET Outcome = 'new'",
                "INSERT INTO Revised_plan (Revision, Row_no, Country_ID, Fee_since) VALUES ('a', 1, 'US', '2025-01-01')",
                "UPDATE Revision_country SET Rejected = 0",
                // A row with this version would count as checked.
                """
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Ver)
                VALUES ('Filmclub', 'Forged', -5, 'US', 1, 'month', 9223372036854775809)
                """,
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Ver) VALUES (1, '2020-01-01', -5, 9223372036854775809)
                """,
            ] {
                #expect(await refused(statement + ";").contains("denied"), "\(statement)")
            }
            // A user's own plan is not there for it, whatever it says.
            let touched = try await run(
                """
                SELECT COUNT(*) FROM Plan WHERE Plan_ID = 60 OR Plan_name = 'Mine';
                SELECT COUNT(*) FROM Price_line WHERE Plan_ID = 60;
                UPDATE Plan SET Fee = 99, Plan_name = 'Yours' WHERE Plan_ID = 60;
                SELECT ROW_COUNT();
                DELETE FROM Plan WHERE Plan_ID = 60;
                SELECT ROW_COUNT();
                UPDATE Plan_price SET Fee = 99 WHERE Plan_ID = 60;
                SELECT ROW_COUNT();
                DELETE FROM Plan_price WHERE Plan_ID = 60;
                SELECT ROW_COUNT();
                UPDATE Plan SET Notice_days = 3 WHERE Country_ID = 'US' AND Provider = 'Netflix';
                """)
            #expect(touched == String(repeating: "0\n", count: 6))
            for statement in [
                """
                INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                VALUES (60, 'Netflix', 'Mine', 99, 'US', 1, 'month') ON DUPLICATE KEY UPDATE Fee = VALUES(Fee)
                """,
                """
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID)
                VALUES ('Netflix', 'Mine', 5, 'US', 1, 'month', 0x01900000000070008000000000000001)
                """,
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (60, '2021-01-01', 4)",
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (60, '2020-01-01', 99)
                ON DUPLICATE KEY UPDATE Fee = VALUES(Fee)
                """,
            ] {
                #expect(await refused(statement + ";").contains("ERROR"), "\(statement)")
            }
            #expect(try await database.run(own) == ownBefore)
            // The rules are those of the tables.
            #expect(
                await refused("UPDATE Plan SET Fee = 1.999 WHERE Plan_ID = 1;").contains("Plan.Fee: USD has 2 digits"))
            #expect(
                await refused("UPDATE Plan SET Fee = -5, Ver = 9223372036854775809 WHERE Plan_ID = 1;").contains(
                    "Plan.Fee:"))
            try await database.run("DROP USER '\(account)'@'%'; DROP DATABASE `\(views)`")
        }
    }
}
