import Foundation
import MariaDB
import SubTrackAPI

/// Moves the data of a user without account to another user: the data of a device before it signed in.
///
/// Nothing is lost. Every subscription is moved, with its periods and private plans. If the other user has the very
/// same one, values of only one of both are kept there. The triggers give each moved row a version in its new scope and
/// leave a tombstone in the old one.
struct UserMerge {
    /// How many of one kind are compared for each subscription. A user with more of the very same has them twice.
    static let maximumCandidates = 16
    /// How many plans a merge compares. Each takes two statements, and the transaction has to end in time. A user with more
    /// plans keeps the others twice.
    static let maximumDoubledPlans = 1000
    /// How many rows one statement moves or removes, about: it has to end in time.
    static let batch = 500

    /// Parts of a list that each have as many rows as one statement moves, or one element.
    /// - Parameter elements: each with how many rows go with it.
    static func parts<ID>(_ elements: [(id: ID, rows: Int)]) -> [[ID]] {
        var parts: [[ID]] = []
        var rows = batch
        for element in elements {
            if rows + element.rows > batch {
                parts.append([])
                rows = 0
            }
            parts[parts.count - 1].append(element.id)
            rows += element.rows
        }
        return parts
    }

    /// The user without account.
    let former: UserID
    /// The user that has the data from now on.
    let user: UserID
    /// The device that signs in. Others that were signed in as the former user have to sign in themselves.
    let device: UUID

    /// Merges, in a transaction that has both scopes locked; afterwards the former user is no more.
    /// - Throws: `too_many` when both together have more than a user may have.
    func run(limits: UserLimits, on connection: Connection) async throws -> CreateSession.Merged {
        let ours = try await UserMergeQueries.subscriptions(of: former, on: connection)
        let theirs = ours.isEmpty ? [] : try await UserMergeQueries.subscriptions(of: user, on: connection)
        let same = try await Self.pairs(ours, theirs) { one, other in
            try await UserMergeQueries.hasPeriods(of: one.id, in: other.id, on: connection)
        }
        guard ours.isEmpty || ours.count + theirs.count - same.count <= limits.subscriptions else {
            throw Problem(
                .tooMany,
                "Together with the account's these would be more than \(limits.subscriptions) subscriptions; delete some on this device first."
            )
        }
        for pair in same {
            try await UserMergeQueries.fillGaps(of: pair.to.id, from: pair.from, user: user, on: connection)
        }
        try await UserMergeQueries.drop(same.map(\.from), of: former, on: connection)
        try await dropDoubledPlans(on: connection)
        try await checkPlans(limits, on: connection)
        if !ours.isEmpty { try await checkHistory(limits, on: connection) }
        // Plans first: a subscription may only be to a plan of its user's own, or to a public one.
        try await UserMergeQueries.movePlans(former, to: user, on: connection)
        try await UserMergeQueries.moveSubscriptions(former, to: user, on: connection)
        try await SessionQueries.deleteAll(of: former, butOn: device, on: connection)
        try await UserMergeQueries.moveAnswers(former, to: user, on: connection)
        try await IdempotencyQueries.forgetOldest(of: user, limits: limits, on: connection)
        try await UserMergeQueries.moveTheRest(former, to: user, on: connection)
        try await UserQueries.deleteUnasked(former, on: connection)
        return .init(
            moved: ours.count - same.count, same: same.map { .init(from: $0.from.id, to: $0.to.id) })
    }

    /// Sees that both together have no more ended periods and no more deleted subscriptions than a user may have, after
    /// doubled subscriptions were dropped.
    private func checkHistory(_ limits: UserLimits, on connection: Connection) async throws {
        let ours = try await RenewalQueries.endedCount(of: former, on: connection)
        let theirs = try await RenewalQueries.endedCount(of: user, on: connection)
        guard ours == 0 || ours + theirs <= limits.periods else {
            throw Problem(
                .tooMany,
                "Together with the account's these would be more than \(limits.periods) ended periods; delete subscriptions with a long history first, which count for \(SubscriptionQueries.restorableDays) days."
            )
        }
        let kept = try await UserMergeQueries.keptCount(of: former, user, on: connection)
        guard kept <= limits.keptSubscriptions else {
            throw Problem(
                .tooMany,
                "Together with the account's these would be more than \(limits.keptSubscriptions) subscriptions with the deleted ones, which count for \(SubscriptionQueries.restorableDays) days."
            )
        }
    }

    /// Sees that both together have no more private plans and prices of these than a user may have, after doubled ones were
    /// dropped.
    private func checkPlans(_ limits: UserLimits, on connection: Connection) async throws {
        let ours = try await UserMergeQueries.planCount(of: former, on: connection)
        guard ours > 0 else { return }
        guard ours + (try await UserMergeQueries.planCount(of: user, on: connection)) <= limits.privatePlans else {
            throw Problem(
                .tooMany,
                "Together with the account's these would be more than \(limits.privatePlans) plans of your own; delete some on this device first."
            )
        }
        let prices = try await UserMergeQueries.priceCount(of: former, on: connection)
        guard prices > 0 else { return }
        guard prices + (try await UserMergeQueries.priceCount(of: user, on: connection)) <= limits.prices else {
            throw Problem(
                .tooMany,
                "Together with the account's these would be more than \(limits.prices) former prices of plans of your own; delete plans that are not used."
            )
        }
    }

    /// Removes private plans that nothing of the former user's needs any more and that the other user has too.
    private func dropDoubledPlans(on connection: Connection) async throws {
        let ours = try await UserMergeQueries.plansWithoutUse(of: former, on: connection)
        guard !ours.isEmpty else { return }
        let theirs = Dictionary(grouping: try await UserMergeQueries.plans(of: user, on: connection), by: \.key)
        for plan in ours.prefix(Self.maximumDoubledPlans) {
            for other in (theirs[plan.key] ?? []).prefix(Self.maximumCandidates)
            where try await UserMergeQueries.hasPrices(of: plan.id, in: other.id, on: connection) {
                try await UserMergeQueries.drop(plan: plan.id, on: connection)
                break
            }
        }
    }

    /// Subscriptions of both sides that are one. They agree in all that is billed and planned and contradict each other
    /// in nothing. Each period of the first is one of the second. Each is in one pair at most: two of one kind on one
    /// side have two of it on the other, or stay two.
    /// - Parameter hasPeriods: whether the second has all ended periods of the first; asked only where there are any.
    static func pairs(
        _ ours: [UserMergeQueries.Candidate], _ theirs: [UserMergeQueries.Candidate],
        hasPeriods: (UserMergeQueries.Candidate, UserMergeQueries.Candidate) async throws -> Bool
    ) async throws -> [(from: UserMergeQueries.Candidate, to: UserMergeQueries.Candidate)] {
        var left = Dictionary(grouping: theirs, by: \.key)
        var pairs: [(from: UserMergeQueries.Candidate, to: UserMergeQueries.Candidate)] = []
        for one in ours {
            guard let candidates = left[one.key] else { continue }
            for (index, other) in candidates.prefix(maximumCandidates).enumerated() where one.fits(other) {
                if one.endedPeriods > 0, try await !hasPeriods(one, other) { continue }
                pairs.append((one, other))
                left[one.key]?.remove(at: index)
                break
            }
        }
        return pairs
    }
}
