import Foundation
import SubTrackAPI
import SubTrackSQL
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Reminders", .tags(.everyDay), .ownTime)
struct ReminderTests {
    @Test("A row with more days than may be given keeps them, and all else of it can be changed")
    func former() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let made = try await ada.call(CreateSubscription(planId: try await service.addPlan(), reminderDays: 365))
            let triggers = try #require(
                SQLFiles.files(in: "tenant/triggers").first { $0.path.hasSuffix("/Subscription.sql") })
            // As it was written when there could be more.
            try await service.database.run(
                "DROP TRIGGER Subscription_before_update; UPDATE Subscription SET Reminder_days = 1000;")
            try await service.database.run(triggers.text)
            let changed = try await ada.call(UpdateSubscription(id: made.id, autoRenew: .set(true), note: .set("x")))
            #expect(changed.reminderDays == 1000 && changed.note == "x" && changed.autoRenew)
            #expect(try await ada.call(CancelSubscription(id: made.id)).status == .cancelled)
            let refused = try await service.database.runFailing("UPDATE Subscription SET Reminder_days = 400")
            #expect(refused.contains("Subscription.Reminder_days: more than 365: 400"))
            expectRefused(
                try await ada.refusal(of: UpdateSubscription(id: made.id, reminderDays: .set(366))), "reminderDays",
                .range)
            #expect(try await ada.call(UpdateSubscription(id: made.id, reminderDays: .set(7))).reminderDays == 7)
        }
    }
}
