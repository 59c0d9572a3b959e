import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("Reminders are decided once, and go out by mail")
struct ReminderLookTests {
    /// The reminders of all users, one to a line.
    private func said(_ service: TestService) async throws -> [String] {
        try await service.database.run(
            "SELECT CONCAT(Kind, ' ', Occurs_on, ' ', Lead_days) FROM Reminder ORDER BY Occurs_on, Kind, Lead_days DESC"
        ).split(separator: "\n").map(String.init)
    }

    @Test("A renewal is told by mail at the user's hour in the user's zone, seven days ahead and one, each once")
    func renewal() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, folder in
            let ada = try await service.newMember("ada@example.org", country: "DE", timeZone: "Europe/Berlin", folder)
            let plan = try await service.addPlan(fee: "17.99")
            let held = try await ada.call(CreateSubscription(planId: plan, startDate: CalendarDate("2026-02-05")))
            #expect(held.endDate == CalendarDate("2026-03-05"))
            try await service.planned()
            #expect(try await said(service).isEmpty, "nobody is told of a subscription that was just added")
            // A minute before nine in Berlin.
            service.clock.set("2026-02-26T07:59:00Z")
            try await service.planned()
            #expect(try folder.mails().isEmpty)
            service.clock.set("2026-02-26T08:00:00Z")
            let mail = try await folder.take(to: "ada@example.org")
            let text = mail.part("text/plain")
            #expect(text.contains("17,99") && text.contains("5. März"), "\(text)")
            try await service.delivered()
            service.clock.set("2026-02-27T08:00:00Z")
            try await service.delivered()
            #expect(try folder.mails().isEmpty, "the day after says nothing")
            service.clock.set("2026-03-04T08:00:00Z")
            let second = try await folder.take(to: "ada@example.org")
            #expect(second.header("Message-ID") != mail.header("Message-ID"))
            try await service.delivered()
            #expect(try await said(service) == ["renewal 2026-03-05 7", "renewal 2026-03-05 1"])
        }
    }

    @Test("After three days without looks the newest of a thing is told, once; nothing that was cancelled meanwhile")
    func downtime() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, folder in
            let ada = try await service.newMember("ada@example.org", folder)
            let plan = try await service.addPlan(fee: "17.99")
            for _ in 0..<2 {
                try await ada.call(CreateSubscription(planId: plan, startDate: CalendarDate("2026-02-05")))
            }
            try await service.planned()
            // By SQL, while no look comes.
            try await service.database.run(
                "UPDATE Subscription SET Cancelled_on = '2026-02-10' ORDER BY Subscription_ID LIMIT 1")
            service.clock.set("2026-03-01T09:00:00Z")
            _ = try await folder.take(to: "ada@example.org")
            try await service.delivered()
            #expect(try await said(service) == ["renewal 2026-03-05 7"])
            #expect(try folder.mails().isEmpty)
        }
    }

    @Test("A mail that was refused is tried again under the same id; an answer meanwhile makes it needless")
    func again() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, folder in
            let ada = try await service.newMember("ada@example.org", folder)
            let plan = try await service.addPlan(fee: "17.99")
            try await ada.call(CreateSubscription(planId: plan, startDate: CalendarDate("2026-02-05")))
            try await service.planned()
            try folder.refuse(true)
            service.clock.set("2026-02-26T09:00:00Z")
            try await eventually("the attempt is noted") {
                try await service.database.run("SELECT Attempts FROM Mail_delivery WHERE Last_problem IS NOT NULL")
                    == "1\n"
            }
            try folder.refuse(false)
            service.clock.set("2026-02-26T09:00:10Z")
            let mail = try await folder.take(to: "ada@example.org")
            #expect(mail.header("Auto-Submitted") == "auto-generated")
            try await service.delivered()
            try folder.refuse(true)
            service.clock.set("2026-03-04T09:00:00Z")
            try await eventually("the attempt is noted") {
                try await service.database.run("SELECT Attempts FROM Mail_delivery WHERE Last_problem IS NOT NULL")
                    == "1\n"
            }
            try folder.refuse(false)
            try await service.database.run(
                "UPDATE Reminder SET Answer = 'keep', Answered_at = UTC_TIMESTAMP() WHERE Lead_days = 1")
            service.clock.set("2026-03-04T09:00:10Z")
            try await service.delivered()
            #expect(try folder.mails().isEmpty)
        }
    }

    @Test("Three replicas look at many users: each is told once")
    func replicas() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, folder in
            let plan = try await service.addPlan(fee: "17.99")
            for number in 0..<40 {
                let user = try await service.newUser()
                try await user.call(CreateSubscription(planId: plan, startDate: CalendarDate("2026-02-05")))
                try await service.database.run(
                    """
                    INSERT INTO Account (Email, User_ID, Password, Verified_at)
                    VALUES ('u\(number)@example.org', UNHEX('\(user.user.id.uuidString.replacing("-", with: ""))'), '$x$i=1$c2FsdA$aGFzaA', UTC_TIMESTAMP())
                    """)
            }
            try await service.planned()
            try await service.runReplica { (second: TestService) async throws in
                try await second.runReplica { (_: TestService) async throws in
                    service.clock.set("2026-02-26T09:00:00Z")
                    try await service.delivered()
                }
            }
            #expect(try folder.mails().map(\.to).sorted() == (0..<40).map { "u\($0)@example.org" }.sorted())
            #expect(try await said(service).count == 40)
        }
    }
}
