import EmbeddedMariaDB
import Foundation
import SubTrackSQL
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A server on which sessions begin without autocommit: what an admin types or loads is kept all the same.
@Suite("autocommit = 0 on the server", .ownTime)
struct AutocommitTests {
    @Test("Statements in subtrackd sql, and the catalog's scripts in the plain client, are committed")
    func kept() async throws {
        try await PrivateServer.own(configure: { $0.extraArguments += ["--autocommit=0"] }) { server in
            let url = ["--database-url", "mysql://root@localhost/ops?socket=\(server.socketPath)"]
            let program = try ServiceProcess.executable()
            _ = try await Command.run(program, ["migrate"] + url)
            _ = try await Command.run(program, ["tenant", "create", "acme"] + url)
            let tenant = TestDatabase(name: "ops_acme", socketPath: server.socketPath)
            #expect(try await tenant.run("SELECT @@autocommit") == "0\n")

            let insert = "INSERT INTO Provider (Provider, Category) VALUES"
            _ = try await Command.run(program, ["sql", "--tenant", "acme", "-e", "\(insert) ('Typed', 'x')"] + url)
            _ = try await Command.run(
                program, ["sql", "--tenant", "acme"] + url, input: "\(insert) ('Piped', 'x');\n\(insert) ('Last', 'x')")
            #expect(try await tenant.run("SELECT Provider FROM Provider ORDER BY 1") == "Last\nPiped\nTyped\n")

            // As an admin loads them: sources in a session, which ends without a COMMIT.
            func load(_ files: [String], before: String = "", after: String = "") async throws {
                let scripts = try files.map { try #require(SQLFiles.file($0)).text }
                try await tenant.run(([before] + scripts + [after]).joined(separator: "\n"))
            }
            try await tenant.run(
                "SET GLOBAL tx_read_only = 1; SET GLOBAL sql_safe_updates = 1; SET GLOBAL sql_select_limit = 1;")
            try await load(["catalog/demo.sql"], after: "\(insert) ('After', 'x');")
            try await tenant.run("SET GLOBAL tx_read_only = 0;")
            #expect(try await tenant.run("SELECT COUNT(*) > 100 FROM Plan") == "1\n")
            #expect(try await tenant.run("SELECT COUNT(*) FROM Provider WHERE Provider = 'After'") == "1\n")
            try await load(
                ["catalog/check.sql"],
                before: """
                    INSERT INTO Revision (Revision, Effective_on) VALUES ('spring', '2026-03-01');
                    INSERT INTO Staged_plan (Revision, Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit)
                    VALUES ('spring', 'US', 'Typed', 'Monthly', '5', '1', 'month');
                    SET @revision = 'spring';
                    """)
            #expect(try await tenant.run("SELECT New_plans FROM Revision_country") == "1\n")
            try await tenant.run("SET GLOBAL tx_read_only = 1;")
            try await load(["catalog/apply.sql"], before: "SET @revision = 'spring';")
            #expect(try await tenant.run("SELECT COUNT(*) FROM Plan WHERE Provider = 'Typed'") == "1\n")
            try await load(["catalog/discard.sql"], before: "SET @revision = 'spring';")
            #expect(try await tenant.run("SELECT COUNT(*) FROM Revision") == "0\n")
        }
    }

    @Test("Statements in subtrackd sql do what they say, whatever the server's defaults forbid")
    func independent() async throws {
        try await PrivateServer.own { server in
            let url = ["--database-url", "mysql://root@localhost/ops?socket=\(server.socketPath)"]
            let program = try ServiceProcess.executable()
            _ = try await Command.run(program, ["migrate"] + url)
            let tenant = TestDatabase(name: "ops_default", socketPath: server.socketPath)
            try await tenant.run(
                """
                INSERT INTO Provider (Provider, Category) VALUES ('One', 'x'), ('Two', 'x'), ('Three', 'x');
                SET GLOBAL sql_safe_updates = 1; SET GLOBAL sql_big_selects = 0; SET GLOBAL max_join_size = 2;
                SET GLOBAL max_statement_time = 0.5; SET GLOBAL sql_select_limit = 1; SET GLOBAL tx_read_only = 1;
                """)
            let typed = """
                UPDATE Provider SET Category = 'y';
                SELECT SLEEP(0.7);
                SELECT COUNT(*) FROM Provider a JOIN Provider b JOIN Provider c;
                SELECT Provider FROM Provider;
                """
            let said = try await Command.run(program, ["sql", "-e", typed] + url)
            for name in ["27", "One", "Two", "Three"] { #expect(said.contains(name), "\(said)") }
            #expect(try await tenant.run("SELECT COUNT(*) FROM Provider WHERE Category = 'y'") == "3\n")
        }
    }
}
