/// How long to wait between attempts: twice as long after each, up to a limit, and a random part of that, so that a thousand
/// devices that lost one server do not come back at the same moment.
struct Backoff: Sendable {
    /// The longest wait after the first attempt.
    let first: Duration
    /// The longest wait at all.
    let limit: Duration
    private var attempts = 0

    /// How long a connection must have been open for the next wait to be a first one: a service that closes each
    /// connection at once must not be asked for one again and again.
    let stable: Duration

    init(
        first: Duration = .milliseconds(500), limit: Duration = .seconds(60), stable: Duration = .seconds(30)
    ) {
        self.stable = stable
        self.first = first
        self.limit = limit
    }

    /// The next wait: from a tenth of what it may be, and no less than the service asked for.
    /// - Parameters:
    ///   - open: how long the connection was open that has ended; nil: it was not.
    ///   - retryAfter: the seconds for which the service asked to be left alone; of these up to a tenth more is waited.
    mutating func next(
        afterOpen open: Duration?, retryAfter: Int?, using random: inout some RandomNumberGenerator
    ) -> Duration {
        if let open, open >= stable { reset() }
        let wait = next(using: &random)
        guard let retryAfter else { return wait }
        return max(
            wait, .seconds(min(max(retryAfter, 0), 86_400)) * Double.random(in: 1...1.1, using: &random))
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
