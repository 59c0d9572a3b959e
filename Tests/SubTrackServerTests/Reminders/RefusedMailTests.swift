import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Mails of reminders that a real server does not take.
@Suite("Refused mails of reminders", .ownTime, .enabled(if: MailSink.python != nil, MailSink.want))
struct RefusedMailTests {
    @Test("An address without a mailbox is noted in the settings, and gets no reminder until its member asks for it")
    func refused() async throws {
        try await MailSink.with { sink in
            let mail = try MailSink.settings(
                MailServer("smtp://127.0.0.1:\(sink.port)", isPlain: true, password: nil))
            try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z", configure: { $0.mail = mail }) {
                service in
                let ada = try await service.newUser()
                try await ada.register("nobody@example.org")
                func refusals() -> Int { sink.commands.count { $0 == "RCPT nobody@example.org" } }
                try await eventually("the mail that asks to confirm is refused") { refusals() == 1 }
                try await service.database.run("UPDATE Account SET Verified_at = UTC_TIMESTAMP()")
                let plan = try await service.addPlan()
                try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
                try await service.planned()

                try await service.look(at: "2026-02-26T09:00:00Z")
                var phone = DeclaredDevice(ada, service, "reminderSetting")
                let id = ada.user.id.uuidString.lowercased()
                try await eventually("the refusal is noted") {
                    try await phone.pull()
                    return phone.rows[id]?["mailRefused"] == "nobody@example.org"
                }
                #expect(phone.rows[id]?["byMail"] == true && refusals() == 2)
                try await eventually("the mail is gone") { try await service.number("SELECT COUNT(*) FROM Mail") == 0 }

                try await service.look(at: "2026-03-04T09:00:00Z")
                #expect(try await service.said().contains("renewal 2026-03-05 1"))
                #expect(try await service.number("SELECT COUNT(*) FROM Mail") == 0 && refusals() == 2)

                #expect(try await phone.push(.update, id, ["mailRefused": .null]).outcome == .applied)
                try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-12")))
                try await service.planned()
                try await service.look(at: "2026-03-05T09:00:00Z")
                try await eventually("it is tried again") { refusals() == 3 }
            }
        }
    }
}
