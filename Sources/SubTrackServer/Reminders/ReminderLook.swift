import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The look at users whose hour has come, and the planning of those whose rows have changed.
///
/// All replicas look side by side. A user's scope is locked for a look, and a replica passes over a scope that another
/// writer has. The reminder's key is the last guard: nothing is decided twice.
struct ReminderLook: Sendable {
    /// Is woken by new mails.
    let mailer: Mailer

    /// How many users one transaction looks at.
    private static let batch = 50
    /// How many users a step looks at. Then another tenant has its turn.
    private static let perStep = 500
    /// How many seconds a user is left out whose look has failed.
    private static let secondsAfterFailure: Int64 = 3600

    /// The job.
    var job: Job {
        ReminderMetrics.begin()
        return Job(name: "reminder-looks", isShared: true, run: step)
    }

    /// Looks at some users of a tenant.
    /// - Returns: whether there may be more.
    @Sendable private func step(_ tenant: Tenant, _ now: Instant) async throws -> Bool {
        guard !tenant.isSuspended else {
            ReminderMetrics.isBehind(by: 0, at: now, in: tenant.slug)
            return false
        }
        let (stale, due) = try await tenant.read { connection in
            (
                try await LookQueries.stale(limit: Self.perStep, on: connection),
                try await LookQueries.due(now: now, limit: Self.perStep, on: connection)
            )
        }
        let behind = due.since.map { now.secondsSince1970 - $0.secondsSince1970 } ?? 0
        ReminderMetrics.isBehind(by: behind, at: now, in: tenant.slug)
        let named = stale.filter(\.isNamed)
        let all = Set(stale.filter { !$0.isNamed }.map { UserID(uuid: $0.uuid) } + due.users)
        let users = all.sorted { $0.uuid.uuidString < $1.uuid.uuidString }.prefix(Self.perStep)
        var looked = 0
        var failures: [LookFailure] = []
        for start in stride(from: 0, to: users.count, by: Self.batch) {
            let batch = Array(users[start..<min(start + Self.batch, users.count)])
            looked += try await look(at: batch, in: tenant, now, &failures)
        }
        ReminderMetrics.looked(looked)
        // After the users: an admin's transaction may hold a subscriber's scope for long.
        for scope in named { try await CatalogueLook.spread(scope, in: tenant) }
        // The job runner notes it. The others were looked at.
        if let failure = failures.first { throw failure }
        // Subscribers of a changed plan are stale from now on.
        guard named.isEmpty else { return true }
        // Where all were busy, the next pass is soon enough.
        return looked > 0 && (all.count > users.count || stale.count == Self.perStep || due.users.count == Self.perStep)
    }

    /// Looks at some users. A user whose look fails is left out for an hour, and stops no other.
    /// - Parameter hasNewIDs: whether reminders have new ids, because those of their keys are taken.
    /// - Returns: how many were not busy.
    private func look(
        at users: [UserID], hasNewIDs: Bool = false, in tenant: Tenant, _ now: Instant, _ failures: inout [LookFailure]
    ) async throws -> Int {
        do {
            return try await decide(users, hasNewIDs: hasNewIDs, in: tenant, now)
        } catch let error where error.isOfRows {
            guard users.count == 1 else {
                var looked = 0
                for user in users { looked += try await look(at: [user], in: tenant, now, &failures) }
                return looked
            }
            // Ids that SQL has counted up differ in their last bits alone, and two of their reminders may have one id.
            if (error as? MariaDBError)?.isDuplicate == true, !hasNewIDs {
                return try await look(at: users, hasNewIDs: true, in: tenant, now, &failures)
            }
            failures.append(LookFailure(user: users[0], error: error))
            let later = Instant(secondsSince1970: now.secondsSince1970 + Self.secondsAfterFailure)
            return try await tenant.client.withTransaction(
                tenant.database, isolation: .readCommitted
            ) { connection in
                guard try await !LookQueries.lock(users, on: connection).isEmpty else { return 0 }
                if try await LookRows.people(users, on: connection).isEmpty {
                    try await LookQueries.plan([], gone: users, now: now, on: connection)
                } else {
                    try await LookQueries.postpone(users[0], to: later, on: connection)
                }
                return 1
            }
        }
    }

    /// Looks at some users in one transaction.
    /// - Returns: how many were not busy.
    private func decide(
        _ users: [UserID], hasNewIDs: Bool, in tenant: Tenant, _ now: Instant
    ) async throws -> Int {
        try await renew(users, in: tenant, now)
        let (looked, results, isMailed) = try await tenant.client.withTransaction(
            tenant.database, isolation: .readCommitted
        ) { connection -> (Int, [LookQueries.Result], Bool) in
            let versions = try await LookQueries.lock(users, on: connection)
            let locked = users.filter { versions[$0] != nil }
            guard !locked.isEmpty else { return (0, [], false) }
            let rows = try await LookRows.read(
                locked, hasDates: tenant.areas.has("contacts"), now: now, on: connection)
            let results = rows.map { rows in
                LookQueries.Result(
                    user: rows.person.id, version: versions[rows.person.id] ?? 0, look: rows.look(at: now))
            }
            try await LookQueries.insert(results, hasNewIDs: hasNewIDs, now: now, on: connection)
            let isMailed = try await MailedLooks.queue(results, now: now, on: connection)
            let present = Set(results.map(\.user))
            try await LookQueries.plan(
                results.map { ($0.user, $0.look.next) }, gone: locked.filter { !present.contains($0) }, now: now,
                on: connection)
            return (locked.count, results.filter { !$0.look.due.isEmpty }, isMailed)
        }
        // After the commit: the transaction may have run twice.
        for key in results.flatMap(\.look.due) { ReminderMetrics.said(key.kind) }
        if isMailed { mailer.wake(tenant) }
        if !results.isEmpty { tenant.commits.note(tenant: tenant.slug, Set(results.map { .user($0.user) })) }
        return looked
    }

    /// Brings the subscriptions of users that renew by themselves into the period of today, each user in transactions of
    /// its own. A user that is busy is renewed at the next pass.
    private func renew(_ users: [UserID], in tenant: Tenant, _ now: Instant) async throws {
        // No clock is further ahead than 14 hours.
        let latest = now.date(secondsFromUTC: 14 * 3600)
        let behind = try await tenant.read { connection in
            let ids = try await LookQueries.behind(users, by: latest, on: connection)
            return ids.isEmpty ? [] : try await LookRows.people(ids, on: connection)
        }
        for person in behind {
            let today = LocalDay.today(at: now, timeZone: person.timeZone) ?? now.date(secondsFromUTC: 0)
            do {
                try await AutoRenewal.catchUp(tenant, user: person.id, today: today)
            } catch is ScopeInUse {}
        }
    }
}

/// A look that failed for the rows of one user. The next one is in an hour.
struct LookFailure: Error, CustomStringConvertible {
    let user: UserID
    let error: any Error

    var description: String { "the look at the user \(user.uuid.uuidString.lowercased()): \(error)" }
}

extension Error {
    /// Whether the rows of a user are to blame, and not a database that is away or busy.
    fileprivate var isOfRows: Bool {
        switch self {
        case is CancellationError, is TurnMissed: false
        // Of the classes of SQLSTATE these are about values: 22 data, 23 constraints.
        case let error as MariaDBError:
            error.kind == .decoding || error.isSignal || ["22", "23"].contains(error.sqlState.prefix(2))
        default: true
        }
    }
}
