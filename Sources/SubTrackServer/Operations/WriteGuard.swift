import SubTrackAPI
import Synchronization

/// How often users and networks write, in one tenant and on this replica.
///
/// The limits are far above normal use: a device that was offline for years sends its outbox at once. They stop a
/// client that writes without end.
final class WriteGuard: Sendable {
    private let user: RateLimiter.Rate
    private let network: RateLimiter.Rate
    private let limiter = Mutex(RateLimiter())

    /// Nothing was written yet.
    init(_ limits: UserLimits) {
        user = .init(burst: limits.writesPerHour, perHour: limits.writesPerHour)
        network = .init(burst: limits.networkWritesPerHour, perHour: limits.networkWritesPerHour)
    }

    /// Counts a write of the caller's.
    /// - Parameter count: how many the caller has ready, this one included: it is told to wait until as many may be done.
    /// - Throws: `rate_limited`.
    func take(_ call: Call, of count: Int = 1) throws {
        let (own, shared) = try keys(call)
        let refused = limiter.withLock { limiter -> (Int, RateLimiter.Rate, String)? in
            if let shared, let wait = limiter.take(shared, network, at: call.now) {
                return (wait, network, "from your network")
            }
            guard let wait = limiter.take(own, user, at: call.now) else { return nil }
            if let shared { limiter.giveBack(shared) }
            return (wait, user, "of yours")
        }
        guard let (wait, rate, what) = refused else { return }
        let others = Double(max(0, count - 1)) * 3600 / rate.perHour
        let seconds = wait + Int(min(others.rounded(.up), 3600))
        throw Problem.rateLimited("Too many changes \(what); try again in \(seconds) s.", retryAfter: seconds)
    }

    /// Counts rows that a write has changed beside its own, such as periods: ten of them as a write. It is done, and the next one
    /// waits. One change of a fee may take thousands of periods back and record them anew.
    func charge(_ call: Call, rows: Int) throws {
        guard rows > 0 else { return }
        let (own, shared) = try keys(call)
        limiter.withLock { limiter in
            if let shared { limiter.charge(shared, network, Double(rows) / 10, at: call.now) }
            limiter.charge(own, user, Double(rows) / 10, at: call.now)
        }
    }

    /// The buckets of a caller; that of the network is nil for this machine, where a proxy speaks for many.
    private func keys(_ call: Call) throws -> (own: String, shared: String?) {
        (
            "user \(try call.requireSession().user.uuid)",
            call.origin.isThisMachine ? nil : "network \(call.addressKey)"
        )
    }
}

extension WriteGuard: TenantPart {
    convenience init(of tenant: Tenant) { self.init(tenant.limits) }
}

extension Tenant {
    /// The rates at which its users write.
    var writes: WriteGuard { part() }
}
