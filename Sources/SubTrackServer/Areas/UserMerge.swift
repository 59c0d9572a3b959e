import Foundation
import SubTrackAPI

/// The merge of a user without account into another user: the data of a device before it signed in.
///
/// Nothing is lost. The areas move their rows (``UserData/merge(_:into:on:)``) in one transaction. The triggers give each
/// moved row a version in its new scope and leave a tombstone in the old one.
struct UserMerge: Sendable {
    /// How many rows one statement moves or removes, about: it has to end in time.
    static let batch = 500

    /// The user without account.
    let former: UserID
    /// The user that has the data from now on.
    let user: UserID
    /// The device that signs in. Others that were signed in as the former user have to sign in themselves.
    let device: UUID
    /// How much a user may have.
    let limits: UserLimits

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
}
