import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Made-up data", .tags(.otherServers), .ownTime)
struct SeedTests {
    private static let size = SeedSize(users: 300, plans: 120, subscriptions: 3_000, seed: 7, today: day("2026-01-31"))

    private func work<Result: Sendable>(
        _ service: TestService, _ body: (SeedWork) async throws -> Result
    ) async throws -> Result {
        try await service.control.withClient { client in
            try await body(
                SeedWork(
                    try await TenantDatabase(finding: "default", control: service.control.name) { _ in client }))
        }
    }

    /// All that was made, in one number: the same rows give the same.
    private func fingerprint(_ service: TestService) async throws -> String {
        try await service.database.run(
            """
            SELECT COUNT(*), SUM(CRC32(CONCAT_WS('|', HEX(User_ID), User_name, Country_ID, Time_zone))) FROM `User`;
            SELECT COUNT(*), SUM(CRC32(CONCAT_WS('|', Plan_ID, Provider, Plan_name, Fee, Currency_code, Country_ID, HEX(Owner_ID))))
            FROM Plan;
            SELECT COUNT(*), SUM(CRC32(CONCAT_WS('|', HEX(Subscription_ID), HEX(User_ID), Plan_ID, Start_date, End_date,
                Free_trial, Period, Period_fee, Auto_renew, Cancelled_on, Label, Note))) FROM Subscription;
            SELECT COUNT(*), SUM(CRC32(CONCAT_WS('|', HEX(Subscription_ID), Period, Start_date, Fee))) FROM Subscription_period;
            """)
    }

    @Test("The same numbers give the same rows, in whatever order they are written; another seed gives others")
    func reproducible() async throws {
        var prints: [String] = []
        for (seed, workers) in [(UInt32(7), 1), (7, 4), (8, 2)] {
            try await TestService.runAlone { service in
                var size = Self.size
                size.seed = seed
                let report = try await work(service) { try await $0.run(size, workers: workers) }
                #expect(report.isAdded && report.subscriptions == 3_000)
                prints.append(try await fingerprint(service))
            }
        }
        #expect(prints[0] == prints[1])
        #expect(prints[0] != prints[2])
        #expect(prints[0].hasPrefix("300\t"))
    }

    @Test("What was cut off goes on; what is complete is left; other numbers and other people's data are refused")
    func again() async throws {
        try await TestService.runAlone { service in
            struct Cut: Error {}
            // A worker that is stopped in the middle leaves whole batches.
            let task = Task {
                try await work(service) { work in
                    try await work.run(Self.size, workers: 1) { progress in
                        if progress.done > 0 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
            }
            await #expect(throws: (any Error).self) { try await task.value }
            let half = try await service.database.run("SELECT COUNT(*) FROM Subscription")
            let count = Int(half.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            #expect(count > 0 && count < 3_000)

            var later = Self.size
            later.today = day("2026-03-01")
            let resumed = try await work(service) { try await $0.run(later) }
            #expect(resumed.isAdded && resumed.today == day("2026-01-31"), "it goes on with the day that it began with")
            let all = try await fingerprint(service)
            let second = try await work(service) { try await $0.run(Self.size) }
            #expect(!second.isAdded)
            #expect(try await fingerprint(service) == all)

            var other = Self.size
            other.users = 301
            await #expect(throws: SeedWork.Refusal.self) { try await work(service) { try await $0.run(other) } }
            other.seed = 8
            await #expect(throws: SeedWork.Refusal.self) { try await work(service) { try await $0.run(other) } }
            #expect(try await fingerprint(service) == all)
            #expect(try await work(service) { try await $0.run(other, isAdding: true) }.isAdded)
        }
    }

    @Test("There is some of everything: trials, own plans, past periods, overdue, cancelled, ended; counts are exact")
    func proportions() async throws {
        try await TestService.runAlone { service in
            let report = try await work(service) { try await $0.run(Self.size) }
            let printed = try await service.database.run(
                """
                SELECT COUNT(*), SUM(Free_trial), SUM(Auto_renew), SUM(Cancelled_on IS NOT NULL),
                    SUM(Cancelled_on IS NULL AND End_date < '2026-01-31'),
                    SUM(Cancelled_on IS NOT NULL AND End_date < '2026-01-31'), SUM(Period > 0),
                    (SELECT COUNT(*) FROM Plan WHERE Owner_ID IS NOT NULL), (SELECT COUNT(*) FROM Plan WHERE Listed = 1),
                    (SELECT COUNT(DISTINCT Currency_code) FROM Plan), (SELECT COUNT(*) FROM Plan_price),
                    COUNT(DISTINCT User_ID)
                FROM Subscription
                """)
            let counts = printed.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            #expect(counts.count == 12)
            #expect(counts[0] == 3_000 && counts[7] == report.privatePlans && counts[8] == 120)
            for (share, range) in zip(counts[1...6], [1...20, 15...60, 3...15, 2...15, 1...10, 6...20]) {
                #expect(range.contains(share * 100 / 3_000), "\(printed)")
            }
            #expect(counts[7] > 0 && counts[9] >= 8 && counts[10] > 20 && counts[11] > 250)
        }
    }

    @Test("The command: a result for programs, progress for people, and exit codes")
    func command() async throws {
        try await TestService.runAlone { service in
            guard case .unix(let socket) = service.settings.database?.endpoint else { return }
            let url =
                "mysql://\(service.settings.database?.user ?? "")@localhost/\(service.control.name)?socket=\(socket)"
            let numbers = ["--users", "40", "--plans", "30", "--subscriptions", "200", "--today", "2026-01-31"]
            func seed(_ arguments: [String]) async throws -> (code: Int32, output: String) {
                try await ServiceProcess.withFolder { folder in
                    try await ServiceProcess.run(
                        ["seed", "--database-url", url] + arguments,
                        environment: service.settings.passwordText.map { ["SUBTRACKIT_DATABASE_PASSWORD": $0] } ?? [:],
                        in: folder
                    ) { process in (try await process.exit(), process.output) }
                }
            }
            let made = try await seed(numbers + ["--json"])
            #expect(made.code == 0, "\(made.output)")
            #expect(made.output.contains(#""isAdded":true"#) && made.output.contains("200 of 200 subscriptions"))
            let again = try await seed(numbers)
            #expect(again.code == 0 && again.output.contains("nothing was added"))
            let other = try await seed(["--users", "41", "--plans", "30", "--subscriptions", "200"])
            #expect(other.code == 78 && other.output.contains("another --seed"), "\(other.output)")
            #expect(try await seed(["--users", "-1"]).code == 64)
            #expect(try await seed(["--tenant", "nobody"]).code == 78)
            #expect(try await seed(["--help"]).output.contains("--subscriptions"))
        }
    }
}
