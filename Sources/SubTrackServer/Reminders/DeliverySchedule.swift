import SubTrackAPI

/// The times of the attempts of a delivery, as Standard Webhooks has them.
enum DeliverySchedule {
    /// The seconds from an attempt to the next one.
    private static let waits: [Int64] = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

    /// How many attempts a delivery has.
    static var attempts: Int { waits.count + 1 }

    /// The time of the next attempt; nil: there was the last one.
    /// - Parameters:
    ///   - attempts: how many there were, the failed one included.
    ///   - spread: how much of a quarter of the wait is added, from 0 to 1. Deliveries that failed together so do not
    ///     come back together.
    static func next(after attempts: Int, now: Instant, spread: Double = .random(in: 0...1)) -> Instant? {
        guard attempts >= 1, attempts <= waits.count else { return nil }
        let wait = waits[attempts - 1]
        return Instant(secondsSince1970: now.secondsSince1970 + wait + Int64(Double(wait) * spread / 4))
    }
}
