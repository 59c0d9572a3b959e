import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// The operations for the holder of a notification's token. They need no session.
struct AnswerHandlers: Sendable {
    let limits: AnswerGuard

    /// Registers the handlers.
    func register(in registry: inout OperationRegistry) {
        registry.register(PreviewAnswers.self, handler: preview)
        registry.register(GiveAnswer.self, handler: give)
    }

    @Sendable private func preview(
        _ input: PreviewAnswers, _ call: Call
    ) async throws -> Reply<PreviewAnswers.Output> {
        try limits.count(call.origin, at: call.now)
        let token = try AnswerToken(input.token, .answer)
        return try await call.tenant.read { connection in
            let holder = try await token.holder(now: call.now, on: connection)
            let settings = try await ReminderSettingQueries.settings(of: [holder.user], on: connection)[holder.user]
            let today = holder.today(at: call.now)
            let rows = try await ReminderQueries.reminders(of: holder.user, number: holder.number, on: connection)
            return Reply(
                .init(
                    today: today,
                    language: (settings?.language ?? MailLanguage(country: holder.country)).rawValue,
                    reminders: try await Self.shown(rows, of: holder.user, today: today, call.tenant, on: connection)))
        }
    }

    @Sendable private func give(_ input: GiveAnswer, _ call: Call) async throws -> Reply<GiveAnswer.Output> {
        try limits.count(call.origin, at: call.now)
        let token = try AnswerToken(input.token, .answer)
        guard let key = ReminderKey(input.reminder) else { throw Self.foreign }
        let holder = try await call.tenant.read { try await token.holder(now: call.now, on: $0) }
        var call = call.forPart()
        call.session = try holder.session(token: input.token)
        let today = holder.today(at: call.now)
        return try await call.write(input) { connection in
            // Under the lock: the user may have gone, and the token with it.
            let now = try await token.holder(now: call.now, on: connection)
            guard let row = try await ReminderQueries.reminder(key, of: now.user, on: connection),
                row.number == now.number
            else { throw Self.foreign }
            let answered = try await ReminderAnswering.answer(
                GivenAnswer(key, input.answer, until: input.until), call, on: connection)
            let shown = try await Self.shown([answered], of: now.user, today: today, call.tenant, on: connection)
            guard let reminder = shown.first else { throw Self.foreign }
            return Reply(.init(reminder: reminder))
        }
    }

    /// The problem of a reminder that a token's notification does not tell of.
    private static let foreign = Problem.input("reminder", .missing, "is not one of this notification")

    /// Reminders as the holder of their token sees them, those of the earliest days first.
    private static func shown(
        _ rows: [ReminderRow], of user: UserID, today: CalendarDate, _ tenant: Tenant, on connection: Connection
    ) async throws -> [AnswerableReminder] {
        let ids = Set(rows.filter { $0.stored.kind.isOfSubscription }.map(\.stored.subjectId))
        let subjects = Dictionary(
            try await SubjectQueries.subscriptions(Array(ids), of: user, today: today, on: connection).map {
                ($0.row.id, $0.row)
            }
        ) { first, _ in first }
        let pages = try await CatalogueQueries.cancelURLs(
            of: Array(Set(subjects.values.map(\.plan.provider))), on: connection)
        let digits = try await tenant.currencies.table(on: connection)
        var shown: [AnswerableReminder] = []
        for row in rows.sorted(by: { ($0.stored.occursOn, $0.version) < ($1.stored.occursOn, $1.version) }) {
            var reminder = AnswerableReminder(row.stored)
            if let subscription = subjects[row.stored.subjectId] {
                reminder.describe(subscription, digits: digits)
                reminder.cancelUrl = pages[subscription.plan.provider.lowercased()]
            } else if row.stored.kind == .date, tenant.areas.has(ContactsArea().name),
                let date = try await ContactQueries.date(row.stored.subjectId, of: user, on: connection)
            {
                reminder.title = "\(date.firstName) \(date.lastName)"
            } else if row.stored.kind.isOfSubscription || row.stored.kind == .date {
                // It was deleted since it was told of.
                reminder.answers = []
            }
            shown.append(reminder)
        }
        return shown
    }
}

extension AnswerToken.Holder {
    /// The user's today.
    fileprivate func today(at now: Instant) -> CalendarDate {
        LocalDay.today(at: now, timeZone: timeZone) ?? now.date(secondsFromUTC: 0)
    }

    /// A session of the user for one call. No device has it.
    fileprivate func session(token text: String) throws -> Session {
        guard let token = Token(text) else { throw AnswerToken.bad }
        let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return Session(
            id: nobody, device: nobody, user: user, country: country, timeZone: timeZone, hasAccount: true,
            tokenHash: try token.hash)
    }
}

extension AnswerableReminder {
    /// A reminder without the facts of its subject.
    fileprivate init(_ row: StoredReminder) {
        let isDecided = row.answer == .renew || row.answer == .cancel
        self.init(
            id: row.key.description, kind: row.kind, title: nil, occursOn: row.occursOn, fee: nil, currency: nil,
            cancelBy: nil, cancelUrl: nil, answers: isDecided ? [] : row.kind.answers, answer: row.answer,
            snoozedUntil: row.snoozedUntil)
    }

    /// Adds the facts of its subscription.
    fileprivate mutating func describe(_ row: SubscriptionRow, digits: [String: Int]) {
        title = row.label ?? row.plan.provider
        if row.cancelledOn == nil {
            fee = (row.ownFee ?? row.next.fee).written(in: row.next.currency, digits: digits)
            currency = row.next.currency
            cancelBy = row.state.end.adding(days: -row.noticeDays)
        }
        if !row.isStill(kind, on: occursOn) { answers = [] }
    }
}
