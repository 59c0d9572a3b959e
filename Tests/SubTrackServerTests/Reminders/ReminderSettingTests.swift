import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("The settings of reminders")
struct ReminderSettingTests {
    @Test("The usual settings hold until a field is changed; the others stay")
    func update() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let usual = try await ada.call(GetReminderSettings())
            #expect(usual.row == .usual && usual.version == 0)
            let changed = try await ada.call(
                UpdateReminderSettings(
                    remindAt: .set("07:30"), language: .set("de"), repeatDays: .set(2), weeklyOn: .remove,
                    byMail: .set(false), leads: .set(.init(renewal: .set([3, 30, 3]), trial: .set([])))))
            var wanted = StoredReminderSettings(
                remindAt: "07:30", language: "de", repeatDays: 2, weeklyOn: nil, byMail: false, leads: .usual)
            (wanted.leads.renewal, wanted.leads.trial) = ([30, 3], [])
            #expect(changed.row == wanted && changed.version > 0)
            #expect(try await ada.call(GetReminderSettings()) == changed)
            let again = try await ada.call(
                UpdateReminderSettings(language: .remove, leads: .set(.init(renewal: .remove, date: .set([0])))))
            (wanted.language, wanted.leads.renewal, wanted.leads.date) = (nil, [7, 1], [0])
            #expect(again.row == wanted && again.version > changed.version)
            #expect(try await ada.call(UpdateReminderSettings(byMail: .set(false))) == again, "nothing has changed")
            #expect(try await ada.call(UpdateReminderSettings(leads: .remove)).leads == .usual)
            let stale = try await ada.refusal(
                of: UpdateReminderSettings(byMail: .set(true)), headers: [("If-Match", "\"\(changed.version)\"")])
            #expect(stale.code == .stale)
        }
    }

    @Test("Settings out of bounds are refused with their fields, and nothing is stored")
    func faults() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            func refused(_ update: UpdateReminderSettings, _ field: String, _ code: FieldProblem.Code) async throws {
                expectRefused(try await ada.refusal(of: update), field, code)
            }
            for bad in ["24:00", "9:00", "09:60", "09:00:00", "", "０９:00"] {
                try await refused(.init(remindAt: .set(bad)), "remindAt", .malformed)
            }
            try await refused(.init(remindAt: .remove), "remindAt", .required)
            try await refused(.init(byMail: .remove), "byMail", .required)
            try await refused(.init(language: .set("fr")), "language", .missing)
            try await refused(.init(repeatDays: .set(31)), "repeatDays", .range)
            try await refused(.init(weeklyOn: .set(0)), "weeklyOn", .range)
            try await refused(.init(leads: .set(.init(price: .set([366])))), "leads.price", .range)
            try await refused(.init(leads: .set(.init(cancelBy: .set([-1])))), "leads.cancelBy", .range)
            let many = UpdateReminderSettings(leads: .set(.init(renewal: .set(Array(1...9)))))
            #expect(try await ada.refusal(of: many).code == .tooMany)
            let unknown = try await ada.client.send("PATCH", "/v1/me/reminders", json: #"{"leads": {"digest": [1]}}"#)
            #expect(try unknown.problem().errors?.map(\.field) == ["leads.digest"])
            #expect(try await ada.call(GetReminderSettings()).version == 0)
        }
    }

    @Test("A change of the settings by SQL moves their version, also where a number of days goes")
    func bySQL() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let id = "UNHEX(REPLACE('\(ada.user.id)', '-', ''))"
            var last = try await ada.call(UpdateReminderSettings(remindAt: .set("08:00"))).version
            for statement in [
                "DELETE FROM Reminder_lead WHERE User_ID = \(id) AND Kind = 'renewal' AND Lead_days = 7",
                "INSERT INTO Reminder_lead (User_ID, Kind, Lead_days) VALUES (\(id), 'renewal', 5)",
                "UPDATE Reminder_setting SET Remind_at = '10:00' WHERE User_ID = \(id)",
            ] {
                try await service.database.run(statement)
                let now = try await ada.call(GetReminderSettings())
                #expect(now.version > last, "\(statement)")
                last = now.version
            }
            let now = try await ada.call(GetReminderSettings())
            #expect(now.leads.renewal == [5, 1] && now.remindAt == "10:00")
            try await service.database.run("DELETE FROM Reminder_setting WHERE User_ID = \(id)")
            #expect(try await ada.call(GetReminderSettings()).row == .usual)
            // A language that no mail is written in is that of the country.
            try await service.database.run("INSERT INTO Reminder_setting (User_ID, Language) VALUES (\(id), 'xx')")
            #expect(try await ada.call(GetReminderSettings()).language == nil)
        }
    }
}
