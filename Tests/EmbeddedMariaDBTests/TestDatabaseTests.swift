import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import Testing

@Suite struct TestDatabaseTests {
    @Test func aLeasedDatabaseIsEmptyAndGoneAfterwards() async throws {
        let name = try await TestDatabase.lease { database in
            #expect(try await database.run("SHOW TABLES") == "")
            try await database.run("CREATE TABLE T (a INT); INSERT INTO T VALUES (1), (2)")
            #expect(try await database.run("SELECT COUNT(*) FROM T") == "2\n")
            return database.name
        }
        try await TestDatabase.lease { other in
            let found = try await other.run("SHOW DATABASES LIKE '\(name)'")
            #expect(found == "")
        }
    }

    @Test func aFailingTestLeavesNoDatabase() async throws {
        struct Failure: Error { let database: String }
        let failure = try #require(
            await #expect(throws: Failure.self) {
                try await TestDatabase.lease { throw Failure(database: $0.name) }
            })
        try await TestDatabase.lease { other in
            let found = try await other.run("SHOW DATABASES LIKE '\(failure.database)'")
            #expect(found == "")
        }
    }

    @Test func whatTheClientComplainsOfIsTold() async throws {
        try await TestDatabase.lease { database in
            let failure = await #expect(throws: CommandFailure.self) {
                try await database.run("SELECT * FROM Nothing")
            }
            #expect(failure?.output.contains("1146") == true)
        }
    }
}
