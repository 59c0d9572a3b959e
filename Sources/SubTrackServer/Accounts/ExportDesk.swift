import SubTrackAPI
import Synchronization

/// How many exports there are at a time, and how often a user asks for one: each reads all that a user has.
final class ExportDesk: Sendable {
    /// How many are made at the same time: each has a connection to the database meanwhile.
    static let maximumMaking = 4
    /// How many of one user there are, being made or being read.
    static let maximumHeld = 2
    /// How many of one network there are. Users cost nothing, and all share the disk; fewer than are made at a time, so that
    /// one network leaves a place.
    static let maximumHeldByNetwork = 3
    /// Twenty at once, and sixty in an hour.
    private static let rate = RateLimiter.Rate(burst: 20, perHour: 60)

    private struct State {
        var making = 0
        var held: [String: Int] = [:]
        var limiter = RateLimiter()
    }

    /// The place of one export, for as long as somebody holds it.
    final class Ticket: Sendable {
        private let desk: ExportDesk
        private let keys: [String]
        private let isMaking = Mutex(true)

        fileprivate init(_ desk: ExportDesk, _ keys: [String]) {
            self.desk = desk
            self.keys = keys
        }

        /// It is made, and only read from now on.
        func made() {
            let wasMaking = isMaking.withLock { isMaking in
                defer { isMaking = false }
                return isMaking
            }
            if wasMaking { desk.state.withLock { $0.making -= 1 } }
        }

        deinit {
            made()
            desk.release(keys)
        }
    }

    /// Files of exports on disk.
    let budget = SpoolBudget()
    private let state = Mutex(State())

    /// Gives a place to an export of the caller's.
    /// - Throws: `rate_limited`, `unavailable`.
    func begin(_ call: Call) throws -> Ticket {
        try begin(of: try call.requireSession().user, in: call.tenant, from: call.origin.networks, at: call.now)
    }

    /// Gives a place to an export of a user.
    /// - Parameter networks: those of the reader.
    /// - Throws: `rate_limited`, `unavailable`.
    func begin(of user: UserID, in tenant: Tenant, from networks: ClientNetworks, at now: Instant) throws -> Ticket {
        let key = "\(tenant.slug) \(user.uuid)"
        // A proxy on this machine speaks for many.
        let network = networks.isThisMachine ? nil : "network \(networks.client)"
        let problem = state.withLock { state -> Problem? in
            if state.held[key, default: 0] >= Self.maximumHeld {
                return Problem.rateLimited(
                    "\(Self.maximumHeld) exports of yours are under way already; read them to their end first.",
                    retryAfter: 5)
            }
            if let network, state.held[network, default: 0] >= Self.maximumHeldByNetwork {
                return Problem.rateLimited(
                    "\(Self.maximumHeldByNetwork) exports are being read from your network already; try again in a minute.",
                    retryAfter: 60)
            }
            if state.making >= Self.maximumMaking {
                var problem = Problem(.unavailable, "Too many exports are being made; try again in a moment.")
                problem.retryAfter = 2
                return problem
            }
            if let wait = state.limiter.take(key, Self.rate, at: now) {
                return Problem.rateLimited("Too many exports; try again in \(wait) s.", retryAfter: wait)
            }
            state.making += 1
            for key in [key, network].compactMap(\.self) { state.held[key, default: 0] += 1 }
            return nil
        }
        if let problem { throw problem }
        return Ticket(self, [key, network].compactMap(\.self))
    }

    private func release(_ keys: [String]) {
        state.withLock { state in
            for key in keys {
                let left = (state.held[key] ?? 1) - 1
                state.held[key] = left > 0 ? left : nil
            }
        }
    }
}
