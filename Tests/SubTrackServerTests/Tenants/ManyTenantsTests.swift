import EmbeddedMariaDB
import Foundation
import SubTrackAPI
import SubTrackSQL
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// As many tenants as a small operator has, over as few connections as a shared server grants.
@Suite("Many tenants", .ownTime)
struct ManyTenantsTests {
    private static let count = 100
    private static let connections = 8
    private static let statements = 200

    @Test(
        "A hundred tenants share eight connections and their statements; each has its own data, and all are answered",
        .tags(.ownServer),
        .enabled(if: ServicesServer.kind == .own, "the statements of a server of its own are counted"),
        .enabled(if: TestStage.full, "script/test --full: makes a hundred databases"))
    func hundred() async throws {
        let slugs = (1...Self.count).map { "many\($0)" }
        try await PrivateServer.own { server in
            // Its databases go with the server: a hundred of them need not be dropped.
            try await TestService.runUnready(
                on: server,
                configure: {
                    $0.databaseConnections = Self.connections
                    $0.databaseStatements = Self.statements
                }
            ) { service in
                try await service.becomesReady()
                try await service.withTenants { tenants in
                    try await tenants.create(slugs[0])
                    try await addCopies(of: slugs[0], as: Array(slugs[1...]), to: service)
                    #expect(try await tenants.list().count == Self.count + 1)
                }
                let before = try await number("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'", service)
                // More at once than there are connections; who is told that there was none comes back, as clients do.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, slug) in slugs.enumerated() {
                        if number >= 2 * Self.connections { try await group.next() }
                        group.addTask { try await Self.use(slug, of: service) }
                    }
                    try await group.waitForAll()
                }
                let kept = try await service.control.run(
                    slugs.map { "SELECT GROUP_CONCAT(User_name) FROM `\(service.database(of: $0).name)`.`User`;" }
                        .joined())
                #expect(kept == slugs.map { "Kept by \($0)\n" }.joined())
                let held = try await number(
                    """
                    SELECT COUNT(*), COUNT(*) FROM information_schema.PROCESSLIST
                    WHERE DB LIKE '\(service.control.name)%' AND ID <> CONNECTION_ID()
                    """, service)
                #expect((1...Self.connections).contains(held))
                // Without a bound there would be some of each tenant: many times as many.
                let prepared = try await number("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'", service)
                #expect(prepared > Self.connections && prepared <= Self.statements + before)
                #expect(service.log.lines.filter { $0.level >= .error }.isEmpty)
            }
        }
    }

    /// The second of the two values that a statement gives.
    private func number(_ statement: String, _ service: TestService) async throws -> Int {
        let printed = try await service.control.run(statement)
        return try #require(printed.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    /// What somebody needs who has a device and a name. To make all tables and triggers a hundred times is not what is tested.
    private static let tables = [
        "Migration", "Setting", "Currency", "Country", "Scope", "User", "Account", "Device", "Session", "Ended_session",
        "Known_device", "Idempotency", "Erasure",
    ]

    /// Makes tenants of another one's rows, with the tables and triggers that are used here.
    private func addCopies(of original: String, as slugs: [String], to service: TestService) async throws {
        let source = service.database(of: original)
        let copied = Self.tables.map { "CREATE TABLE `\($0)` LIKE `\(source.name)`.`\($0)`;" }
        let filled = ["Migration", "Setting", "Currency", "Country"].map {
            "INSERT INTO `\($0)` SELECT * FROM `\(source.name)`.`\($0)`;"
        }
        let triggers = ["User", "Session"].compactMap { SQLFiles.file("tenant/triggers/\($0).sql")?.text }
        let definition = (copied + filled + triggers).joined(separator: "\n")
        try await service.control.run(
            slugs.map { slug in
                let name = service.database(of: slug).name
                return """
                    CREATE DATABASE `\(name)` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
                    USE `\(name)`;
                    \(definition)
                    INSERT INTO `\(service.control.name)`.Tenant (Slug, Database_name, Epoch, Created_at)
                    VALUES ('\(slug)', '\(name)', RANDOM_BYTES(16), UTC_TIMESTAMP());
                    """
            }.joined(separator: "\n"))
    }

    /// Somebody of a tenant has a name, and sees it and no other.
    private static func use(_ slug: String, of service: TestService) async throws {
        let user = try await answered { try await service.newUser(in: slug) }
        _ = try await answered { try await user.call(UpdateMe(userName: .set("Kept by \(slug)"))) }
        for _ in 0..<2 {
            let me = try await answered { try await user.call(GetMe()) }
            #expect(me.id == user.user.id && me.userName == "Kept by \(slug)")
        }
    }

    /// Asks again where the service had no connection in time.
    private static func answered<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        for _ in 0..<20 {
            do {
                return try await ask()
            } catch let problem as Problem where problem.code == .unavailable {}
        }
        return try await ask()
    }
}
