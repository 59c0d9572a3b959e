import Foundation

/// The id of a user, which is also the id of the user's scope.
struct UserID: Sendable, Hashable {
    /// The id as it is stored.
    let uuid: UUID

    /// What waits after wrong passwords that somebody typed who is signed in as this user.
    var limitKey: String { "user \(uuid)" }
}
