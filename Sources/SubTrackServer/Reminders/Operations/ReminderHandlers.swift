import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operations on reminders.
enum ReminderHandlers {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry) {
        registry.register(ListReminders.self, handler: list)
        registry.register(ListUpcomingReminders.self, handler: upcoming)
        registry.register(AnswerReminder.self, handler: answer)
    }

    @Sendable private static func list(_ input: ListReminders, _ call: Call) async throws -> Reply<ListReminders.Output>
    {
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        let openOn = input.open == true ? today : nil
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "reminders", fields: 2)
        let after = try page.after.map { fields -> ReminderQueries.Place in
            guard let place = ReminderQueries.Place(fields) else { throw PageRequest.foreignCursor }
            return place
        }
        let output = try await call.tenant.read { connection in
            let rows = try await ReminderQueries.page(
                of: session.user, openOn: openOn, after: after, limit: page.limit + 1, on: connection)
            let shown = Page(rows, request: page, kind: "reminders") { ReminderQueries.Place($0).fields }
            var elements = shown.elements
            if openOn != nil {
                elements = try await stillTrue(elements, of: session.user, today: today, on: connection)
            }
            return ListReminders.Output(
                reminders: elements.map { Reminder($0.stored, version: $0.version) }, nextCursor: shown.nextCursor)
        }
        return Reply(output).taggedByContent()
    }

    /// Leaves out reminders of subscriptions whose matter has changed.
    private static func stillTrue(
        _ rows: [ReminderRow], of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> [ReminderRow] {
        let ids = Set(rows.filter { $0.stored.kind.isOfSubscription }.map(\.stored.subjectId))
        let subjects = Dictionary(
            try await SubjectQueries.subscriptions(Array(ids), of: user, today: today, on: connection).map {
                ($0.row.id, $0.row)
            }
        ) { first, _ in first }
        return rows.filter { row in
            let reminder = row.stored
            guard reminder.kind.isOfSubscription else { return true }
            return subjects[reminder.subjectId]?.isStill(reminder.kind, on: reminder.occursOn) ?? false
        }
    }

    /// How many days are looked ahead, unless the caller says so.
    private static let usualDays = 30

    @Sendable private static func upcoming(
        _ input: ListUpcomingReminders, _ call: Call
    ) async throws -> Reply<ListUpcomingReminders.Output> {
        let user = try call.requireSession().user
        let today = try call.requireSession().today(at: call.now)
        func read() async throws -> LookInput? {
            try await call.tenant.read { connection in
                let people = try await LookQueries.people([user], on: connection)
                return try await LookInput.read(people, now: call.now, on: connection).first
            }
        }
        var found = try await read()
        if found?.subscriptions.contains(where: { $0.row.awaitsRenewal(today: today) }) == true {
            try await AutoRenewal.catchUp(call.tenant, user: user, today: today)
            found = try await read()
        }
        guard let found else { throw Problem(.userDeleted, "This user was deleted.") }
        let upcoming = found.rules.upcoming(from: call.now, days: input.days ?? usualDays, said: found.said)
        return Reply(.init(reminders: upcoming.map { UpcomingReminder($0.key, at: $0.at) })).taggedByContent()
    }

    @Sendable private static func answer(
        _ input: AnswerReminder, _ call: Call
    ) async throws -> Reply<AnswerReminder.Output> {
        let given = try GivenAnswer(input)
        let session = try call.requireSession()
        let today = session.today(at: call.now)
        return try await call.write(input) { connection in
            let row = try await ReminderAnswering.answer(given, call, on: connection)
            var subscription: Subscription?
            if given.key.kind.isOfSubscription {
                do {
                    subscription = try await SubscriptionChanges.answer(
                        given.key.subject, user: session.user, today: today, tenant: call.tenant, on: connection)
                } catch let problem as Problem where problem.code == .notFound {
                    // It was deleted since it was told of.
                }
            }
            return Reply(.init(reminder: Reminder(row.stored, version: row.version), subscription: subscription))
        }
    }
}
