import SubTrackAPI

/// Who may do something how often: a token bucket for each key, and waits that grow with failures.
///
/// Pure: time is passed in, in seconds, and the state is a value. A clock that is set back counts as standing still. The
/// state is bounded: beyond ``maximumKeys`` those go first that have the least to remember.
struct RateLimiter: Sendable {
    /// How often something may be done.
    struct Rate: Sendable, Hashable {
        /// How many at once, after a rest.
        var burst: Double
        /// How many in an hour from then on.
        var perHour: Double

        /// So many at once, and so many in an hour.
        init(burst: Int, perHour: Int) {
            self.burst = Double(max(1, burst))
            self.perHour = Double(max(1, perHour))
        }
    }

    /// How long to wait after failures.
    struct Patience: Sendable, Hashable {
        /// So many failures cost nothing.
        var free: Int
        /// The wait after the next one, in seconds; it doubles with each.
        var first: Int
        /// The longest wait, in seconds. After as long without a failure all is forgotten.
        var longest: Int
    }

    private struct Bucket {
        var tokens: Double
        var at: Int64
        let rate: Rate

        /// What is in it at a time.
        func tokens(at now: Int64) -> Double {
            min(rate.burst, tokens + Double(max(0, now - at)) * rate.perHour / 3600)
        }
    }

    private struct Failures {
        var count: Int
        var until: Int64
        let patience: Patience

        func isForgotten(at now: Int64) -> Bool { now >= until + Int64(patience.longest) }
    }

    /// How many keys are remembered of each kind.
    static let defaultMaximumKeys = 20_000

    private let maximumKeys: Int
    private var buckets: [String: Bucket] = [:]
    private var failures: [String: Failures] = [:]

    /// A limiter that remembers so many keys of each kind.
    init(maximumKeys: Int = defaultMaximumKeys) { self.maximumKeys = max(2, maximumKeys) }

    /// How many keys are remembered.
    var count: Int { buckets.count + failures.count }

    /// Takes one from a key's bucket.
    /// - Returns: nil when there was one; else the seconds until there will be.
    mutating func take(_ key: String, _ rate: Rate, at now: Instant) -> Int? {
        let now = now.secondsSince1970
        let bucket = buckets[key]
        let tokens = bucket?.tokens(at: now) ?? rate.burst
        let time = max(now, bucket?.at ?? now)
        // A millionth less than one is one: fractions of tokens are not exact.
        guard tokens >= 1 - 1e-6 else {
            return max(1, Int(((1 - tokens) * 3600 / rate.perHour - 1e-3).rounded(.up)))
        }
        if bucket == nil { makeRoomForBucket(at: now) }
        buckets[key] = Bucket(tokens: max(0, tokens - 1), at: time, rate: rate)
        return nil
    }

    /// Puts back what was taken for something that does not count.
    mutating func giveBack(_ key: String) {
        guard var bucket = buckets[key] else { return }
        bucket.tokens = min(bucket.rate.burst, bucket.tokens + 1)
        buckets[key] = bucket
    }

    /// How long a key has to wait, for its failures.
    /// - Returns: nil when it need not; else the seconds.
    func wait(_ key: String, at now: Instant) -> Int? {
        guard let failed = failures[key], failed.until > now.secondsSince1970 else { return nil }
        return Int(min(failed.until - now.secondsSince1970, Int64(failed.patience.longest)))
    }

    /// Notes a failure.
    mutating func fail(_ key: String, _ patience: Patience, at now: Instant) {
        let now = now.secondsSince1970
        if failures[key] == nil { makeRoomForFailures(at: now) }
        let known = failures[key].flatMap { $0.isForgotten(at: now) ? nil : $0 }
        let count = min((known?.count ?? 0) + 1, 1_000_000)
        let doublings = min(max(0, count - patience.free - 1), 30)
        let wait = count <= patience.free ? 0 : min(patience.longest, patience.first << doublings)
        failures[key] = Failures(count: count, until: max(now, known?.until ?? now) + Int64(wait), patience: patience)
    }

    /// Takes back a failure that was none.
    mutating func undoFailure(_ key: String) {
        guard let failed = failures[key] else { return }
        failures[key] =
            failed.count > 1 ? Failures(count: failed.count - 1, until: failed.until, patience: failed.patience) : nil
    }

    /// Forgets a key's failures: it has succeeded.
    mutating func succeed(_ key: String) { failures[key] = nil }

    private mutating func makeRoomForBucket(at now: Int64) {
        guard buckets.count >= maximumKeys else { return }
        buckets = buckets.filter { $0.value.tokens(at: now) < $0.value.rate.burst }
        guard buckets.count >= maximumKeys else { return }
        // Those that have used the least of what they may, up to half of all.
        let used = buckets.map { (key: $0.key, left: $0.value.tokens(at: now) / $0.value.rate.burst) }
        for (key, _) in used.sorted(by: { $0.left > $1.left }).prefix(buckets.count / 2) { buckets[key] = nil }
    }

    private mutating func makeRoomForFailures(at now: Int64) {
        guard failures.count >= maximumKeys else { return }
        failures = failures.filter { !$0.value.isForgotten(at: now) }
        guard failures.count >= maximumKeys else { return }
        for (key, _) in failures.sorted(by: { $0.value.count < $1.value.count }).prefix(failures.count / 2) {
            failures[key] = nil
        }
    }
}
