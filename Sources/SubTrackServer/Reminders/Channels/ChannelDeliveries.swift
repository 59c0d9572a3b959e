import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// The delivery of notifications by channels, at least once under one id.
///
/// A delivery is claimed in a transaction, sent without one, and then marked. A replica that is killed in between leaves
/// a claim that ends: another replica sends the message again, under the same id.
struct ChannelDeliveries: Sendable {
    /// How many deliveries of a tenant are sent at once.
    static let batch = 8
    /// For how many seconds a delivery is its replica's: longer than a turn of the host and a send together.
    private static let claim: Int64 = 60
    /// For how many seconds a channel fails before it is paused.
    static let patience: Int64 = 5 * 86_400
    /// For how many seconds a delivery is put off whose host is busy.
    private static let busyWait: Int64 = 2

    let services: ChannelServices
    let mailer: Mailer

    /// Sends some tests and notifications of a tenant.
    /// - Returns: whether there may be more.
    func step(_ tenant: Tenant, _ now: Instant) async throws -> Bool {
        // Without them they wait. Upkeep removes them in the end.
        guard let key = services.key, let outbound = services.outbound else { return false }
        let sender = ChannelSender(
            tenant: tenant, keys: try key.channelKeys(of: tenant.slug), outbound: outbound, hosts: services.hosts,
            page: mailer.base(of: tenant) + "/")
        let tests = try await tenant.read { try await ChannelQueries.asked(limit: Self.batch, on: $0) }
        let until = Instant(secondsSince1970: now.secondsSince1970 + Self.claim)
        let claimed = try await DeliveryQueries.claim(
            tenant, from: .channels, now: now, until: until, limit: Self.batch)
        // One that fails in an unforeseen way cuts off no other.
        let failure = await withTaskGroup(of: (any Error)?.self) { group in
            for test in tests {
                group.addTask { await Self.failure { try await self.test(test.id, of: test.user, by: sender) } }
            }
            for delivery in claimed {
                group.addTask { await Self.failure { try await send(delivery, by: sender) } }
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw failure }
        return claimed.count == Self.batch || tests.count == Self.batch
    }

    private static func failure(of work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Notifications

    private func send(_ delivery: DeliveryQueries.Claimed, by sender: ChannelSender) async throws {
        let tenant = sender.tenant
        guard let id = delivery.channel else { return }
        let start = services.clock.now()
        let (row, news) = try await tenant.read { connection -> (ChannelRow?, ChannelNews?) in
            guard let row = try await ChannelQueries.channel(id, of: delivery.user, on: connection),
                row.pausedAt == nil
            else { return (nil, nil) }
            let digits = try await tenant.currencies.table(on: connection)
            return (row, try await ChannelNews.read(delivery, digits: digits, now: start, on: connection))
        }
        // Paused or removed after it was claimed: the triggers have put it off, or removed it.
        guard let row else { return try await putOff(delivery, of: tenant, until: Self.never) }
        guard let news else {
            // Answered, or over: nothing is left to say.
            try await tenant.read { try await DeliveryQueries.delete(delivery, on: $0) }
            ReminderMetrics.delivered(row.kind.rawValue, .dropped)
            return
        }
        let messageID = try NotificationID(
            tenant: tenant.slug, user: delivery.user, number: delivery.number, channel: "\(id)".lowercased())
        var message = ChannelMessage(
            id: messageID.text, user: delivery.user, content: .reminders(news), page: sender.page)
        // The token is made for one attempt, and is nowhere but in its message.
        let token =
            row.kind == .webhook || message.answerable == nil
            ? nil
            : try await tenant.read { connection in
                try await AnswerToken.make(
                    .answer, of: delivery.user, number: delivery.number, now: start, on: connection)
            }
        message.answerToken = token?.text
        let verdict = try await sender.send(message, to: row, now: start)
        if let token, verdict != .arrived {
            try? await tenant.read { try await AnswerToken.remove([token], on: $0) }
        }
        guard let verdict else {
            let until = Instant(secondsSince1970: services.clock.now().secondsSince1970 + Self.busyWait)
            return try await putOff(delivery, of: tenant, until: until)
        }
        // Shielded: a service that stops now must not send it again when it starts.
        try await Task { try await mark(delivery, row, verdict, in: tenant) }.value
    }

    /// The time to which a delivery of a paused channel is put off, as the triggers do.
    static let never = Instant(secondsSince1970: 253_402_214_400)

    private func putOff(_ delivery: DeliveryQueries.Claimed, of tenant: Tenant, until: Instant) async throws {
        try await tenant.read { try await DeliveryQueries.putOff(delivery, until: until, on: $0) }
    }

    private func mark(
        _ delivery: DeliveryQueries.Claimed, _ row: ChannelRow, _ verdict: DeliveryVerdict, in tenant: Tenant
    ) async throws {
        let now = services.clock.now()
        switch verdict {
        case .arrived:
            try await tenant.read { try await DeliveryQueries.delete(delivery, on: $0) }
            ReminderMetrics.delivered(row.kind.rawValue, .sent)
            guard row.failingSince != nil || row.lastProblem != nil else { return }
            try await note(row, in: tenant) { try await ChannelQueries.noteSuccess(row, on: $0) }
        case .gone(let problem):
            if row.kind == .webpush {
                // The browser subscribes anew by itself, and gets another channel.
                try await tenant.write(scope: row.user) { try await ChannelQueries.delete(row, on: $0) }
                ReminderMetrics.delivered(row.kind.rawValue, .dropped)
            } else {
                try await fail(delivery, row, problem, retryAfter: nil, pauses: true, now, in: tenant)
            }
        case .failed(let problem, let retryAfter):
            try await fail(delivery, row, problem, retryAfter: retryAfter, pauses: false, now, in: tenant)
        }
    }

    private func fail(
        _ delivery: DeliveryQueries.Claimed, _ row: ChannelRow, _ problem: String, retryAfter: Int64?, pauses: Bool,
        _ now: Instant, in tenant: Tenant
    ) async throws {
        let next = DeliveryVerdict.next(after: delivery.attempts, retryAfter: retryAfter, now: now)
        try await tenant.read { connection in
            try await DeliveryQueries.fail(delivery, next: next, now: now, problem: problem, on: connection)
        }
        ReminderMetrics.delivered(row.kind.rawValue, next == nil ? .dead : .failed)
        let since = Instant(secondsSince1970: now.secondsSince1970 - Self.patience)
        try await note(row, in: tenant) { connection in
            try await ChannelQueries.noteFailure(
                row, problem: problem, now: now, since: since, pauses: pauses, on: connection)
        }
    }

    /// Notes something of a channel under the lock of its user's scope, as every writer of a tracked row. A user that is
    /// busy has it noted after the next attempt.
    private func note(
        _ row: ChannelRow, in tenant: Tenant, _ body: (Connection) async throws -> Void
    ) async throws {
        do { try await tenant.write(scope: row.user, body) } catch is ScopeInUse {} catch let problem as Problem
            where problem.code == .userDeleted || problem.code == .notFound
        {}
    }

    // MARK: Tests

    private func test(_ id: UUID, of user: UserID, by sender: ChannelSender) async throws {
        let tenant = sender.tenant
        let taken = try await tenant.write(scope: user) { connection -> (ChannelRow, MailLanguage)? in
            guard try await ChannelQueries.takeTest(id, of: user, on: connection),
                let row = try await ChannelQueries.channel(id, of: user, on: connection),
                let person = try await LookQueries.people([user], on: connection).first
            else { return nil }
            let settings = try await ReminderSettingQueries.settings(of: [user], on: connection)[user]
            return (row, settings?.language ?? MailLanguage(country: person.country))
        }
        guard let (row, language) = taken else { return }
        let start = services.clock.now()
        let messageID = try NotificationID(
            tenant: tenant.slug, user: user, number: start.secondsSince1970, channel: "test \(id)")
        let message = ChannelMessage(id: messageID.text, user: user, content: .test(language), page: sender.page)
        let verdict = try await sender.send(message, to: row, now: start)
        let now = services.clock.now()
        try await tenant.write(scope: user) { connection in
            switch verdict {
            case .arrived: try await ChannelQueries.noteSuccess(row, testedAt: now, on: connection)
            case .gone(let problem), .failed(let problem, _):
                try await ChannelQueries.noteFailedTest(row, problem: problem, now: now, on: connection)
            case nil:
                try await ChannelQueries.noteFailedTest(
                    row, problem: "too many messages go to its server now; test it again later", now: now,
                    on: connection)
            }
        }
    }
}
