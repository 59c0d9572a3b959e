import EmbeddedMariaDB
import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

/// The database goes away under the service. Each test has a server of its own to kill.
@Suite("The database goes away", .serialized, .ownTime)
struct DatabaseFaultTests {
    /// A load of requests, until it is stopped, and what it came to.
    private final class Load: Sendable {
        struct Tally {
            var acknowledged: Set<UUID> = []
            var refused = 0
            var unexpected: [String] = []
            var statuses: [Int: Int] = [:]
            var isStopped = false
        }
        private let state = Mutex(Tally())

        var tally: Tally { state.withLock { $0 } }
        var isStopped: Bool { state.withLock { $0.isStopped } }
        func note(_ change: (inout Tally) -> Void) { state.withLock { change(&$0) } }
        func stop() { note { $0.isStopped = true } }
    }

    @Test(
        "Killed under load: 503 with Retry-After meanwhile, back by itself, nothing acknowledged lost, nothing doubled"
    )
    func killedUnderLoad() async throws {
        try await PrivateServer.own { server in
            try await TestService.runUnready(on: server) { service in
                try await service.becomesReady()
                let ada = try await service.newUser()
                let plan = try await service.addPlan()
                let load = Load()
                defer { load.stop() }
                let running = Task {
                    await withTaskGroup { group in
                        for _ in 0..<4 {
                            group.addTask { while !load.isStopped { await Self.create(ada, plan: plan, load) } }
                        }
                    }
                }
                func count() -> Int { load.tally.acknowledged.count }
                for _ in 0..<2 {
                    let before = count()
                    try await eventually("writes are acknowledged") { count() > before + 30 }
                    let refused = load.tally.refused
                    await server.kill()
                    try await eventually("requests are refused") { load.tally.refused > refused + 4 }
                    let down = count()
                    try await server.restart()
                    let back = ContinuousClock.now
                    try await eventually("writes are acknowledged again") { count() > down }
                    let gap = ContinuousClock.now - back
                    print("The service was back \(gap) after its database")
                    #expect(!TestStage.full || gap < .seconds(5))
                }
                let now = count()
                try await eventually("all goes on as before") { count() > now + 30 }
                load.stop()
                await running.value
                let result = load.tally
                #expect(result.unexpected.isEmpty, "\(result.unexpected)")

                var stored: [UUID] = []
                try await forEachPage { cursor in
                    let page = try await ada.call(ListSubscriptions(limit: 200, cursor: cursor))
                    stored += page.subscriptions.map(\.id)
                    return page.nextCursor
                }
                print("\(result.acknowledged.count) acknowledged, \(stored.count) stored, \(result.refused) refused")
                #expect(result.acknowledged.isSubset(of: stored), "nothing acknowledged is lost")
                #expect(
                    stored.count == result.acknowledged.count,
                    "each was sent until it was acknowledged: nothing is doubled")
            }
        }
    }

    /// Adds a subscription, and sends it again with the same key until it is acknowledged.
    private static func create(_ user: TestUser, plan: Int64, _ load: Load) async {
        let key = [("Idempotency-Key", UUID().uuidString)]
        while true {
            do {
                let answer = try await user.client.response(to: CreateSubscription(planId: plan), headers: key)
                switch answer.status {
                case 201:
                    let id = try answer.decode(Subscription.self).id
                    load.note { $0.acknowledged.insert(id) }
                    return
                case 503 where answer.header("retry-after") != nil: load.note { $0.refused += 1 }
                default: throw UnexpectedAnswer(response: answer, reason: "neither done nor unavailable")
                }
            } catch {
                load.note { $0.unexpected.append("\(error)") }
                return
            }
        }
    }

    @Test("Down at the start: alive and not ready; ready once it comes")
    func downAtStart() async throws {
        try await PrivateServer.own { server in
            await server.kill()
            try await TestService.runUnready(on: server) { service in
                #expect(try await service.client.send("GET", "/healthz").status == 200)
                for path in ["/readyz", "/v1", "/v1/countries"] {
                    let answer = try await service.client.send("GET", path)
                    #expect(answer.status == 503 && answer.header("retry-after") == "1", "\(path)")
                }
                try await eventually("it is said") {
                    service.log.lines.contains { $0.message.contains("waits for its database") }
                }
                try await server.restart()
                try await service.becomesReady()
                #expect(try await service.client.call(ListCountries()).countries.count == 50)
            }
        }
    }

    @Test("Connections that the server closed, or that were killed, are replaced without anybody noticing")
    func closedConnections() async throws {
        try await PrivateServer.own(configure: { $0.extraArguments += ["--wait-timeout=1"] }) { server in
            try await TestService.runUnready(on: server) { service in
                try await service.becomesReady()
                let ada = try await service.newUser()
                let connections =
                    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB LIKE '\(service.control.name)%'"
                for round in 0..<3 {
                    for _ in 0..<20 { #expect(try await ada.client.send("GET", "/v1/me").status == 200) }
                    try await eventually("the idle connections are closed by the server, round \(round)") {
                        try await service.database.run(connections + " AND ID <> CONNECTION_ID()") == "0\n"
                    }
                }
                // Killed while they are in use.
                let load = Load()
                defer { load.stop() }
                let running = Task {
                    while !load.isStopped {
                        let status = (try? await ada.client.send("GET", "/v1/me").status) ?? -1
                        load.note { $0.statuses[status, default: 0] += 1 }
                    }
                }
                for _ in 0..<5 {
                    let ids = try await service.database.run(
                        "SELECT ID FROM information_schema.PROCESSLIST WHERE DB LIKE '\(service.control.name)%' AND ID <> CONNECTION_ID()"
                    )
                    let kills = ids.split(separator: "\n").map { "KILL \($0);" }.joined(separator: "\n")
                    // One that is gone meanwhile cannot be killed.
                    try await service.database.run(kills, arguments: ["--force"])
                }
                load.stop()
                await running.value
                let statuses = load.tally.statuses
                print("Answers while connections were killed: \(statuses)")
                #expect(Set(statuses.keys).isSubset(of: [200, 503]))
                #expect(statuses[503, default: 0] <= 5, "at most what was in flight")
            }
        }
    }

    @Test(
        "A server that stops answering: every request is answered in bounded time, and all is well once it goes on",
        .enabled(if: TestStage.faults, "script/test --faults"))
    func frozen() async throws {
        try await PrivateServer.own { server in
            try await TestService.runUnready(on: server) { service in
                try await service.becomesReady()
                let ada = try await service.newUser()
                #expect(try await ada.client.send("GET", "/v1/me").status == 200)
                let plan = try await service.addPlan()
                // Several connections are warm and used without being asked whether they live.
                try await withThrowingTaskGroup { group in
                    for _ in 0..<8 { group.addTask { _ = try await ada.call(ListSubscriptions()) } }
                    try await group.waitForAll()
                }
                await server.freeze()
                let times = try await withThrowingTaskGroup(of: (Int, Duration).self) { group in
                    for index in 0..<40 {
                        group.addTask {
                            let start = ContinuousClock.now
                            let answer =
                                index.isMultiple(of: 4)
                                ? try await ada.client.response(
                                    to: CreateSubscription(planId: plan),
                                    headers: [("Idempotency-Key", "frozen \(index)")])
                                : try await ada.client.response(to: ListSubscriptions())
                            #expect(answer.header("retry-after") != nil)
                            return (answer.status, ContinuousClock.now - start)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                await server.thaw()
                print("Frozen: answered after \(times.map(\.1).max() ?? .zero) at the latest")
                #expect(times.allSatisfy { $0.0 == 503 })
                #expect(times.filter { $0.1 < .seconds(3) }.count >= 32, "those who queue wait 2 s")
                // What is in flight waits until the answer to its statement is given up, 12 s, and once more for a new
                // connection.
                #expect(times.allSatisfy { $0.1 < .seconds(20) })
                try await eventually("it serves again") {
                    try await ada.client.send("GET", "/v1/me").status == 200
                }
                // Whatever became of the writes: with the same key each is there once.
                for index in stride(from: 0, to: 40, by: 4) {
                    let key = [("Idempotency-Key", "frozen \(index)")]
                    try await eventually("it is written") {
                        try await ada.client.response(to: CreateSubscription(planId: plan), headers: key).status == 201
                    }
                }
                #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 10)
            }
        }
    }
}
