import EmbeddedMariaDB
import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// An operator reads in the log that an outage is over, and how long it was.
@Suite("A recovered database is logged", .serialized, .ownTime)
struct RecoveryLogTests {
    @Test("A server that stops and starts is noted once, at notice level, with the time that it was away")
    func server() async throws {
        try await PrivateServer.own { server in
            try await TestService.runUnready(on: server) { service in
                try await service.becomesReady()
                let ada = try await service.newUser()
                func recoveries() -> [RecordedLog.Line] {
                    service.log.lines.filter { $0.message == "The database can be reached again" }
                }
                #expect(recoveries().isEmpty, "nothing was away yet")
                for round in 1...2 {
                    let begin = ContinuousClock.now
                    await server.kill()
                    for _ in 0..<10 {
                        try await eventually("it is away") { try await ada.client.send("GET", "/v1/me").status == 503 }
                    }
                    try await server.restart()
                    try await eventually("it is back") {
                        try await ada.client.send("GET", "/v1/me").status == 200
                    }
                    // Many come at once: it is said once.
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<16 { group.addTask { _ = try await ada.call(ListSubscriptions()) } }
                        try await group.waitForAll()
                    }
                    let most = ContinuousClock.now - begin
                    let found = recoveries()
                    #expect(found.count == round, "\(service.log.lines)")
                    #expect(found.last?.level == .notice)
                    let away = Double(found.last?.metadata["away"]?.dropLast(2) ?? "") ?? -1
                    #expect(away > 0 && away < most / .seconds(1), "\(away)")
                }
            }
        }
    }

    @Test("A server that comes after the service is noted as well")
    func downAtStart() async throws {
        try await PrivateServer.own { server in
            await server.kill()
            try await TestService.runUnready(on: server) { service in
                try await eventually("it is said") {
                    service.log.lines.contains { line in
                        line.level == .error && line.message.hasPrefix("The service waits for its database")
                            && line.metadata["since"] != nil
                            && line.metadata["database"]?.contains(server.socketPath) == true
                    }
                }
                try await server.restart()
                try await service.becomesReady()
                try await eventually("the end is said") {
                    service.log.lines.contains {
                        $0.level == .notice && $0.message == "The database is prepared" && $0.metadata["away"] != nil
                    }
                }
            }
        }
    }

    @Test("A lost database is one line, and so is an outage of the server while the preparation tries again")
    func oneLine() async throws {
        try await PrivateServer.own { server in
            let control = TestDatabase(name: "recovery", socketPath: server.socketPath)
            let log = RecordedLog()
            let logger = log.logger("test", level: .debug)
            var settings = ServiceSettings(
                stateDirectory: URL(fileURLWithPath: "/nonexistent"),
                httpListen: ListenAddress(host: "127.0.0.1", port: 0),
                database: DatabaseURL(
                    endpoint: .unix(path: control.socketPath), user: EmbeddedServer.user,
                    controlDatabase: control.name),
                databaseConnections: 4)
            settings.preparationInterval = .milliseconds(100)
            let access = try await DatabaseAccess.open(settings, logger: logger)
            _ = try await Preparation(access: access, logger: log.logger("setup", level: .critical))
                .run(defaultTenant: .init(hasDemoCatalogue: false))
            try await control.run(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at, Made_at)
                VALUES ('acme', '\(control.name)_acme', RANDOM_BYTES(16), UTC_TIMESTAMP(), UTC_TIMESTAMP())
                """)
            let servers = DatabaseServers(main: try access.client(logger: logger))
            let directory = TenantDirectory(
                client: servers.main, servers: servers, controlDatabase: control.name, logger: logger)
            let service = SubTrackService(settings: settings, logger: logger)
            let preparing = Task {
                try await service.prepare(access, servers: servers, directory: directory, readiness: Readiness())
            }
            func lines(_ message: String) -> [RecordedLog.Line] {
                log.lines.filter { $0.level >= .notice && $0.message.contains(message) }
            }
            try await eventually("the lost database is said") { !lines("its database is gone").isEmpty }
            await server.kill()
            try await eventually("the preparation has tried again") {
                log.lines.contains { $0.message.hasPrefix("The database cannot be prepared") }
            }
            try await server.restart()
            try await eventually("the end is said") {
                !lines("The database can be reached again").isEmpty
            }
            preparing.cancel()
            _ = await preparing.result
            await servers.main.shutdown()
            #expect(lines("its database is gone").count == 1 && lines("Not migrated").isEmpty, "\(log.lines)")
            // A socket that is there and one that is not are different errors.
            let errors = lines("no connection").map { $0.metadata["error"] }
            #expect(!errors.isEmpty && Set(errors).count == errors.count && lines("prepared").isEmpty, "\(log.lines)")
            #expect(lines("The database can be reached again").count == 1, "\(log.lines)")
        }
    }

    @Test("A tenant whose database was missing is noted when it is there again")
    func tenant() async throws {
        try await TestService.runAlone { service in
            try await service.control.run(
                """
                INSERT INTO Tenant (Slug, Database_name, Epoch, Created_at)
                VALUES ('acme', '\(service.control.name)_acme', RANDOM_BYTES(16), UTC_TIMESTAMP())
                """)
            try await eventually("it is not ready") {
                try await service.client.send("GET", "/t/acme/v1").status == 503
            }
            // Another replica makes its tables at its start.
            try await service.runReplica { _ in
                try await eventually("it is ready") {
                    try await service.client.send("GET", "/t/acme/v1").status == 200
                }
            }
            let lines = service.log.lines.filter { $0.message == "Ready again" }
            #expect(lines.count == 1 && lines.first?.level == .notice && lines.first?.metadata["tenant"] == "acme")
        }
    }
}
