import Foundation
import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackSQL
@testable import SubTrackServer

@Suite("Splitting scripts into statements", .ownTime)
struct StatementSplitterTests {
    @Test("Semicolons in texts, names and comments do not end a statement")
    func tricky() {
        let cases: [(String, [String])] = [
            ("", []), (";;; ;\n;", []), ("SELECT 1", ["SELECT 1"]), ("SELECT 1;SELECT 2 ; ", ["SELECT 1", "SELECT 2"]),
            ("SELECT ';', \";\", `;`;x", ["SELECT ';', \";\", `;`", "x"]),
            (
                "SELECT 'it''s; fine', 'a\\';b', \"\\\";\", `a``;`; y",
                ["SELECT 'it''s; fine', 'a\\';b', \"\\\";\", `a``;`", "y"]
            ),
            ("SELECT `a\\`;b", ["SELECT `a\\`", "b"]),
            ("SELECT 1 -- one; two\n+1;", ["SELECT 1 \n+1"]), ("SELECT 1--1;", ["SELECT 1--1"]),
            ("--\nSELECT 1", ["SELECT 1"]),
            ("SELECT 1 # one; 'two\n;", ["SELECT 1"]), ("/* a; 'b */ SELECT /* ; */ 1;", ["SELECT   1"]),
            ("SELECT /*!40101 1; */ 2;", ["SELECT /*!40101 1; */ 2"]), ("SELECT 1 /* never ends ;", ["SELECT 1"]),
            ("SELECT 'never ends ;", ["SELECT 'never ends ;"]),
            ("DELIMITER //\nBEGIN; END//\nDELIMITER ;\nSELECT 1;", ["BEGIN; END", "SELECT 1"]),
            ("delimiter $$\na;b$$\nDelimiter ;\nc;d", ["a;b", "c", "d"]),
            ("SELECT 'DELIMITER //\n';x", ["SELECT 'DELIMITER //\n'", "x"]),
            ("SELECT 1 AS DELIMITER_;", ["SELECT 1 AS DELIMITER_"]), ("DELIMITERX;\n", ["DELIMITERX"]),
            ("DELIMITER //\nSELECT '//'//SELECT `//` -- //\n//", ["SELECT '//'", "SELECT `//`"]),
            ("SELECT 'é;𝄞';SELECT \"\u{0}\";", ["SELECT 'é;𝄞'", "SELECT \"\u{0}\""]),
        ]
        for (script, expected) in cases { #expect(StatementSplitter.statements(of: script) == expected, "\(script)") }
    }

    @Test("Our own files: each statement begins with a word of SQL and no client command is left in it")
    func ourFiles() throws {
        let folders = ["control", "tenant", "tenant/triggers", "tenant/views", "reference", "catalog"]
        let files = folders.flatMap { SQLFiles.files(in: $0) }
        #expect(files.count > 20)
        let words = [
            "SET", "CREATE", "DROP", "INSERT", "UPDATE", "START", "COMMIT", "DELETE", "ALTER", "PREPARE", "EXECUTE",
            "DEALLOCATE",
            // The catalogue's scripts show their reports.
            "SELECT",
        ]
        for file in files {
            let statements = StatementSplitter.statements(of: file.text)
            #expect(!statements.isEmpty, "\(file.path)")
            for statement in statements {
                let first = statement.prefix { !$0.isWhitespace }.uppercased()
                #expect(words.contains(first), "\(file.path): \(statement.prefix(80))")
                #expect(!statement.contains("DELIMITER") && !statement.hasSuffix("//") && !statement.hasSuffix(";"))
                let isTrigger = statement.hasPrefix("CREATE TRIGGER")
                #expect(!isTrigger || statement.hasSuffix("END"), "\(file.path): \(statement.suffix(80))")
            }
        }
    }

    @Test("What it makes of a tenant's files is what the plain client makes of them")
    func likeTheClient() async throws {
        func picture(_ database: TestDatabase) async throws -> [String] {
            // The client leaves comments out of what it sends; white space follows them.
            try await SchemaPicture.take(of: database).replacing(#/\\n|\s/#, with: "").components(
                separatedBy: "trigger")
        }
        let files = MigrationPlan.tenant.files
        let note = "CREATE TABLE Migration (Path VARCHAR(9), Checksum VARCHAR(9));\n"
        let byClient = try await TestDatabase.lease { database in
            try await database.run(note + files.map(\.text).joined(separator: "\n"))
            return try await picture(database)
        }
        let bySplitter = try await TestDatabase.lease { database in
            try await database.run(note)
            try await database.withClient { client in
                try await client.withConnection { connection in
                    for file in files {
                        for statement in StatementSplitter.statements(of: file.text) {
                            _ = try await connection.simpleQuery(SQL(unsafeText: statement))
                        }
                    }
                }
            }
            return try await picture(database)
        }
        #expect(byClient.count > 20)
        #expect(bySplitter == byClient)
    }
}
