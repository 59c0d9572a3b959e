import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// A state folder that this machine's MariaDB made, after the machine got a newer one.
@Suite(
    .enabled(if: MariaDBTree.launchers != nil, Comment(rawValue: MariaDBTree.skipped)), .tags(.otherMariaDB), .ownTime)
struct OtherVersionTests {
    private func installed(_ folder: URL) -> EmbeddedServer.Configuration {
        var configuration = configuration(folder)
        configuration.searchPath = MariaDBTree.installed
        return configuration
    }

    private func newer(_ folder: URL) throws -> EmbeddedServer.Configuration {
        var configuration = configuration(folder)
        configuration.searchPath = [try #require(MariaDBTree.launchers)]
        return configuration
    }

    @Test func aNewerVersionMakesAFolderStartsAgainAndSurvivesAKill() async throws {
        try await withFolder { folder in
            try await withServer(try newer(folder)) { server in
                _ = try await server.sql("CREATE DATABASE d; CREATE TABLE d.t (a INT); INSERT INTO d.t VALUES (1)")
            }
            let server = try await EmbeddedServer.start(try newer(folder), logger: quiet)
            let supervisor = Task { try await server.run() }
            let before = try #require(await server.processID)
            _ = try await server.sql("INSERT INTO d.t VALUES (2)")
            #expect(kill(before, SIGKILL) == 0)
            try await eventually("the server is back") {
                let now = await server.processID
                return now != nil && now != before
            }
            try await eventually("it answers") { await EmbeddedServer.runningSocket(in: folder) != nil }
            #expect(try await server.sql("SELECT SUM(a) FROM d.t") == "3\n")
            supervisor.cancel()
            try await supervisor.value
        }
    }

    @Test("A newer version goes on with the folder of this machine's", arguments: [false, true])
    func upgrade(isKilled: Bool) async throws {
        try await withFolder { folder in
            let old = try await EmbeddedServer.start(installed(folder), logger: quiet)
            let oldVersion = try await old.sql("SELECT VERSION()")
            _ = try await old.sql(
                """
                CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(20));
                CREATE TRIGGER d.tr BEFORE INSERT ON d.t FOR EACH ROW SET NEW.b = CONCAT(NEW.b, '!');
                CREATE USER u@localhost IDENTIFIED BY 'p'; GRANT SELECT ON d.* TO u@localhost;
                INSERT INTO d.t VALUES (1, 'x')
                """)
            if isKilled { await old.kill() }
            await old.stop()
            for round in 2...3 {
                try await withServer(try newer(folder)) { server in
                    let version = try await server.sql("SELECT VERSION()")
                    _ = try await server.sql("INSERT INTO d.t VALUES (\(round), 'y')")
                    let found = try await server.sql("SELECT b FROM d.t WHERE a IN (1, \(round))")
                    #expect(found == "x!\ny!\n", "\(version)")
                    #expect(server.socketPath == old.socketPath)
                    let granted = try await server.sql("SHOW GRANTS FOR u@localhost")
                    #expect(granted.contains("GRANT SELECT ON `d`.*"), "\(oldVersion) to \(version)")
                }
            }
        }
    }

    @Test func theServerOfAKilledProcessIsFoundByItsName() async throws {
        try await withFolder { folder in
            let server = try await EmbeddedServer.start(try newer(folder), logger: quiet)
            let process = try #require(await server.processID)
            let bytes = try #require(FileManager.default.contents(atPath: "/proc/\(process)/cmdline"))
            let name = bytes.split(separator: 0).first.map { String(decoding: $0, as: UTF8.self) }
            #expect(name?.hasSuffix("/mariadbd") == true)
            await server.stop()
            #expect(!exists(process))
        }
    }
}
