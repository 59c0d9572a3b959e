import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// Clients that know the contract alone, against the service, in random histories. A failure names its seed.
///
/// ``HistoryExtent`` says how many there are, ``TestSeed`` where they begin.
@Suite("Random histories of sync", .tags(.otherServers, .everyDay), .ownTime)
struct HistoryTests {
    /// The process that runs at the moment.
    private final class Running: Sendable {
        let process: Mutex<ServiceProcess>
        init(_ process: ServiceProcess) { self.process = Mutex(process) }
    }

    /// Histories that run at the same time, and on one service.
    private static let (width, batch) = (4, 20)

    @Test(
        "Offline spells, lost, doubled and reordered requests, SQL: all copies are the server's, nothing is lost or doubled"
    )
    func histories() async throws {
        var extent = HistoryExtent(batch: Self.batch, minimum: 20)
        let first = TestSeed.first(of: "histories of sync")
        var (count, acknowledged, judged) = (0, 0, HistoryLedger.Judged())
        while let numbers = extent.next() {
            count += numbers.count
            let seeds = numbers.map { first &+ UInt64($0) }
            let part = try await TestService.runAlone(at: "2026-02-10") { service in
                try await Self.run(seeds, service)
            }
            acknowledged += part.acknowledged
            judged = judged + part.judged
        }
        print(
            "\(count) histories, \(acknowledged) changes acknowledged; \(judged.all) answers judged, "
                + "\(judged.merged) merged, \(judged.lost) with something lost, \(judged.refused) refused, "
                + "\(judged.skipped) that cannot be told")
        // A single history, which somebody looks at, may have nothing of a kind.
        guard count >= Self.batch else { return }
        // Far below what the same seeds come to: the interleaving differs from run to run.
        #expect(acknowledged > count * 2 && judged.all > count * 2 && judged.skipped * 5 < judged.all)
        #expect(judged.merged > count / 12 && judged.lost > count / 30 && judged.refused > count / 30)
    }

    /// Runs some histories on a service.
    /// - Returns: how many changes were acknowledged, and how many answers judged.
    private static func run(
        _ seeds: [UInt64], _ service: TestService
    ) async throws -> (acknowledged: Int, judged: HistoryLedger.Judged) {
        let catalogue = try await addPlans(service)
        return try await service.database.withClient(configure: { $0.leaseTimeout = .seconds(60) }) { admin in
            var histories = try await inParallel(seeds) { seed in
                let user = try await service.newUser(country: seed % 2 == 0 ? "US" : "DE")
                var history = History(seed: seed, plans: catalogue, user: user)
                await history.play(steps: 40, admin)
                await history.finish(admin)
                return history
            }
            // Nobody changes the catalogue any more: now all of it is to be the same.
            histories = try await inParallel(histories) { history in
                var history = history
                await history.settle(scopes: .all)
                await history.compare(scopes: .all)
                return history
            }
            for history in histories {
                #expect(history.faults == [], "seed \(history.seed)")
            }
            return (
                histories.flatMap(\.clients).map(\.acknowledged.count).reduce(0, +),
                histories.map(\.judged).reduce(HistoryLedger.Judged(), +)
            )
        }
    }

    @Test(
        "The same while the database is killed again and again",
        .enabled(if: TestStage.faults, "script/test --faults"))
    func databaseKilled() async throws {
        try await PrivateServer.own(configure: { $0.durable = true }) { server in
            try await TestService.runUnready(on: server, at: "2026-02-10") { service in
                try await service.becomesReady()
                var users: [TestUser] = []
                for _ in 0..<20 { users.append(try await service.newUser()) }
                try await Self.disturbed(users, service.database, plans: try await Self.addPlans(service)) { progress in
                    await server.kill()
                    try await progress.goesOn()
                    try await server.restart()
                }
            }
        }
    }

    @Test(
        "The same while the service is killed again and again",
        .enabled(if: TestStage.faults, "script/test --faults"))
    func serviceKilled() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                // The databases are this service's; the one that is killed runs beside it, on a port that stays the same.
                let url =
                    "mysql://\(service.database.user)@localhost/\(service.control.name)?socket="
                    + APIClient.encoded(service.database.socketPath)
                @Sendable func start(_ port: String) throws -> ServiceProcess {
                    try ServiceProcess.start(
                        ["serve", "--database-url", url, "--http-listen", "127.0.0.1:\(port)"], in: folder)
                }
                let first = try start("0")
                let base = try await first.becomesReady().baseURL
                let port = String(base.split(separator: ":").last ?? "0")
                var users: [TestUser] = []
                for _ in 0..<20 {
                    var user = try await service.newUser()
                    user.client.baseURL = base
                    users.append(user)
                }
                let running = Running(first)
                // The process goes by the clock of this machine.
                let today = try await DatabaseDay.today().description
                try await Self.disturbed(
                    users, service.database, plans: try await Self.addPlans(service), today: today
                ) { progress in
                    let process = running.process.withLock { $0 }
                    process.signal(SIGKILL)
                    _ = try await process.exit()
                    try await progress.goesOn()
                    let next = try start(port)
                    running.process.withLock { $0 = next }
                    _ = try await next.becomesReady()
                }
                let last = running.process.withLock { $0 }
                last.signal(SIGTERM)
                _ = try await last.exit()
            }
        }
    }

    /// How far the histories of a test have come, all together.
    private final class Progress: Sendable {
        /// How many steps there are in all.
        let all: Int
        private let steps = Atomic<Int>(0)

        init(all: Int) { self.all = all }

        var count: Int { steps.load(ordering: .relaxed) }
        func step() { steps.add(1, ordering: .relaxed) }

        /// Waits until so many steps more were done, or all of them.
        func goesOn(_ more: Int = 5) async throws {
            let wanted = min(all, count + more)
            try await eventually(within: .seconds(120), "the histories go on") { count >= wanted }
        }
    }

    /// Runs a history for each user while something is broken and mended, and compares when all is well again.
    /// - Parameter today: the day that the service's clock shows.
    private static func disturbed(
        _ users: [TestUser], _ database: TestDatabase, plans: [Int64], today: String = "2026-02-10",
        _ disturb: @escaping @Sendable (Progress) async throws -> Void
    ) async throws {
        try await database.withClient { admin in
            let steps = 80
            let progress = Progress(all: users.count * steps)
            let disturbing = Task {
                var count = 0
                while progress.count < progress.all {
                    try await progress.goesOn(100)
                    try await disturb(progress)
                    count += 1
                }
                return count
            }
            var histories = try await inParallel(Array(users.enumerated())) { seed, user in
                var history = History(seed: UInt64(1000 + seed), plans: plans, user: user, today: today)
                await history.play(steps: steps, admin) { progress.step() }
                return history
            }
            let count = try await disturbing.value
            histories = try await inParallel(histories) { history in
                var history = history
                await history.finish(admin)
                return history
            }
            for history in histories { #expect(history.faults == [], "seed \(history.seed)") }
            let clients = histories.flatMap(\.clients)
            print(
                "\(histories.count) histories, disturbed \(count) times: "
                    + "\(clients.map(\.acknowledged.count).reduce(0, +)) changes acknowledged, "
                    + "\(clients.map(\.lostAnswers).reduce(0, +)) answers lost")
            #expect(count > 5)
        }
    }

    private static func addPlans(_ service: TestService) async throws -> [Int64] {
        var plans: [Int64] = []
        for country in ["US", "US", "DE", "FR"] { plans.append(try await service.addPlan(country: country)) }
        return plans
    }

    private static func inParallel<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ body: @escaping @Sendable (Input) async throws -> Output
    ) async throws -> [Output] {
        try await withThrowingTaskGroup(of: Output.self) { group in
            var outputs: [Output] = []
            for (index, input) in inputs.enumerated() {
                if index >= width, let output = try await group.next() { outputs.append(output) }
                group.addTask { try await body(input) }
            }
            for try await output in group { outputs.append(output) }
            return outputs
        }
    }
}
