import Foundation
import SubTrackAPI
import SubTrackCore

/// Who a token stands for.
struct Session: Sendable, Hashable {
    /// The session's id.
    let id: UUID
    /// The device that holds the token.
    let device: UUID
    /// The user whom the device is signed in as.
    let user: UserID
    /// The user's country.
    let country: String
    /// The user's time zone.
    let timeZone: String
    /// Whether an account leads to the user.
    let hasAccount: Bool

    /// The user's today.
    func today(at now: Instant) -> CalendarDate {
        // A zone that this system does not know any more counts as UTC: a day too early or late is better than nothing.
        LocalDay.today(at: now, timeZone: timeZone) ?? now.date(secondsFromUTC: 0)
    }
}
