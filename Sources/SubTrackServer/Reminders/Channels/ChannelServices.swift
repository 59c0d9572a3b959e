import SubTrackAPI
import Synchronization

/// The services on which channels depend. Without the secret key, or without a way out, channels are off.
struct ChannelServices: Sendable {
    /// The service's secret key; nil: the operator has set none.
    let key: SecretKey?
    /// The way to servers that users name; nil: there is none.
    let outbound: (any OutboundHTTP)?
    let clock: WallClock
    /// Turns of sends to one host, on this replica.
    let hosts = RequestTurns<String>(atOnce: { 2 }, longestWait: .seconds(5))
    private let tests = TestRate()

    /// Channels that work with a key and a way out.
    init(key: SecretKey? = nil, outbound: (any OutboundHTTP)? = nil, clock: WallClock = .system) {
        self.key = key
        self.outbound = outbound
        self.clock = clock
    }

    /// No channels.
    static let off = ChannelServices()

    /// The key, where channels are on.
    /// - Throws: `status_conflict`.
    func requireKey() throws(Problem) -> SecretKey {
        guard let key, outbound != nil else {
            throw Problem(
                .statusConflict,
                "This service sends no messages by channels: it has no secret key (--secret-key-file). Ask its operator."
            )
        }
        return key
    }

    /// Counts a test of a channel: ten an hour.
    /// - Throws: `rate_limited`.
    func countTest(_ call: Call) throws {
        let user = try call.requireSession().user
        let wait = tests.limiter.withLock { limiter in
            limiter.take("\(call.tenant.slug) \(user.uuid)", .init(burst: 10, perHour: 10), at: call.now)
        }
        guard let wait else { return }
        throw Problem.rateLimited("Too many tests of channels; try again in \(wait) s.", retryAfter: wait)
    }

    /// The tests of this replica.
    private final class TestRate: Sendable {
        let limiter = Mutex(RateLimiter())
    }
}
