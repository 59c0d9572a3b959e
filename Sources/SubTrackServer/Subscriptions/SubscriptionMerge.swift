import Foundation
import MariaDB
import SubTrackAPI

/// Moves subscriptions and private plans of a user without account to another user.
///
/// Every subscription is moved, with its periods and private plans. If the other user has the very same one, values of
/// only one of both are kept there.
struct SubscriptionMerge {
    /// How many of one kind are compared for each subscription. A user with more of the very same has them twice.
    static let maximumCandidates = 16
    /// How many plans a merge compares. Each takes two statements, and the transaction has to end in time. A user with more
    /// plans keeps the others twice.
    static let maximumDoubledPlans = 1000

    /// The users.
    let merge: UserMerge

    private var former: UserID { merge.former }
    private var user: UserID { merge.user }
    private var limits: UserLimits { merge.limits }

    /// Moves the rows, in the merge's transaction.
    /// - Throws: `too_many` when both together have more than a user may have.
    func run(on connection: Connection) async throws -> CreateSession.Merged {
        let ours = try await SubscriptionMergeQueries.subscriptions(of: former, on: connection)
        let theirs = ours.isEmpty ? [] : try await SubscriptionMergeQueries.subscriptions(of: user, on: connection)
        let same = try await Self.pairs(ours, theirs) { one, other in
            try await SubscriptionMergeQueries.hasPeriods(of: one.id, in: other.id, on: connection)
        }
        guard ours.isEmpty || ours.count + theirs.count - same.count <= limits.subscriptions else {
            throw Problem(.tooMany, UserLimit.subscriptions.mergeRefusal(limits.subscriptions))
        }
        for pair in same {
            try await SubscriptionMergeQueries.fillGaps(of: pair.to.id, from: pair.from, user: user, on: connection)
        }
        try await SubscriptionMergeQueries.drop(same.map(\.from), of: former, on: connection)
        try await dropDoubledPlans(on: connection)
        if try await UserLimit.privatePlans.check(limits, merging: former, into: user, on: connection) > 0 {
            try await UserLimit.prices.check(limits, merging: former, into: user, on: connection)
        }
        if !ours.isEmpty {
            // Doubled subscriptions are gone: they count once.
            try await UserLimit.periods.check(limits, merging: former, into: user, on: connection)
            try await UserLimit.keptSubscriptions.check(limits, merging: former, into: user, on: connection)
        }
        // Plans first: a subscription may only be to a plan of its user's own, or to a public one.
        try await SubscriptionMergeQueries.movePlans(former, to: user, on: connection)
        try await SubscriptionMergeQueries.moveSubscriptions(former, to: user, on: connection)
        return .init(
            moved: ours.count - same.count, same: same.map { .init(from: $0.from.id, to: $0.to.id) })
    }

    /// Removes private plans that nothing of the former user's needs any more and that the other user has too.
    private func dropDoubledPlans(on connection: Connection) async throws {
        let ours = try await SubscriptionMergeQueries.plansWithoutUse(of: former, on: connection)
        guard !ours.isEmpty else { return }
        let theirs = Dictionary(grouping: try await SubscriptionMergeQueries.plans(of: user, on: connection), by: \.key)
        for plan in ours.prefix(Self.maximumDoubledPlans) {
            for other in (theirs[plan.key] ?? []).prefix(Self.maximumCandidates)
            where try await SubscriptionMergeQueries.hasPrices(of: plan.id, in: other.id, on: connection) {
                try await SubscriptionMergeQueries.drop(plan: plan.id, on: connection)
                break
            }
        }
    }

    /// Subscriptions of both sides that are one. They agree in all that is billed and planned and contradict each other
    /// in nothing. Each period of the first is one of the second. Each is in one pair at most: two of one kind on one
    /// side have two of it on the other, or stay two.
    /// - Parameter hasPeriods: whether the second has all ended periods of the first; asked only where there are any.
    static func pairs(
        _ ours: [SubscriptionMergeQueries.Candidate], _ theirs: [SubscriptionMergeQueries.Candidate],
        hasPeriods: (SubscriptionMergeQueries.Candidate, SubscriptionMergeQueries.Candidate) async throws -> Bool
    ) async throws -> [(from: SubscriptionMergeQueries.Candidate, to: SubscriptionMergeQueries.Candidate)] {
        var left = Dictionary(grouping: theirs, by: \.key)
        var pairs: [(from: SubscriptionMergeQueries.Candidate, to: SubscriptionMergeQueries.Candidate)] = []
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
