import TestTraits
import Testing

@testable import EmbeddedMariaDB

@Suite(.ownTime) struct RestartBackoffTests {
    @Test func waitsDoubleUpToHalfAMinute() {
        var backoff = RestartBackoff()
        let waits = (0..<12).map { _ in backoff.next(after: .zero) }
        #expect(
            waits
                == [100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000, 30000].map { .milliseconds($0) })
    }

    @Test func aServerThatWasStableIsRestartedAtOnce() {
        var backoff = RestartBackoff()
        for _ in 0..<20 { _ = backoff.next(after: .seconds(59)) }
        #expect(backoff.next(after: .seconds(59)) == RestartBackoff.longest)
        #expect(backoff.next(after: .seconds(60)) == RestartBackoff.shortest)
        #expect(backoff.next(after: .zero) == RestartBackoff.shortest * 2)
    }
}
