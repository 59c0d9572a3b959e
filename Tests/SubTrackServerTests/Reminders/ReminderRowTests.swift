import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The rules of rows that no declaration says, as the service and the triggers keep them.
@Suite("Rows of reminders", .tags(.otherServers), .ownTime)
struct ReminderRowTests {
    /// A row that is refused, and the fault.
    struct Fault: Sendable, CustomTestStringConvertible {
        let kind: SyncEntity
        let fields: [String: AnyJSON]
        let field: String
        let message: String
        /// The statement that would write it: `0x…` stands for the user.
        let sql: String

        var testDescription: String { "\(kind) \(field): \(message)" }
    }

    static let faults: [Fault] =
        ["24:00", "09:60", "9:00a", "०९:३०", "-1:00"].map { time in
            Fault(
                kind: "reminderSetting", fields: ["remindAt": .string(time)], field: "remindAt",
                message: "must be a time from 00:00 to 23:59",
                sql: "INSERT INTO Reminder_setting (User_ID, Remind_at) VALUES (0x…, '\(time)')")
        } + [
            Fault(
                kind: "reminderSetting", fields: ["language": "fr"], field: "language", message: "must be en, de or zh",
                sql: "INSERT INTO Reminder_setting (User_ID, Language) VALUES (0x…, 'fr')"),
            Fault(
                kind: "reminderLead", fields: ["kind": "digest", "days": .integer(3)], field: "kind",
                message: "must be one of renewal, cancelBy, trial, price, ended, overdue, date",
                sql: "INSERT INTO Reminder_lead (User_ID, Kind, Days) VALUES (0x…, 'digest', 3)"),
            reminder(
                kind: "debt", field: "kind",
                "must be one of renewal, cancelBy, trial, price, ended, overdue, date, digest"),
            reminder(kind: "digest", answer: "cancel", field: "answer", "must be one of keep, done"),
            reminder(kind: "date", answer: "renew", field: "answer", "must be one of keep, snooze, done"),
            reminder(
                kind: "renewal", answer: "no", field: "answer", "must be one of keep, cancel, renew, snooze, done"),
            reminder(
                kind: "renewal", answer: "keep", until: "2026-03-01", field: "snoozedUntil",
                "is for the answer snooze alone"),
            reminder(kind: "renewal", until: "2026-03-01", field: "snoozedUntil", "is for the answer snooze alone"),
        ]

    private static func reminder(
        kind: String, answer: String? = nil, until: String? = nil, field: String, _ message: String
    ) -> Fault {
        func quoted(_ text: String?) -> String { text.map { "'\($0)'" } ?? "NULL" }
        func json(_ text: String?) -> AnyJSON { text.map { .string($0) } ?? .null }
        return Fault(
            kind: "reminder",
            fields: [
                "subjectId": "0190a000-0000-7000-8000-000000000001", "kind": .string(kind), "occursOn": "2026-03-05",
                "leadDays": .integer(7), "answer": json(answer), "snoozedUntil": json(until),
            ], field: field, message: message,
            sql: """
                INSERT INTO Reminder (User_ID, Subject_ID, Kind, Occurs_on, Lead_days, Answer, Snoozed_until)
                VALUES (0x…, 0x0190A000000070008000000000000001, '\(kind)', '2026-03-05', 7, \(quoted(answer)), \(quoted(until)))
                """)
    }

    @Test("A row against the rules is refused by the service and by the triggers, in the same words")
    func faults() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            for fault in Self.faults {
                let result = try await service.push(fault.kind, .create, UUID(), fault.fields, by: ada)
                #expect(result.faults == [fault.field: fault.message], "\(fault.testDescription): \(result)")
                await #expect("\(fault.testDescription)") {
                    try await service.database.run(fault.sql.replacing("0x…", with: hex(ada.user.id)))
                } throws: {
                    "\($0)".contains(": \(fault.message)")
                }
            }
            #expect(try await service.said().isEmpty)
        }
    }

    @Test("One thing has one row, whatever its id; one answer takes the place of another")
    func once() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let row: [String: AnyJSON] = [
                "subjectId": .string(UUID().uuidString), "kind": "renewal", "occursOn": "2026-03-05",
                "leadDays": .integer(7),
            ]
            let id = UUID()
            #expect(try await service.push("reminder", .create, id, row, by: ada).outcome == .applied)
            #expect(try await service.push("reminder", .create, UUID(), row, by: ada).error?.code == .idTaken)
            for (answer, until) in [("snooze", "2026-03-02" as AnyJSON), ("keep", .null), ("cancel", .null)] {
                let result = try await service.push(
                    "reminder", .update, id, ["answer": .string(answer), "snoozedUntil": until], by: ada)
                #expect(result.object?["answer"] == .string(answer) && result.object?["snoozedUntil"] == until)
            }
        }
    }

    @Test("The answer of a device comes to the row that the service has made, and the first answer holds")
    func first() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await service.planned()
            try await service.look(at: "2026-02-26T09:00:00Z")
            let key = ReminderKey(subject: held.id, kind: .renewal, occursOn: day("2026-03-05"), lead: 7)
            let row: [String: AnyJSON] = [
                "subjectId": .string(held.id.uuidString.lowercased()), "kind": "renewal", "occursOn": "2026-03-05",
                "leadDays": .integer(7),
            ]
            for answer in ["keep", "done"] {
                let result = try await service.push(
                    "reminder", .create, key.id, row.merging(["answer": .string(answer)]) { $1 }, by: ada)
                #expect(result.outcome == .applied && result.object?["answer"] == "keep", "\(result)")
            }
            #expect(try await service.said().count == 1)
        }
    }

    @Test("The settings that two devices add are one row; each keeps its change, and a deleted row comes back")
    func settings() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            func push(_ op: PushChanges.Mutation.Op, _ fields: [String: AnyJSON]? = nil) async throws -> [String:
                AnyJSON]?
            {
                let result = try await service.push("reminderSetting", op, ada.user.id, fields, by: ada)
                #expect(result.outcome != .refused, "\(result)")
                return result.object
            }
            _ = try await push(.create, [:])
            _ = try await push(.update, ["remindAt": "18:30"])
            // The other device has not seen it.
            _ = try await push(.create, [:])
            let both = try await push(.update, ["byMail": false])
            #expect(both?["remindAt"] == "18:30" && both?["byMail"] == false)
            _ = try await push(.delete)
            #expect(try await push(.create, [:])?["remindAt"] == "18:30")
        }
    }

    @Test("At a sign-in the settings of the account stay, and what was said of the device's subscriptions moves")
    func signIn() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            try await service.push(
                "reminderSetting", .create, ada.user.id, ["remindAt": "07:00", "weeklyOn": .null], by: ada)
            let guest = try await service.newUser()
            try await service.push(
                "reminderSetting", .create, guest.user.id, ["remindAt": "20:00", "weeklyOn": .null], by: guest)
            try await service.push(
                "reminderLead", .create, UUID(), ["kind": "renewal", "days": .integer(3)], by: guest)
            let plan = try await service.addPlan()
            try await guest.call(CreateSubscription(planId: plan, startDate: day("2026-02-05")))
            try await service.planned()
            try await service.look(at: "2026-03-02T20:00:00Z")
            #expect(try await service.said(to: guest) == ["renewal 2026-03-05 3"])
            _ = try await guest.signIn("ada@example.org")
            #expect(try await service.said(to: ada) == ["renewal 2026-03-05 3"])
            #expect(try await service.database.run("SELECT Remind_at FROM Reminder_setting") == "07:00\n")
            #expect(try await service.number("SELECT COUNT(*) FROM Reminder_lead") == 0)
            // By the account's usual days the next one is a day ahead.
            for day in ["03-03", "03-04"] { try await service.look(at: "2026-\(day)T07:00:00Z") }
            #expect(try await service.said(to: ada) == ["renewal 2026-03-05 1", "renewal 2026-03-05 3"])
        }
    }
}
