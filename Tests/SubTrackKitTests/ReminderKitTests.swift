import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport
import Testing

@testable import SubTrackKit

/// Reminders of kits, with a service.
@Suite("Reminders of kits")
struct ReminderKitTests {
    private func gym(start: String, duration: PlanDuration = .init(value: 1, unit: .month)) -> CreateSubscription {
        CreateSubscription(
            plan: PrivatePlan(
                provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD", duration: duration),
            startDate: day(start))
    }

    /// The open reminders of a device.
    private func open(_ device: TestDevice) throws -> [TrackedReminder] { try device.kit.reminders().open }

    @Test("A device says without network what the service says, at the same time and under the same ids")
    func same() async throws {
        try await TestService.runAlone(
            at: "2026-02-10T12:00:00Z", configure: { $0.roundInterval = .milliseconds(30) }
        ) { service in
            let device = try service.device(timeZone: "Europe/Berlin")
            try await device.kit.sync()
            let id = try device.kit.add(gym(start: "2026-02-05"))
            let born = StoredContact(
                firstName: "Ada", middleName: nil, lastName: "Lovelace", note: nil, phones: [], addresses: [],
                emails: [], dates: [.init(id: UUID(), date: "--02-27", yearly: true, type: "birthday")])
            try device.kit.add(born)
            let planned = try device.kit.reminders().upcoming
            try await device.kit.sync()
            func isDaily(_ reminder: TrackedReminder) -> Bool { reminder.kind != .digest }
            #expect(try device.kit.reminders().upcoming.filter(isDaily) == planned.filter(isDaily))
            let first = try #require(planned.first)
            #expect(first.key == ReminderKey(subject: id, kind: .renewal, occursOn: day("2026-03-05"), lead: 7))
            #expect(first.at == Instant("2026-02-26T08:00:00Z") && first.title == "Gym" && first.fee == amount("20"))
            #expect(planned.contains { $0.kind == .date && $0.title == "Ada Lovelace, birthday" })

            device.transport.isOffline = true
            service.clock.set("2026-02-26T08:00:00Z")
            let alone = try open(device)
            #expect(alone.map(\.key.kind) == [.date, .renewal] && alone.map(\.at) == [first.at, first.at])
            device.transport.isOffline = false
            try await eventually("the service has said it") {
                try await service.database.run("SELECT COUNT(*) FROM Reminder") == "2\n"
            }
            try await device.kit.sync()
            #expect(try open(device) == alone)
            let rows = try device.kit.store.read { try ReminderRows.entries(in: $0) }
            #expect(Set(rows.keys) == Set(alone.map(\.key)) && rows.values.allSatisfy { $0.firedAt == first.at })
        }
    }

    @Test("Two devices answer differently without network: the first one that arrives holds, and the other is told")
    func differently() async throws {
        try await TestService.run { service in
            let (one, other) = try await service.twoDevices()
            let id = try one.kit.add(gym(start: "2026-01-04"))
            try await one.kit.sync()
            try await other.kit.sync()
            let key = try #require(try open(one).first).key
            #expect(try open(other).map(\.key) == [key])
            try one.kit.answer(key, .keep)
            try other.kit.answer(key, .cancel)
            #expect(try open(one).isEmpty && open(other).isEmpty)
            #expect(try one.kit.held()[id]?.status == .active && other.kit.held()[id]?.status == .cancelled)
            for device in [one, other, one] { try await device.kit.sync() }
            #expect(try one.kit.reports().isEmpty)
            let report = try #require(try other.kit.reports().first)
            #expect(report.name == "Gym" && report.problem == nil)
            #expect(report.lost == [LostField(field: "answer", kept: "keep", yours: "cancel")])
            for device in [one, other] {
                #expect(try device.kit.held()[id]?.status == .active && device.kit.pendingCount() == 0)
                #expect(try open(device).isEmpty)
            }
        }
    }

    @Test("Two devices renew by the same reminder without network: one period begins, and nobody is told of a loss")
    func renewedTwice() async throws {
        try await TestService.run { service in
            let (one, other) = try await service.twoDevices()
            let id = try one.kit.add(gym(start: "2026-01-04"))
            try await one.kit.sync()
            try await other.kit.sync()
            let key = try #require(try open(one).first).key
            for device in [one, other] {
                try device.kit.answer(key, .renew)
                let renewed = try #require(try device.kit.details(of: id))
                #expect(renewed.tracked.subscription.period == 1 && renewed.tracked.isPending)
                #expect(renewed.periods.map(\.number) == [0, 1])
                #expect(throws: KitError.self) { try device.kit.answer(key, .keep) }
            }
            for device in [one, other, one] { try await device.kit.sync() }
            for device in [one, other] {
                let subscription = try #require(try device.kit.held()[id])
                #expect(subscription.period == 1 && subscription.endDate == day("2026-03-04"))
                #expect(try device.kit.reports().isEmpty && device.kit.pendingCount() == 0)
            }
        }
    }

    @Test("What is put off comes again on its day, on another device as well, and not once it is of no use")
    func later() async throws {
        try await TestService.runAlone(at: "2026-02-26T12:00:00Z") { service in
            let (one, other) = try await service.twoDevices()
            try one.kit.add(gym(start: "2026-02-05"))
            try await one.kit.sync()
            let key = try #require(try open(one).first).key
            for until in ["2026-02-26", "2026-03-06"] {
                #expect(throws: KitError.self) { try one.kit.answer(key, .snooze, until: day(until)) }
            }
            #expect(throws: KitError.self) { try one.kit.answer(key, .snooze) }
            #expect(throws: KitError.self) { try one.kit.answer(key, .keep, until: day("2026-02-28")) }
            try one.kit.answer(key, .snooze, until: day("2026-02-28"))
            #expect(try open(one).isEmpty && one.kit.reminders().upcoming.first?.at == Instant("2026-02-28T09:00:00Z"))
            for device in [one, other] { try await device.kit.sync() }
            for device in [one, other] { #expect(try open(device).isEmpty) }
            service.clock.set("2026-02-28T10:00:00Z")
            for device in [one, other] { #expect(try open(device).map(\.key.lead) == [5]) }
        }
    }

    @Test("Settings change what is said on this device at once; of two devices that change them the first one holds")
    func settings() async throws {
        try await TestService.runAlone(at: "2026-02-10T12:00:00Z") { service in
            let (one, other) = try await service.twoDevices()
            try one.kit.add(gym(start: "2026-02-05"))
            for device in [one, other] { try await device.kit.sync() }
            let leads = ReminderLeadsPatch(renewal: .set([3, 14]), overdue: .set([]))
            try one.kit.change(UpdateReminderSettings(remindAt: .set("08:30"), weeklyOn: .remove, leads: .set(leads)))
            let expected = [Instant("2026-02-19T08:30:00Z"), Instant("2026-03-02T08:30:00Z")]
            #expect(try one.kit.reminders().upcoming.map(\.at) == expected)
            try other.kit.change(UpdateReminderSettings(byMail: .set(false)))
            for device in [one, other, one] { try await device.kit.sync() }
            for device in [one, other] {
                let settings = try device.kit.reminderSettings()
                #expect(settings.remindAt == "08:30" && settings.leads.renewal == [14, 3] && settings.byMail)
                #expect(settings.leads.trial == ReminderLeads.usual.trial)
                #expect(try device.kit.reminders().upcoming.map(\.at) == expected)
            }
            #expect(try other.kit.reports().map { $0.lost.map(\.field) } == [["byMail"]])
            for wrong in [
                UpdateReminderSettings(remindAt: .set("24:00")), UpdateReminderSettings(repeatDays: .set(31)),
                UpdateReminderSettings(weeklyOn: .set(0)), UpdateReminderSettings(language: .set("fr")),
                UpdateReminderSettings(remindAt: .remove), UpdateReminderSettings(byMail: .remove),
                UpdateReminderSettings(leads: .set(.init(renewal: .set([366])))),
                UpdateReminderSettings(leads: .set(.init(renewal: .set(Array(0...8))))),
            ] { #expect(one.kit.faults(of: wrong).count == 1) }
        }
    }

    @Test("A user that the service has lost keeps the settings of reminders, as the next user")
    func lostUser() async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            try device.kit.change(UpdateReminderSettings(remindAt: .set("07:15")))
            try device.kit.add(gym(start: "2026-01-04"))
            try await device.kit.sync()
            // As thirty days later.
            try device.kit.store.write { try $0.execute(sql: "DELETE FROM acknowledged") }
            let user = try #require(try device.kit.store.state(.user)).replacing("-", with: "")
            try await service.database.run(
                """
                DELETE s FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID WHERE d.User_ID = UNHEX('\(user)');
                DELETE FROM Subscription WHERE User_ID = UNHEX('\(user)');
                DELETE FROM `User` WHERE User_ID = UNHEX('\(user)')
                """)
            try await eventually(within: .seconds(20), "the token has ended") {
                let problem = try? await service.client(of: device).refusal(of: GetMe())
                return problem?.code == .tokenEnded || problem?.code == .tokenInvalid
            }
            try await device.kit.register(
                email: "\(UUID().uuidString.lowercased())@example.org", password: "correct horse battery")
            try await device.kit.sync()
            #expect(try device.kit.reminderSettings().remindAt == "07:15" && device.kit.held().count == 1)
            #expect(try device.kit.reports().isEmpty && device.kit.pendingCount() == 0)
        }
    }

    @Test("Reminders of days long ago are dropped, and what is of a newer service is left out")
    func dropped() async throws {
        try await TestService.run { service in
            let device = try service.device()
            let rows = [
                ("renewal", "2025-11-01"), ("renewal", "2025-10-29"), ("moonrise", "2026-01-30"),
                ("ended", "2026-01-30"),
            ]
            let id = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
            let now = service.clock.now.secondsSince1970
            try device.kit.store.write { database in
                for (kind, on) in rows {
                    let data = """
                        {"kind":"\(kind)","subjectId":"\(id)","occursOn":"\(on)","leadDays":1,"firedAt":"\(on)T09:00:00Z"}
                        """
                    try database.execute(
                        sql: """
                            INSERT INTO declared (kind, id, scope, version, data) VALUES ('reminder', ?, 'user', 1, ?)
                            """,
                        arguments: ["\(kind).\(id).\(on).1", data])
                }
                try Store.tidyDeleted(at: now, in: database)
            }
            let held = try device.kit.store.read { try ReminderRows.entries(in: $0) }
            #expect(Set(held.keys.map(\.occursOn)) == [day("2025-11-01"), day("2026-01-30")])
            #expect(try open(device).isEmpty)
        }
    }
}
