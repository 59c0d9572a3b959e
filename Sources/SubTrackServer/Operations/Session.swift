import Foundation
import Passwords
import SubTrackAPI
import SubTrackCore

/// The session of a token.
struct Session: Sendable, Hashable {
    /// The session's id.
    let id: UUID
    /// The device that holds the token.
    let device: UUID
    /// The user whom the device is signed in as.
    let user: UserID
    /// The user's country.
    private(set) var country: String
    /// The user's time zone.
    private(set) var timeZone: String
    /// Whether an account leads to the user.
    let hasAccount: Bool
    /// The stored form of its token.
    let tokenHash: TokenHash

    /// The same session after its user has changed.
    func with(country: String, timeZone: String) -> Session {
        var session = self
        session.country = country
        session.timeZone = timeZone
        return session
    }

    /// The user's today.
    func today(at now: Instant) -> CalendarDate {
        // A zone that this system does not know any more counts as UTC: a day too early or late is better than nothing.
        LocalDay.today(at: now, timeZone: timeZone) ?? now.date(secondsFromUTC: 0)
    }
}
