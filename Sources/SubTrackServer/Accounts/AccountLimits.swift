import SubTrackAPI
import Synchronization

/// How often somebody may try to sign in, register, make a device, or ask for mail.
public struct AccountLimits: Sendable, Hashable {
    /// Sign-ins, right or wrong, of one address in a minute.
    public var signInsPerMinute: Int
    /// Registrations of one address in an hour: each tells whether an e-mail address is taken.
    public var registrationsPerHour: Int
    /// First starts of devices of one address in an hour: each makes a user.
    public var devicesPerHour: Int
    /// Requests for a mail of one address in an hour, and a third of it for one account.
    public var mailsPerHour: Int
    /// Sign-ins of a whole tenant in a minute.
    public var tenantSignInsPerMinute: Int
    /// Wrong passwords of one account that cost nothing.
    public var freeWrongPasswords: Int

    /// Limits; those left out are the documented defaults.
    public init(
        signInsPerMinute: Int = 20, registrationsPerHour: Int = 10, mailsPerHour: Int = 10,
        tenantSignInsPerMinute: Int = 1200, freeWrongPasswords: Int = 5, devicesPerHour: Int = 600
    ) {
        self.signInsPerMinute = signInsPerMinute
        self.registrationsPerHour = registrationsPerHour
        self.devicesPerHour = devicesPerHour
        self.mailsPerHour = mailsPerHour
        self.tenantSignInsPerMinute = tenantSignInsPerMinute
        self.freeWrongPasswords = freeWrongPasswords
    }
}

/// The limits of this replica, and what has been used of them. Several replicas each have their own.
final class AccountGuard: Sendable {
    /// Some wrong passwords cost nothing; then 2 s, 4 s, 8 s … up to a quarter of an hour.
    private var patience: RateLimiter.Patience { .init(free: limits.freeWrongPasswords, first: 2, longest: 900) }

    private let limits: AccountLimits
    private let limiter = Mutex(RateLimiter())

    /// Nothing has been used yet.
    init(_ limits: AccountLimits) { self.limits = limits }

    /// Counts a sign-in, or another operation that compares a password or token.
    /// - Throws: `rate_limited` when the address or the tenant has had its share.
    func countAttempt(_ call: Call) throws {
        try countInNetwork(call)
        try countInTenant(call)
    }

    /// Counts an attempt for its network alone: before it is known who it is.
    /// - Throws: `rate_limited` when the address has had its share.
    func countInNetwork(_ call: Call) throws {
        let rate = RateLimiter.Rate(burst: limits.signInsPerMinute, perHour: limits.signInsPerMinute * 60)
        try take("address \(call.addressKey)", rate, "sign-ins from your network", at: call.now)
    }

    /// Counts an attempt for its tenant alone.
    /// - Throws: `rate_limited` when the tenant has had its share.
    func countInTenant(_ call: Call) throws {
        let rate = RateLimiter.Rate(burst: limits.tenantSignInsPerMinute, perHour: limits.tenantSignInsPerMinute * 60)
        try take("tenant \(call.tenant.slug)", rate, "sign-ins", at: call.now)
    }

    /// Counts an answer that tells whether an address is taken.
    /// - Throws: `rate_limited` when the caller's network has had its share.
    func countRegistration(_ call: Call) throws {
        let rate = RateLimiter.Rate(burst: limits.registrationsPerHour, perHour: limits.registrationsPerHour)
        try take("register \(call.addressKey)", rate, "registrations from your network", at: call.now)
    }

    /// Counts a user who is made without account, and without anybody having shown anything.
    /// - Throws: `rate_limited` when the caller's network has had its share.
    func countDevice(_ call: Call) throws {
        let rate = RateLimiter.Rate(burst: limits.devicesPerHour, perHour: limits.devicesPerHour)
        try take("device \(call.addressKey)", rate, "new devices from your network", at: call.now)
    }

    /// Counts a request for mail.
    /// - Returns: whether the account may get one more; nobody is told that it may not.
    /// - Throws: `rate_limited` when the caller's network has had its share.
    func countMail(to email: EmailAddress, _ call: Call) throws -> Bool {
        let rate = RateLimiter.Rate(burst: limits.mailsPerHour, perHour: limits.mailsPerHour)
        // What nobody reads is not to fill the database: a reset waits two hours at the most.
        let all = RateLimiter.Rate(burst: 100 * limits.mailsPerHour, perHour: 1000 * limits.mailsPerHour)
        // The network first: what it asks for beyond its share is not to be taken from everybody else's.
        try take("mail \(call.addressKey)", rate, "requests for mail from your network", at: call.now)
        try take("mails \(call.tenant.slug)", all, "requests for mail", at: call.now)
        let own = RateLimiter.Rate(burst: max(1, limits.mailsPerHour / 3), perHour: max(1, limits.mailsPerHour / 3))
        return limiter.withLock { $0.take("mail to \(call.tenant.slug) \(email.limitKey)", own, at: call.now) } == nil
    }

    /// Begins a comparison of passwords, which counts as wrong until ``succeeded(_:_:)`` says otherwise.
    /// - Parameter key: the account, or the account on a device that it knows.
    /// - Throws: `rate_limited` while wrong passwords make it wait, whether there is such an account or not.
    func begin(_ key: String, _ call: Call) throws {
        let key = call.tenant.slug + " " + key
        let wait = limiter.withLock { limiter -> Int? in
            if let wait = limiter.wait(key, at: call.now) { return wait }
            limiter.fail(key, patience, at: call.now)
            return nil
        }
        guard let wait else { return }
        throw Problem.rateLimited(
            "Too many wrong passwords; try again in \(wait) s, or ask for a new password.", retryAfter: wait)
    }

    /// The password was right: the wrong ones before it are forgotten.
    func succeeded(_ key: String, _ call: Call) { limiter.withLock { $0.succeed(call.tenant.slug + " " + key) } }

    /// Nothing was compared after all.
    func undo(_ key: String, _ call: Call) { limiter.withLock { $0.undoFailure(call.tenant.slug + " " + key) } }

    private func take(_ key: String, _ rate: RateLimiter.Rate, _ what: String, at now: Instant) throws {
        guard let wait = limiter.withLock({ $0.take(key, rate, at: now) }) else { return }
        throw Problem.rateLimited("Too many \(what); try again in \(wait) s.", retryAfter: wait)
    }
}
