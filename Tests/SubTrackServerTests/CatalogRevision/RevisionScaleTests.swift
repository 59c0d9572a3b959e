import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// Catalogues as large as they get: 100,000 plans, and a million staged rows. Each test prints how long its steps took.
@Suite(
    "Large catalogues", .serialized, .timeLimit(.minutes(30)), .enabled(if: TestStage.faults, "script/test --faults"),
    .ownTime)
struct RevisionScaleTests {
    private static let plans = 100_000
    private static let staged = 1_000_000
    private static let countries = ["AU", "BR", "CA", "DE", "ES", "FR", "GB", "IT", "JP", "US"]

    /// A file of plans. The fee of the row `broken`, counted from 0, is none.
    private static func file(_ count: Int, fee: Int, broken: Int? = nil) -> [UInt8] {
        var bytes = Array("Country_ID,Provider,Plan_name,Fee,Duration_value,Duration_unit\n".utf8)
        bytes.reserveCapacity(count * 48)
        for plan in 0..<count {
            let amount = plan == broken ? "x" : "\(fee + plan % 20)"
            bytes += "\(countries[plan % 10]),Provider \(plan % 300),Plan \(plan),\(amount),1,month\n".utf8
        }
        return bytes
    }

    private func timed<Result>(_ what: String, _ body: () async throws -> Result) async rethrows -> Result {
        let start = ContinuousClock.now
        let result = try await body()
        print(
            "\(what): \(((ContinuousClock.now - start) / .seconds(1)).formatted(.number.precision(.fractionLength(1)))) s"
        )
        return result
    }

    /// Runs a body while somebody subscribes again and again, who is not to wait for a lock for a second.
    private func whileSubscribing<Result: Sendable>(
        as user: UserID, in database: TestDatabase, _ body: () async throws -> Result
    ) async throws -> Result {
        let (count, isOver) = (Counter(), Counter())
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await database.withClient { client in
                    while isOver.value == 0 {
                        try await client.withTransaction(isolation: .readCommitted, retries: 0) { connection in
                            _ = try await connection.execute("SET SESSION innodb_lock_wait_timeout = 1")
                            _ = try await connection.execute(
                                """
                                INSERT INTO Subscription (User_ID, Plan_ID, Start_date)
                                SELECT \(user.uuid), MIN(Plan_ID), '2026-11-01' FROM Plan
                                WHERE Country_ID = 'US' AND Plan_name = 'Plan 9'
                                """)
                        }
                        count.add()
                        // The pace of the load, and no wait for something: people subscribe now and then, so that the
                        // revision has the server to itself between.
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
            do {
                let result = try await body()
                isOver.add()
                try await group.waitForAll()
                #expect(count.value > 0)
                print("  meanwhile \(count.value) subscribed, and none waited for a lock for a second")
                return result
            } catch {
                isOver.add()
                throw error
            }
        }
    }

    @Test(
        "Many plans are checked, applied and revised while somebody subscribes; a country of them is listed, and not sent again"
    )
    func manyPlans() async throws {
        try await TestService.runAlone { service in
            let person = try await service.newUser()
            let before = try await service.database.run("SELECT COUNT(*) FROM Plan WHERE Country_ID = 'US'")
            try await service.database.withClient { client in
                let work = CatalogueRevision(client: client, database: service.database.name)
                func file(fee: Int) throws -> RevisionFile {
                    try RevisionFile(name: "all.csv", bytes: Self.file(Self.plans, fee: fee))
                }
                let options = CatalogueRevision.Options(effectiveOn: day("2026-01-01"), isComplete: true)
                let checked = try await timed("check") { try await work.check(try file(fee: 5), options) }
                #expect(checked.new == Self.plans && checked.rejected == 0)
                let applied = try await timed("apply") { try await work.apply(try file(fee: 5), options) }
                #expect(applied.new == Self.plans && applied.applied == 10)
                let later = CatalogueRevision.Options(effectiveOn: day("2099-01-01"), isComplete: true)
                let revised = try await timed("change all prices") {
                    try await whileSubscribing(as: UserID(uuid: person.user.id), in: service.database) {
                        try await work.apply(try file(fee: 6), later)
                    }
                }
                #expect(revised.changedPrice == Self.plans && revised.new == 0 && revised.withdrawn == 0)
                let again = try await timed("apply again") { try await work.apply(try file(fee: 6), later) }
                #expect(again.unchanged == Self.plans && again.changedPrice == 0)
            }
            let ofOthers = Int(before.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            var tags: [(path: String, tag: String)] = []
            var count = 0
            try await timed("list a country") {
                var path: String? = "/v1/plans?country=US&limit=200"
                while let page = path {
                    let answer = try await service.client.send("GET", page)
                    let plans = try answer.decode(ListPlans.Output.self)
                    count += plans.plans.count
                    tags.append((page, try #require(answer.header("ETag"))))
                    path = plans.nextCursor.map { "/v1/plans?country=US&limit=200&cursor=\(APIClient.encoded($0))" }
                }
            }
            #expect(count == Self.plans / 10 + ofOthers)
            try await timed("list it again") {
                for (page, tag) in tags {
                    let answer = try await service.client.send("GET", page, headers: [("If-None-Match", tag)])
                    #expect(answer.status == 304 && answer.body.isEmpty)
                }
            }
        }
    }

    @Test("Of very many rows that are loaded by SQL the one that is broken is named, and nothing is applied")
    func aBrokenRowAmongMany() async throws {
        try await ImportDatabase.lease { database in
            let path = FileManager.default.temporaryDirectory.appending(path: "plans-\(UUID().uuidString).csv")
            defer { try? FileManager.default.removeItem(at: path) }
            // A row of the last country, in the middle of the file.
            let broken = Self.staged / 2 + 9
            try Data(Self.file(Self.staged, fee: 5, broken: broken)).write(to: path)
            try await timed("load") {
                _ = try await database.database.run(
                    """
                    INSERT INTO Revision (Revision, Effective_on) VALUES ('many', '2026-01-01');
                    LOAD DATA LOCAL INFILE '\(path.path)' INTO TABLE Staged_plan CHARACTER SET binary FIELDS TERMINATED BY ','
                    IGNORE 1 LINES (Country_ID, Provider, Plan_name, Fee, Duration_value, Duration_unit) SET Revision = 'many';
                    """, arguments: ["--local-infile=1"])
            }
            let report = try await timed("check") {
                try await database.rows(
                    """
                    SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
                    UPDATE Revision SET Checked_at = UTC_TIMESTAMP() WHERE Revision = 'many';
                    SELECT SUM(New_plans), SUM(Rejected) FROM Revision_country;
                    SELECT Line, Explanation FROM Revised_plan WHERE Outcome = 'rejected';
                    """)
            }
            #expect(
                report == [
                    "\(Self.staged - 1) 1",
                    "\(broken + 1) Fee: no amount from 0 to 99999999999 such as 17.99: x; write digits and at most one point",
                ])
            let refused = try await database.database.runFailing(
                "UPDATE Revision_country SET Applied_at = UTC_TIMESTAMP() WHERE Revision = 'many' AND Country_ID = 'US'"
            )
            #expect(refused.contains("1 row is rejected"))
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan") == ["0"])
        }
    }
}

/// Counts from several tasks.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
