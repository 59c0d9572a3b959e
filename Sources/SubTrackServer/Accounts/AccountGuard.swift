import SubTrackAPI
import Synchronization

/// The limits of this replica, and their use so far. Several replicas each have their own.
final class AccountGuard: Sendable {
    /// Some wrong passwords cost nothing; then 2 s, 4 s, 8 s … up to a quarter of an hour.
    private var patience: RateLimiter.Patience { .init(free: limits.freeWrongPasswords, first: 2, longest: 900) }

    private let limits: AccountLimits
    private let limiter = Mutex(RateLimiter())
    private let lines: WaitingLines

    /// Nothing has been used yet.
    init(_ limits: AccountLimits, clock: WallClock = .system) {
        self.limits = limits
        lines = WaitingLines(.init(), longestWait: limits.longestWait, clock: clock)
    }

    /// Counts an attempt of a caller that has shown something else already: a session, or a device that the account
    /// knows. Neither strangers in the same larger network nor those of the whole tenant keep it out.
    /// - Throws: `rate_limited` when the caller's address has had its share.
    func countKnown(_ call: Call) throws {
        try take("address", [call.origin.networks.client], signIns, "sign-ins from your network", call)
    }

    /// Counts an attempt for all networks of its address, before its user is known.
    /// - Throws: `rate_limited` when one of them has had its share.
    func countInNetworks(_ call: Call) throws {
        try take("address", call.origin.networks.all, signIns, "sign-ins from your network", call)
    }

    /// Counts an attempt that ``countKnown(_:)`` has counted for the larger networks as well, and for its tenant: its
    /// user is unknown. It waits for a while where the tenant has had its share.
    /// - Throws: `rate_limited` when a network has had its share, and when the tenant's is not there in time.
    func countStranger(_ call: Call) async throws {
        try take(
            "address", Array(call.origin.networks.all.dropFirst()), signIns, "sign-ins from your network", call)
        let rate = RateLimiter.Rate(burst: limits.tenantSignInsPerMinute, perHour: limits.tenantSignInsPerMinute * 60)
        try await lines.take("tenant \(call.tenant.slug)", rate, "sign-ins", from: call.origin.networks)
    }

    private var signIns: RateLimiter.Rate {
        .init(burst: limits.signInsPerMinute, perHour: limits.signInsPerMinute * 60)
    }

    /// Counts an answer that tells whether an address is taken.
    /// - Throws: `rate_limited` when the caller's network has had its share.
    func countRegistration(_ call: Call) throws {
        let rate = RateLimiter.Rate(burst: limits.registrationsPerHour, perHour: limits.registrationsPerHour)
        try take("register", call.origin.networks.all, rate, "registrations from your network", call)
    }

    /// Counts a user who is made without account, and without anybody having shown anything.
    /// - Throws: `rate_limited` when the caller's network has had its share.
    func countDevice(_ call: Call) throws {
        let rate = RateLimiter.Rate(burst: limits.devicesPerHour, perHour: limits.devicesPerHour)
        try take("device", call.origin.networks.all, rate, "new devices from your network", call)
    }

    /// Counts a request for mail.
    /// - Parameter isOwn: whether the caller has a session of the account's user: the tenant's budget is not its concern.
    /// - Returns: whether the account may get one more; nobody is told that it may not.
    /// - Throws: `rate_limited` when the caller's network has had its share, and when the tenant's is not there in time.
    func countMail(to email: EmailAddress, isOwn: Bool, _ call: Call) async throws -> Bool {
        let rate = RateLimiter.Rate(burst: limits.mailsPerHour, perHour: limits.mailsPerHour)
        let networks = isOwn ? [call.origin.networks.client] : call.origin.networks.all
        // The network first: its attempts beyond its share must not use up the tenant's.
        try take("mail", networks, rate, "requests for mail from your network", call)
        if !isOwn {
            // Unread mails must not fill the database: a reset waits two hours at most.
            let all = RateLimiter.Rate(burst: 100 * limits.mailsPerHour, perHour: 1000 * limits.mailsPerHour)
            try await lines.take(
                "mails \(call.tenant.slug)", all, "requests for mail", from: call.origin.networks)
        }
        return mayMail("mail", to: email, call)
    }

    /// Counts a mail that nobody asked for. The rate of requests does not bound it: anybody can register a stranger's address,
    /// and sign in again and again with the own password.
    /// - Returns: whether the address may get one more of this kind; nobody is told that it may not.
    func mayNotify(_ email: EmailAddress, of kind: MailKind, _ call: Call) -> Bool {
        mayMail("\(kind.rawValue)", to: email, call)
    }

    private func mayMail(_ kind: String, to email: EmailAddress, _ call: Call) -> Bool {
        let share = max(1, limits.mailsPerHour / 3)
        let key = "\(kind) to \(call.tenant.slug) \(email.limitKey)"
        return limiter.withLock { $0.take(key, .init(burst: share, perHour: share), at: call.now) } == nil
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

    /// Takes one from the bucket of each network, or none where one of them is empty.
    private func take(
        _ kind: String, _ networks: [ClientNetworks.Network], _ rate: RateLimiter.Rate, _ what: String, _ call: Call
    ) throws {
        let keys = networks.map { (key: "\(kind) \($0)", rate: rate.times($0.breadth.factor)) }
        guard let wait = limiter.withLock({ $0.take(keys, at: call.now) }) else { return }
        throw Problem.rateLimited("Too many \(what); try again in \(wait) s.", retryAfter: wait)
    }
}
