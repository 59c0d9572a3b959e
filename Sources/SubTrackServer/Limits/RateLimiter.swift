import SubTrackAPI

/// Rates of attempts: a token bucket for each key, and waits that grow with failures.
///
/// Pure: time is passed in, in seconds, and the state is a value. A clock that is set back counts as standing still.
/// The state is bounded: beyond ``maximumKeys`` the keys with the least use go first. Their use stays in a
/// ``RateResidue``, so that nobody gets a fresh bucket by having the own key pushed out.
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

        /// The same for a network that is so many times as large.
        func times(_ factor: Int) -> Rate {
            var larger = self
            larger.burst *= Double(factor)
            larger.perHour *= Double(factor)
            return larger
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

        /// The tokens in it at a time.
        func tokens(at now: Int64) -> Double {
            min(rate.burst, tokens + Double(max(0, now - at)) * rate.perHour / 3600)
        }

        /// When it is full again.
        var fullAt: Double { Double(at) + (rate.burst - tokens) * 3600 / rate.perHour }
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
    /// When evicted buckets would have been full again.
    private var fullAt = RateResidue()
    /// Until when evicted failures made wait, and how many they were.
    private var failureEnds = RateResidue()

    /// A limiter that remembers so many keys of each kind.
    init(maximumKeys: Int = defaultMaximumKeys) { self.maximumKeys = max(2, maximumKeys) }

    /// How many keys are remembered.
    var count: Int { buckets.count + failures.count }

    /// Takes one from a key's bucket.
    /// - Returns: nil when there was one; else the seconds until there will be.
    mutating func take(_ key: String, _ rate: Rate, at now: Instant) -> Int? { take([(key, rate)], at: now) }

    /// Takes one from the bucket of each key, or none where one of them is empty.
    /// - Returns: nil when there was one in each; else the seconds until there will be.
    mutating func take(_ keys: [(key: String, rate: Rate)], at now: Instant) -> Int? {
        let now = now.secondsSince1970
        let waits = keys.compactMap { key, rate -> Int? in
            let tokens = bucket(key, rate, at: now).tokens
            // A millionth less than one is one: fractions of tokens are not exact.
            guard tokens < 1 - 1e-6 else { return nil }
            return max(1, Int(((1 - tokens) * 3600 / rate.perHour - 1e-3).rounded(.up)))
        }
        if let longest = waits.max() { return longest }
        for (key, rate) in keys {
            var bucket = bucket(key, rate, at: now)
            bucket.tokens = max(0, bucket.tokens - 1)
            if buckets[key] == nil { makeRoomForBucket(at: now) }
            buckets[key] = bucket
        }
        return nil
    }

    /// Takes some from a key's bucket, whether they are there or not. A debtor waits until the bucket has one again.
    /// Nobody owes more than one bucket.
    mutating func charge(_ key: String, _ rate: Rate, _ count: Double, at now: Instant) {
        let now = now.secondsSince1970
        var bucket = bucket(key, rate, at: now)
        bucket.tokens = max(-rate.burst, bucket.tokens - count)
        if buckets[key] == nil { makeRoomForBucket(at: now) }
        buckets[key] = bucket
    }

    /// A key's bucket as it is at a time. An unknown key may be one that was evicted.
    private func bucket(_ key: String, _ rate: Rate, at now: Int64) -> Bucket {
        if let known = buckets[key] {
            return Bucket(tokens: known.tokens(at: now), at: max(now, known.at), rate: rate)
        }
        var tokens = rate.burst
        if let full = fullAt.bound(of: key), full.number > Double(now) {
            tokens = max(0, rate.burst - (full.number - Double(now)) * rate.perHour / 3600)
        }
        return Bucket(tokens: tokens, at: now, rate: rate)
    }

    /// Puts back tokens of an attempt that does not count.
    mutating func giveBack(_ key: String) {
        guard var bucket = buckets[key] else { return }
        bucket.tokens = min(bucket.rate.burst, bucket.tokens + 1)
        buckets[key] = bucket
    }

    /// How long a key has to wait, for its failures.
    /// - Returns: nil when it need not; else the seconds.
    func wait(_ key: String, at now: Instant) -> Int? {
        guard let failed = failures[key] ?? evicted(key, nil), failed.until > now.secondsSince1970 else { return nil }
        return Int(min(failed.until - now.secondsSince1970, Int64(failed.patience.longest)))
    }

    /// Notes a failure.
    mutating func fail(_ key: String, _ patience: Patience, at now: Instant) {
        let now = now.secondsSince1970
        let known = (failures[key] ?? evicted(key, patience)).flatMap { $0.isForgotten(at: now) ? nil : $0 }
        if failures[key] == nil { makeRoomForFailures(at: now) }
        let count = min((known?.count ?? 0) + 1, 1_000_000)
        let doublings = min(max(0, count - patience.free - 1), 30)
        let wait = count <= patience.free ? 0 : min(patience.longest, patience.first << doublings)
        failures[key] = Failures(count: count, until: max(now, known?.until ?? now) + Int64(wait), patience: patience)
    }

    /// Takes back a failure that was none.
    mutating func undoFailure(_ key: String) {
        guard let failed = failures[key] else { return }
        forget(key, leaving: failed.count - 1)
    }

    /// Forgets a key's failures: it has succeeded.
    mutating func succeed(_ key: String) { forget(key, leaving: 0) }

    private mutating func forget(_ key: String, leaving count: Int) {
        guard let failed = failures[key] ?? evicted(key, nil) else { return }
        // An entry without failures ends the residue's record of the key.
        let stays = count > 0 || evicted(key, nil) != nil
        failures[key] =
            stays ? Failures(count: count, until: count > 0 ? failed.until : 0, patience: failed.patience) : nil
    }

    /// The failures that an evicted key had at the most; nil where it had none.
    private func evicted(_ key: String, _ patience: Patience?) -> Failures? {
        guard let bound = failureEnds.bound(of: key) else { return nil }
        let patience = patience ?? Patience(free: 0, first: 1, longest: Self.longestEvicted)
        return Failures(count: Int(bound.detail), until: Int64(bound.number), patience: patience)
    }

    /// The longest wait that is told to an evicted key, whose patience is not known.
    private static let longestEvicted = 900

    private mutating func makeRoomForBucket(at now: Int64) {
        guard buckets.count >= maximumKeys else { return }
        buckets = buckets.filter { $0.value.tokens(at: now) < $0.value.rate.burst }
        guard buckets.count >= maximumKeys else { return }
        // The keys that have used the least of their allowance, up to half of all.
        let used = buckets.map { (key: $0.key, left: $0.value.tokens(at: now) / $0.value.rate.burst) }
        for (key, _) in used.sorted(by: { $0.left > $1.left }).prefix(buckets.count / 2) {
            if let bucket = buckets.removeValue(forKey: key) { fullAt.note(bucket.fullAt, of: key, at: Double(now)) }
        }
    }

    private mutating func makeRoomForFailures(at now: Int64) {
        guard failures.count >= maximumKeys else { return }
        failures = failures.filter { !$0.value.isForgotten(at: now) }
        guard failures.count >= maximumKeys else { return }
        for (key, failed) in failures.sorted(by: { $0.value.count < $1.value.count }).prefix(failures.count / 2) {
            failures[key] = nil
            guard failed.count > 0 else { continue }
            failureEnds.note(
                Double(failed.until), Double(failed.count), of: key, at: Double(now) - Double(failed.patience.longest))
        }
    }
}
