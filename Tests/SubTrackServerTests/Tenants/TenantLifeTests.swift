import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What an operator does with tenants, while a service runs.
@Suite("Life of tenants", .tags(.otherServers), .ownTime)
struct TenantLifeTests {
    @Test(
        "A tenant that is made is served within seconds by its path and its host, and again after it was suspended",
        .tags(.everyServer))
    func life() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                try await tenants.create("acme", hosts: ["ACME.example"])
                let ada = try await service.newUser(in: "acme")
                #expect(try await ada.client.call(GetMe()).id == ada.user.id)
                let byHost = try await RawHTTP.send("GET", "/v1", port: service.port, host: "acme.example:443")
                #expect(try byHost.decode(GetServerInfo.Output.self).tenant == "acme")

                let all = try await tenants.list()
                #expect(all.map(\.slug) == ["acme", "default"] && all[0].hosts == ["acme.example"])
                let shown = try await tenants.show("acme")
                #expect(shown.problem == nil && shown.counts?.users == 1 && shown.status == .active)

                try await tenants.setSuspended(true, "acme")
                try await eventually("it is suspended") {
                    try await ada.client.response(to: GetMe()).status == 403
                }
                #expect(try await ada.client.refusal(of: GetMe()).code == .tenantSuspended)
                #expect(try await tenants.show("acme").status == .suspended)
                try await tenants.setSuspended(false, "acme")
                try await eventually("it goes on") {
                    try await ada.client.response(to: GetMe()).status == 200
                }
            }
        }
    }

    @Test("What cannot be done is refused with a reason, and leaves nothing behind")
    func refusals() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                for slug in ["", "A", "a_b", "a-b", "a'b", String(repeating: "a", count: 33), "ä"] {
                    await #expect(throws: SettingsError.self, "\(slug)") { try await tenants.create(slug) }
                }
                for host in ["", "a b", "a:80", "-a", "a/b", "a_b"] {
                    await #expect(throws: SettingsError.self, "\(host)") {
                        try await tenants.create("x", hosts: [host])
                    }
                }
                try await tenants.create("acme", hosts: ["acme.example"])
                await #expect(throws: TenantAdministration.Refusal.self) { try await tenants.create("acme") }
                await #expect(throws: TenantAdministration.Refusal.self) {
                    try await tenants.create("other", hosts: ["acme.example"])
                }
                // A database of somebody else's that happens to have the name.
                try await service.control.run(
                    "CREATE DATABASE `\(service.control.name)_taken`; CREATE TABLE `\(service.control.name)_taken`.Mine (a INT)"
                )
                await #expect(throws: TenantAdministration.Refusal.self) { try await tenants.create("taken") }
                for slug in ["nobody", "default_x"] {
                    await #expect(throws: (any Error).self) { try await tenants.setSuspended(true, slug) }
                    await #expect(throws: (any Error).self) { try await tenants.restored(slug) }
                    await #expect(throws: (any Error).self) { _ = try await tenants.export(slug, to: "/nonexistent/x") }
                }
                #expect(try await tenants.list().map(\.slug) == ["acme", "default"])
                let other = service.control.name.replacing("_", with: "\\_") + "\\_other"
                #expect(try await service.control.run("SHOW DATABASES LIKE '\(other)'") == "")
            }
        }
    }

    @Test("Cut off in the middle, a tenant is made by running the command again")
    func cutOff() async throws {
        try await TestService.runAlone { service in
            try await service.control.run(
                "CREATE DATABASE `\(service.control.name)_acme`; "
                    + "CREATE TABLE `\(service.control.name)_acme`.Migration (Path VARCHAR(150) PRIMARY KEY, "
                    + "Checksum VARCHAR(20) NOT NULL, Applied_at DATETIME NOT NULL)")
            try await service.withTenants { tenants in
                try await tenants.create("acme")
                #expect(try await tenants.show("acme").problem == nil)
            }
        }
    }

    @Test(
        "What a tenant has goes into a file and comes back, to the last byte, while others are served",
        .tags(.everyServer))
    func exportAndImport() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
                    let ada = try await service.newUser(in: "acme")
                    try await service.database(of: "acme").run(
                        """
                        INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                        VALUES ('Kanal "Ü" \\\\ 🎬', 'a\\nb', 17.99, 'US', 1, 'month')
                        """)
                    let plan = try #require(try await ada.call(ListPlans(country: "US")).plans.first)
                    let made = try await ada.call(
                        CreateSubscription(planId: plan.id, startDate: day("2026-01-31"), note: "'\"\\ 💸"))
                    let path = folder.path + "/acme.jsonl"
                    let rows = try await tenants.export("acme", to: path)
                    #expect(rows > 300)
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    #expect(attributes[.posixPermissions] as? Int == 0o600)

                    // In its place: all is there, the token is a token still.
                    let before = try await service.database(of: "acme").allRows()
                    _ = try await tenants.import("acme", from: path, isReplacing: true)
                    let restored = service.database(of: "acme_2")
                    #expect(try await restored.allRows() == before)
                    try await eventually("it is served") {
                        try await ada.client.response(to: GetSubscription(id: made.id)).status == 200
                    }
                    #expect(try await ada.call(GetSubscription(id: made.id)) == made)
                    // And it lives: triggers work.
                    try await eventually("it takes writes") {
                        try await ada.client.response(to: UpdateMe(userName: .set("Ada"))).status == 200
                    }
                    try await service.database(of: "acme").drop()
                    let renewed = try await ada.call(RenewSubscription(id: made.id))
                    #expect(renewed.endDate == day("2026-03-31") && renewed.version > made.version)
                }
            }
        }
    }

    @Test(
        "A copy of a tenant has its people and data; who is signed in, what is to be sent and secrets are the original's"
    )
    func copy() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
                    let ada = try await service.newUser(in: "acme")
                    try await ada.register("ada@example.org")
                    try await service.database(of: "acme").run(
                        """
                        INSERT INTO Mail_secret (Secret_hash, Purpose, Email, Expires_at)
                        VALUES (RANDOM_BYTES(32), 'reset', 'ada@example.org', UTC_TIMESTAMP() + INTERVAL 1 HOUR);
                        """)
                    let path = folder.path + "/acme.jsonl"
                    _ = try await tenants.export("acme", to: path)
                    _ = try await tenants.import("copy", from: path, isReplacing: false)
                    var copy = ada.client
                    copy.prefix = "/t/copy"
                    try await eventually("the copy is served") {
                        try await copy.send("GET", "/v1").status != 404
                    }
                    #expect(try await copy.refusal(of: GetMe()).code == .tokenInvalid)
                    let counts = try await service.database(of: "copy").run(
                        "SELECT (SELECT COUNT(*) FROM Session), (SELECT COUNT(*) FROM Mail), "
                            + "(SELECT COUNT(*) FROM Mail_secret), (SELECT COUNT(*) FROM Account)")
                    #expect(counts == "0\t0\t0\t1\n")
                    let original = try await service.database(of: "acme").run(
                        "SELECT (SELECT COUNT(*) FROM Session), (SELECT COUNT(*) FROM Mail)")
                    #expect(original == "1\t1\n")
                    let keys = try await service.control.run(
                        "SELECT COUNT(*) FROM `\(service.control.name)_acme`.Setting a JOIN "
                            + "`\(service.control.name)_copy`.Setting b USING (Setting_name, Setting_value) "
                            + "WHERE Setting_name LIKE '%key%'")
                    #expect(keys == "0\n", "cursors of one are none of the other")
                    copy.token = nil
                    let again = try await copy.call(CreateSession(email: "ada@example.org", password: goodPassword))
                    #expect(again.user.id == ada.user.id)
                }
            }
        }
    }

    @Test("A tenant gets a backup back; its devices are told, and others notice nothing")
    func restore() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
                    let (ada, other) = (try await service.newUser(in: "acme"), try await service.newUser())
                    try await service.database(of: "acme").run(
                        "INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) "
                            + "VALUES ('Testflix', 'Basic', 5, 'US', 1, 'month')")
                    let plan = try #require(try await ada.call(ListPlans(country: "US")).plans.first)
                    let first = try await ada.call(CreateSubscription(planId: plan.id))
                    let path = folder.path + "/acme.jsonl"
                    _ = try await tenants.export("acme", to: path)
                    let second = try await ada.call(CreateSubscription(planId: plan.id))
                    let cursor = try await ada.call(PullChanges()).cursor

                    // Meanwhile another tenant is served without one error.
                    let serving = Task { () async throws -> Int in
                        var count = 0
                        while !Task.isCancelled {
                            guard let answer = try? await other.client.response(to: GetMe()) else { break }
                            #expect(answer.status == 200)
                            count += 1
                        }
                        return count
                    }
                    let unused = try await tenants.import("acme", from: path, isReplacing: true).unused
                    #expect(unused == service.control.name + "_acme")
                    try await eventually("the backup is served") {
                        try await ada.client.response(to: GetSubscription(id: second.id)).status == 404
                    }
                    #expect(try await ada.call(GetSubscription(id: first.id)) == first)
                    #expect(try await ada.refusal(of: PullChanges(cursor: cursor)).code == .resync)
                    let again = try await ada.call(CreateSubscription(planId: plan.id))
                    #expect(again.version > first.version)
                    serving.cancel()
                    #expect(try await serving.value > 0)
                }
            }
        }
    }

    @Test("A suspended tenant that is dropped and imported is suspended again, unless the operator wants it active")
    func suspended() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone(configure: { $0.looksAtNoTenant() }) { service in
                try await service.withTenants { tenants in
                    let path = folder.path + "/acme.jsonl"
                    try await tenants.create("acme")
                    try await tenants.setSuspended(true, "acme")
                    _ = try await tenants.drop("acme", exportingTo: path)
                    let imported = try await tenants.import("acme", from: path, isReplacing: false)
                    #expect(imported.isSuspended)
                    #expect(try await tenants.show("acme").status == .suspended)
                    #expect(try await tenants.import("copy", from: path, isReplacing: false).isSuspended)
                    let active = try await tenants.import("other", from: path, isReplacing: false, isActive: true)
                    #expect(!active.isSuspended)
                    #expect(try await tenants.show("other").status == .active)
                    // The state of a tenant that is here is the operator's.
                    #expect(try await !tenants.import("other", from: path, isReplacing: true).isSuspended)
                    #expect(try await tenants.show("other").status == .active)
                }
            }
        }
    }

    @Test("A file that is cut off, changed or something else is refused, and no database is left")
    func badFiles() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    let path = folder.path + "/good.jsonl"
                    let plan = try await service.addPlan("A plan that is lost")
                    try await service.newUser().call(CreateSubscription(planId: plan))
                    let exported = try await tenants.export("default", to: path)
                    let lines = try String(contentsOfFile: path, encoding: .utf8).split(
                        separator: "\n", omittingEmptySubsequences: false)
                    let bad: [String: String] = [
                        "empty": "", "nothing": "{}\n", "cut": lines.dropLast(3).joined(separator: "\n"),
                        "short": (lines.prefix(1) + lines.dropFirst(3)).joined(separator: "\n"),
                        "newer": lines.joined(separator: "\n").replacing("0001_reference", with: "9999_future"),
                        "table": lines.joined(separator: "\n").replacing("\"Country\"", with: "\"mysql.user\""),
                        "row": lines.joined(separator: "\n").replacing("[\"AD\",", with: "["),
                        "plan": lines.filter { !$0.contains("A plan that is lost") }.joined(separator: "\n")
                            .replacing("\"rows\":\(exported)", with: "\"rows\":\(exported - 1)"),
                    ]
                    for (name, text) in bad {
                        let file = folder.path + "/\(name)"
                        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                        await #expect(throws: TenantFileFault.self, "\(name)") {
                            _ = try await tenants.import("acme", from: file, isReplacing: false)
                        }
                    }
                    await #expect(throws: TenantFileFault.self) {
                        _ = try await tenants.import("acme", from: folder.path + "/none", isReplacing: false)
                    }
                    #expect(try await tenants.list().map(\.slug) == ["default"])
                    #expect(
                        try await service.control.run("SHOW DATABASES LIKE '\(service.control.name)\\_acme%'") == "")
                    await #expect(throws: TenantAdministration.Refusal.self, "no file is overwritten") {
                        _ = try await tenants.export("default", to: path)
                    }
                }
            }
        }
    }

    @Test(
        "A dropped tenant is gone with its database and leaves an export from which it comes back",
        .tags(.everyServer))
    func drop() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants(settle: nil) { tenants in
                    try await tenants.create("acme", hosts: ["acme.example"])
                    let ada = try await service.newUser(in: "acme")
                    let path = folder.path + "/acme.jsonl"
                    try await tenants.drop("acme", exportingTo: path)
                    // While it was closed it answered 503 `tenant_migrating`, and no request met a missing database.
                    try await eventually("it is unknown") {
                        try await ada.client.response(to: GetMe()).status == 404
                    }
                    #expect(try await service.control.run("SHOW DATABASES LIKE '\(service.control.name)\\_acme'") == "")
                    #expect(try await service.control.run("SELECT COUNT(*) FROM Tenant_host") == "0\n")
                    _ = try await tenants.import("acme", from: path, isReplacing: false)
                    try await eventually("it is back") {
                        try await ada.client.response(to: GetMe()).status == 200
                    }
                }
            }
        }
    }

    @Test(
        "A tenant that is moved to another server takes all along, is closed meanwhile, and goes on without a new epoch",
        .tags(.ownServer),
        .enabled(if: ServicesServer.kind == .own, "the other server has no account with the password of this one"))
    func move() async throws {
        try await PrivateServer.own { elsewhere in
            try await TestService.runAlone { service in
                let server = "mysql://root@localhost/?socket=\(elsewhere.socketPath)"
                try await service.withTenants(settle: nil) { tenants in
                    try await tenants.create("acme")
                    let ada = try await service.newUser(in: "acme")
                    let before = try await ada.call(PullChanges())
                    let moving = Task { try await tenants.move("acme", to: server) }
                    try await eventually("it is closed") {
                        try await ada.client.response(to: GetMe()).status == 503
                    }
                    #expect(try await ada.refusal(of: GetMe()).code == .tenantMigrating)
                    #expect(try await service.client.send("GET", "/v1").status == 200)
                    let (_, unused) = try await moving.value
                    try await eventually("it is open again") {
                        try await ada.client.response(to: GetMe()).status == 200
                    }
                    #expect(unused == service.control.name + "_acme")
                    #expect(
                        try await tenants.show("acme").server
                            == "mysql://root@localhost/?socket=\(elsewhere.socketPath)")
                    // Gone from where it was: what is served is what is over there.
                    try await TestDatabase(name: unused, socketPath: service.control.socketPath).drop()
                    #expect(try await ada.call(PullChanges(cursor: before.cursor)).changes.isEmpty)
                    let there = TestDatabase(
                        name: try await tenants.show("acme").database, socketPath: elsewhere.socketPath)
                    #expect(try await there.run("SELECT COUNT(*) FROM `User`") == "1\n")
                    // A tenant can be made there as well, and its people are served.
                    try await tenants.create("beta", server: server)
                    _ = try await service.newUser(in: "beta")
                    // And what fills and reads a tenant finds it there.
                    let size = SeedSize(users: 3, plans: 5, subscriptions: 4, seed: 1, today: day("2026-01-31"))
                    let written = try await tenants.access.withTenant("beta", logger: tenants.logger) { beta in
                        _ = try await SeedWork(beta).run(size, isAdding: true)
                        return try await CatalogueExport(beta).run(.csv) { _ in }
                    }
                    #expect(written >= 5)
                    let beta = TestDatabase(
                        name: service.control.name + "_beta", socketPath: elsewhere.socketPath)
                    #expect(try await beta.run("SELECT COUNT(*) FROM `User`") == "4\n")
                }
            }
        }
    }

    @Test("A tenant on a server that is away answers 503, and the others are served")
    func serverAway() async throws {
        // For a server that is away a request waits as long as it may.
        try await TestService.runAlone(configure: { $0.waits = RequestWaits() }) { service in
            try await service.control.run(
                """
                INSERT INTO Tenant (Slug, Database_name, Server_url, Epoch, Created_at) VALUES
                    ('far', '\(service.control.name)_far', 'mysql://root@localhost/?socket=/nonexistent/socket',
                     RANDOM_BYTES(16), UTC_TIMESTAMP())
                """)
            try await eventually("the service knows it") {
                try await service.client.send("GET", "/t/far/v1").status == 503
            }
            #expect(try await service.client.send("GET", "/v1").status == 200)
            // It does not stop a replica from starting, whose log names the server.
            try await service.runReplica { replica in
                let answer = try await replica.client.send("GET", "/v1")
                #expect(answer.status == 200)
                #expect(try await replica.client.send("GET", "/t/far/v1").status == 503)
                let said = replica.log.lines.filter { $0.metadata["database"]?.contains("/nonexistent/socket") == true }
                #expect(said.contains { $0.level == .warning && $0.message == "no connection" }, "\(replica.log.lines)")
            }
        }
    }
}
