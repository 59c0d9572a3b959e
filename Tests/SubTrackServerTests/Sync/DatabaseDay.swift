import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

/// The time by the clock of the databases, which no test sets.
///
/// Triggers and jobs know today by it. A test that meets them has its dates from here, and not from a clock of its own.
enum DatabaseDay {
    /// The time now. Within ten minutes of midnight UTC it is awaited, so that a test sees one day alone.
    static func now() async throws -> Instant {
        let (length, margin) = (Int64(86_400), Int64(600))
        try await eventually(within: .seconds(2 * margin), "a new day has begun") {
            WallClock.system.now().secondsSince1970 % length < length - margin
        }
        return WallClock.system.now()
    }

    /// Today in UTC. It stays today for ten minutes at least.
    static func today() async throws -> CalendarDate { try await now().date(secondsFromUTC: 0) }
}
