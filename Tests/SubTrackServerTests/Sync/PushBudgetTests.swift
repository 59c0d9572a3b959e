import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A pushed change costs few statements, for it holds the lock of its user's scope.
@Suite("Statements of a push", .ownTime)
struct PushBudgetTests {
    @Test("An update of a subscription or of the user takes at most seven statements, a replay of it three")
    func update() async throws {
        let sent = RequestStatements()
        try await TestService.runAlone(
            at: "2026-01-10", configure: { $0.onStatement = { sql, _ in sent.note(sql) } }
        ) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-01")))
            func statements(_ mutation: PushChanges.Mutation) async throws -> [String] {
                // The caches are filled by a call before, and are not read again.
                _ = try await ada.call(GetSubscription(id: made.id))
                _ = sent.take()
                let result = try #require(try await ada.call(PushChanges(mutations: [mutation])).results.first)
                #expect(result.error == nil)
                return sent.take().map(\.text)
            }
            let subscription = made.id.uuidString
            for fields: [String: AnyJSON] in [
                ["label": "mine"], ["note": "a", "reminderDays": .integer(3), "muted": true], ["fee": "12.50"],
                ["autoRenew": false],
            ] {
                let mutation = PushChanges.Mutation(
                    entity: .subscription, id: subscription, op: .update, baseVersion: made.version, fields: fields)
                let first = try await statements(mutation)
                #expect(first.count <= 7, "\(fields.keys): \(first.joined(separator: "\n"))")
                let replayed = try await statements(mutation)
                #expect(replayed.count <= 3, "\(fields.keys): \(replayed.joined(separator: "\n"))")
            }
            let zone = try await statements(
                .init(
                    entity: .me, id: ada.user.id.uuidString, op: .update, fields: ["timeZone": "Europe/Berlin"]))
            #expect(zone.count <= 7, "\(zone.joined(separator: "\n"))")
        }
    }

    @Test("A push that takes long answers its first changes; the rest is sent again, and nothing is lost or doubled")
    func time() async throws {
        try await TestService.run(at: "2026-01-10", configure: { $0.limits.pushTime = .zero }) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            var waiting = (0..<5).map { _ in
                PushChanges.Mutation(
                    entity: .subscription, id: UUID().uuidString, op: .create,
                    fields: ["planId": .integer(plan), "startDate": "2026-01-01"])
            }
            for _ in 0..<5 {
                let results = try await ada.call(PushChanges(mutations: waiting)).results
                #expect(results.first?.outcome == .applied)
                #expect(
                    results.dropFirst().allSatisfy {
                        $0.outcome == .unknown && $0.error?.code == .rateLimited && $0.error?.retryAfter == 1
                    })
                waiting.removeFirst()
            }
            #expect(try await ada.call(ListSubscriptions()).subscriptions.count == 5)
        }
    }
}
