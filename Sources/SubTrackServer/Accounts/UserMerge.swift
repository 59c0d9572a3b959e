import Foundation
import MariaDB
import SubTrackAPI

/// Makes the data of a user without account the data of another user: what a device kept before it signed in.
///
/// Nothing is lost: every subscription is moved, with its periods and private plans, unless the other user has the very
/// same one, in which case what only one of both knows is kept there. The triggers give each moved row a version in its
/// new scope and leave a tombstone in the old one.
enum UserMerge {
    /// Merges, in a transaction that has both scopes locked; afterwards the first user is no more.
    /// - Parameters:
    ///   - former: the user without account.
    ///   - user: who has the data from now on.
    static func merge(
        _ former: UserID, into user: UserID, on connection: Connection
    ) async throws -> CreateSession.Merged {
        var same: [CreateSession.Merged.Same] = []
        var taken: Set<UUID> = []
        for pair in try await UserMergeQueries.alike(former, user, on: connection)
        where !taken.contains(pair.from) && !taken.contains(pair.to) {
            // Two of one kind on one side have two of it on the other, or stay two.
            taken.formUnion([pair.from, pair.to])
            try await UserMergeQueries.fillGaps(pair, of: user, on: connection)
            try await UserMergeQueries.drop(pair.from, of: former, on: connection)
            same.append(.init(from: pair.from, to: pair.to))
        }
        try await UserMergeQueries.dropDoubledPlans(former, user, on: connection)
        // Plans first: a subscription may only be to a plan of its user's own, or to a public one.
        try await UserMergeQueries.movePlans(former, to: user, on: connection)
        let moved = try await UserMergeQueries.moveSubscriptions(former, to: user, on: connection)
        try await UserMergeQueries.moveTheRest(former, to: user, on: connection)
        try await UserQueries.delete(former, on: connection)
        return .init(moved: moved, same: same)
    }
}
