import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Looks at users over days of a moved clock. `ReminderHistoryTests` has the rules in all their cases.
@Suite("Reminders are decided once, on the user's hour", .tags(.otherServers), .ownTime)
struct ReminderLookTests {
    @Test(
        "A renewal is said at the user's hour in the user's zone, seven days ahead and one, each once",
        .tags(.everyServer))
    func renewal() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser(country: "DE", timeZone: "Europe/Berlin")
            let plan = try await service.addPlan(country: "DE")
            let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            #expect(held.endDate == day("2026-03-05"))
            try await service.planned()
            // A minute before nine in Berlin.
            try await service.look(at: "2026-02-26T07:59:00Z")
            #expect(try await service.said().isEmpty)
            try await service.look(at: "2026-02-26T08:00:00Z")
            #expect(try await service.said() == ["renewal 2026-03-05 7"])
            try await service.look(at: "2026-02-27T08:00:00Z")
            #expect(try await service.said().count == 1, "the day after says nothing")
            try await service.look(at: "2026-03-04T08:00:00Z")
            #expect(try await service.said() == ["renewal 2026-03-05 1", "renewal 2026-03-05 7"])
            // Each look has a number of its own, and the devices get the rows.
            #expect(try await service.number("SELECT COUNT(DISTINCT Notification_no) FROM Reminder") == 2)
            var phone = DeclaredDevice(ada, service, "reminder")
            try await phone.pull()
            #expect(phone.rows.count == 2)
            let key = ReminderKey(subject: held.id, kind: .renewal, occursOn: day("2026-03-05"), lead: 7)
            #expect(phone.rows[key.id.uuidString.lowercased()]?["kind"] == "renewal")
        }
    }

    @Test("After three days without looks the newest of a thing is said, once; nothing that was cancelled meanwhile")
    func downtime() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            for _ in 0..<2 {
                try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            }
            try await service.planned()
            // By SQL, while no look comes.
            try await service.database.run(
                "UPDATE Subscription SET Cancelled_on = '2026-02-10' ORDER BY Subscription_ID LIMIT 1")
            try await service.look(at: "2026-03-01T09:00:00Z")
            #expect(try await service.said() == ["renewal 2026-03-05 7"])
        }
    }

    @Test("Three replicas look at many users: each is told once")
    func replicas() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let plan = try await service.addPlan()
            for _ in 0..<120 {
                let user = try await service.newUser()
                try await user.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            }
            try await service.planned()
            try await service.runReplica { (second: TestService) async throws in
                try await second.runReplica { (_: TestService) async throws in
                    try await service.look(at: "2026-02-26T09:00:00Z")
                }
            }
            #expect(try await service.said().count == 120)
            #expect(try await service.number("SELECT COUNT(DISTINCT User_ID) FROM Reminder") == 120)
        }
    }

    @Test("A user's own hour, days ahead and number of days to a repetition hold; the zone may be one that is no more")
    func settings() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await service.push(
                "reminderSetting", .create, ada.user.id,
                ["remindAt": "18:30", "repeatDays": .integer(2), "weeklyOn": .null], by: ada)
            try await service.push("reminderLead", .create, UUID(), ["kind": "renewal", "days": .integer(5)], by: ada)
            try await service.planned()
            try await service.database.run("UPDATE `User` SET Time_zone = 'Gone/Away'")
            try await service.planned()
            try await service.look(at: "2026-02-28T18:29:00Z")
            #expect(try await service.said().isEmpty)
            try await service.look(at: "2026-02-28T18:30:00Z")
            #expect(try await service.said() == ["renewal 2026-03-05 5"])
            try await service.look(at: "2026-03-02T18:30:00Z")
            #expect(try await service.said() == ["renewal 2026-03-05 3", "renewal 2026-03-05 5"])
            // A kind with a row that has no days is said no more.
            try await service.push("reminderLead", .create, UUID(), ["kind": "trial", "days": .null], by: ada)
            let trial = try await service.addPlan(trialDays: 10)
            try await ada.call(CreateSubscription(planId: trial, startDate: day("2026-03-02"), freeTrial: true))
            try await service.planned()
            for day in 3...12 { try await service.look(at: "2026-03-\(day < 10 ? "0" : "")\(day)T18:30:00Z") }
            #expect(try await service.said().contains { $0.hasPrefix("trial") } == false)
        }
    }

    @Test("A price that an admin announces by SQL is said to the plan's subscribers, and to nobody else")
    func price() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            let (dearer, other) = (try await service.addPlan(), try await service.addPlan())
            try await ada.call(CreateSubscription(planId: dearer, startDate: day("2026-02-05")))
            try await bob.call(CreateSubscription(planId: other, startDate: day("2026-02-05")))
            try await service.planned()
            try await service.database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES (\(dearer), '2026-03-01', 99, 'USD')
                """)
            try await service.planned()
            try await service.look(at: "2026-02-19T09:00:00Z")
            #expect(try await service.said(to: ada) == ["price 2026-03-05 14"])
            #expect(try await service.said(to: bob) == [])
        }
    }

    @Test("A price that comes to hold because an admin takes another one back by SQL is said")
    func priceTakenBack() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await service.database.run(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee, Currency_code) VALUES
                    (\(plan), '2026-02-20', 99, 'USD'), (\(plan), '2026-03-01', 17.99, 'USD')
                """)
            try await service.planned()
            try await service.database.run("DELETE FROM Plan_price WHERE Effective_on = '2026-03-01'")
            try await service.planned()
            try await service.look(at: "2026-02-19T09:00:00Z")
            #expect(try await service.said() == ["price 2026-03-05 14"])
        }
    }

    @Test("A subscription that renews by itself does so in a look, though nobody reads it; the new period is said anew")
    func renewing() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05"), autoRenew: true))
            try await service.planned()
            for day in ["02-26", "03-04", "03-05", "03-06", "03-29"] {
                try await service.look(at: "2026-\(day)T09:00:00Z")
            }
            let said = try await service.said()
            #expect(
                said == ["renewal 2026-03-05 1", "renewal 2026-03-05 7", "renewal 2026-04-05 7"], "\(said)")
            #expect(try await service.number("SELECT Period FROM Subscription") == 1)
        }
    }

    @Test("The dates of contacts are said a day ahead and on the day; those of a deleted contact are not")
    func dates() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let names = [("Grace", UUID()), ("Alan", UUID())]
            for (name, id) in names {
                let date: AnyJSON = .object(["date": "--02-20", "type": "birthday"])
                let made = try await service.push(
                    "contact", .create, id,
                    ["firstName": .string(name), "lastName": "Hopper", "dates": .array([date])], by: ada)
                #expect(made.outcome == .applied)
            }
            try await service.push("contact", .delete, names[1].1, by: ada)
            try await service.planned()
            for day in 18...21 { try await service.look(at: "2026-02-\(day)T09:00:00Z") }
            #expect(try await service.said() == ["date 2026-02-20 0", "date 2026-02-20 1"])
        }
    }

    @Test("What a device has said and answered first is said by nobody again, nor is a reminder that was deleted")
    func answeredFirst() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            let other = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await service.planned()
            for (subject, fields) in [(held.id, ["answer": "keep"] as [String: AnyJSON]), (other.id, [:])] {
                let key = ReminderKey(subject: subject, kind: .renewal, occursOn: day("2026-03-05"), lead: 7)
                let row: [String: AnyJSON] = [
                    "subjectId": .string(subject.uuidString), "kind": "renewal", "occursOn": "2026-03-05",
                    "leadDays": .integer(7),
                ]
                let made = try await service.push("reminder", .create, key.id, row.merging(fields) { $1 }, by: ada)
                #expect(made.outcome == .applied, "\(made)")
                if fields.isEmpty { try await service.push("reminder", .delete, key.id, by: ada) }
            }
            for day in ["02-26", "03-04"] { try await service.look(at: "2026-\(day)T09:00:00Z") }
            #expect(try await service.said() == ["renewal 2026-03-05 7", "renewal 2026-03-05 7"])
        }
    }

    @Test("A reminder whose id another one has is said all the same")
    func takenID() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            // A row of SQL has the id of the reminder that is to come.
            let key = ReminderKey(subject: held.id, kind: .renewal, occursOn: day("2026-03-05"), lead: 7)
            try await service.database.run(
                """
                INSERT INTO Reminder (User_ID, Reminder_ID, Subject_ID, Kind, Occurs_on, Lead_days)
                VALUES (\(hex(ada.user.id)), \(hex(key.id)), \(hex(held.id)), 'renewal', '2026-02-05', 1)
                """)
            try await service.planned()
            for day in ["02-26", "02-27"] { try await service.look(at: "2026-\(day)T09:00:00Z") }
            #expect(try await service.said() == ["renewal 2026-02-05 1", "renewal 2026-03-05 7"])
        }
    }

    @Test("A user whose rows stop a look is left out for an hour, and the others are told")
    func failure() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            let plan = try await service.addPlan()
            for user in [ada, bob] {
                try await user.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            }
            try await service.planned()
            try await service.database.run(
                """
                CREATE TRIGGER Never_ada BEFORE INSERT ON Reminder FOR EACH ROW
                    SET NEW.Kind = IF(NEW.User_ID = \(hex(ada.user.id)), NULL, NEW.Kind)
                """)
            try await service.look(at: "2026-02-26T09:00:00Z")
            #expect(try await service.said(to: bob) == ["renewal 2026-03-05 7"])
            #expect(try await service.said(to: ada) == [])
            let log = service.log.lines.map { "\($0)" }.joined(separator: "\n")
            #expect(log.contains("the look at the user \(ada.user.id.uuidString.lowercased()): MariaDB server"))
            #expect(
                try await service.database.run("SELECT Next_at FROM Agenda WHERE User_ID = \(hex(ada.user.id))")
                    == "2026-02-26 10:00:00\n")
            // The hour that was missed is spoken of then. Nothing looks before.
            try await service.database.run("DROP TRIGGER Never_ada")
            try await service.look(at: "2026-02-26T10:00:00Z")
            #expect(try await service.said(to: ada) == ["renewal 2026-03-05 7"])
        }
    }

    @Test("A suspended tenant says nothing; afterwards it says what is of use then")
    func suspended() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await service.planned()
            try await service.withTenants { try await $0.setSuspended(true, "default") }
            try await eventually("the service knows") { try await ada.client.response(to: GetMe()).status != 200 }
            // The day of the first reminder passes.
            service.clock.set("2026-03-04T09:00:00Z")
            try await service.withTenants { try await $0.setSuspended(false, "default") }
            try await service.look(at: "2026-03-04T09:00:00Z")
            #expect(try await service.said() == ["renewal 2026-03-05 1"])
        }
    }

    @Test("Reminders go ninety days after their day, and devices hear of it")
    func upkeep() async throws {
        try await TestService.runWithReminders(
            at: "2026-02-10T12:00:00Z", configure: { $0.jobInterval = .milliseconds(30) }
        ) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await service.planned()
            try await service.look(at: "2026-02-26T09:00:00Z")
            var phone = DeclaredDevice(ada, service, "reminder")
            try await phone.pull()
            #expect(phone.rows.count == 1)
            try await ada.call(DeleteSubscription(id: held.id))
            service.clock.set("2026-06-03T12:00:00Z")
            try await phone.pull()
            #expect(phone.rows.count == 1, "the ninetieth day")
            service.clock.set("2026-06-04T12:00:00Z")
            try await eventually("it goes") { try await service.said().isEmpty }
            try await phone.pull()
            #expect(phone.rows.isEmpty)
        }
    }
}
