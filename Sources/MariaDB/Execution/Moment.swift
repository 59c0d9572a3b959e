#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A point of the monotonic clock, in nanoseconds. Only differences mean anything.
struct Moment: Comparable, Hashable, Sendable {
    var nanoseconds: Int64

    /// The clock's present.
    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Later than any other.
    static let never = Moment(nanoseconds: .max)

    static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

    static func + (moment: Moment, duration: Duration) -> Moment {
        let (sum, overflowed) = moment.nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return overflowed ? .never : Moment(nanoseconds: sum)
    }

    static func - (later: Moment, earlier: Moment) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }
}

extension Duration {
    /// In nanoseconds, at most 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflowed ? .max : product &+ attoseconds / 1_000_000_000
    }
}
