/// How long to wait between attempts: twice as long after each, up to a limit, and a random part of that, so that a thousand
/// devices that lost one server do not come back at the same moment.
struct Backoff: Sendable {
    /// The longest wait after the first attempt.
    let first: Duration
    /// The longest wait at all.
    let limit: Duration
    private var attempts = 0

    init(first: Duration = .milliseconds(500), limit: Duration = .seconds(60)) {
        self.first = first
        self.limit = limit
    }

    /// The next wait: from a tenth of what it may be.
    mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let longest = min(first * (1 << min(attempts, 20)), limit)
        attempts += 1
        return longest * Double.random(in: 0.1...1, using: &random)
    }

    /// It went well: the next wait is a first one.
    mutating func reset() { attempts = 0 }
}
