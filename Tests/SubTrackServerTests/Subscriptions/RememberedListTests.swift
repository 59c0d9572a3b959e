import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Lists that are answered from memory", .ownTime)
struct RememberedListTests {
    /// What happens to a list that is in memory.
    private struct Event: Sendable {
        let name: String
        let happens: @Sendable (TestService, TestUser, _ plan: Int64, _ id: UUID) async throws -> Void

        init(
            _ name: String, _ happens: @escaping @Sendable (TestService, TestUser, Int64, UUID) async throws -> Void
        ) {
            self.name = name
            self.happens = happens
        }
    }

    private static let events = [
        Event("a label") { try await $1.call(UpdateSubscription(id: $3, label: .set("for work"))) },
        Event("a price by SQL") { service, _, plan, _ in
            try await service.database.run(
                "UPDATE Plan SET Fee = 12.34, Fee_since = '2026-02-05' WHERE Plan_ID = \(plan)")
        },
        Event("an announced price") { service, _, plan, _ in
            try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-02-20', 20)")
        },
        Event("the announced price's day") { service, _, _, _ in service.clock.set("2026-02-21") },
        Event("a provider's category by SQL") { service, _, _, _ in
            try await service.database.run("UPDATE Provider SET Category = 'Music' WHERE Provider = 'Testflix'")
        },
        Event("a subscription by SQL") { service, _, _, id in
            try await service.database.run(
                "UPDATE Subscription SET Note = 'by hand' WHERE Subscription_ID = 0x\(id.hexadecimal)")
        },
        Event("midnight") { service, _, _, _ in service.clock.set("2026-02-22") },
        Event("a renewal that is due") { service, _, _, _ in service.clock.set("2026-03-01") },
        Event("a subscription more") { service, user, plan, _ in
            try await user.call(CreateSubscription(planId: plan, startDate: day("2026-02-27")))
        },
        Event("one's own plan") { _, user, _, _ in
            try await user.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym around the corner", name: "All days", fee: amount("30"), currency: "USD",
                        duration: PlanDuration(value: 1, unit: .month))))
        },
        Event("another currency") { service, _, plan, _ in
            try await service.database.run(
                "UPDATE Plan SET Fee = 13, Currency_code = 'EUR', Fee_since = '2026-03-01' WHERE Plan_ID = \(plan)")
        },
        Event("a plan that is withdrawn") { service, _, plan, _ in
            try await service.database.run("UPDATE Plan SET Withdrawn_on = '2026-03-01' WHERE Plan_ID = \(plan)")
        },
        Event("what is cancelled") { _, user, _, id in try await user.call(CancelSubscription(id: id)) },
        Event("what is deleted") { _, user, _, id in try await user.call(DeleteSubscription(id: id)) },
        Event("what is restored") { _, user, _, id in try await user.call(RestoreSubscription(id: id)) },
    ]

    @Test("Whatever happens between two looks is in the second, as from a service that remembers nothing")
    func isNeverStale() async throws {
        try await TestService.runAlone(at: "2026-02-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "10.00")
            let made = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-02-01"), autoRenew: true))
            try await service.runReplica(configure: { $0.listMemoryMiB = 0 }) { replica in
                var there = ada
                there.client.baseURL = replica.client.baseURL
                for event in Self.events {
                    // The third look is the first that is answered from memory.
                    for _ in 0..<2 { _ = try await ada.client.send("GET", "/v1/subscriptions") }
                    let before = try await ada.client.send("GET", "/v1/subscriptions")
                    try await event.happens(service, ada, plan, made.id)
                    let expected = try await there.client.send("GET", "/v1/subscriptions")
                    #expect(expected.body != before.body, "\(event.name) changed nothing")
                    for look in 1...4 {
                        let answer = try await ada.client.send("GET", "/v1/subscriptions")
                        #expect(answer.body == expected.body, "after \(event.name), look \(look)")
                        #expect(answer.header("ETag") == expected.header("ETag"), "after \(event.name), look \(look)")
                    }
                }
            }
            // The next day has begun there. A replica may know a session's time zone for four seconds: this one is new.
            let before = try await ada.client.send("GET", "/v1/subscriptions")
            try await ada.call(UpdateMe(timeZone: .set("Pacific/Kiritimati")))
            try await service.runReplica(configure: { $0.listMemoryMiB = 0 }) { replica in
                var there = ada
                there.client.baseURL = replica.client.baseURL
                let expected = try await there.client.send("GET", "/v1/subscriptions")
                #expect(expected.body != before.body)
                for _ in 1...4 {
                    #expect(try await ada.client.send("GET", "/v1/subscriptions").body == expected.body)
                }
            }
        }
    }

    /// How far somebody is who writes.
    private final class Progress: Sendable {
        let committed = Atomic(0)
        let isDone = Atomic(false)
    }

    @Test("While a list changes, nobody who asks after a change is shown the list from before it")
    func beside() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let made = try await ada.call(CreateSubscription(planId: try await service.addPlan()))
            let writer = Progress()
            let stale = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    defer { writer.isDone.store(true, ordering: .releasing) }
                    try await service.database.withClient { client in
                        for number in 1...150 {
                            try await client.withConnection { connection in
                                _ = try await connection.execute(
                                    "UPDATE Subscription SET Label = \(String(number)) WHERE Subscription_ID = \(made.id)"
                                )
                            }
                            writer.committed.store(number, ordering: .releasing)
                        }
                    }
                    return 0
                }
                for _ in 0..<6 {
                    group.addTask {
                        var stale = 0
                        while !writer.isDone.load(ordering: .acquiring) {
                            let known = writer.committed.load(ordering: .acquiring)
                            let list = try await ada.call(ListSubscriptions()).subscriptions
                            if Int(list.first?.label ?? "0") ?? 0 < known { stale += 1 }
                        }
                        return stale
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(stale == 0)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.first?.label == "150")
        }
    }

    @Test("Who asks again is answered after one read of the counters, with the whole list or with 304")
    func sendsOneStatement() async throws {
        let sent = RequestStatements()
        try await TestService.runAlone(
            at: "2026-02-10", configure: { $0.onStatement = { sql, _ in sent.note(sql) } }
        ) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await ada.call(CreateSubscription(planId: plan))
            let first = try await ada.client.send("GET", "/v1/subscriptions")
            _ = try await ada.client.send("GET", "/v1/subscriptions")
            for tag in [nil, first.header("ETag")] {
                _ = sent.take()
                let answer = try await ada.client.send(
                    "GET", "/v1/subscriptions", headers: tag.map { [("If-None-Match", $0)] } ?? [])
                #expect(answer.status == (tag == nil ? 200 : 304))
                if tag == nil { #expect(answer.body == first.body) }
                let reads = sent.take().map(\.text)
                #expect(reads.count == 1 && reads[0].contains("FROM Scope"), "\(reads)")
            }
            // Lists that differ are different lists.
            #expect(try await ada.call(ListSubscriptions(status: .ended)).subscriptions.isEmpty)
            #expect(try await ada.call(ListSubscriptions(dueWithin: 0)).subscriptions.isEmpty)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 1)
        }
    }

    @Test("It takes no more memory than it may, and drops what nobody asks for first")
    func isBounded() throws {
        let memory = RememberedLists(bytes: 100_000)
        func key(_ number: Int) -> RememberedLists.Key {
            .init(server: nil, database: "d", user: users[number], status: nil, limit: 50)
        }
        let users = (0..<1000).map { _ in UserID(uuid: UUID()) }
        func entry(_ size: Int) -> RememberedLists.Entry {
            var entry = RememberedLists.Entry(epoch: [1], scopes: [.reference], size: size)
            entry.answer = .init(
                versions: [1], today: day("2026-01-01"), digits: [:], tag: EntityTag(version: 1),
                body: [UInt8](repeating: 0, count: size))
            return entry
        }
        for number in 0..<1000 {
            memory.remember(entry(1000), for: key(number))
            // The first is asked for all the time.
            #expect(memory.entry(of: key(0)) != nil)
        }
        let kept = (0..<1000).filter { memory.entry(of: key($0)) != nil }
        #expect(kept.count > 20 && kept.count * 1000 < 100_000)
        #expect(kept.contains(999))
        // Who has just asked, and whose list has changed, is not the one who goes.
        let oldest = try #require(kept.dropFirst().first)
        _ = memory.entry(of: key(oldest))
        memory.remember(entry(9_000), for: key(oldest))
        #expect(memory.entry(of: key(oldest)) != nil)
        // One list that is as large as all of it is not kept in the place of all others.
        memory.remember(entry(50_000), for: key(5))
        #expect(memory.entry(of: key(0)) != nil)
        // Nor is what was known of it before it became so long: it would be compared in vain each time.
        memory.remember(entry(50_000), for: key(0))
        #expect(memory.entry(of: key(0)) == nil)
        let none = RememberedLists(bytes: 0)
        none.remember(entry(10), for: key(1))
        #expect(none.entry(of: key(1)) == nil)
    }
}

extension UUID {
    /// As SQL has it after 0x.
    fileprivate var hexadecimal: String { uuidString.replacing("-", with: "") }
}
