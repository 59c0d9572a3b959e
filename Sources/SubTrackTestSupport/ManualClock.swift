import SubTrackAPI
import SubTrackServer
import Synchronization

/// A clock that shows what a test sets.
public final class ManualClock: Sendable {
    private let time: Mutex<Instant>

    /// A clock that stands still at a time such as `2026-01-31T12:00:00Z`.
    /// - Parameter text: the time; noon UTC where only a day is given.
    public init(_ text: String) {
        time = Mutex(Self.instant(text))
    }

    /// What the clock shows.
    public var now: Instant { time.withLock { $0 } }

    /// The clock as the service takes it.
    public var wall: WallClock { WallClock { self.now } }

    /// Sets the clock, forwards or backwards.
    public func set(_ text: String) {
        let instant = Self.instant(text)
        time.withLock { $0 = instant }
    }

    /// Moves the clock by whole days.
    public func advance(days: Int) {
        time.withLock { $0 = Instant(secondsSince1970: $0.secondsSince1970 + Int64(days) * 86_400) }
    }

    private static func instant(_ text: String) -> Instant {
        // The text stands in the test itself. A slip in it stops the test at once.
        guard let instant = Instant(text) ?? Instant(text + "T12:00:00Z") else {
            preconditionFailure("not a time: \(text)")
        }
        return instant
    }
}
