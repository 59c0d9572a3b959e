import Foundation

/// The id of a user, which is also the id of the user's scope.
struct UserID: Sendable, Hashable {
    /// The id as it is stored.
    let uuid: UUID

    /// The key of waits after wrong passwords of a session of this user.
    var limitKey: String { "user \(uuid)" }
}
