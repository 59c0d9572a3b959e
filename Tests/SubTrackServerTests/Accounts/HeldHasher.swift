import Foundation
import Passwords
import SubTrackTestSupport
import Synchronization

@testable import SubTrackServer

/// A hasher with one thread that a test can hold: what happens between reading an account and comparing its password
/// happens then, and not by luck.
struct HeldHasher: Sendable {
    let hasher: PasswordHasher

    /// A hasher with few rounds and one thread.
    init(rounds: Int = 1000, waiting: Int = 1000) {
        var bounds = PasswordHasher.Bounds()
        bounds.waiting = waiting
        bounds.waitingInQueue = waiting
        bounds.waitingInGroup = waiting
        self.init(rounds: rounds, bounds: bounds)
    }

    /// A hasher with few rounds, one thread, and bounds for those who wait.
    init(rounds: Int = 1000, bounds: PasswordHasher.Bounds) {
        var bounds = bounds
        bounds.threads = 1
        hasher = PasswordHasher(rounds: rounds, bounds: bounds)
    }

    /// Holds the thread while a body runs: what wants a hash meanwhile waits until it ends.
    func held<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let gate = DispatchSemaphore(value: 0)
        let isHeld = Atomic<Bool>(false)
        let holder = Task {
            try await hasher.run("the test") {
                isHeld.store(true, ordering: .sequentiallyConsistent)
                gate.wait()
            }
        }
        do {
            try await eventually("the thread is held") { isHeld.load(ordering: .sequentiallyConsistent) }
            let result = try await body()
            gate.signal()
            try await holder.value
            return result
        } catch {
            gate.signal()
            throw error
        }
    }

    /// Runs something up to where it wants a hash, does something else, and lets the first go on.
    /// - Parameters:
    ///   - first: waits for the hasher in the middle.
    ///   - meanwhile: what happens while it waits. It must want no hash itself.
    /// - Returns: what the first one returned.
    func holding<Result: Sendable>(
        _ first: @escaping @Sendable () async throws -> Result, meanwhile: () async throws -> Void
    ) async throws -> Result {
        let task = try await held {
            let task = Task { try await first() }
            try await eventually("it waits for its hash") { hasher.waiting == 1 }
            try await meanwhile()
            return task
        }
        return try await task.value
    }

    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    /// Runs something that must want exactly one turn of the hasher.
    /// - Returns: what it returned. The thread was held from the end of its first turn on.
    /// - Throws: `NeverHappened` when it wants no turn, or waits for another one.
    func withOneTurn<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let gate = DispatchSemaphore(value: 0)
        let end = End()
        let (task, next) = try await held {
            let task = Task {
                defer { end.isReached.store(true, ordering: .sequentiallyConsistent) }
                return try await body()
            }
            try await eventually("it waits for its turn") { hasher.waiting == 1 }
            let next = Task { try await hasher.run("the next turn") { gate.wait() } }
            try await eventually("the next turn waits as well") { hasher.waiting == 2 }
            return (task, next)
        }
        do {
            try await eventually("one turn is enough") { end.isReached.load(ordering: .sequentiallyConsistent) }
        } catch {
            gate.signal()
            throw error
        }
        gate.signal()
        try await next.value
        return try await task.value
    }
}
