import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// Somebody is killed.
@Suite(.tags(.otherMariaDB), .ownTime) struct FaultTests {
    @Test func aKilledServerIsRestartedAndKeepsWhatWasCommitted() async throws {
        try await withFolder { folder in
            let book = LogBook()
            let server = try await EmbeddedServer.start(configuration(folder), logger: book.logger)
            let supervisor = Task { try await server.run() }
            _ = try await server.sql("CREATE DATABASE d; CREATE TABLE d.t (a INT)")
            for round in 1...3 {
                _ = try await server.sql("INSERT INTO d.t VALUES (\(round))")
                let before = try #require(await server.processID)
                #expect(kill(before, SIGKILL) == 0)
                try await eventually("the server is back") {
                    let now = await server.processID
                    return now != nil && now != before
                }
                try await eventually("it answers") { await EmbeddedServer.runningSocket(in: folder) != nil }
                let found = try await server.sql("SELECT COUNT(*) FROM d.t")
                #expect(found == "\(round)\n")
                #expect(!exists(before), "a zombie")
            }
            #expect(book.text.contains("ended unexpectedly"))
            #expect(book.text.contains("ended by signal 9"))
            #expect(book.text.contains("answers again"))
            let last = try #require(await server.processID)
            supervisor.cancel()
            try await supervisor.value
            #expect(!exists(last))
        }
    }

    @Test func withoutASupervisorAKilledServerComesBackWhenTold() async throws {
        try await PrivateServer.own { server in
            await server.kill()
            #expect(await server.processID == nil)
            await #expect(throws: CommandFailure.self) { try await server.sql("SELECT 1") }
            try await server.restart()
            let found = try await server.sql("SELECT 1")
            #expect(found == "1\n")
        }
    }

    @Test func aServerThatCannotComeBackIsTriedAgainUntilStopped() async throws {
        try await withFolder { folder in
            let book = LogBook()
            let server = try await EmbeddedServer.start(configuration(folder), logger: book.logger)
            let supervisor = Task { try await server.run() }
            let data = folder.path + "/data"
            try FileManager.default.moveItem(atPath: data, toPath: data + ".away")
            await server.kill()
            try await eventually("a start fails") { book.text.contains("does not start") }
            try FileManager.default.moveItem(atPath: data + ".away", toPath: data)
            try await eventually(within: .seconds(60), "it is back") { book.text.contains("answers again") }
            let found = try await server.sql("SELECT 1")
            #expect(found == "1\n")
            await server.stop()
            try await supervisor.value
        }
    }

    @Test func aFrozenServerDoesNotAnswerUntilThawed() async throws {
        try await withFolder { folder in
            try await withServer(configuration(folder)) { server in
                await server.freeze()
                #expect(await EmbeddedServer.runningSocket(in: folder, within: .milliseconds(300)) == nil)
                await server.thaw()
                try await eventually("it answers") { await EmbeddedServer.runningSocket(in: folder) != nil }
                await server.freeze()
                // A stop wakes it up, or it would have to be killed.
            }
        }
    }

    /// The process that started the server is killed: the server ends by itself, in order.
    @Test func theServerOfAKilledProcessEnds() async throws {
        try await withFolder { folder in
            let path = folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let server = try await EmbeddedServer.start(configuration(URL(filePath: path)), logger: quiet)
                _ = try await server.sql("CREATE DATABASE d; CREATE TABLE d.t (a INT); INSERT INTO d.t VALUES (42)")
                kill(getpid(), SIGKILL)
            }
            try await eventually("no server is left") { LeftoverProcesses.onData(path + "/data").isEmpty }
            let log = try String(contentsOfFile: path + "/mariadbd.log", encoding: .utf8)
            #expect(log.contains("Shutdown complete"), "it was asked to stop, and not killed")
            try await withServer(configuration(folder)) { server in
                let found = try await server.sql("SELECT a FROM d.t")
                #expect(found == "42\n")
            }
        }
    }

    /// The process and the watchdog are killed: the next start stops the remaining server and goes on.
    @Test func aServerThatWasLeftBehindIsStoppedByTheNextStart() async throws {
        try await withFolder { folder in
            let path = folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let server = try await EmbeddedServer.start(configuration(URL(filePath: path)), logger: quiet)
                _ = try await server.sql("CREATE DATABASE d; CREATE TABLE d.t (a INT); INSERT INTO d.t VALUES (42)")
                let process = try #require(await server.processID)
                kill(try #require(watchdog(over: process)), SIGKILL)
                kill(getpid(), SIGKILL)
            }
            let left = LeftoverProcesses.onData(path + "/data")
            #expect(left.count == 1)
            let book = LogBook()
            try await withServer(configuration(folder), logger: book.logger) { server in
                #expect(left.allSatisfy { !runs($0) })
                let found = try await server.sql("SELECT a FROM d.t")
                #expect(found == "42\n")
            }
            #expect(book.text.contains("left behind"))
        }
    }

    /// A test process that crashes leaves neither a server nor a file.
    @Test func aCrashedTestLeavesNothing() async throws {
        try await withFolder { folder in
            let path = folder.path + "/state"
            await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
                var settings = configuration(URL(filePath: path))
                settings.removesDirectory = true
                let server = try await EmbeddedServer.start(settings, logger: quiet)
                _ = try await server.sql("CREATE DATABASE d")
                abort()
            }
            try await eventually("nothing is left") {
                LeftoverProcesses.onData(path + "/data").isEmpty && !FileManager.default.fileExists(atPath: path)
            }
        }
    }

    /// Killed at any moment of the first start: the next start makes up for it, and leaves no half of one.
    @Test(arguments: StartMoment.allCases)
    func aFirstStartThatWasKilledIsRepaired(moment: StartMoment) async throws {
        try await withFolder { folder in
            let path = folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, moment = moment as StartMoment] in
                Task.detached {
                    await moment.reached(in: path)
                    kill(getpid(), SIGKILL)
                }
                let server = try await EmbeddedServer.start(configuration(URL(filePath: path)), logger: quiet)
                try await server.run()
            }
            // An installer that was left behind is ended by its watchdog: until then it may write into the folder that
            // is removed.
            try await eventually("nobody installs any more") {
                LeftoverProcesses.working(in: path).isEmpty || !LeftoverProcesses.onData(path + "/data").isEmpty
            }
            try await withServer(configuration(folder)) { server in
                let found = try await server.sql("SELECT COUNT(*) > 0 FROM mysql.global_priv")
                #expect(found == "1\n")
                let names = try FileManager.default.contentsOfDirectory(atPath: path)
                #expect(!names.contains { $0.hasPrefix("data.installing-") }, "\(names)")
            }
        }
    }
}
