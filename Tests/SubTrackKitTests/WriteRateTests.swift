import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackKit

/// A service that takes no more for the moment: the kit waits and goes on, and loses nothing.
@Suite("Kits that write more than a service takes at once", .ownTime)
struct WriteRateTests {
    private func gym(_ note: String) -> CreateSubscription {
        CreateSubscription(
            plan: PrivatePlan(
                provider: "Gym", name: note, fee: amount("20"), currency: "USD",
                duration: .init(value: 1, unit: .month)), note: note)
    }

    @Test("What the service does not take now stays in the outbox with the time to wait, and is sent then")
    func staysInTheOutbox() async throws {
        try await TestService.run(at: "2026-01-31", configure: { $0.limits.writesPerHour = 4 }) { service in
            let device = try service.device()
            try await device.kit.sync()
            for number in 0..<6 { try device.kit.add(gym("\(number)")) }
            do {
                try await device.kit.sync()
                Issue.record("the service took all of it")
            } catch KitError.offline(_, let retryAfter) {
                // A quarter of an hour for each of the two that are left.
                #expect(retryAfter == 1800)
            }
            #expect(try device.kit.pendingCount() == 2)
            #expect(try device.kit.held().count == 6, "what waits is shown all the same")
            // Nothing of it is refused, however often it is tried.
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            #expect(try device.kit.pendingCount() == 2 && device.kit.reports().isEmpty)
            service.clock.set("2026-01-31T12:30:00Z")
            try await device.kit.sync()
            #expect(try device.kit.pendingCount() == 0 && device.kit.reports().isEmpty)
            let other = try service.device(tokens: device.tokens)
            try await other.kit.sync()
            #expect(Set(try other.kit.held().values.map(\.note)) == Set((0..<6).map(String.init)))
        }
    }

    @Test("A sync that is told to wait a moment in its middle waits, and sends all of it")
    func waits() async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            for number in 0..<101 { try device.kit.add(gym("\(number)")) }
            let problem = try JSONEncoder().encode(Problem.rateLimited("Too many changes of yours.", retryAfter: 1))
            let pushes = Mutex(0)
            device.transport.set { request in
                guard request.method == "POST" else { return .answered }
                let number = pushes.withLock { count in
                    count += 1
                    return count
                }
                return number == 2
                    ? .replaced(TransportResponse(status: 429, body: problem, retryAfter: 1)) : .answered
            }
            #expect(try await device.kit.sync().sent == 101)
            #expect(pushes.withLock { $0 } == 3)
            #expect(try device.kit.pendingCount() == 0)
        }
    }
}
