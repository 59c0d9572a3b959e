import NIOCore
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// Memory that goes back to the system after a burst.
@Suite("Memory that is given back", .ownTime)
struct MemoryReturnTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private let mebibyte = 1 << 20

    @Test("A trim follows a fall of 8 MiB after a second, and not what goes up and down by less")
    func fall() {
        var peak = MemoryPeak()
        #expect(peak.hold(64 * mebibyte, at: start) == nil)
        for _ in 0..<100 {
            #expect(peak.hold(-7 * mebibyte, at: start) == nil)
            #expect(peak.hold(7 * mebibyte, at: start) == nil)
        }
        #expect(peak.hold(-8 * mebibyte, at: start) == start + .seconds(1))
        #expect(peak.hold(-8 * mebibyte, at: start) == nil, "one is planned already")
    }

    @Test("What is given back while a trim waits is given back by another, five seconds later at the earliest")
    func again() {
        var peak = MemoryPeak()
        _ = peak.hold(64 * mebibyte, at: start)
        #expect(peak.hold(-10 * mebibyte, at: start) != nil)
        #expect(peak.hold(-50 * mebibyte, at: start) == nil)
        let done = start + .seconds(1)
        #expect(peak.end(at: done) == done + .seconds(5))
        #expect(peak.hold(-4 * mebibyte, at: done) == nil)
        #expect(peak.end(at: done + .seconds(5)) == nil, "nothing was given back since")
        #expect(peak.hold(20 * mebibyte, at: done + .seconds(60)) == nil)
        #expect(peak.hold(-20 * mebibyte, at: done + .seconds(60)) == done + .seconds(61))
    }

    @Test("The bodies of requests that end have memory given back, on no event loop")
    func bodies() async throws {
        let trims = Mutex(0)
        let memory = MemoryReturn(delay: .zero) { trims.withLock { $0 += 1 } }
        let budget = BodyBudget(bytes: 64 << 20, patience: .seconds(5), memory: memory)
        let tickets = (0..<16).map { _ in budget.begin(network: nil, now: start) {} }
        for ticket in tickets { #expect(budget.take(mebibyte, for: ticket, now: start)) }
        #expect(!budget.take(64 * mebibyte, for: tickets[0], now: start), "what is refused is not held")
        for ticket in tickets.prefix(7) { budget.end(ticket) }
        budget.end(tickets[0])
        #expect(trims.withLock { $0 } == 0)
        budget.end(tickets[7])
        try await eventually("memory is given back") { trims.withLock { $0 } == 1 }
    }

    #if os(Linux) && canImport(Glibc)
        @Test("The allocator takes what it is told, and an operator's own variables go before")
        func operatorsVariables() {
            #expect(!Allocator.configure(environment: ["MALLOC_ARENA_MAX": "2"], processors: 2))
            #expect(!Allocator.configure(environment: ["GLIBC_TUNABLES": "x"], processors: 2))
            #expect(Allocator.configure(environment: [:], processors: 2))
        }
    #endif
}
