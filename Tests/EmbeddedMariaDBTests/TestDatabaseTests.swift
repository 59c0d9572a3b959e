import EmbeddedMariaDB
import Foundation
import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

@Suite(.ownTime) struct TestDatabaseTests {
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

    @Test func aClientOfTheServicesKindReachesTheDatabase() async throws {
        try await TestDatabase.lease { database in
            try await database.run("CREATE TABLE T (a INT); INSERT INTO T VALUES (1), (2)")
            let count = try await database.withClient { client in
                try await client.withConnection { connection in
                    try await connection.query("SELECT COUNT(*) FROM T").decode(Int.self)
                }
            }
            #expect(count == [2])
        }
    }

    @Test func manyLeasesAtOnceAreApart() async throws {
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<16 {
                group.addTask {
                    try await TestDatabase.lease { database in
                        try await database.run("CREATE TABLE T (a INT); INSERT INTO T VALUES (\(number))")
                        let found = try await database.run("SELECT a FROM T")
                        #expect(found == "\(number)\n")
                        return database.name
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 16)
    }

    @Test func aConditionIsWaitedForAndGivenUpOn() async throws {
        var asked = 0
        try await eventually("the third time") {
            asked += 1
            return asked == 3
        }
        #expect(asked == 3)
        let error = await #expect(throws: NeverHappened.self) {
            try await eventually(within: .milliseconds(1), "the impossible") { false }
        }
        #expect(error?.description.contains("the impossible") == true)
    }

    /// A test process that is killed in the middle leaves none of its temporary files.
    @Test func temporaryFoldersGoWithTheProcess() async throws {
        let result = try #require(
            await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
                let folder = try PrivateServer.temporaryFolder()
                try Data("left".utf8).write(to: folder.appending(path: "file"))
                print("folder=\(folder.path)")
                fflush(nil)
                kill(getpid(), SIGKILL)
            })
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        let line = try #require(output.split(separator: "\n").first { $0.contains("folder=") })
        let folder = try #require(line.split(separator: "=").last)
        #expect(folder.contains("/subtrackit-test-"))
        let root = URL(filePath: String(folder)).deletingLastPathComponent().path
        try await eventually("the folder is gone") { !FileManager.default.fileExists(atPath: root) }
    }
}
