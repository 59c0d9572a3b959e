import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// From nothing to a running server, and in order back to nothing.
@Suite(.tags(.otherMariaDB), .ownTime) struct LifecycleTests {
    @Test func aSecondStartFindsTheDataOfTheFirst() async throws {
        try await withFolder { folder in
            let settings = configuration(folder.appending(path: "made/by/the/first start"))
            try await withServer(settings) { server in
                _ = try await server.sql("CREATE DATABASE d; CREATE TABLE d.t (a INT); INSERT INTO d.t VALUES (42)")
            }
            try await withServer(settings) { server in
                let found = try await server.sql("SELECT a FROM d.t")
                #expect(found == "42\n")
            }
        }
    }

    @Test(arguments: ["-quote'd \"twice\"; $HOME `id`", "ümläut 数据 100%"])
    func theDirectoryMayHaveAnyName(name: String) async throws {
        try await withFolder { folder in
            try await withServer(configuration(folder.appending(path: name))) { server in
                let version = try await server.sql("SELECT VERSION()")
                #expect(version.contains("MariaDB"))
                #expect(server.socketPath.hasPrefix(folder.path))
            }
        }
    }

    @Test func aServerIsSafeAndSmall() async throws {
        try await PrivateServer.own { server in
            let variables = try await server.sql(
                """
                SELECT @@skip_networking, @@skip_name_resolve, @@performance_schema, @@character_set_server,
                       @@collation_server, @@innodb_buffer_pool_size DIV 1048576, @@log_bin, @@time_zone
                """)
            #expect(variables == "1\t1\t0\tutf8mb4\tutf8mb4_unicode_ci\t64\t0\t+00:00\n")
        }
    }

    @Test(arguments: [(true, "1\t1\n"), (false, "2\t1\n")])
    func onlyTestsDoWithoutDurability(durable: Bool, expected: String) async throws {
        #expect(EmbeddedServer.Configuration(directory: URL(filePath: "/")).durable)
        try await PrivateServer.own {
            $0.durable = durable
        } _: { server in
            // A number on MariaDB 10.11, a word on 11.8.
            let found = try await server.sql(
                "SELECT @@innodb_flush_log_at_trx_commit, @@innodb_doublewrite IN ('1', 'ON')")
            #expect(found == expected)
        }
    }

    @Test func nobodyElseCanReachTheSocket() async throws {
        try await withFolder { folder in
            let settings = configuration(folder.appending(path: "state"))
            try await withServer(settings) { _ in }
            // Somebody opened it up in between.
            chmod(folder.path + "/state/run", 0o777)
            try await withServer(settings) { server in
                for path in ["/state", "/state/run", "/state/data", "/state/tmp"] {
                    let mode = try FileManager.default.attributesOfItem(atPath: folder.path + path)[.posixPermissions]
                    #expect(mode as? Int == 0o700, "\(path)")
                }
                #expect(server.socketPath == folder.path + "/state/run/mariadbd.sock")
            }
        }
    }

    @Test func whoGetsInByAnotherUsersFolderIsRefused() async throws {
        try await withFolder { folder in
            let state = folder.appending(path: "state")
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: state.path + "/tmp", withDestinationPath: folder.path + "/elsewhere")
            try FileManager.default.createDirectory(
                atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
            try Data().write(to: folder.appending(path: "elsewhere/precious"))
            try await withServer(configuration(state)) { _ in }
            #expect(FileManager.default.fileExists(atPath: folder.path + "/elsewhere/precious"))
        }
    }

    @Test func nothingIsInheritedFromTheParent() async throws {
        setenv("SUBTRACKIT_TEST_SECRET", "correct horse", 1)
        setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1)
        defer {
            unsetenv("SUBTRACKIT_TEST_SECRET")
            unsetenv("NOTIFY_SOCKET")
        }
        let inheritable = open("/etc/hostname", O_RDONLY)
        defer { close(inheritable) }
        try await PrivateServer.own { server in
            let process = try #require(await server.processID)
            let environment = try String(contentsOfFile: "/proc/\(process)/environ", encoding: .utf8)
            #expect(!environment.contains("SUBTRACKIT") && !environment.contains("NOTIFY"))
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
            }
            #expect(!descriptors.contains("/etc/hostname"))
            // Ctrl-C at the terminal goes to the parent's session, not to this one.
            #expect(getsid(process) == process && getsid(0) != process)
        }
    }

    @Test func nothingIsLeftAfterAStop() async throws {
        try await withFolder { folder in
            let processes = try await withServer(configuration(folder)) { server in
                let process = try #require(await server.processID)
                return try [process, #require(watchdog(over: process))]
            }
            #expect(processes.allSatisfy { !exists($0) })
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/run/mariadbd.sock"))
        }
    }

    @Test func stoppingTwiceAtOnceStopsOnce() async throws {
        try await withFolder { folder in
            let server = try await EmbeddedServer.start(configuration(folder), logger: quiet)
            async let one: Void = server.stop()
            async let other: Void = server.stop()
            _ = await (one, other)
            #expect(await server.processID == nil)
            await #expect(throws: EmbeddedServerError.stopped) { try await server.restart() }
        }
    }

    /// A server that no SIGTERM reaches: it is killed when its time is over, and the data are found again.
    @Test func aServerThatDoesNotStopIsKilledAndRecovers() async throws {
        try await withFolder { folder in
            let programs = folder.path + "/programs"
            try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
            let deaf = "#!/bin/sh\ntrap '' TERM\nPATH=$PATH:/usr/sbin:/usr/libexec\nsetsid --wait mariadbd \"$@\"\n"
            try deaf.write(toFile: programs + "/mariadbd", atomically: true, encoding: .utf8)
            chmod(programs + "/mariadbd", 0o755)
            var settings = configuration(folder.appending(path: "state"))
            settings.searchPath = [programs, "/usr/bin", "/usr/sbin"]
            settings.shutsDownWithin = .milliseconds(200)
            let book = LogBook()
            try await withServer(settings, logger: book.logger) { server in
                _ = try await server.sql("CREATE DATABASE d; CREATE TABLE d.t (a INT); INSERT INTO d.t VALUES (42)")
            }
            #expect(book.text.contains("did not stop in time"))
            try await withServer(configuration(folder.appending(path: "state"))) { server in
                let found = try await server.sql("SELECT a FROM d.t")
                #expect(found == "42\n")
            }
        }
    }

    @Test func aRunningServerIsFoundByItsDirectory() async throws {
        try await withFolder { folder in
            #expect(await EmbeddedServer.runningSocket(in: folder) == nil)
            #expect(await EmbeddedServer.runningSocket(in: folder.appending(path: "missing")) == nil)
            try await withServer(configuration(folder)) { server in
                #expect(await EmbeddedServer.runningSocket(in: folder, within: .seconds(60)) == server.socketPath)
            }
            #expect(await EmbeddedServer.runningSocket(in: folder) == nil)
        }
    }

    @Test func cancellingAStartLeavesNothing() async throws {
        try await withFolder { folder in
            for moment in StartMoment.allCases {
                let start = Task {
                    try await EmbeddedServer.start(configuration(folder), logger: quiet)
                }
                await moment.reached(in: folder.path)
                start.cancel()
                await (try? start.value)?.stop()
                #expect(LeftoverProcesses.onData(folder.path + "/data").isEmpty, "cancelled when \(moment)")
                // Processes of an installation were ended with it; the last one may still be on its way out.
                try await eventually("nothing works there, cancelled when \(moment)") {
                    LeftoverProcesses.working(in: folder.path).isEmpty
                }
            }
            try await withServer(configuration(folder)) { server in
                let found = try await server.sql("SELECT 1")
                #expect(found == "1\n")
            }
        }
    }
}

/// A path that is too long for a socket in it.
@Suite(.ownTime) struct LongPathTests {
    @Test func theSocketOfALongPathLiesElsewhereAndGoesWithTheServer() async throws {
        try await withFolder { folder in
            let long = folder.appending(path: String(repeating: "long/", count: 30))
            let book = LogBook()
            for round in 1...2 {
                let outside = try await withServer(configuration(long), logger: book.logger) { server in
                    #expect(server.socketPath.utf8.count <= 107)
                    #expect(!server.socketPath.hasPrefix(folder.path))
                    #expect(await EmbeddedServer.runningSocket(in: long, within: .seconds(60)) == server.socketPath)
                    let found = try await server.sql(
                        round == 1 ? "CREATE DATABASE d; SELECT 0" : "SELECT COUNT(*) FROM mysql.db")
                    #expect(found == "0\n")
                    let folder = URL(filePath: server.socketPath).deletingLastPathComponent().path
                    let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
                    #expect(mode as? Int == 0o700)
                    return folder
                }
                #expect(!FileManager.default.fileExists(atPath: outside))
            }
            #expect(book.text.contains("too long"))
        }
    }

    /// The longest path that fits is used, the next one is not.
    @Test(arguments: [107, 108])
    func theLimitIs107Bytes(length: Int) async throws {
        try await withFolder { folder in
            let fill = length - "/run/mariadbd.sock".utf8.count - folder.path.utf8.count - 1
            let state = folder.appending(path: String(repeating: "x", count: fill))
            try await withServer(configuration(state)) { server in
                #expect(server.socketPath.hasPrefix(folder.path) == (length == 107))
                let found = try await server.sql("SELECT 1")
                #expect(found == "1\n")
            }
        }
    }
}
