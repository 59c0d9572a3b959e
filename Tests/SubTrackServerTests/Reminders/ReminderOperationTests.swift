import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("The operations on reminders")
struct ReminderOperationTests {
    /// Runs a test at noon on 10 February with a monthly subscription that ends on 5 March.
    private func run(
        autoRenew: Bool = false, _ body: (TestService, TestUser, Subscription) async throws -> Void
    ) async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, _ in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "17.99")
            let held = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-02-05"), autoRenew: autoRenew))
            try await service.planned()
            try await body(service, ada, held)
        }
    }

    private func id(_ subscription: Subscription, _ on: String = "2026-03-05", lead: Int = 7) -> String {
        "renewal.\(subscription.id.uuidString.lowercased()).\(on).\(lead)"
    }

    /// Waits until the reminder seven days ahead was said.
    private func say(_ service: TestService) async throws {
        try await service.planned()
        service.clock.set("2026-02-26T09:00:00Z")
        try await service.planned()
    }

    @Test("A reminder that was said is listed, and is open until it is answered")
    func list() async throws {
        try await run { service, ada, held in
            #expect(try await ada.call(ListReminders()).reminders.isEmpty)
            try await say(service)
            let said = try await ada.call(ListReminders()).reminders
            #expect(said.map(\.id) == [id(held)])
            let reminder = try #require(said.first)
            #expect(reminder.kind == .renewal && reminder.subjectId == held.id && reminder.leadDays == 7)
            #expect(reminder.firedAt == service.clock.now && reminder.answer == nil)
            #expect(try await ada.call(ListReminders(open: true)).reminders == said)
            let answered = try await ada.call(AnswerReminder(id: reminder.id, answer: .keep))
            #expect(answered.reminder.answer == .keep && answered.reminder.version > reminder.version)
            #expect(answered.subscription?.id == held.id && answered.subscription?.version == held.version)
            #expect(try await ada.call(ListReminders(open: true)).reminders.isEmpty)
            #expect(try await ada.call(ListReminders()).reminders == [answered.reminder])
            #expect(try await ada.call(AnswerReminder(id: reminder.id, answer: .keep)) == answered)
        }
    }

    @Test("A reminder of a subscription that was cancelled meanwhile is not open any more")
    func changed() async throws {
        try await run { service, ada, held in
            try await say(service)
            try await ada.call(CancelSubscription(id: held.id))
            #expect(try await ada.call(ListReminders(open: true)).reminders.isEmpty)
            #expect(try await ada.call(ListReminders()).reminders.count == 1)
        }
    }

    @Test("Reminders come page by page, the newest first")
    func pages() async throws {
        try await run { service, ada, _ in
            let plan = try await service.addPlan(fee: "5")
            for date in ["2026-02-05", "2026-02-05", "2026-02-07"] {
                try await ada.call(CreateSubscription(planId: plan, startDate: day(date)))
            }
            try await say(service)
            service.clock.set("2026-02-28T09:00:00Z")
            try await service.planned()
            var days: [CalendarDate] = []
            try await forEachPage { cursor in
                let page = try await ada.call(ListReminders(limit: 2, cursor: cursor))
                days += page.reminders.map(\.occursOn)
                return page.nextCursor
            }
            #expect(days == [day("2026-03-07"), day("2026-03-05"), day("2026-03-05"), day("2026-03-05")])
            #expect(try await ada.refusal(of: ListReminders(cursor: "eA")).errors?.map(\.field) == ["cursor"])
        }
    }

    @Test("An answer renews or cancels the subscription as its own operations do, once, and then stands")
    func acts() async throws {
        try await run { service, ada, held in
            let plan = try await service.addPlan(fee: "5")
            let other = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await say(service)
            let renewed = try await ada.call(AnswerReminder(id: id(held), answer: .renew))
            #expect(renewed.reminder.answer == .renew && renewed.subscription?.period == 1)
            #expect(renewed.subscription?.startDate == day("2026-03-05"))
            #expect(try await ada.call(AnswerReminder(id: id(held), answer: .renew)) == renewed)
            #expect(try await ada.refusal(of: AnswerReminder(id: id(held), answer: .keep)).code == .statusConflict)
            let cancelled = try await ada.call(AnswerReminder(id: id(other), answer: .cancel))
            #expect(cancelled.reminder.answer == .cancel && cancelled.subscription?.status == .cancelled)
            #expect(try await ada.refusal(of: AnswerReminder(id: id(other), answer: .renew)).code == .statusConflict)
            #expect(try await ada.call(GetSubscription(id: held.id)).period == 1)
        }
    }

    @Test("An answer to a matter that has changed meanwhile is done, and changes nothing")
    func late() async throws {
        try await run { service, ada, held in
            try await say(service)
            try await ada.call(RenewSubscription(id: held.id, period: 0))
            let answered = try await ada.call(AnswerReminder(id: id(held), answer: .renew))
            #expect(answered.reminder.answer == .done && answered.subscription?.period == 1)
            // It may be answered anew, for nothing has been done.
            #expect(try await ada.call(AnswerReminder(id: id(held), answer: .cancel)).subscription?.status == .active)
            try await ada.call(DeleteSubscription(id: held.id))
            let gone = try await ada.call(AnswerReminder(id: id(held), answer: .keep))
            #expect(gone.reminder.answer == .done && gone.subscription == nil)
        }
    }

    @Test("A renewal that came by itself is not renewed once more by a late answer, and can still be cancelled")
    func automatic() async throws {
        try await run(autoRenew: true) { service, ada, held in
            try await say(service)
            service.clock.set("2026-03-05T12:00:00Z")
            let renewed = try await ada.call(AnswerReminder(id: id(held), answer: .renew))
            #expect(renewed.reminder.answer == .done && renewed.subscription?.period == 1)
            let cancelled = try await ada.call(AnswerReminder(id: id(held), answer: .cancel))
            #expect(cancelled.subscription?.period == 1 && cancelled.subscription?.status == .cancelled)
        }
    }

    @Test("A snoozed reminder comes again on its day, which lies from tomorrow to 60 days after the matter's")
    func snooze() async throws {
        try await run { service, ada, held in
            try await say(service)
            expectRefused(try await ada.refusal(of: AnswerReminder(id: id(held), answer: .snooze)), "until", .required)
            for bad in ["2026-02-26", "2026-05-05", "2020-01-01"] {
                expectRefused(
                    try await ada.refusal(of: AnswerReminder(id: id(held), answer: .snooze, until: day(bad))), "until",
                    .range)
            }
            expectRefused(
                try await ada.refusal(of: AnswerReminder(id: id(held), answer: .keep, until: day("2026-03-01"))),
                "until", .conflict)
            let until = day("2026-03-01")
            let snoozed = try await ada.call(AnswerReminder(id: id(held), answer: .snooze, until: until)).reminder
            #expect(snoozed.answer == .snooze && snoozed.snoozedUntil == until)
            try await service.planned()
            service.clock.set("2026-03-01T09:00:00Z")
            try await service.planned()
            #expect(try await ada.call(ListReminders(open: true)).reminders.map(\.id) == [id(held, lead: 4)])
            // The last day that is taken.
            let last = AnswerReminder(id: id(held, lead: 4), answer: .snooze, until: day("2026-05-04"))
            #expect(try await ada.call(last).reminder.snoozedUntil == day("2026-05-04"))
        }
    }

    @Test("A reminder that a device was first to say is kept as said, with its answer and without a mail")
    func first() async throws {
        try await run { service, ada, held in
            let key = UUID().uuidString
            let answer = AnswerReminder(id: id(held), answer: .keep)
            let answered = try await ada.call(answer, headers: [("Idempotency-Key", key)])
            #expect(answered.reminder.answer == .keep && answered.reminder.firedAt == service.clock.now)
            #expect(try await ada.call(answer, headers: [("Idempotency-Key", key)]) == answered)
            try await say(service)
            #expect(try await ada.call(ListReminders()).reminders == [answered.reminder])
            #expect(try await service.database.run("SELECT COUNT(*) FROM Mail_delivery") == "0\n")
        }
    }

    @Test("A reminder that cannot be, and one of another user, are not found alike")
    func unknown() async throws {
        try await run { service, ada, held in
            let eve = try await service.newUser()
            let theirs = try await eve.call(
                CreateSubscription(planId: held.plan.id, startDate: day("2026-02-05")))
            for id in [
                id(held, "2026-03-06"), id(theirs), id(held, lead: 900), "renewal", "renewal.x.2026-03-05.7",
                "digest.\(eve.user.id.uuidString.lowercased()).2026-02-16.0", id(held, lead: 7) + ".7",
                "overdue" + id(held, "2026-01-05").dropFirst(7), "date" + id(held).dropFirst(7),
            ] {
                let problem = try await ada.refusal(of: AnswerReminder(id: id, answer: .keep))
                #expect(problem.code == .notFound && problem.detail == "There is no such reminder.", "\(id)")
            }
            try await say(service)
            let before = try await eve.call(ListReminders()).reminders
            #expect(before.map(\.id) == [id(theirs)])
            #expect(try await ada.refusal(of: AnswerReminder(id: id(theirs), answer: .cancel)).code == .notFound)
            #expect(try await eve.call(ListReminders()).reminders == before)
            #expect(try await eve.call(GetSubscription(id: theirs.id)).status == .active)
        }
    }

    @Test("Each kind takes the answers that make sense, and a week's digest is not cancelled")
    func kinds() async throws {
        try await run { service, ada, _ in
            let digest = "digest.\(ada.user.id.uuidString.lowercased()).2026-02-16.0"
            expectRefused(try await ada.refusal(of: AnswerReminder(id: digest, answer: .cancel)), "answer", .conflict)
            let answered = try await ada.call(AnswerReminder(id: digest, answer: .done))
            #expect(answered.reminder.answer == .done && answered.subscription == nil)
        }
    }

    @Test("The reminders that are to come are told with their times, and nothing is stored")
    func upcoming() async throws {
        try await run { service, ada, held in
            let coming = try await ada.call(ListUpcomingReminders()).reminders.filter { $0.kind == .renewal }
            #expect(coming.map(\.id) == [id(held), id(held, lead: 1)])
            #expect(coming.map { "\($0.at)" } == ["2026-02-26T09:00:00Z", "2026-03-04T09:00:00Z"])
            #expect(try await ada.call(ListUpcomingReminders(days: 16)).reminders.isEmpty)
            #expect(try await service.database.run("SELECT COUNT(*) FROM Reminder") == "0\n")
            for days in [0, 401] {
                expectRefused(try await ada.refusal(of: ListUpcomingReminders(days: days)), "days", .range)
            }
        }
    }
}
