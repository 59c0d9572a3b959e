import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("Subscriptions whose reminders are off")
struct MutedTests {
    @Test("A subscription is muted when it is added or later, and that merges with whether and when to remind")
    func field() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let loud = try await ada.call(CreateSubscription(planId: plan))
            #expect(!loud.muted)
            let made = try await ada.call(CreateSubscription(planId: plan, muted: true))
            #expect(made.muted)
            #expect(try await ada.call(GetSubscription(id: made.id)).muted)
            #expect(try await ada.call(ListSubscriptions()).subscriptions.filter(\.muted).map(\.id) == [made.id])
            let changed = try await ada.call(UpdateSubscription(id: made.id, muted: .set(false)))
            #expect(!changed.muted && changed.version > made.version)
            let removed = UpdateSubscription(id: made.id, muted: .remove)
            expectRefused(try await ada.refusal(of: removed), "muted", .required)
            func push(_ fields: [String: AnyJSON], base: Int64) async throws -> PushChanges.Result? {
                let change = PushChanges.Mutation(
                    entity: .subscription, id: made.id.uuidString, op: .update, baseVersion: base, fields: fields)
                return try await ada.call(PushChanges(mutations: [change])).results.first
            }
            #expect(try await push(["muted": .bool(true)], base: changed.version)?.outcome == .applied)
            let lost = try await push(["muted": .bool(false), "note": "mine"], base: changed.version)
            #expect(lost?.lost == [LostField(field: "muted", kept: .bool(true), yours: .bool(false))])
            let rows = try await ada.call(PullChanges()).changes.compactMap { change -> StoredSubscription? in
                if case .subscription(let row)? = change.data { row } else { nil }
            }
            #expect(rows.map(\.muted).sorted { $1 && !$0 } == [false, true] && rows.contains { $0.note == "mine" })
        }
    }

    @Test("Of a muted subscription nothing is told but that it is overdue")
    func silence() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, _ in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(noticeDays: 3)
            try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05"), muted: true))
            try await service.planned()
            // Each is a day of a usual reminder.
            for day in ["2026-02-23", "2026-02-26", "2026-03-01", "2026-03-04", "2026-03-05"] {
                service.clock.set("\(day)T09:00:00Z")
                try await service.planned()
            }
            #expect(try await ada.call(ListReminders()).reminders.isEmpty)
            service.clock.set("2026-03-06T09:00:00Z")
            try await service.planned()
            #expect(try await ada.call(ListReminders()).reminders.map(\.kind) == [.overdue])
        }
    }
}
