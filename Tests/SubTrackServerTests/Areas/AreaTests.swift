import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// An area that is on in some tenants and off in others, while the service runs.
@Suite("Areas on and off", .tags(.otherServers), .ownTime)
struct AreaTests {
    @Test("An area that is off is nowhere: not in the API, its description, sync, jobs or the database")
    func off() async throws {
        let notes = NotesArea()
        try await TestService.runWithNotes(
            notes,
            configure: {
                PlainSocket.listen(&$0)
                $0.jobInterval = .milliseconds(50)
            }
        ) { service in
            let ada = try await service.newUser()
            #expect(
                try await service.client.call(GetServerInfo()).areas == [
                    "catalog", "accounts", "subscriptions", "contacts", "reminders",
                ])
            for (method, path) in [("GET", "/v1/notes"), ("POST", "/v1/notes"), ("PUT", "/v1/notes")] {
                for client in [service.client, ada.client] {
                    let response = try await client.send(method, path, json: "{}")
                    #expect(response.status == 404)
                    let problem = try response.problem()
                    #expect(problem.code == .areaOff && problem.type == "/problems/area_off")
                    #expect(problem.detail.contains("\"notes\""))
                }
            }
            let socket = try await service.connectSocket()
            #expect(try await socket.call("notes.list").problem(code: -32000).code == .areaOff)
            await socket.close()
            let live = try await RawWebSocket.open(port: service.port, token: ada.client.token)
            #expect(try await live.call("notes.add", ["text": "x"]).problem(code: -32000).code == .areaOff)
            try await live.sendClose()
            for path in ["/openapi.json", "/t/default/openapi.json"] {
                let description = try JSON(try await service.client.send("GET", path).body)
                #expect(description["paths"]?["/v1/notes"] == nil && description["paths"]?["/v1/me"] != nil)
            }
            let page = try await service.client.send("GET", "/problems/area_off")
            #expect(page.status == 200 && page.text.contains("subtrackd tenant areas"))

            var copy = AnyCopy()
            #expect(try await !copy.pull(ada, from: service).contains("note"))
            let pushed = try await ada.client.send(
                "POST", "/v1/changes",
                json: """
                    {"mutations": [{"key": "\(UUID())", "entity": "note", "id": "\(UUID())", "op": "create",
                        "fields": {"text": "x"}}]}
                    """)
            #expect(pushed.status == 200 && pushed.text.contains("\"area_off\""))

            try await eventually("jobs run") {
                try await service.control.run("SELECT COUNT(*) FROM Tenant_counter") == "1\n"
            }
            #expect(notes.runs.count("default") == 0)
            #expect(try await service.partsOfNotes() == 0)
        }
    }

    @Test(
        "Switched on while the service runs it is whole; switched off it hides and keeps its rows; on again they are there"
    )
    func switched() async throws {
        let notes = NotesArea()
        try await TestService.runWithNotes(notes, configure: { $0.jobInterval = .milliseconds(50) }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await ada.call(CreateSubscription(planId: plan))
            var (early, late) = (AnyCopy(), AnyCopy())
            try await early.pull(ada, from: service)

            try await service.withTenants { tenants in
                let states = try await tenants.setAreas("default", enabling: ["notes"])
                #expect(states.last == .init(name: "notes", isOn: true, isFixed: false, isDecided: true))
                try await service.notes(are: true)
                #expect(try await service.partsOfNotes() == 7)
                try await service.add("first", as: ada)
                #expect(try await service.notes(of: ada) == ["first"])
                try await ada.call(CreateSubscription(planId: plan))
                #expect(try await service.database.run("SELECT Subscriptions FROM Noted_count") == "1\n")
                #expect(try await service.database.run("SELECT Text FROM Note_text") == "first\n")
                let description = try JSON(try await service.client.send("GET", "/openapi.json").body)
                var client = ada.client
                client.contract = APIContract(document: description)
                #expect(try await client.call(ListNotes()).texts == ["first"])
                #expect(description["paths"]?["/v1/notes"]?["post"] != nil)
                try await eventually("its job runs") { notes.runs.count("default") > 0 }
                try await early.pull(ada, from: service)
                #expect(early.notes == ["first"] && early.resyncs == 0)

                try await tenants.setAreas("default", disabling: ["notes"])
                try await service.notes(are: false)
                #expect(try await service.send(ListNotes(), as: ada).status == 404)
                #expect(try await service.partsOfNotes() == 7)
                // Rules on other areas' tables hold on.
                try await ada.call(CreateSubscription(planId: plan))
                #expect(try await service.database.run("SELECT Subscriptions FROM Noted_count") == "2\n")
                let runs = notes.runs.count("default")
                try await service.database.run(
                    "INSERT INTO Note (Note_ID, User_ID, Text, Ver) VALUES (\(hex(UUID())), \(hex(ada.user.id)), 'hidden', 0)"
                )
                #expect(try await !early.pull(ada, from: service).contains("note"))
                #expect(try await !late.pull(ada, from: service).contains("note"))
                #expect(notes.runs.count("default") <= runs + 1, "one may have been under way")

                try await tenants.setAreas("default", enabling: ["notes"])
                try await service.notes(are: true)
                #expect(try await service.notes(of: ada) == ["first", "hidden"])
                // A device that has seen nothing of it goes on; one that has rows of it begins anew.
                try await late.pull(ada, from: service)
                #expect(late.notes == ["first", "hidden"] && late.resyncs == 0)
                try await early.pull(ada, from: service)
                #expect(early.notes == ["first", "hidden"] && early.resyncs == 1)
                #expect(late.rows.filter { $0.key.hasPrefix("subscription ") }.count == 3)
                let settled = late.cursor
                #expect(try await late.pull(ada, from: service).isEmpty && late.cursor == settled)
            }
        }
    }

    @Test("A replica that has not read of it yet costs no device a row")
    func replicas() async throws {
        try await TestService.runWithNotes { service in
            let ada = try await service.newUser()
            try await service.runReplica(configure: { $0.tenantReadingInterval = .seconds(3600) }) { replica in
                // It reads the tenants now, and then no more.
                var copy = AnyCopy()
                try await copy.pull(ada, from: replica)
                try await service.withTenants { _ = try await $0.setAreas("default", enabling: ["notes"]) }
                try await service.notes(are: true)
                try await service.add("first", as: ada)
                try await ada.call(UpdateMe(userName: .set("Ada")))
                #expect(try await copy.pull(ada, from: replica) == ["me"])
                #expect(try await replica.send(ListNotes(), as: ada).status == 404)
                try await copy.pull(ada, from: service)
                #expect(copy.notes == ["first"] && copy.resyncs == 0)
            }
            // One that reads as it should follows by itself.
            try await service.runReplica { replica in
                try await replica.notes(are: true)
                #expect(try await replica.notes(of: ada) == ["first"])
                try await service.withTenants { _ = try await $0.setAreas("default", disabling: ["notes"]) }
                try await replica.notes(are: false)
            }
        }
    }

    private struct Killed: Error {}

    /// Switches the notes on, and ends before the statement of that number.
    /// - Returns: whether it was through before.
    private func enable(in service: TestService, killedBefore position: Int = .max) async throws -> Bool {
        try await service.withTenants { tenants in
            let count = Mutex(0)
            var tenants = tenants
            tenants.beforeStatement = { _ in
                let index = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                guard index < position else { throw Killed() }
            }
            do {
                try await tenants.setAreas("default", enabling: ["notes"])
                return true
            } catch is Killed {
                return false
            }
        }
    }

    @Test(
        "Killed at any statement of the switching on, the tenant goes on without the area; the same command completes it"
    )
    func killed() async throws {
        try await TestService.runWithNotes { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            #expect(try await enable(in: service))
            let expected = try await SchemaPicture.take(of: service.database)
            var kills = 0
            for position in stride(from: 0, to: 1_000, by: TestStage.faults ? 1 : 4) {
                try await service.withTenants { _ = try await $0.setAreas("default", disabling: ["notes"]) }
                try await service.notes(are: false)
                // As if it had never been on.
                try await service.database.run(
                    """
                    DROP VIEW IF EXISTS Note_text;
                    DROP TABLE IF EXISTS Note, Noted_count;
                    DROP TRIGGER IF EXISTS Noted_subscription_after_insert;
                    DROP TRIGGER IF EXISTS Note_user_before_delete;
                    DELETE FROM Migration WHERE Path LIKE 'notes/%'
                    """)
                let isThrough = try await enable(in: service, killedBefore: position)
                if !isThrough {
                    kills += 1
                    #expect(try await service.send(ListNotes(), as: ada).status == 404)
                    try await ada.call(CreateSubscription(planId: plan))
                    // A replica that starts meanwhile serves the tenant, and completes the tables that the killed command began.
                    if kills == 2 {
                        let status = try await service.runReplica { replica in
                            try await replica.send(ListNotes(), as: ada).status
                        }
                        #expect(status == 404)
                        #expect(try await service.partsOfNotes() == 7)
                    }
                    #expect(try await enable(in: service))
                }
                try await service.notes(are: true)
                #expect(try await SchemaPicture.take(of: service.database) == expected, "killed before \(position)")
                #expect(try await service.notes(of: ada) == [])
                guard !isThrough else { break }
            }
            #expect(kills >= 4)
        }
    }

    @Test("A refused switch names the reason and changes nothing; a suspended tenant can be switched")
    func refusals() async throws {
        try await TestService.runWithNotes { service in
            try await service.withTenants { tenants in
                func refusal(_ slug: String = "default", _ enabling: [String] = [], _ disabling: [String] = []) async
                    -> String
                {
                    do {
                        return "\(try await tenants.setAreas(slug, enabling: enabling, disabling: disabling))"
                    } catch {
                        return "\(error)"
                    }
                }
                #expect(
                    await refusal("default", ["musik"]).contains(
                        "these can be switched on and off: contacts, reminders, notes"))
                #expect(await refusal("default", [], ["accounts"]).contains("accounts is on in every tenant"))
                #expect(await refusal("nobody", ["notes"]).contains("no tenant nobody"))
                try await service.control.run("UPDATE Tenant SET Closed_at = UTC_TIMESTAMP()")
                #expect(await refusal("default", ["notes"]).contains("subtrackd tenant resume default"))
                try await service.control.run("UPDATE Tenant SET Closed_at = NULL")
                #expect(try await service.control.run("SELECT COUNT(*) FROM Tenant_area") == "0\n")
                #expect(try await service.partsOfNotes() == 0)

                try await tenants.setSuspended(true, "default")
                try await tenants.setAreas("default", enabling: ["notes"])
                try await eventually("it is suspended") {
                    try await service.client.send("GET", "/v1").status == 403
                }
                try await tenants.setSuspended(false, "default")
                try await eventually("it is served again") {
                    try await service.client.send("GET", "/v1").status == 200
                }
                try await service.notes(are: true)
                let shown = try await tenants.list().first
                #expect(shown?.areas == ["catalog", "accounts", "subscriptions", "contacts", "reminders", "notes"])
            }
        }
    }

    @Test("A migrator without its rights is refused before anything is made, and the tenant goes on")
    func withoutRights() async throws {
        try await TestService.runWithNotes { service in
            let reader = "reader_\(service.control.name)"
            try await service.control.run(
                """
                CREATE USER '\(reader)'@'localhost';
                GRANT SELECT, INSERT, UPDATE, DELETE ON *.* TO '\(reader)'@'localhost'
                """)
            do {
                try await service.withTenants(
                    configure: { settings in
                        settings.migrator = settings.database.map {
                            DatabaseURL(endpoint: $0.endpoint, user: reader, controlDatabase: $0.controlDatabase)
                        }
                        settings.migratorPassword = ""
                    }
                ) { tenants in
                    _ = await #expect(throws: RightsCheck.Missing.self) {
                        try await tenants.setAreas("default", enabling: ["notes"])
                    }
                }
                try await service.control.run("DROP USER '\(reader)'@'localhost'")
            } catch {
                _ = try? await service.control.run("DROP USER '\(reader)'@'localhost'")
                throw error
            }
            #expect(try await service.partsOfNotes() == 0)
            #expect(try await service.control.run("SELECT COUNT(*) FROM Tenant_area") == "0\n")
            #expect(try await service.client.send("GET", "/v1").status == 200)
        }
    }

    @Test(
        "Rows of an area that is off go with their user, and move with a device that signs in")
    func users() async throws {
        try await TestService.runWithNotes { service in
            // Of an area that was never on there is nothing to look after.
            let nobody = try await service.newUser()
            try await nobody.call(DeleteMe())
            try await service.withTenants { tenants in
                try await tenants.setAreas("default", enabling: ["notes"])
                try await service.notes(are: true)
                let (ada, bob) = (try await service.newUser(), try await service.newUser())
                try await service.add("Ada's", as: ada)
                try await service.add("Bob's", as: bob)
                try await tenants.setAreas("default", disabling: ["notes"])
                try await service.notes(are: false)

                try await ada.call(DeleteMe())
                try await eventually("Ada's rows are gone") {
                    try await service.database.run("SELECT Text FROM Note") == "Bob's\n"
                }
                try await eventually("Ada is gone") {
                    try await service.database.run("SELECT COUNT(*) FROM `User`") == "1\n"
                }
                let eve = try await service.newUser()
                try await eve.call(RegisterAccount(email: "eve@example.org", password: goodPassword, userName: "Eve"))
                let signedIn = try await bob.call(
                    CreateSession(email: "eve@example.org", password: goodPassword))
                #expect(signedIn.user.id == eve.user.id)
                let owner = "SELECT COUNT(*) FROM Note WHERE User_ID = \(hex(eve.user.id))"
                #expect(try await service.database.run(owner) == "1\n")
            }
        }
    }

    @Test("A new tenant has the areas that were asked for, or those that the service gives")
    func newTenants() async throws {
        var notes = NotesArea()
        notes.presence = .on
        try await TestService.runWithNotes(notes) { service in
            #expect(try await service.partsOfNotes() == 7, "on unless the operator says otherwise")
            try await service.withTenants { tenants in
                try await tenants.create("acme", areas: [])
                try await tenants.create("beta", areas: ["notes"])
                try await tenants.create("gamma")
                await #expect(throws: TenantAdministration.Refusal.self) {
                    try await tenants.create("delta", areas: ["musik"])
                }
                #expect(try await tenants.list().map { $0.areas.contains("notes") } == [false, true, true, true])
            }
            #expect(try await service.partsOfNotes(in: "acme") == 0)
            #expect(try await service.partsOfNotes(in: "beta") == 7)
            let ada = try await service.newUser(in: "gamma")
            try await service.add("first", as: ada, in: "gamma")
            let eve = try await service.newUser(in: "acme")
            #expect(try await service.send(ListNotes(), as: eve, in: "acme").status == 404)
        }
    }

    @Test("Exports, backups and moves keep a tenant's areas, and the rows of an area that is off")
    func files() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runWithNotes { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme", areas: ["notes"])
                    let ada = try await service.newUser(in: "acme")
                    try await service.notes(are: true, in: "acme")
                    try await service.add("first", as: ada, in: "acme")
                    let export = folder.path + "/acme.jsonl"
                    _ = try await tenants.export("acme", to: export)
                    try await tenants.setAreas("acme", disabling: ["notes"])
                    let backup = folder.path + "/backup"
                    try await tenants.backUp(to: backup) { _ in }

                    // A copy has the areas of the file.
                    _ = try await tenants.import("beta", from: export, isReplacing: false)
                    try await service.notes(are: true, in: "beta")
                    #expect(try await service.database(of: "beta").run("SELECT Text FROM Note") == "first\n")
                    #expect(try await service.partsOfNotes(in: "beta") == 7)
                    // A tenant that is here keeps its own.
                    _ = try await tenants.import("acme", from: export, isReplacing: true)
                    #expect(try await tenants.areas(of: "acme").last?.isOn == false)
                    #expect(try await service.database(of: "acme_2").run("SELECT Text FROM Note") == "first\n")

                    _ = try await tenants.drop("acme", exportingTo: folder.path + "/dropped.jsonl")
                    try await tenants.restore(from: backup, isReplacing: false) { _ in }
                    #expect(
                        try await tenants.areas(of: "acme").last
                            == .init(
                                name: "notes", isOn: false, isFixed: false, isDecided: true))
                    try await tenants.setAreas("acme", enabling: ["notes"])
                    try await service.notes(are: true, in: "acme")
                    #expect(try await service.notes(of: ada, in: "acme") == ["first"])
                }
            }
        }
    }
}
