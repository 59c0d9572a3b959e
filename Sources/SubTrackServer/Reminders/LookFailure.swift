import MariaDB
import SubTrackAPI

/// The failure of a look at one user, whose rows the others need not wait for.
struct LookFailure: Error, CustomStringConvertible {
    /// Until when the user is left out: an hour on.
    static func end(from now: Instant) -> Instant { Instant(secondsSince1970: now.secondsSince1970 + 3600) }

    let user: UserID
    let error: any Error

    /// The id is all that a log line has of the user.
    var description: String {
        "the look at the user \(user.uuid) failed, and is tried again in an hour: \(error)"
    }

    /// Whether an error may be of a user's rows. A database that is away, and a lock that another writer has, are not.
    static func mayBeOfRows(_ error: any Error) -> Bool {
        guard let error = error as? MariaDBError else { return !(error is CancellationError || error is ScopeInUse) }
        return switch error.kind {
        case .decoding: true
        case .server: !error.isTransient
        default: false
        }
    }
}
