import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The look at users whose hour has come, and the planning of those whose rows have changed.
///
/// All replicas look side by side. A user's scope is locked for a look, and a replica passes over a scope that another
/// writer has. The reminder's key is the last guard: nothing is decided twice.
enum ReminderLook {
    /// How many users one transaction looks at.
    private static let batch = 50
    /// How many users a step looks at. Then another tenant has its turn.
    private static let perStep = 500

    /// Looks at some users of a tenant.
    /// - Returns: whether there may be more.
    static func step(_ tenant: Tenant, _ now: Instant) async throws -> Bool {
        let (stale, due) = try await tenant.read { connection in
            (
                try await LookQueries.stale(limit: perStep, on: connection),
                try await LookQueries.due(now: now, limit: perStep, on: connection)
            )
        }
        for scope in stale where scope.isNamed {
            try await CatalogueLook.spread(scope.scope, country: scope.country, in: tenant)
        }
        let users = Set(stale.filter { !$0.isNamed }.map { UserID(uuid: $0.scope.uuid) } + due)
            .sorted { $0.uuid.uuidString < $1.uuid.uuidString }.prefix(perStep)
        var looked = 0
        for start in stride(from: 0, to: users.count, by: batch) {
            looked += try await look(at: Array(users[start..<min(start + batch, users.count)]), in: tenant, now)
        }
        ReminderMetrics.looked(looked)
        // Subscribers of a changed plan are stale from now on.
        if stale.contains(where: \.isNamed) { return true }
        // Where all were busy, the next pass is soon enough.
        return looked > 0 && (stale.count == perStep || due.count == perStep)
    }

    /// Looks at some users in one transaction.
    /// - Returns: how many were not busy.
    private static func look(at users: [UserID], in tenant: Tenant, _ now: Instant) async throws -> Int {
        try await renew(users, in: tenant, now)
        let (looked, said) = try await tenant.client.withTransaction(
            tenant.database, isolation: .readCommitted
        ) { connection -> (Int, [ReminderKind]) in
            let versions = try await LookQueries.lock(users, on: connection)
            guard !versions.isEmpty else { return (0, []) }
            let locked = users.filter { versions[$0] != nil }
            let people = try await LookQueries.people(locked, on: connection)
            let inputs = try await LookInput.read(people, now: now, on: connection)
            var told: [LookQueries.Told] = []
            var said: [LookQueries.Said] = []
            var next: [(user: UserID, at: Instant)] = []
            for input in inputs {
                let user = input.person.id
                let finding = input.look(at: now)
                next.append((user, finding.next))
                guard !finding.due.isEmpty, let number = versions[user] else { continue }
                told.append(.init(user: user, number: number, byMail: input.goesByMail))
                said += finding.due.map {
                    .init(
                        user: user, subject: $0.subject, kind: $0.kind, on: $0.occursOn, lead: $0.lead, number: number)
                }
            }
            try await LookQueries.insert(told, said, now: now, on: connection)
            try await DeliveryQueries.fanOut(told, now: now, on: connection)
            let present = Set(people.map(\.id))
            try await LookQueries.plan(
                next, gone: locked.filter { !present.contains($0) }, now: now, on: connection)
            return (locked.count, said.map(\.kind))
        }
        // After the commit: the transaction may have run twice.
        for kind in said { ReminderMetrics.said(kind.rawValue) }
        return looked
    }

    /// Brings the subscriptions of users that renew by themselves into the period of today, each user in transactions of
    /// its own. A user that is busy is renewed at the next pass.
    private static func renew(_ users: [UserID], in tenant: Tenant, _ now: Instant) async throws {
        // No clock is further ahead than 14 hours.
        let latest = now.date(secondsFromUTC: 14 * 3600)
        let behind = try await tenant.read { connection in
            let ids = try await LookQueries.behind(users, by: latest, on: connection)
            return ids.isEmpty ? [] : try await LookQueries.people(ids, on: connection)
        }
        for person in behind {
            let today = LocalDay.today(at: now, timeZone: person.timeZone) ?? now.date(secondsFromUTC: 0)
            do {
                try await AutoRenewal.catchUp(tenant, user: person.id, today: today)
            } catch is ScopeInUse {}
        }
    }
}
