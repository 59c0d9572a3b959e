import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("Reminders and their settings on devices")
struct ReminderSyncTests {
    /// Runs a test on the day on which a subscription's renewal was told seven days ahead.
    private func run(
        autoRenew: Bool = false, isSaid: Bool = true,
        _ body: (TestService, TestUser, Subscription, String) async throws -> Void
    ) async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, _ in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "17.99")
            let held = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-02-05"), autoRenew: autoRenew))
            try await service.planned()
            if isSaid {
                service.clock.set("2026-02-26T09:00:00Z")
                try await service.planned()
            }
            let id = "renewal.\(held.id.uuidString.lowercased()).2026-03-05.7"
            try await body(service, ada, held, id)
        }
    }

    private func pull(_ user: TestUser, after cursor: String? = nil) async throws -> (changes: [Change], cursor: String)
    {
        var (changes, cursor): ([Change], String?) = ([], cursor)
        while true {
            let page = try await user.call(PullChanges(cursor: cursor))
            changes += page.changes
            cursor = page.cursor
            if !page.more { return (changes, page.cursor) }
        }
    }

    private func answer(
        _ id: String, _ answer: ReminderAnswer, until: String? = nil, base: Int64?,
        after: PushChanges.Mutation? = nil, madeOn: String? = nil
    ) -> PushChanges.Mutation {
        var fields: [String: AnyJSON] = ["answer": .string(answer.rawValue)]
        if let until { fields["until"] = .string(until) }
        return .init(
            entity: StoredReminder.entity, id: id, op: .answer, baseVersion: base, after: after?.key,
            madeOn: madeOn.map { day($0) }, fields: fields)
    }

    private func push(_ user: TestUser, _ mutations: PushChanges.Mutation...) async throws -> [PushChanges.Result] {
        try await user.call(PushChanges(mutations: mutations)).results
    }

    @Test("Reminders and settings reach every copy, and an answer brings the reminder once more")
    func feed() async throws {
        try await run { _, ada, held, id in
            try await ada.call(UpdateReminderSettings(remindAt: .set("07:30")))
            let (changes, cursor) = try await pull(ada)
            let reminder = try #require(changes.first { $0.entity == StoredReminder.entity })
            let row = try #require(try reminder.row(StoredReminder.self))
            #expect(reminder.id == id && row.key.description == id && row.answer == nil && row.subjectId == held.id)
            let settings = try #require(changes.first { $0.entity == StoredReminderSettings.entity })
            #expect(settings.id == ada.user.id.uuidString.lowercased())
            #expect(try settings.row(StoredReminderSettings.self)?.remindAt == "07:30")
            let answered = try await ada.call(AnswerReminder(id: id, answer: .keep)).reminder
            let next = try await pull(ada, after: cursor)
            #expect(next.changes.map(\.id) == [id])
            #expect(try next.changes.first?.row(StoredReminder.self) == answered.row)
            #expect(try await pull(ada, after: next.cursor).changes.isEmpty)
        }
    }

    @Test("Settings that are deleted by SQL go from every copy, and the usual ones hold")
    func deletedSettings() async throws {
        try await run { service, ada, _, _ in
            try await ada.call(UpdateReminderSettings(remindAt: .set("07:30")))
            let cursor = try await pull(ada).cursor
            try await service.database.run(
                "DELETE FROM Reminder_setting WHERE User_ID = UNHEX(REPLACE('\(ada.user.id)', '-', ''))")
            let changes = try await pull(ada, after: cursor).changes
            #expect(changes.map(\.entity) == [StoredReminderSettings.entity] && changes.first?.deleted == true)
            try await ada.call(UpdateReminderSettings(remindAt: .set("08:30")))
            let again = try await pull(ada).changes.filter { $0.entity == StoredReminderSettings.entity }
            #expect(try again.map { try $0.row(StoredReminderSettings.self)?.remindAt } == ["08:30"])
        }
    }

    @Test("Of two devices that answer differently the first one holds, and the other one is told")
    func twoDevices() async throws {
        try await run { _, ada, _, id in
            let base = try #require(try await pull(ada).changes.first { $0.id == id }).version
            let first = try await push(ada, answer(id, .snooze, until: "2026-03-01", base: base))
            #expect(first.map(\.outcome) == [.applied])
            let second = try await push(ada, answer(id, .keep, base: base))
            #expect(second.map(\.outcome) == [.merged])
            #expect(second.first?.lost == [LostField(field: "answer", kept: "snooze", yours: "keep")])
            #expect(try second.first?.row?.row(StoredReminder.self)?.answer == .snooze)
            let later = try await push(ada, answer(id, .snooze, until: "2026-03-02", base: base))
            #expect(later.first?.lost == [LostField(field: "until", kept: "2026-03-01", yours: "2026-03-02")])
            // The same answer loses nothing.
            let same = try await push(ada, answer(id, .snooze, until: "2026-03-01", base: base))
            #expect(same.first?.lost == [] && same.first?.error == nil)
            // A device that knows the answer replaces it.
            let known = try #require(same.first?.row?.version)
            #expect(try await push(ada, answer(id, .keep, base: known)).map(\.outcome) == [.applied])
            #expect(try await ada.call(ListReminders()).reminders.map(\.answer) == [.keep])
        }
    }

    @Test("Two devices that answer before the service has said it: the first one holds, and its sender may replace it")
    func unsaid() async throws {
        try await run(isSaid: false) { _, ada, _, id in
            let first = answer(id, .snooze, until: "2026-03-01", base: nil)
            #expect(try await push(ada, first).map(\.outcome) == [.applied])
            let other = try await push(ada, answer(id, .keep, base: nil))
            #expect(other.first?.lost == [LostField(field: "answer", kept: "snooze", yours: "keep")])
            let own = try await push(ada, answer(id, .done, base: nil, after: first))
            #expect(own.map(\.outcome) == [.applied])
            #expect(try await ada.call(ListReminders()).reminders.map(\.answer) == [.done])
            #expect(try await push(ada, first).first?.replayed == true)
        }
    }

    @Test("A cancellation that arrives after the renewal of its day takes the renewal back")
    func lateCancelling() async throws {
        try await run(autoRenew: true) { service, ada, held, id in
            let base = try #require(try await pull(ada).changes.first { $0.id == id }).version
            service.clock.set("2026-03-08T12:00:00Z")
            #expect(try await ada.call(GetSubscription(id: held.id)).period == 1)
            let results = try await push(ada, answer(id, .cancel, base: base, madeOn: "2026-03-04"))
            #expect(results.first?.error == nil && results.first?.lost == [])
            #expect(try results.first?.row?.row(StoredReminder.self)?.answer == .cancel)
            let now = try await ada.call(GetSubscription(id: held.id))
            #expect(now.period == 0 && now.status == .ended)
        }
    }

    @Test("An answer that changes a subscription is not somebody else's change for the next one of its device")
    func chain() async throws {
        try await run { _, ada, held, id in
            let base = try await pull(ada).changes.map(\.version).max()
            let edit = PushChanges.Mutation(
                entity: .subscription, id: held.id.uuidString, op: .update, baseVersion: base,
                fields: ["reminderDays": .integer(5)])
            let results = try await push(ada, answer(id, .cancel, base: base), edit)
            #expect(results.map(\.lost) == [[], []] && results.allSatisfy { $0.error == nil })
            let row = try await ada.call(GetSubscription(id: held.id))
            #expect(row.status == .cancelled && row.reminderDays == 5)
        }
    }

    @Test("Of a reminder there is nothing but an answer, and of the settings an update of the user's own")
    func refused() async throws {
        try await run { service, ada, _, id in
            let eve = try await service.newUser()
            func outcome(
                _ entity: SyncEntity, _ id: String, _ op: PushChanges.Mutation.Op, _ fields: [String: AnyJSON] = [:]
            ) async throws -> Problem? {
                try await push(ada, .init(entity: entity, id: id, op: op, fields: fields)).first?.error
            }
            let reminder = StoredReminder.entity
            #expect(try await outcome(reminder, id, .update)?.errors?.map(\.field) == ["op"])
            #expect(try await outcome(reminder, "x", .answer, ["answer": "keep"])?.code == .notFound)
            #expect(try await outcome(reminder, id, .answer)?.errors?.map(\.field) == ["answer"])
            #expect(try await outcome(reminder, id, .answer, ["answer": "no"])?.errors?.map(\.field) == ["answer"])
            let settings = StoredReminderSettings.entity
            let own = ada.user.id.uuidString
            #expect(try await outcome(settings, own, .delete)?.errors?.map(\.field) == ["op"])
            let foreign = eve.user.id.uuidString
            #expect(try await outcome(settings, foreign, .update, ["byMail": .bool(false)])?.code == .notFound)
            #expect(try await outcome(.subscription, own, .answer)?.code == .notFound)
            #expect(try await eve.call(GetReminderSettings()).version == 0)
        }
    }

    @Test("The settings of a user are one group: of two devices the first one holds")
    func settings() async throws {
        try await run { _, ada, _, _ in
            let id = ada.user.id.uuidString
            func update(_ base: Int64?, _ fields: [String: AnyJSON]) -> PushChanges.Mutation {
                .init(
                    entity: StoredReminderSettings.entity, id: id, op: .update, baseVersion: base, fields: fields)
            }
            let made = try await push(ada, update(nil, ["remindAt": "08:00"]))
            #expect(made.map(\.outcome) == [.applied])
            let base = try #require(made.first?.row?.version)
            #expect(
                try await push(ada, update(base, ["leads": .object(["renewal": .array([.integer(3)])])])).first?.outcome
                    == .applied)
            let lost = try await push(ada, update(base, ["remindAt": "09:30", "byMail": .bool(true)])).first
            #expect(lost?.lost == [LostField(field: "remindAt", kept: "08:00", yours: "09:30")])
            let now = try await ada.call(GetReminderSettings())
            #expect(now.remindAt == "08:00" && now.leads.renewal == [3] && now.leads.trial == [3, 1])
        }
    }
}
