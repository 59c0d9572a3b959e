import EmbeddedMariaDB
import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A newer MariaDB in the place of this machine's, under an installation that has users.
@Suite(
    "Upgrade of the database server",
    .enabled(if: MariaDBTree.launchers != nil, Comment(rawValue: MariaDBTree.skipped)), .tags(.otherMariaDB), .ownTime)
struct ServerUpgradeTests {
    /// What a device has from before.
    private struct Before: Sendable {
        let user: TestUser
        let subscription: Subscription
        let cursor: String
        let rows: String
    }

    private func server(_ folder: URL, _ programs: [String]) async throws -> EmbeddedServer {
        var configuration = EmbeddedServer.Configuration(directory: folder)
        configuration.durable = false
        configuration.redoLogMiB = 32
        configuration.searchPath = programs
        return try await EmbeddedServer.start(configuration, logger: RecordedLog().logger("server"))
    }

    /// The account and its device, a subscription that was renewed, and a device in step.
    private func fill(_ service: TestService) async throws -> Before {
        let plan = try await service.addPlan(fee: "17.99")
        let ada = try await service.newUser()
        try await ada.register("ada@example.org")
        let made = try await ada.call(
            CreateSubscription(planId: plan, startDate: day("2026-01-31"), note: "Größe 💸"))
        _ = try await ada.call(UpdateMe(userName: .set("Ada")))
        var cursor: String?
        while true {
            let page = try await ada.call(PullChanges(cursor: cursor))
            cursor = page.cursor
            if !page.more { break }
        }
        return Before(
            user: ada, subscription: try await ada.call(GetSubscription(id: made.id)), cursor: try #require(cursor),
            rows: try await rows(service.database))
    }

    /// What the device finds on the newer server: all is as it was, and goes on.
    private func check(_ before: Before, _ service: TestService) async throws {
        var ada = before.user
        ada.client.baseURL = service.client.baseURL
        try await eventually(within: .seconds(60), "the service answers again") {
            try await ada.client.response(to: GetMe()).status == 200
        }
        #expect(try await rows(service.database) == before.rows)
        #expect(try await ada.call(GetSubscription(id: before.subscription.id)) == before.subscription)
        let page = try await ada.call(PullChanges(cursor: before.cursor))
        #expect(page.changes.isEmpty && !page.more && page.dropped.isEmpty)
        // And it goes on: the next change has the next version, whoever makes it.
        _ = try await ada.call(UpdateSubscription(id: before.subscription.id, note: .set("after")))
        let id = before.subscription.id.uuidString.replacing("-", with: "")
        try await service.database.run(
            "UPDATE Subscription SET Start_date = End_date WHERE Subscription_ID = UNHEX('\(id)')")
        let next = try await ada.call(PullChanges(cursor: page.cursor))
        #expect(next.changes.count == 2)
        #expect(try await ada.call(GetSubscription(id: before.subscription.id)).endDate == day("2026-03-31"))
        _ = try await ada.refusal(of: CreateSubscription(planId: 999_999))
    }

    /// All rows but those of jobs and of what each request notes.
    private func rows(_ database: TestDatabase) async throws -> String {
        var text = ""
        for table in ["Country", "Currency", "Plan", "User", "Account", "Device", "Subscription", "Scope", "Setting"] {
            text += try await database.run("SELECT * FROM `\(table)` ORDER BY 1, 2")
        }
        return text + (try await database.run("SELECT Session_ID, Token_hash FROM Session ORDER BY 1"))
    }

    private func upgradeTables(_ server: EmbeddedServer) async throws {
        try await Command.run(
            (MariaDBTree.launchers ?? "") + "/mariadb-upgrade",
            ["--no-defaults", "--socket=\(server.socketPath)", "--user=root"])
    }

    @Test("In place: the service stays, its server goes and comes back newer on the same folder")
    func inPlace() async throws {
        let launchers = try #require(MariaDBTree.launchers)
        try await ServiceProcess.withFolder { folder in
            let old = try await server(folder, MariaDBTree.installed)
            let control = TestDatabase(name: "upgraded", socketPath: old.socketPath)
            do {
                try await TestService.run(on: control, isDisturbed: true) { service in
                    try await service.becomesReady()
                    let before = try await fill(service)
                    await old.stop()
                    let new = try await server(folder, [launchers])
                    do {
                        #expect(new.socketPath == old.socketPath)
                        try await upgradeTables(new)
                        try await check(before, service)
                    } catch {
                        await new.stop()
                        throw error
                    }
                    await new.stop()
                }
            } catch {
                await old.stop()
                throw error
            }
        }
    }

    @Test("By a dump into a newer server, to which the service is pointed")
    func dump() async throws {
        let launchers = try #require(MariaDBTree.launchers)
        try await ServiceProcess.withFolder { folder in
            let old = try await server(folder.appending(path: "old"), MariaDBTree.installed)
            let (before, dump): (Before, String)
            do {
                before = try await TestService.run(
                    on: TestDatabase(name: "upgraded", socketPath: old.socketPath), fill)
                dump = try await Command.run(
                    "mariadb-dump",
                    [
                        "--no-defaults", "--disable-ssl-verify-server-cert", "--socket=\(old.socketPath)",
                        // Bytes as digits: the dump passes through text here.
                        "--user=root", "--single-transaction", "--hex-blob", "--triggers",
                        "--databases", "upgraded", "upgraded_default",
                    ])
            } catch {
                await old.stop()
                throw error
            }
            await old.stop()
            let new = try await server(folder.appending(path: "new"), [launchers])
            do {
                try await Command.run(
                    "mariadb",
                    ["--no-defaults", "--disable-ssl-verify-server-cert", "--socket=\(new.socketPath)", "--user=root"],
                    input: dump)
                try await TestService.run(on: TestDatabase(name: "upgraded", socketPath: new.socketPath)) { service in
                    try await check(before, service)
                }
            } catch {
                await new.stop()
                throw error
            }
            await new.stop()
        }
    }

    @Test("subtrackd sql works with a newer client on a server without TLS, which the client refuses by default")
    func newerClient() async throws {
        let launchers = try #require(MariaDBTree.launchers)
        try await PrivateServer.own(configure: { $0.extraArguments = ["--skip-ssl"] }) { server in
            let control = TestDatabase(name: "newer_client", socketPath: server.socketPath)
            try await TestService.run(on: control) { _ in
                let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
                let url = "mysql://root@localhost/\(control.name)?socket=" + APIClient.encoded(server.socketPath)
                let found = try await Command.run(
                    try ServiceProcess.executable(), ["sql", "-e", "SELECT 41 + 1", "--database-url", url],
                    environment: ["PATH": launchers + ":" + path])
                #expect(found.contains("42"))
            }
        }
    }
}
