import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The field `muted` of a subscription: its way through the API and sync, and its effect on looks.
@Suite("Muted subscriptions", .tags(.otherServers), .ownTime)
struct MutedTests {
    /// Pushes a change of a subscription that a device has made on top of a version.
    private func push(
        _ fields: [String: AnyJSON], of made: Subscription, by user: TestUser
    ) async throws -> PushChanges.Result {
        let mutation = PushChanges.Mutation(
            entity: .subscription, id: made.id.uuidString, op: .update, baseVersion: made.version, fields: fields)
        return try #require(try await user.call(PushChanges(mutations: [mutation])).results.first)
    }

    @Test("A look says of a muted subscription only that it is overdue, and everything again once it is not muted")
    func look() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(noticeDays: 3)
            let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05"), muted: true))
            #expect(held.muted)
            try await service.planned()
            // The days ahead of the renewal and of the last day to cancel, and a Monday, the day of the digest.
            for day in ["02-23", "02-26", "03-01", "03-02", "03-04", "03-05"] {
                try await service.look(at: "2026-\(day)T09:00:00Z")
            }
            #expect(try await service.said().isEmpty)
            try await service.look(at: "2026-03-06T09:00:00Z")
            #expect(try await service.said() == ["overdue 2026-03-05 -1"])
            try await ada.call(RenewSubscription(id: held.id))
            #expect(try await !ada.call(UpdateSubscription(id: held.id, muted: .set(false))).muted)
            try await service.planned()
            try await service.look(at: "2026-03-29T09:00:00Z")
            #expect(
                try await service.said() == [
                    "cancelBy 2026-04-02 7", "overdue 2026-03-05 -1", "renewal 2026-04-05 7",
                ])
        }
    }

    @Test("A mail that waits is not sent once its subscription is muted")
    func mail() async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z", configure: { $0.mail = mail }) {
                service in
                let ada = try await service.newUser()
                try await ada.register("ada@example.org")
                try await ada.call(VerifyEmail(token: try await folder.take(to: "ada@example.org").token ?? ""))
                let plan = try await service.addPlan()
                let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
                try await service.planned()
                try folder.refuse(true)
                try await service.look(at: "2026-02-26T09:00:00Z")
                // The number of attempts grows before the program runs.
                try await eventually("the program has refused it") { folder.refusals >= 1 }
                try await ada.call(UpdateSubscription(id: held.id, muted: .set(true)))
                try folder.refuse(false)
                try await eventually("it leaves the queue") {
                    try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
                    return try await service.number("SELECT COUNT(*) FROM Mail") == 0
                }
                #expect(try folder.mails().isEmpty)
            }
        }
    }

    @Test("A change that does not name the field leaves it as it is; a list and a pull have it, and null is refused")
    func field() async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            #expect(!made.muted)
            #expect(try await ada.call(UpdateSubscription(id: made.id, muted: .set(true))).muted)
            // All that a client of before knows.
            let former = UpdateSubscription(
                id: made.id, planId: .set(plan), startDate: .set(made.startDate), freeTrial: .set(false),
                autoRenew: .set(true), fee: .remove, label: .set("x"), reminderDays: .set(3), note: .set("y"))
            let changed = try await ada.call(former)
            #expect(changed.muted && changed.autoRenew && changed.reminderDays == 3)
            #expect(try await ada.call(ListSubscriptions()).subscriptions == [changed])
            let path = "/v1/subscriptions/\(made.id.uuidString)"
            let refused = try await ada.client.send("PATCH", path, json: #"{"muted":null}"#)
            #expect(try refused.problem().errors?.map(\.field) == ["muted"])
            var copy = SyncCopy()
            try await copy.pull(ada)
            guard case .subscription(let row) = copy.data(.subscription)[made.id.uuidString.lowercased()] else {
                Issue.record("the subscription is there")
                return
            }
            #expect(row.muted && row.label == "x")
        }
    }

    @Test("It merges beside another device's note, and is lost to another device's reminder")
    func merges() async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let (one, other) = (
                try await ada.call(CreateSubscription(planId: plan)),
                try await ada.call(CreateSubscription(planId: plan, label: "other"))
            )
            try await ada.call(UpdateSubscription(id: one.id, note: .set("theirs")))
            let beside = try await push(["muted": true], of: one, by: ada)
            #expect(beside.outcome == .merged && beside.lost == [], "\(beside)")
            let merged = try await ada.call(GetSubscription(id: one.id))
            #expect(merged.muted && merged.note == "theirs")
            try await ada.call(UpdateSubscription(id: other.id, reminderDays: .set(3)))
            let late = try await push(["muted": true, "label": "mine"], of: other, by: ada)
            #expect(late.lost == [LostField(field: "muted", kept: false, yours: true)], "\(late)")
            let kept = try await ada.call(GetSubscription(id: other.id))
            #expect(!kept.muted && kept.label == "mine" && kept.reminderDays == 3)
        }
    }

    @Test("Of one subscription on two sides of a sign-in, the one that stays is muted if either was")
    func signIn() async throws {
        try await TestService.run(at: "2026-01-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let email = service.newEmail()
            try await ada.register(email)
            let hers = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-05")))
            let phone = try await service.newUser()
            let its = try await phone.call(
                CreateSubscription(planId: plan, startDate: day("2026-01-05"), muted: true))
            let signed = try await phone.signIn(email)
            #expect(signed.merged.same == [.init(from: its.id, to: hers.id)])
            #expect(try await ada.call(GetSubscription(id: hers.id)).muted)
        }
    }
}
