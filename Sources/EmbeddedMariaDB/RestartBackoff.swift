/// The wait before a server that died is started again. It is nearly nothing when that is rare, and grows up to half a
/// minute when the server dies again and again.
struct RestartBackoff: Sendable {
    private var failures = 0

    /// A server that was up for so long starts the count anew.
    static let stableAfter = Duration.seconds(60)
    static let shortest = Duration.milliseconds(100)
    static let longest = Duration.seconds(30)

    /// Counts one more end.
    ///
    /// - Parameter uptime: How long the server answered before it.
    /// - Returns: The wait: 0.1 s, then twice the last one.
    mutating func next(after uptime: Duration) -> Duration {
        if uptime >= Self.stableAfter { failures = 0 }
        defer { failures += 1 }
        // 2^9 shortest waits are past the longest one.
        return min(Self.longest, Self.shortest * (1 << min(failures, 9)))
    }
}
