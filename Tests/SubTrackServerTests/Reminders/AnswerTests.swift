import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Answers from a mail", .ownTime)
struct AnswerTests {
    /// A mail of a renewal, and the tokens in it.
    private struct Told {
        let user: TestUser
        let held: Subscription
        let mail: MailFolder.Mail
        let answer: String
        let unsubscribe: String

        var key: ReminderKey { key(.renewal, 7) }
        var id: UUID { key.id }

        func key(_ kind: ReminderKind, _ lead: Int) -> ReminderKey {
            ReminderKey(subject: held.id, kind: kind, occursOn: day("2026-03-05"), lead: lead)
        }

        /// A token that differs from another in one character.
        static func other(than token: String) -> String { String(token.dropLast()) + (token.last == "A" ? "B" : "A") }
    }

    /// Runs a test after the mail that tells of a renewal on 5 March seven days ahead.
    private func run(_ body: (TestService, Told) async throws -> Void) async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z", configure: { $0.mail = mail }) {
                service in
                let ada = try await service.newUser()
                try await ada.register("ada@example.org")
                try await ada.call(VerifyEmail(token: try await folder.take(to: "ada@example.org").token ?? ""))
                let plan = try await service.addPlan()
                try await service.database.run(
                    "UPDATE Provider SET Cancel_URL = 'https://testflix.example/cancel' WHERE Provider = 'Testflix'")
                let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
                try await service.planned()
                try await service.look(at: "2026-02-26T09:00:00Z")
                let mail = try await folder.take(to: "ada@example.org")
                let text = mail.part("text/plain")
                let answer = try #require(
                    text.firstMatch(of: #/https://subs\.example/app/account/answer#token=(sub_[\w-]{43})&r=/#))
                let end = try #require(text.firstMatch(of: #/https://subs\.example/app/unsubscribe/(sub_[\w-]{43})\n/#))
                try await body(
                    service,
                    Told(
                        user: ada, held: held, mail: mail, answer: String(answer.output.1),
                        unsubscribe: String(end.output.1)))
            }
        }
    }

    /// Whether the user wants mails.
    private func byMail(_ service: TestService) async throws -> Bool {
        try await service.number("SELECT COUNT(*) FROM Reminder_setting WHERE NOT By_mail") == 0
    }

    @Test("A mail has a link for each answer, the headers by which a program ends such mails, and secrets of its own")
    func mail() async throws {
        try await run { service, told in
            let text = told.mail.part("text/plain")
            for answer in ["keep", "cancel", "snooze"] {
                #expect(
                    text.contains(
                        "account/answer#token=\(told.answer)&r=\(told.id.uuidString.lowercased())&a=\(answer)\n"))
            }
            #expect(
                told.mail.part("text/html").contains(
                    "href=\"https://subs.example/app/account/answer#token=\(told.answer)&amp;r=\(told.id.uuidString.lowercased())&amp;a=cancel\""
                ))
            let end = "https://subs.example/app/unsubscribe/\(told.unsubscribe)"
            #expect(told.mail.header("List-Unsubscribe") == "<\(end)>")
            #expect(told.mail.header("List-Unsubscribe-Post") == "List-Unsubscribe=One-Click")
            #expect(told.answer != told.unsubscribe)
            let hashes = try await service.database.run("SELECT HEX(Secret_hash), Purpose FROM Answer_secret")
            #expect(hashes.split(separator: "\n").count == 2 && !hashes.contains("sub_"))
            #expect(!service.log.lines.description.contains(told.answer))
        }
    }

    @Test("The holder of a mail's token sees its reminders and answers them without signing in; the token stays good")
    func give() async throws {
        try await run { service, told in
            let shown = try await service.client.call(PreviewAnswers(token: told.answer))
            #expect(shown.today == day("2026-02-26") && shown.language == "en")
            let reminder = try #require(shown.reminders.first)
            #expect(reminder.id == told.id && reminder.title == "Testflix" && reminder.occursOn == day("2026-03-05"))
            #expect(reminder.fee == amount("17.99") && reminder.currency == "USD")
            #expect(reminder.cancelBy == nil)
            #expect(reminder.cancelUrl == "https://testflix.example/cancel" && reminder.answer == nil)
            #expect(reminder.answers == ReminderAnswer.allCases)
            let before = try await told.user.call(GetSubscription(id: told.held.id))
            #expect(before.status == .active, "nothing changes by looking")
            let kept = try await service.client.call(
                GiveAnswer(token: told.answer, reminder: told.id, answer: .keep))
            #expect(kept.reminder.answer == .keep)
            let cancel = GiveAnswer(token: told.answer, reminder: told.id, answer: .cancel)
            let cancelled = try await service.client.call(cancel)
            #expect(cancelled.reminder.answer == .cancel && cancelled.reminder.answers.isEmpty)
            #expect(cancelled.reminder.cancelUrl == "https://testflix.example/cancel")
            #expect(try await told.user.call(GetSubscription(id: told.held.id)).status == .cancelled)
            #expect(try await service.client.call(cancel).reminder.answer == .cancel, "the same answer twice")
            let other = try await service.client.refusal(
                of: GiveAnswer(token: told.answer, reminder: told.id, answer: .renew))
            #expect(other.code == .statusConflict)
            #expect(try await service.client.call(PreviewAnswers(token: told.answer)).reminders.count == 1)
        }
    }

    @Test("A plan of one's own has no page for cancelling, though a provider of the catalogue has its name")
    func ownPlan() async throws {
        try await run { service, told in
            let own = try await told.user.call(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Testflix", name: "Own", fee: amount("5.00"), currency: "USD",
                        duration: PlanDuration(value: 1, unit: .month)), startDate: day("2026-02-05")))
            try await service.database.run(
                """
                INSERT INTO Reminder (User_ID, Reminder_ID, Subject_ID, Kind, Occurs_on, Lead_days, Notification_no)
                SELECT User_ID, \(hex(UUID())), \(hex(own.id)), Kind, Occurs_on, Lead_days, Notification_no FROM Reminder
                """)
            let shown = try await service.client.call(PreviewAnswers(token: told.answer)).reminders
            #expect(shown.count == 2 && shown.allSatisfy { $0.title == "Testflix" })
            #expect(shown.compactMap(\.cancelUrl) == ["https://testflix.example/cancel"])
        }
    }

    @Test("One that renews by itself is not renewed by an answer, which would begin a period before its time")
    func renewsItself() async throws {
        try await run { service, told in
            try await told.user.call(UpdateSubscription(id: told.held.id, autoRenew: .set(true)))
            let shown = try #require(try await service.client.call(PreviewAnswers(token: told.answer)).reminders.first)
            #expect(shown.answers == ReminderAnswer.allCases.filter { $0 != .renew })
            let given = try await service.client.call(
                GiveAnswer(token: told.answer, reminder: told.id, answer: .renew))
            #expect(given.reminder.answer == .keep)
            let after = try await told.user.call(GetSubscription(id: told.held.id))
            #expect(after.period == told.held.period && after.endDate == told.held.endDate)
        }
    }

    @Test("An answer counts for all reminders of its matter: each mail shows it, and a later one takes its place")
    func matter() async throws {
        try await run { service, told in
            try await service.look(at: "2026-03-04T09:00:00Z")
            let later = told.key(.renewal, 1).id
            #expect(
                try await service.push("reminder", .update, later, ["answer": "keep"], by: told.user).outcome
                    == .applied)
            let shown = try #require(try await service.client.call(PreviewAnswers(token: told.answer)).reminders.first)
            #expect(shown.answer == .keep)
            let put = try await service.client.call(
                GiveAnswer(token: told.answer, reminder: told.id, answer: .snooze, until: day("2026-03-05")))
            #expect(put.reminder.answer == .snooze)
            try await service.planned()
            try await service.look(at: "2026-03-05T09:00:00Z")
            #expect(try await service.said(to: told.user).contains("renewal 2026-03-05 0"))
        }
    }

    @Test("A token that is none, is over, is of another purpose or of another notification is refused alike")
    func refused() async throws {
        try await run { service, told in
            let give = GiveAnswer(token: told.answer, reminder: told.id, answer: .cancel)
            func token(_ text: String) -> GiveAnswer { .init(token: text, reminder: told.id, answer: .cancel) }
            for bad in ["", "x", told.unsubscribe, Told.other(than: told.answer), told.user.client.token ?? ""] {
                expectRefused(try await service.client.refusal(of: PreviewAnswers(token: bad)), "token", .missing)
                expectRefused(try await service.client.refusal(of: token(bad)), "token", .missing)
            }
            for bad in [told.held.id, told.key(.renewal, 1).id, told.key(.trial, 7).id] {
                let problem = try await service.client.refusal(
                    of: GiveAnswer(token: told.answer, reminder: bad, answer: .cancel))
                expectRefused(problem, "reminder", .missing)
            }
            service.clock.advance(days: 31)
            expectRefused(try await service.client.refusal(of: give), "token", .missing)
            expectRefused(try await service.client.refusal(of: PreviewAnswers(token: told.answer)), "token", .missing)
            #expect(try await told.user.call(GetSubscription(id: told.held.id)).status == .active)
        }
    }

    @Test("A network has sixty attempts with bad tokens in an hour; good ones are not counted")
    func rate() async throws {
        try await run { service, told in
            for attempt in 0..<120 {
                let token = attempt.isMultiple(of: 2) ? told.answer : "x"
                let response = try await service.client.response(to: PreviewAnswers(token: token))
                #expect(response.status == (token == "x" ? 400 : 200))
            }
            let refused = try await service.client.refusal(of: PreviewAnswers(token: "x"))
            #expect(refused.code == .rateLimited && refused.retryAfter != nil)
            #expect(try await service.client.call(PreviewAnswers(token: told.answer)).reminders.count == 1)
            service.clock.set("2026-02-26T10:01:00Z")
            expectRefused(try await service.client.refusal(of: PreviewAnswers(token: "x")), "token", .missing)
        }
    }

    @Test(
        "A subscription that was resumed after it was cancelled from a mail is told of again, and can be cancelled again"
    )
    func resumed() async throws {
        try await run { service, told in
            let cancel = GiveAnswer(token: told.answer, reminder: told.id, answer: .cancel)
            _ = try await service.client.call(cancel)
            try await told.user.call(ResumeSubscription(id: told.held.id))
            try await service.look(at: "2026-03-04T09:00:00Z")
            #expect(try await service.said(to: told.user).contains("renewal 2026-03-05 1"))
            let shown = try #require(try await service.client.call(PreviewAnswers(token: told.answer)).reminders.first)
            #expect(shown.answer == nil && shown.answers.contains(.cancel))
            #expect(try await service.client.call(cancel).reminder.answer == .cancel)
            #expect(try await told.user.call(GetSubscription(id: told.held.id)).status == .cancelled)
            _ = try await service.client.call(cancel)
            let other = try await service.client.refusal(
                of: GiveAnswer(token: told.answer, reminder: told.id, answer: .keep))
            #expect(other.code == .statusConflict)
        }
    }

    @Test("A deleted user's token is none")
    func deleted() async throws {
        try await run { service, told in
            try await told.user.call(DeleteMe(currentPassword: goodPassword))
            expectRefused(try await service.client.refusal(of: PreviewAnswers(token: told.answer)), "token", .missing)
        }
    }

    // MARK: Unsubscribing

    private func send(
        _ method: String, _ token: String, _ service: TestService, body: String = "", language: String? = nil
    ) async throws -> APIResponse {
        var headers = ["Content-Type: application/x-www-form-urlencoded"]
        if let language { headers.append("Accept-Language: \(language)") }
        return try await RawHTTP.send(
            method, "/unsubscribe/\(token)", port: service.port, headers: headers, body: Array(body.utf8))
    }

    @Test("One POST ends the mails; opening the link a hundred times shows a button and changes nothing")
    func oneClick() async throws {
        try await run { service, told in
            for _ in 0..<100 {
                let page = try await send("GET", told.unsubscribe, service)
                #expect(page.status == 200 && page.text.contains("<button>") && !page.text.contains(told.unsubscribe))
            }
            #expect(try await byMail(service))
            #expect(try await send("GET", "x", service, language: "de").text.contains("Keine Mails mehr"))
            for _ in 0..<2 {
                let done = try await send(
                    "POST", told.unsubscribe, service, body: "List-Unsubscribe=One-Click")
                #expect(done.status == 200 && !done.text.contains("<button>"))
            }
            #expect(try await !byMail(service))
            // A device sees it, and switches them on again.
            var phone = DeclaredDevice(told.user, service, "reminderSetting")
            try await phone.pull()
            let id = told.user.user.id.uuidString.lowercased()
            #expect(phone.rows[id]?["byMail"] == false)
            #expect(try await phone.push(.update, id, ["byMail": true]).outcome == .applied)
            #expect(try await send("POST", told.unsubscribe, service, body: "List-Unsubscribe=One-Click").status == 200)
            try await phone.pull()
            #expect(try await phone.push(.delete, id).outcome == .applied)
            #expect(try await send("POST", told.unsubscribe, service, body: "List-Unsubscribe=One-Click").status == 200)
            #expect(try await !byMail(service))
        }
    }

    @Test("Another body, token or method ends nothing")
    func notOneClick() async throws {
        try await run { service, told in
            #expect(try await send("POST", told.unsubscribe, service).status == 400)
            #expect(try await send("POST", told.unsubscribe, service, body: "a=b").status == 400)
            let click = "List-Unsubscribe=One-Click"
            for bad in [told.answer, "x", Told.other(than: told.unsubscribe)] {
                #expect(try await send("POST", bad, service, body: click).status == 400)
            }
            let put = try await send("PUT", told.unsubscribe, service, body: click)
            #expect(put.status == 405 && put.header("allow") == "GET, HEAD, POST")
            service.clock.advance(days: 31)
            #expect(try await send("POST", told.unsubscribe, service, body: click).status == 400)
            #expect(try await byMail(service))
        }
    }
}
