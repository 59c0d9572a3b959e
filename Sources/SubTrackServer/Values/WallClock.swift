import Foundation
import SubTrackAPI

/// The time of day, passed in so that tests can set it.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Instant

    /// A clock that is read by a function.
    public init(_ read: @escaping @Sendable () -> Instant) { self.read = read }

    /// The time.
    public func now() -> Instant { read() }

    /// The system's clock.
    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(secondsSince1970: Int64(time.tv_sec))
    }
}
