import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What an operator's commands leave behind when something comes between.
@Suite("Tenants, when something goes wrong", .tags(.otherServers), .ownTime)
struct TenantFaultTests {
    @Test("An import removes no database that it has not made, also where somebody takes its name meanwhile")
    func takenName() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    let path = folder.path + "/default.jsonl"
                    _ = try await tenants.export("default", to: path)
                    let name = service.control.name + "_shop"
                    try await service.control.run("CREATE DATABASE `\(name)`; CREATE TABLE `\(name)`.Orders (a INT)")
                    var lines = try LineReader(path: path)
                    let client = try tenants.clients.client(of: nil)
                    await #expect(throws: DatabaseTaken.self) {
                        _ = try await TenantImport.load(
                            &lines, of: "default", into: try Identifier(name), areas: tenants.areas, decisions: nil,
                            client: client,
                            logger: tenants.logger)
                    }
                    let orders = try await service.control.run("SHOW TABLES FROM `\(name)`")
                    #expect(orders == "Orders\n", "nothing was added, nothing removed")
                }
            }
        }
    }

    @Test("A closed database refuses every write, of services and of admins; it can be read, and is opened again")
    func fence() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            try await service.withTenants { tenants in
                let client = try tenants.clients.client(of: nil)
                func fence(_ body: (Connection) async throws -> Void) async throws {
                    try await client.withConnection(service.database.name, body)
                }
                try await fence(TenantFence.raise)
                // Once more, as after a command that was killed.
                try await fence(TenantFence.raise)
                let control = service.control.name
                func connections() async throws -> Set<Substring> {
                    Set(
                        try await service.control.run(
                            "SELECT ID FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() "
                                + "AND (DB = '\(control)' OR DB LIKE '\(control.replacing("_", with: "\\_"))\\_%')"
                        ).split(separator: "\n"))
                }
                let before = try await connections()
                let writes: [APIResponse] = [
                    try await ada.client.response(to: CreateSubscription(planId: plan)),
                    try await ada.client.response(to: UpdateMe(userName: .set("Ada"))),
                    try await ada.client.response(
                        to: RegisterAccount(email: "ada@example.org", password: goodPassword)),
                    try await service.client.response(to: RegisterDevice(name: "x", country: "US")),
                    try await service.client.response(to: ForgotPassword(email: "ada@example.org")),
                ]
                #expect(writes.map(\.status) == [503, 503, 503, 503, 503], "\(writes.map(\.text))")
                // One tenant is closed; all connections to the server stay, for the other tenants.
                #expect(!before.isEmpty)
                #expect(before.isSubset(of: try await connections()))
                #expect(try await ada.call(GetSubscription(id: made.id)) == made)
                for statement in [
                    "UPDATE Subscription SET Note = 'x'", "DELETE FROM Subscription",
                    "INSERT INTO Provider (Provider, Category) VALUES ('x', 'y')",
                    "UPDATE Setting SET Setting_value = 'x'",
                ] {
                    #expect(try await service.database.runFailing(statement).contains("3572"), "\(statement)")
                }
                try await fence(TenantFence.lower)
                _ = try await ada.call(CreateSubscription(planId: plan))
                #expect(try await service.database.run("SHOW TRIGGERS LIKE '%'").contains("Fence_") == false)
            }
        }
    }

    @Test(
        "Whoever writes while a tenant is moved, and has not heard of it, is refused or has written to where it is then",
        .tags(.ownServer),
        .enabled(if: ServicesServer.kind == .own, "the other server has no account with the password of this one"))
    func writersWhileMoving() async throws {
        try await PrivateServer.own { elsewhere in
            try await TestService.runAlone { service in
                // Nobody is given the time to hear of it.
                try await service.withTenants(settle: .milliseconds(1)) { tenants in
                    try await tenants.create("acme")
                    let ada = try await service.newUser(in: "acme")
                    try await service.database(of: "acme").run(
                        "INSERT INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit) "
                            + "VALUES ('Testflix', 'Basic', 5, 'US', 1, 'month')")
                    let plan = try #require(try await ada.call(ListPlans(country: "US")).plans.first)
                    let writing = Task { () async throws -> (kept: Set<UUID>, refused: Int) in
                        var (kept, refused): (Set<UUID>, Int) = ([], 0)
                        while !Task.isCancelled {
                            guard let answer = try? await ada.client.response(to: CreateSubscription(planId: plan.id))
                            else { break }
                            switch answer.status {
                            case 201: kept.insert(try answer.decode(Subscription.self).id)
                            case 503: refused += 1
                            default: Issue.record("\(answer.status) \(answer.text)")
                            }
                        }
                        return (kept, refused)
                    }
                    try await eventually("some are written") {
                        try await service.database(of: "acme").run("SELECT COUNT(*) > 5 FROM Subscription") == "1\n"
                    }
                    _ = try await tenants.move("acme", to: "mysql://root@localhost/?socket=\(elsewhere.socketPath)")
                    try await eventually("it is open again") {
                        try await ada.client.response(to: CreateSubscription(planId: plan.id)).status == 201
                    }
                    writing.cancel()
                    let (kept, refused) = try await writing.value
                    var there: Set<UUID> = []
                    try await forEachPage { cursor in
                        let page = try await ada.call(ListSubscriptions(limit: 200, cursor: cursor))
                        there.formUnion(page.subscriptions.map(\.id))
                        return page.nextCursor
                    }
                    #expect(kept.subtracting(there).isEmpty, "what was acknowledged is there")
                    #expect(!kept.isEmpty)
                    print("while moving \(kept.count) were kept and \(refused) refused")
                }
            }
        }
    }

    @Test("A tenant that a killed command left closed is named, opened by resume, and migrated")
    func leftClosed() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                try await tenants.create("acme")
                let ada = try await service.newUser(in: "acme")
                let database = service.database(of: "acme")
                let client = try tenants.clients.client(of: nil)
                try await client.withConnection(database.name) { try await TenantFence.raise(on: $0) }
                try await service.control.run("UPDATE Tenant SET Closed_at = UTC_TIMESTAMP() WHERE Slug = 'acme'")
                // A version that came meanwhile has another view.
                try await database.run(
                    "DROP VIEW Device_text; DROP TRIGGER IF EXISTS Fence_delete_Migration; "
                        + "DELETE FROM Migration WHERE Path = 'tenant/views/Device_text.sql'")
                let outcomes = try await Preparation(access: tenants.access, logger: tenants.logger)
                    .run(defaultTenant: nil)
                #expect(
                    outcomes.first { $0.slug == "acme" }?.failure?.contains("subtrackd tenant resume acme") == true)
                #expect(outcomes.first { $0.slug == "default" }?.failure == nil)
                let findings = await Doctor(access: tenants.access, logger: tenants.logger).findings()
                let finding = findings.first { $0.subject == "tenant acme" }
                #expect(finding?.level == .warning && finding?.remedy?.contains("resume acme") == true)
                #expect(try await tenants.list().first { $0.slug == "acme" }?.status == .closed)

                try await tenants.setSuspended(false, "acme")
                let shown = try await tenants.show("acme")
                #expect(shown.status == .active && shown.problem == nil, "\(shown)")
                try await eventually("it is served") {
                    try await ada.client.response(to: UpdateMe(userName: .set("Ada"))).status == 200
                }

                // What somebody lost who took the triggers away.
                try await database.run(
                    """
                    INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit)
                    VALUES (4321, 'Acme', 'Basic', 5, 'US', 1, 'month');
                    INSERT INTO Subscription (User_ID, Plan_ID, Start_date) SELECT User_ID, 4321, '2026-01-31' FROM `User` LIMIT 1;
                    DROP TRIGGER Plan_before_delete; DROP TRIGGER Plan_after_delete; DELETE FROM Plan WHERE Plan_ID = 4321;
                    """)
                let lost = await Doctor(access: tenants.access, logger: tenants.logger).findings()
                    .first { $0.subject == "tenant acme" }
                #expect(
                    lost?.level == .problem && lost?.text.contains("of the plan 4321") == true,
                    "\(String(describing: lost))")
            }
        }
    }

    @Test(
        "Ctrl-C while a tenant is closed leaves it open, its database too; nobody has to wait for the next command",
        .tags(.ownServer), .enabled(if: ServicesServer.kind == .own, "the program signs in as root"))
    func interrupted() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
                    let ada = try await service.newUser(in: "acme")
                    let url = "mysql://root@localhost/\(service.control.name)?socket=\(service.control.socketPath)"
                    for signal in [SIGINT, SIGTERM] {
                        let export = folder.path + "/\(signal).jsonl"
                        try await ServiceProcess.run(
                            ["tenant", "drop", "acme", "--yes", "--export", export, "--database-url", url], in: folder
                        ) { process in
                            try await eventually("it is closed") {
                                try await tenants.show("acme").status == .closed
                            }
                            process.signal(signal)
                            #expect(try await process.exit() == 69, "\(process.output)")
                            #expect(process.output.contains("interrupted"), "\(process.output)")
                        }
                        #expect(try await tenants.show("acme").status == .active)
                        #expect(!FileManager.default.fileExists(atPath: export))
                        #expect(
                            try await service.control.run("SELECT COUNT(*) FROM Lease WHERE Lease_name LIKE 'tenant%'")
                                == "0\n")
                    }
                    try await eventually("it is served") {
                        try await ada.client.response(to: UpdateMe(userName: .set("Ada"))).status == 200
                    }
                }
            }
        }
    }

    @Test("Hosts are changed all together or not at all, and taken from nobody")
    func hosts() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                try await tenants.create("acme", hosts: ["acme.example"])
                try await tenants.create("beta", hosts: ["beta.example"])
                await #expect(throws: TenantAdministration.Refusal.self) {
                    try await tenants.setHosts(
                        "beta", adding: ["new.example", "acme.example"], removing: ["beta.example"])
                }
                #expect(try await tenants.show("beta").hosts == ["beta.example"])
                #expect(try await tenants.show("acme").hosts == ["acme.example"])
                await #expect(throws: TenantAdministration.Refusal.self) {
                    try await tenants.create("gamma", hosts: ["gamma.example", "acme.example"])
                }
                try await tenants.setHosts("beta", adding: ["new.example", "beta.example"], removing: [])
                #expect(try await tenants.show("beta").hosts.sorted() == ["beta.example", "new.example"])
            }
        }
    }

    @Test("A backup of an older version that somebody put in place is migrated by restored; until then it answers 503")
    func restoredOlder() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                let ada = try await service.newUser()
                try await service.database.run(
                    "DROP VIEW Device_text; DELETE FROM Migration WHERE Path = 'tenant/views/Device_text.sql'")
                // The service finds out by itself that the data went back; here it is told.
                try await service.control.run("UPDATE Tenant SET Epoch = RANDOM_BYTES(16)")
                try await eventually("it looks again") {
                    try await ada.client.response(to: GetMe()).status == 503
                }
                try await tenants.restored("default")
                try await eventually("it is served") {
                    try await ada.client.response(to: GetMe()).status == 200
                }
                #expect(try await service.database.run("SELECT COUNT(*) FROM Device_text") == "1\n")
            }
        }
    }

    @Test("Triggers that a dump left out are named by the doctor, and made again by restored and migrate")
    func missingTriggers() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                let count = "SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()"
                let all = try await service.database.run(count)
                let plan = tenants.areas.plan(for: tenants.areas.standard)
                #expect(all == "\(plan.triggers.flatMap(TriggerInventory.names).count)\n")
                func finding() async -> Finding? {
                    await Doctor(access: tenants.access, logger: tenants.logger).findings()
                        .first { $0.subject == "tenant default" }
                }
                #expect(await finding()?.level == .ok)

                let loss = "DROP TRIGGER Account_before_insert; DROP TRIGGER Plan_after_update"
                try await service.database.run(loss)
                let found = await finding()
                #expect(found?.level == .problem && found?.remedy == "subtrackd tenant restored default")
                #expect(found?.text.contains("2 of its triggers are missing, Account_before_insert") == true)
                #expect(try await tenants.restored("default").count == 2)
                #expect(try await service.database.run(count) == all)

                try await service.database.run(loss)
                var preparation = Preparation(access: tenants.access, logger: tenants.logger)
                // A service that starts does not look: it takes a while for each tenant.
                #expect(try await preparation.run(defaultTenant: nil).first { $0.slug == "default" }?.applied == [])
                preparation.mendsDefinitions = true
                let outcome = try await preparation.run(defaultTenant: nil).first { $0.slug == "default" }
                #expect(outcome?.applied.sorted() == ["tenant/triggers/Account.sql", "tenant/triggers/Plan.sql"])
                #expect(try await service.database.run(count) == all)
                #expect(await finding()?.level == .ok)
                let ada = try await service.newUser()
                #expect(try await ada.client.response(to: UpdateMe(userName: .set("Ada"))).status == 200)
            }
        }
    }

    @Test("A transaction that somebody has open in one tenant keeps no other one from being migrated")
    func openTransaction() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                try await tenants.create("acme")
                try await tenants.create("beta")
                for slug in ["acme", "beta"] {
                    try await service.database(of: slug).run(
                        "UPDATE Migration SET Checksum = 'former' WHERE Path = 'tenant/triggers/Account.sql'")
                }
                let client = try tenants.clients.client(of: nil)
                let outcomes = try await client.withTransaction(service.database(of: "acme").name) { connection in
                    _ = try await connection.query("SELECT COUNT(*) FROM Account")
                    return try await Preparation(access: tenants.access, logger: tenants.logger)
                        .run(defaultTenant: nil)
                }
                #expect(outcomes.first { $0.slug == "acme" }?.failure?.contains("1205") == true, "\(outcomes)")
                #expect(
                    outcomes.first { $0.slug == "beta" }?.applied == ["tenant/triggers/Account.sql"], "\(outcomes)")
            }
        }
    }

    @Test("A server whose password is missing is not shown another's; its tenant answers 503, and says so to operators")
    func missingPassword() async throws {
        try await ServiceProcess.withFolder { folder in
            let passwords = folder.appending(path: "passwords")
            try FileManager.default.createDirectory(at: passwords, withIntermediateDirectories: true)
            await #expect(throws: ServerFault.self, "it is logged as an error") {
                try await TestService.runAlone(configure: { $0.serverPasswords = passwords }) { service in
                    let access = try await DatabaseAccess.open(service.settings, logger: service.log.logger("test"))
                    let server = "mysql://svc@db2.example.org:3306"
                    for role in [DatabaseAccess.Role.service, .migrator] {
                        #expect(throws: SettingsError.self) { _ = try access.configuration(of: server, as: role) }
                    }
                    try await service.control.run(
                        """
                        INSERT INTO Tenant (Slug, Database_name, Server_url, Epoch, Created_at) VALUES
                            ('far', '\(service.control.name)_far', '\(server)', RANDOM_BYTES(16), UTC_TIMESTAMP());
                        INSERT INTO Tenant_host (Host, Slug) VALUES ('far.example', 'far')
                        """)
                    func ask() async throws -> APIResponse {
                        try await RawHTTP.send("GET", "/v1", port: service.port, host: "far.example")
                    }
                    // It may have read the tenants between the two statements.
                    try await eventually("the service knows it and its host") {
                        let (byPath, byHost) = (try await service.client.send("GET", "/t/far/v1"), try await ask())
                        return byPath.status == 503 && byHost.status == 503
                    }
                    let byHost = try await ask()
                    #expect(byHost.status == 503 && byHost.header("retry-after") != nil)
                    #expect(try await service.client.send("GET", "/t/nobody/v1").status == 404)
                    #expect(try await service.client.send("GET", "/v1").status == 200)
                    try Data("secret\n".utf8).write(to: passwords.appending(path: "db2.example.org"))
                    #expect(try access.configuration(of: server, as: .service).user == "svc")
                }
            }
        }
    }

    @Test("The demo catalogue does not come into a tenant that was restored, or made without it")
    func noDemo() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    let path = folder.path + "/default.jsonl"
                    _ = try await tenants.export("default", to: path)
                    _ = try await tenants.import("default", from: path, isReplacing: true)
                    try await tenants.create("acme")
                    let preparation = Preparation(access: tenants.access, logger: tenants.logger)
                    let outcomes = try await preparation.run(defaultTenant: .init(hasDemoCatalogue: true))
                    #expect(outcomes.allSatisfy { $0.failure == nil && $0.applied.isEmpty }, "\(outcomes)")
                    #expect(try await tenants.show("default").counts?.plans == 0)
                }
            }
        }
    }

    @Test(
        "subtrackd sql opens the database that the tenant has now, also after it was restored",
        .tags(.ownServer), .enabled(if: ServicesServer.kind == .own, "the program has a server of its own"))
    func sqlAfterRestore() async throws {
        try await ServiceProcess.withFolder { folder in
            let state = ["--state-dir", folder.path + "/state"]
            let program = try ServiceProcess.executable()
            let file = folder.path + "/default.jsonl"
            try await ServiceProcess.run(
                ["serve", "--http-listen", "127.0.0.1:0"] + state, in: folder
            ) { process in
                _ = try await process.becomesReady()
                _ = try await Command.run(program, ["tenant", "export", "default", file] + state)
                _ = try await Command.run(program, ["tenant", "import", "default", file, "--replace"] + state)
                let name = try await Command.run(program, ["sql", "-e", "SELECT DATABASE()"] + state)
                #expect(name.contains("subtrackit_default_2"), "\(name)")
                await #expect(throws: CommandFailure.self) {
                    _ = try await Command.run(program, ["sql", "--tenant", "nobody", "-e", "SELECT 1"] + state)
                }
            }
            let name = try await Command.run(program, ["sql", "-e", "SELECT DATABASE()"] + state)
            #expect(name.contains("subtrackit_default_2"), "\(name)")
        }
    }
}
