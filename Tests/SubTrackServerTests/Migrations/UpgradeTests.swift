import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackSQL
@testable import SubTrackServer

/// What happens while a new version comes in, beside an old one that goes on.
@Suite("Upgrade", .tags(.otherServers), .ownTime)
struct UpgradeTests {
    /// The schema of a later version: a trigger that does a little more.
    private static func later(oldest: ServiceVersion = .zero) -> MigrationPlan {
        let now = MigrationPlan.tenant
        return MigrationPlan(
            steps: now.steps,
            triggers: now.triggers.map { file in
                file.name == "Subscription"
                    ? SQLFiles.File(
                        path: file.path, text: file.text.replacing("\nEND//", with: "\n    DO 4711;\nEND//"))
                    : file
            }, definitions: now.definitions, lateSteps: now.lateSteps, oldestService: oldest)
    }

    private func migrator(_ client: MariaDBClient, version: String) throws -> Migrator {
        Migrator(
            client: client, logger: RecordedLog().logger("migrator"), version: try #require(ServiceVersion(version)))
    }

    @Test("Versions are compared by their numbers")
    func versions() throws {
        let texts = ["0.0.0", "0.9.0", "0.10.0", "1.0.0", "1.0.1", "10.0.0"]
        let versions = texts.compactMap { ServiceVersion($0) }
        #expect(versions.map(\.description) == texts && versions == versions.reversed().sorted())
        for wrong in ["", "1", "1.2", "1.2.3.4", "1.2.x", "1..2", "-1.2.3", "1.2.3 "] {
            #expect(ServiceVersion(wrong) == nil, "\(wrong)")
        }
    }

    @Test("Triggers are replaced again and again while rows are written: each row has a version that nobody else has")
    func triggersUnderLoad() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let people = try await (0..<4).asyncMap { _ in try await service.newUser() }
            try await service.withTenants { tenants in
                let client = try tenants.clients.client(of: nil)
                let database = try Identifier(service.database.name)
                let written = Counter()
                let writing = people.map { person in
                    Task { () async throws -> Void in
                        while !Task.isCancelled {
                            let answer = try await person.client.response(to: CreateSubscription(planId: plan))
                            // 503: the table was locked for longer than a request may wait.
                            #expect(answer.status == 201 || answer.status == 503, "\(answer.text)")
                            if answer.status == 201 { written.count.add(1, ordering: .relaxed) }
                        }
                    }
                }
                for round in 0..<6 {
                    let before = written.count.load(ordering: .relaxed)
                    try await eventually("rows are written") { written.count.load(ordering: .relaxed) >= before + 3 }
                    let version = "0.1.\(round + 1)"
                    let plan = round.isMultiple(of: 2) ? Self.later() : .tenant
                    let applied = try await migrator(client, version: version).migrate(database, to: plan)
                    #expect(applied == ["tenant/triggers/Subscription.sql"])
                }
                writing.forEach { $0.cancel() }
                // The last answers may have been cut off; what was written is looked at below.
                for task in writing { _ = await task.result }
                #expect(written.count.load(ordering: .relaxed) > 10)
                let unversioned = try await service.database.run(
                    "SELECT COUNT(*) FROM Subscription WHERE Ver = 0 OR End_date <= Start_date")
                #expect(unversioned == "0\n")
                let doubled = try await service.database.run(
                    "SELECT COUNT(*) FROM (SELECT User_ID, Ver FROM Subscription GROUP BY User_ID, Ver HAVING COUNT(*) > 1) d"
                )
                #expect(doubled == "0\n")
                let ahead = try await service.database.run(
                    "SELECT COUNT(*) FROM Subscription s JOIN Scope c ON c.Scope_ID = s.User_ID WHERE s.Ver > c.Ver")
                #expect(ahead == "0\n")
            }
        }
    }

    @Test(
        "An old replica goes on beside a new one, and does not take back what that has applied, not even at its start")
    func sideBySide() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            try await service.withTenants { tenants in
                let client = try tenants.clients.client(of: nil)
                let database = try Identifier(service.database.name)
                try await migrator(client, version: "9.0.0").migrate(database, to: Self.later())
                let triggers = "SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() "
                let new = try await service.database.run(triggers + "AND ACTION_STATEMENT LIKE '%DO 4711%'")
                #expect(new != "0\n")
                #expect(try await ada.client.response(to: GetMe()).status == 200)
                try await service.runReplica { old in
                    var client = APIClient(baseURL: old.client.baseURL)
                    client.token = ada.client.token
                    let answer = try await client.response(to: GetMe())
                    #expect(answer.status == 200)
                }
                #expect(try await service.database.run(triggers + "AND ACTION_STATEMENT LIKE '%DO 4711%'") == new)
            }
        }
    }

    @Test("A database that wants a newer service: running replicas answer 503 within seconds, and do not touch it")
    func tooOld() async throws {
        await #expect(throws: ServerFault.self, "it is said as an error") {
            try await TestService.runAlone { service in
                let ada = try await service.newUser()
                try await service.withTenants { tenants in
                    try await tenants.create("other")
                    let client = try tenants.clients.client(of: nil)
                    let oldest = try #require(ServiceVersion("9.0.0"))
                    var migrator = try migrator(client, version: "9.0.0")
                    let control = service.control.name
                    migrator.onRaised = { version in
                        // As a new replica does before it changes anything: it tells the old ones, and waits.
                        try await client.withConnection(control) { connection in
                            try await TenantQueries.setOldestService(version, "default", on: connection)
                        }
                        try await eventually("the old one has left") {
                            try await ada.client.response(to: GetMe()).status == 503
                        }
                    }
                    try await migrator.migrate(
                        try Identifier(service.database.name), to: Self.later(oldest: oldest))
                    #expect(try await ada.refusal(of: GetMe()).code == .tenantMigrating)
                    #expect(try await service.client.send("GET", "/t/other/v1").status == 200)
                    do {
                        try await self.migrator(client, version: "0.1.0")
                            .migrate(try Identifier(service.database.name), to: .tenant)
                        Issue.record("an older one has migrated")
                    } catch is DatabaseTooNew {}
                    let shown = try await tenants.show("default")
                    #expect(shown.problem?.contains("9.0.0") == true)
                    let outcomes = try await Preparation(access: tenants.access, logger: tenants.logger)
                        .run(defaultTenant: nil)
                    #expect(outcomes.map { $0.failure == nil } == [false, true], "\(outcomes)")
                }
            }
        }
    }
}

/// Counts from several tasks.
private final class Counter: Sendable {
    let count = Atomic(0)
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
