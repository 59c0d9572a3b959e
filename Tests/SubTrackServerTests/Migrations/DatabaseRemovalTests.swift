import EmbeddedMariaDB
import Foundation
import MariaDB
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Removing databases", .ownTime)
struct DatabaseRemovalTests {
    @Test(
        "A database goes also where the server has left the backup of a file of triggers in its folder",
        arguments: [false, true])
    func leftovers(isCutOff: Bool) async throws {
        try await PrivateServer.own { server in
            let database = TestDatabase(name: "mysql", socketPath: server.socketPath)
            try await database.run(
                """
                CREATE DATABASE doomed; USE doomed;
                CREATE TABLE `Plan` (a INT); CREATE TABLE `Subscription` (a INT);
                CREATE TRIGGER Plan_before_insert BEFORE INSERT ON `Plan` FOR EACH ROW SET @a = 1;
                CREATE VIEW Plans AS SELECT * FROM `Plan`;
                """)
            // As MariaDB does when several connections make triggers at the same time.
            let folder = try #require(try await database.run("SELECT @@datadir").split(separator: "\n").first)
            for table in ["Plan", "Subscription"] {
                try Data("TYPE=TRIGGERS\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/doomed/\(table).TRG-"))
            }
            try await database.withClient { client in
                try await client.withConnection(nil) { connection in
                    // Nothing of its tables is left to be seen after this.
                    if isCutOff {
                        await #expect(throws: MariaDBError.self) {
                            _ = try await connection.simpleQuery("DROP DATABASE doomed")
                        }
                    }
                    try await DatabaseRemoval.drop(try Identifier("doomed"), on: connection)
                    // One that is gone already is no fault.
                    try await DatabaseRemoval.drop(try Identifier("doomed"), on: connection)
                }
            }
            #expect(try await database.run("SHOW DATABASES LIKE 'doomed'") == "")
        }
    }
}
