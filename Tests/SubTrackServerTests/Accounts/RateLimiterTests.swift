import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Rate limits", .ownTime)
struct RateLimiterTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: 1_800_000_000 + seconds) }

    @Test("A burst, then as many as the rate gives, with the wait until the next; a clock set back gives nothing away")
    func bucket() {
        var limiter = RateLimiter()
        let rate = RateLimiter.Rate(burst: 3, perHour: 60)
        for _ in 0..<3 { #expect(limiter.take("a", rate, at: at(0)) == nil) }
        #expect(limiter.take("a", rate, at: at(0)) == 60)
        #expect(limiter.take("b", rate, at: at(0)) == nil, "another key has its own")
        #expect(limiter.take("a", rate, at: at(59)) == 1)
        #expect(limiter.take("a", rate, at: at(60)) == nil)
        #expect(limiter.take("a", rate, at: at(-100_000)) == 60)
        #expect(limiter.take("a", rate, at: at(61)) == 59)
        limiter.giveBack("a")
        #expect(limiter.take("a", rate, at: at(61)) == nil)
        for _ in 0..<3 { #expect(limiter.take("a", rate, at: at(1_000_000)) == nil) }
        #expect(limiter.take("a", rate, at: at(1_000_000)) == 60, "a long rest is no more than a burst")
    }

    @Test("In any time nobody gets more than a burst and what the rate gives", arguments: 0..<50)
    func neverMore(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var limiter = RateLimiter()
        let rate = RateLimiter.Rate(
            burst: .random(in: 1...20, using: &random), perHour: .random(in: 1...5000, using: &random))
        var now: Int64 = 0
        var latest: Int64 = -1000
        var taken: [Int64] = []
        for _ in 0..<500 {
            now += .random(in: 0...30, using: &random)
            // A replica's clock may stutter.
            let shown = now - (.random(in: 0..<10, using: &random) == 0 ? .random(in: 0...100, using: &random) : 0)
            // What counts is the latest time that was shown so far.
            latest = max(latest, shown)
            if let wait = limiter.take("key", rate, at: at(shown)) { #expect(wait >= 1) } else { taken.append(latest) }
        }
        for (index, first) in taken.enumerated() {
            for last in index..<taken.count {
                let allowed = rate.burst + Double(taken[last] - first) * rate.perHour / 3600
                #expect(Double(last - index + 1) <= allowed + 0.001)
            }
        }
    }

    @Test("Waits grow with failures up to a bound, and are forgotten after success or a rest")
    func patience() {
        var limiter = RateLimiter()
        let patience = RateLimiter.Patience(free: 2, first: 2, longest: 60)
        var now: Int64 = 0
        var waits: [Int?] = []
        for _ in 0..<9 {
            limiter.fail("a", patience, at: at(now))
            let wait = limiter.wait("a", at: at(now))
            waits.append(wait)
            now += Int64(wait ?? 0)
            #expect(limiter.wait("a", at: at(now)) == nil)
        }
        #expect(waits == [nil, nil, 2, 4, 8, 16, 32, 60, 60])
        limiter.fail("b", patience, at: at(now))
        #expect(limiter.wait("b", at: at(now)) == nil, "another key has its own")
        limiter.succeed("a")
        limiter.fail("a", patience, at: at(now))
        #expect(limiter.wait("a", at: at(now)) == nil)
        for _ in 0..<3 { limiter.fail("c", patience, at: at(now)) }
        limiter.fail("c", patience, at: at(now + 1000))
        #expect(limiter.wait("c", at: at(now + 1000)) == nil, "a long rest begins anew")
        for _ in 0..<100 { limiter.fail("d", patience, at: at(now)) }
        #expect(limiter.wait("d", at: at(now)) == 60)
    }

    @Test("However many keys there are, the memory is bounded, and those who did most are remembered")
    func bounded() {
        var limiter = RateLimiter(maximumKeys: 100)
        let rate = RateLimiter.Rate(burst: 10, perHour: 1)
        let patience = RateLimiter.Patience(free: 0, first: 60, longest: 900)
        for _ in 0..<10 { _ = limiter.take("flooder", rate, at: at(0)) }
        for _ in 0..<5 { limiter.fail("guesser", patience, at: at(0)) }
        for number in 0..<10_000 {
            _ = limiter.take("key \(number)", rate, at: at(0))
            limiter.fail("key \(number)", patience, at: at(0))
            #expect(limiter.count <= 200)
        }
        #expect(limiter.take("flooder", rate, at: at(0)) != nil)
        #expect(limiter.wait("guesser", at: at(0)) != nil)
    }

    @Test("Nobody gets a fresh bucket, or a fresh start, by pushing the own key out with others", arguments: 0..<30)
    func evicted(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bounded = RateLimiter(maximumKeys: 20)
        var unbounded = RateLimiter(maximumKeys: 1_000_000)
        let rate = RateLimiter.Rate(burst: 5, perHour: 60)
        let patience = RateLimiter.Patience(free: 2, first: 4, longest: 900)
        var now: Int64 = 0
        var (taken, tooMany, tooSoon) = (0, 0, 0)
        for _ in 0..<1000 {
            now += .random(in: 0...2, using: &random)
            // The attacker's key, and throw-away keys that are used as much as it.
            let key =
                Int.random(in: 0..<3, using: &random) == 0 ? "own" : "other \(Int.random(in: 0..<500, using: &random))"
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                if bounded.take(key, rate, at: at(now)) == nil {
                    if unbounded.take(key, rate, at: at(now)) != nil { tooMany += 1 }
                    if key == "own" { taken += 1 }
                }
                bounded.fail(key, patience, at: at(now))
                unbounded.fail(key, patience, at: at(now))
                if bounded.wait(key, at: at(now)) ?? 0 < unbounded.wait(key, at: at(now)) ?? 0 { tooSoon += 1 }
            }
            #expect(bounded.count <= 40)
        }
        #expect(taken > 0 && tooMany == 0 && tooSoon == 0, "\(tooMany) more, \(tooSoon) sooner than without a bound")
    }

    @Test("Of several buckets one is taken from each, or from none")
    func several() {
        var limiter = RateLimiter()
        let (small, large) = (RateLimiter.Rate(burst: 1, perHour: 60), RateLimiter.Rate(burst: 3, perHour: 60))
        #expect(limiter.take([("a", small), ("all", large)], at: at(0)) == nil)
        for _ in 0..<5 { #expect(limiter.take([("a", small), ("all", large)], at: at(0)) == 60) }
        #expect(limiter.take([("b", small), ("all", large)], at: at(0)) == nil)
        #expect(limiter.take([("c", small), ("all", large)], at: at(0)) == nil, "what was refused took nothing")
        #expect(limiter.take([("d", small), ("all", large)], at: at(0)) == 60)
    }

    @Test("A network is an IPv4 address, or half an IPv6 one")
    func networks() {
        #expect(CallOrigin.network(of: "192.0.2.1") == "192.0.2.1")
        #expect(CallOrigin.network(of: "::ffff:192.0.2.1") == "192.0.2.1")
        #expect(CallOrigin.network(of: "2001:db8:1:2:3:4:5:6") == CallOrigin.network(of: "2001:db8:1:2::1"))
        #expect(CallOrigin.network(of: "2001:db8:1:2::1") != CallOrigin.network(of: "2001:db8:1:3::1"))
        #expect(CallOrigin.network(of: "local") == "local")
    }
}
