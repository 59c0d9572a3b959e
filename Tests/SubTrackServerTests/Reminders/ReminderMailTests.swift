import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Mails of looks, as a mail program gets them.
@Suite("Reminders go out by mail", .ownTime)
struct ReminderMailTests {
    /// Runs with a member who has a subscription that ends on 5 March 2026.
    private func run(
        country: String = "US", timeZone: String = "UTC",
        _ body: (TestService, MailFolder, TestUser, Subscription) async throws -> Void
    ) async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z", configure: { $0.mail = mail }) {
                service in
                let ada = try await service.newUser(country: country, timeZone: timeZone)
                try await ada.register("ada@example.org")
                try await ada.call(VerifyEmail(token: try await folder.take(to: "ada@example.org").token ?? ""))
                let plan = try await service.addPlan(country: country, noticeDays: 3)
                let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
                try await service.planned()
                try await body(service, folder, ada, held)
            }
        }
    }

    /// Waits until the queue is empty.
    private func sent(_ service: TestService) async throws {
        try await eventually("the queue is empty") { try await service.number("SELECT COUNT(*) FROM Mail") == 0 }
    }

    @Test(
        "One mail for a look, in the user's language, with what is due, what can be done, and a way to end such mails")
    func mail() async throws {
        try await run(country: "DE", timeZone: "Europe/Berlin") { service, folder, ada, held in
            let page = "https://testflix.example/cancel?a=1&b=2"
            try await service.database.run("UPDATE Provider SET Cancel_URL = '\(page)' WHERE Provider = 'Testflix'")
            // A plan of one's own is not the catalogue's, though its provider has the same name.
            let own = PrivatePlan(
                provider: "Testflix", name: "Own", fee: amount("5.00"), currency: "EUR",
                duration: PlanDuration(value: 1, unit: .month))
            try await ada.call(CreateSubscription(plan: own, startDate: day("2026-02-05"), label: "Club"))
            try await service.planned()
            try await service.look(at: "2026-02-26T08:00:00Z")
            let mail = try await folder.take(to: "ada@example.org")
            let text = mail.part("text/plain")
            #expect(
                text.contains("Testflix endet in 7 Tagen, am 5. März, wenn du es nicht für 17,99 EUR verlängerst."),
                "\(text)")
            #expect(text.contains("Letzter Tag zum Kündigen: in 4 Tagen, am 2. März."))
            #expect(
                text.contains(
                    "Testflix kündigen: letzter Tag ist in 4 Tagen, am 2. März. "
                        + "Das Abo endet am 5. März, wenn du es nicht für 17,99 EUR verlängerst.\n"), "\(text)")
            #expect(text.contains("Club endet in 7 Tagen"))
            #expect(text.components(separatedBy: "Bei Testflix kündigen:\n\(page)\n").count == 3, "\(text)")
            let key = ReminderKey(subject: held.id, kind: .renewal, occursOn: day("2026-03-05"), lead: 7)
            #expect(text.contains("&r=\(key.id.uuidString.lowercased())&a=cancel"))
            #expect(mail.header("Auto-Submitted") == "auto-generated")
            #expect(mail.header("List-Unsubscribe-Post") == "List-Unsubscribe=One-Click")
            let end = try #require(mail.header("List-Unsubscribe"))
            #expect(end.hasPrefix("<http") && end.contains("/unsubscribe/sub_"))
            // The database has the hashes of two tokens, and neither token.
            #expect(try await service.number("SELECT COUNT(*) FROM Answer_secret") == 2)
            try await sent(service)
            #expect(try folder.mails().isEmpty)
        }
    }

    @Test("A mail that was refused is tried again under the same id; an answer meanwhile makes it needless")
    func again() async throws {
        try await run { service, folder, ada, held in
            // The number of attempts in the queue grows before the program runs.
            func tried(_ times: Int) async throws {
                try await eventually("the program has refused it") { folder.refusals >= times }
            }
            func hurry() async throws {
                try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
            }
            try folder.refuse(true)
            try await service.look(at: "2026-02-26T09:00:00Z")
            try await tried(1)
            let id = try await service.database.run("SELECT LOWER(HEX(Mail_ID)) FROM Mail")
                .trimmingCharacters(in: .whitespacesAndNewlines)
            try folder.refuse(false)
            try await eventually("it comes") {
                try await hurry()
                return try !folder.mails().isEmpty
            }
            let mail = try await folder.take(to: "ada@example.org")
            let sentID = (mail.header("Message-ID") ?? "").replacing("-", with: "")
            #expect(sentID.hasPrefix("<\(id)@"), "\(sentID)")
            try await sent(service)
            // The next one is answered while it waits.
            try folder.refuse(true)
            try await service.look(at: "2026-03-04T09:00:00Z")
            try await tried(2)
            let key = ReminderKey(subject: held.id, kind: .renewal, occursOn: day("2026-03-05"), lead: 1)
            let answered = try await service.push("reminder", .update, key.id, ["answer": "keep"], by: ada)
            #expect(answered.outcome == .applied, "\(answered)")
            try folder.refuse(false)
            try await eventually("it leaves the queue") {
                try await hurry()
                return try await service.number("SELECT COUNT(*) FROM Mail") == 0
            }
            #expect(try folder.mails().isEmpty)
        }
    }

    @Test("A reminder that was put off goes out by mail on its day, and not before")
    func putOff() async throws {
        try await run { service, folder, ada, held in
            try await service.look(at: "2026-02-26T09:00:00Z")
            _ = try await folder.take(to: "ada@example.org")
            let key = ReminderKey(subject: held.id, kind: .renewal, occursOn: day("2026-03-05"), lead: 7)
            let put = try await service.push(
                "reminder", .update, key.id, ["answer": "snooze", "snoozedUntil": "2026-03-01"], by: ada)
            #expect(put.outcome == .applied, "\(put)")
            try await service.planned()
            try await service.look(at: "2026-02-28T09:00:00Z")
            try await sent(service)
            #expect(try folder.mails().isEmpty)
            try await service.look(at: "2026-03-01T09:00:00Z")
            let mail = try await folder.take(to: "ada@example.org")
            #expect(mail.part("text/plain").contains("Testflix ends in 4 days, on March 5"))
        }
    }

    @Test("The mail of the weekly day lists the renewals of seven days, except those with a reminder of their own")
    func digest() async throws {
        try await run(country: "DE", timeZone: "Europe/Berlin") { service, folder, ada, _ in
            for (provider, start) in [("Musicbox", "02-04"), ("Sevenflix", "02-09"), ("Otherbox", "02-10")] {
                let plan = try await service.addPlan(provider: provider, country: "DE")
                try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-\(start)")))
            }
            try await service.planned()
            try await service.look(at: "2026-02-26T08:00:00Z")
            _ = try await folder.take(to: "ada@example.org")
            // A Monday.
            try await service.look(at: "2026-03-02T08:00:00Z")
            let text = try await folder.take(to: "ada@example.org").part("text/plain")
            let parts = text.components(separatedBy: "Verlängerungen der nächsten sieben Tage:\n")
            try #require(parts.count == 2, "\(text)")
            #expect(
                parts[0].contains(
                    "Testflix kündigen: letzter Tag ist heute, am 2. März. "
                        + "Das Abo endet am 5. März, wenn du es nicht für 17,99 EUR verlängerst.\n"), "\(text)")
            #expect(parts[0].contains("Sevenflix endet in 7 Tagen, am 9. März"), "\(text)")
            #expect(parts[1].contains("Musicbox endet in 2 Tagen, am 4. März"), "\(text)")
            #expect(!parts[1].contains("Sevenflix") && !parts[1].contains("Testflix"), "\(text)")
            #expect(!parts[0].contains("Musicbox") && !text.contains("Otherbox"), "\(text)")
        }
    }

    @Test("The day of a contact says the age or the years, where the year is known")
    func dates() async throws {
        try await run(country: "DE", timeZone: "Europe/Berlin") { service, folder, ada, _ in
            let dates = [("1994-02-27", "birthday"), ("2016-02-29", "anniversary"), ("--02-28", "birthday")].map {
                AnyJSON.object(["date": .string($0.0), "yearly": true, "type": .string($0.1)])
            }
            let made = try await service.push(
                "contact", .create, UUID(),
                ["firstName": "Grace", "lastName": "Hopper", "dates": .array(dates)], by: ada)
            #expect(made.outcome == .applied, "\(made)")
            try await service.planned()
            try await service.look(at: "2026-02-27T08:00:00Z")
            let text = try await folder.take(to: "ada@example.org").part("text/plain")
            #expect(text.contains("Grace Hopper wird 32: heute, am 27. Februar."), "\(text)")
            #expect(text.contains("Grace Hopper, 10. Jahrestag: morgen, am 28. Februar."), "\(text)")
            #expect(text.contains("Grace Hopper, Geburtstag: morgen, am 28. Februar."), "\(text)")
        }
    }

    @Test("A subscription that was cancelled in answer to a mail, and resumed, is in the next mail")
    func resumed() async throws {
        try await run { service, folder, ada, held in
            try await service.look(at: "2026-02-26T09:00:00Z")
            _ = try await folder.take(to: "ada@example.org")
            let key = ReminderKey(subject: held.id, kind: .renewal, occursOn: day("2026-03-05"), lead: 7)
            let answered = try await service.push("reminder", .update, key.id, ["answer": "cancel"], by: ada)
            #expect(answered.outcome == .applied, "\(answered)")
            try await ada.call(CancelSubscription(id: held.id))
            try await ada.call(ResumeSubscription(id: held.id))
            try await service.planned()
            try await service.look(at: "2026-03-04T09:00:00Z")
            let mail = try await folder.take(to: "ada@example.org")
            #expect(mail.part("text/plain").contains("Testflix ends tomorrow"))
        }
    }

    @Test("A reminder whose row has another id than its key is answered by that id")
    func otherID() async throws {
        try await run { service, folder, ada, held in
            try folder.refuse(true)
            try await service.look(at: "2026-02-26T09:00:00Z")
            try await eventually("it was refused") { folder.refusals == 1 }
            let other = UUID()
            try await service.database.run(
                """
                SET @number = (SELECT Notification_no FROM Reminder WHERE Kind = 'renewal');
                DELETE FROM Reminder WHERE Kind = 'renewal';
                INSERT INTO Reminder (User_ID, Reminder_ID, Subject_ID, Kind, Occurs_on, Lead_days, Notification_no)
                VALUES (\(hex(ada.user.id)), \(hex(other)), \(hex(held.id)), 'renewal', '2026-03-05', 7, @number)
                """)
            try folder.refuse(false)
            try await eventually("it comes") {
                try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
                return try !folder.mails().isEmpty
            }
            let text = try await folder.take(to: "ada@example.org").part("text/plain")
            #expect(text.contains("&r=\(other.uuidString.lowercased())&a=keep"), "\(text)")
        }
    }

    @Test(
        "Nobody is written to without a confirmed address, nor against the settings; the reminders are there all the same"
    )
    func nobody() async throws {
        try await run { service, folder, ada, _ in
            try await service.push("reminderSetting", .create, ada.user.id, ["byMail": false], by: ada)
            let bob = try await service.newUser()
            try await bob.register("bob@example.org")
            _ = try await folder.take(to: "bob@example.org")
            let plan = try await service.addPlan()
            try await bob.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await service.planned()
            try await service.look(at: "2026-02-26T09:00:00Z")
            #expect(try await service.said().count == 3)
            #expect(try await service.number("SELECT COUNT(*) FROM Mail") == 0)
            #expect(try folder.mails().isEmpty)
        }
    }

    @Test("A mail tells of nothing that was cancelled or deleted while it waited, and of the rest")
    func stale() async throws {
        try await run { service, folder, ada, held in
            let plan = try await service.addPlan("Other", provider: "Musicbox")
            let (gone, kept) = (
                try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05"))),
                try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05"), label: "Kept <b>"))
            )
            try await service.planned()
            try folder.refuse(true)
            try await service.look(at: "2026-02-26T09:00:00Z")
            try await eventually("it was refused") { folder.refusals == 1 }
            try await ada.call(CancelSubscription(id: held.id))
            try await ada.call(DeleteSubscription(id: gone.id))
            try folder.refuse(false)
            try await eventually("it comes") {
                try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
                return try !folder.mails().isEmpty
            }
            let mail = try await folder.take(to: "ada@example.org")
            #expect(
                mail.part("text/plain").contains(
                    "Kept <b> ends in 7 days, on March 5, unless you renew it for 17.99 USD."))
            #expect(mail.part("text/html").contains("Kept &lt;b&gt; ends"))
            #expect(!mail.part("text/plain").contains("Testflix") && !mail.part("text/plain").contains("Musicbox"))
            #expect(kept.endDate == day("2026-03-05"))
        }
    }
}
