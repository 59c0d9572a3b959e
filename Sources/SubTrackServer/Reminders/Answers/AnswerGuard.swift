import SubTrackAPI
import Synchronization

/// How often tokens that are none are tried from one network. Each replica counts by itself. Good tokens are not counted: behind one
/// address there may be a whole company of readers.
final class AnswerGuard: Sendable {
    /// So many in an hour.
    private static let rate = RateLimiter.Rate(burst: 60, perHour: 60)

    private let limiter = Mutex(RateLimiter())

    /// Counts an attempt for all networks of its address.
    /// - Throws: `rate_limited` when one of them has had its share.
    func count(_ origin: CallOrigin, at now: Instant) throws {
        let keys = origin.networks.all.map { (key: "\($0)", rate: Self.rate.times($0.breadth.factor)) }
        guard let wait = limiter.withLock({ $0.take(keys, at: now) }) else { return }
        throw Problem.rateLimited("Too many wrong links from your network; try again in \(wait) s.", retryAfter: wait)
    }
}
