import EmbeddedMariaDB
import Foundation
import SubTrackSQL
import SubTrackTestSupport
import Testing

/// What an account with the rights of `sql/admin/catalogue-admin.sql` can do in the plain client, and what it cannot.
@Suite("Catalogue admins", .serialized)
struct CatalogueAdminTests {
    @Test("on MariaDB")
    func mariaDB() async throws { try await check(.mariaDB) }

    @Test("on MySQL", .mySQL)
    func mySQL() async throws { try await check(.mySQL) }

    private func check(_ server: TestServer) async throws {
        try await server.leaseTenant { database in
            let account = "c\(database.name.hashValue.magnitude % 1_000_000_000)"
            let grants = try #require(SQLFiles.file("admin/catalogue-admin.sql")).text
                .replacing("subtrackit_default", with: database.name).replacing("'catalogue'", with: "'\(account)'")
                .replacing("',catalogue'", with: "',\(account)'")
            try await database.run("CREATE USER '\(account)'@'%';\n" + grants)
            func run(_ statements: String) async throws -> String {
                try await Command.run(
                    "mariadb",
                    [
                        "--no-defaults", "--socket=\(database.socketPath)", "--user=\(account)",
                        "--default-character-set=utf8mb4", "--batch", "--skip-column-names", "--local-infile=1",
                        database.name,
                    ], input: statements)
            }
            func refused(_ statements: String) async -> String {
                do {
                    return "taken: \(try await run(statements))"
                } catch {
                    return (error as? CommandFailure)?.output ?? "\(error)"
                }
            }
            // Everything of the catalogue.
            let typed = try await run(
                """
                INSERT INTO Currency (Currency_code, Currency_name, Minor_digits) VALUES ('CHF', 'Swiss Franc', 2);
                INSERT INTO Country (Country_ID, Country_name, Currency_code) VALUES ('CH', 'Switzerland', 'CHF');
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
            #expect(typed == "CHF\t17.900000\nCHF\t19.900000\n")

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
                FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\\r\\n' IGNORE 1 LINES
                (Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) SET Revision = 'spring';
                SET @revision = 'spring';
                \(scripts.joined(separator: "\n"))
                SELECT Plan_name, Fee FROM Plan WHERE Provider = 'Filmclub';
                SELECT Effective_on, Fee FROM Price_line WHERE Plan_ID = 1 ORDER BY 1;
                SELECT COUNT(*) FROM Revised_plan;
                """)
            #expect(revised.hasPrefix("1\t0\t1\t1\t0\t0\t0\t0\n"), "\(revised)")
            #expect(
                revised.hasSuffix("1\t1\nNeu\t5.000000\n2023-01-07\t15.490000\n2025-01-18\t17.990000\n0\n"),
                "\(revised)")

            // And nothing else.
            for statement in [
                "SELECT * FROM `User`", "SELECT * FROM Subscription", "SELECT * FROM Account", "SELECT * FROM Session",
                "SELECT * FROM Scope", "UPDATE Scope SET Ver = 0", "DELETE FROM Tombstone", "SELECT * FROM Setting",
                "DROP TRIGGER Plan_before_insert", "CREATE TABLE Mine (a INT)", "ALTER TABLE Plan ADD Mine INT",
                "TRUNCATE TABLE Plan", "DROP TABLE Staged_plan", "UPDATE Revised_plan SET Outcome = 'new'",
                "INSERT INTO Revised_plan (Revision, Row_no, Country_ID, Fee_since) VALUES ('a', 1, 'US', '2025-01-01')",
                "UPDATE Revision_country SET Rejected = 0",
            ] {
                #expect(await refused(statement + ";").contains("denied"), "\(statement)")
            }
            try await database.run(
                """
                INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Owner_ID)
                VALUES ('Netflix', 'Mine', 5, 'US', 1, 'month', 0x01900000000070008000000000000001);
                """)
            #expect(
                await refused("UPDATE Plan SET Notice_days = 3 WHERE Country_ID = 'US' AND Provider = 'Netflix';")
                    .contains("a user's own plan; add AND Owner_ID IS NULL to WHERE"))
            #expect(await refused("DELETE FROM Plan WHERE Plan_name = 'Mine';").contains("a user's own plan"))
            try await database.run("DROP USER '\(account)'@'%'")
        }
    }
}
