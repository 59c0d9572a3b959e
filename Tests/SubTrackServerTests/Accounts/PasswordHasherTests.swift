import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import Testing

@testable import SubTrackServer

@Suite("Threads that hash passwords")
struct PasswordHasherTests {
    /// Who was served when.
    private final class Order: Sendable {
        private let served = Mutex<[String]>([])
        var names: [String] { served.withLock { $0 } }
        func add(_ name: String) { served.withLock { $0.append(name) } }
    }

    private func bounds(waiting: Int = 1000, inQueue: Int = 1000) -> PasswordHasher.Bounds {
        var bounds = PasswordHasher.Bounds()
        bounds.threads = 1
        bounds.waiting = waiting
        bounds.waitingInQueue = inQueue
        bounds.waitingInGroup = inQueue
        return bounds
    }

    @Test("A hash is the password's, and no hash is nobody's")
    func matches() async throws {
        let hasher = PasswordHasher(rounds: 1000)
        let password = try Password("correct horse")
        let hash = try await hasher.hash(password, queue: "a")
        #expect(hash.iterations == 1000)
        #expect(try await hasher.matches(password, hash, queue: "a"))
        #expect(try await !hasher.matches(Password("battery staple"), hash, queue: "a"))
        #expect(try await !hasher.matches(password, nil, queue: "a"))
    }

    @Test("Who comes after somebody with a long queue waits for one hash and not for all")
    func fair() async throws {
        let hasher = PasswordHasher(rounds: 20_000, bounds: bounds())
        let password = try Password("correct horse")
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    _ = try await hasher.hash(password, queue: "flood")
                    order.add("flood")
                }
            }
            try await eventually("the flood waits") { hasher.waiting > 30 }
            group.addTask {
                _ = try await hasher.hash(password, queue: "one")
                order.add("one")
            }
            try await group.waitForAll()
        }
        let place = try #require(order.names.firstIndex(of: "one"))
        #expect(place < 30, "of 41 it was number \(place)")
        #expect(hasher.waiting == 0)
    }

    @Test("A network with many addresses has one turn, as a network with one address has")
    func groups() async throws {
        let hasher = PasswordHasher(rounds: 20_000, bounds: bounds())
        let password = try Password("correct horse")
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    _ = try await hasher.hash(password, queue: .init("flood \(number)", group: "flood"))
                    order.add("flood")
                }
            }
            try await eventually("the flood waits") { hasher.waiting > 30 }
            group.addTask {
                _ = try await hasher.hash(password, queue: "one")
                order.add("one")
            }
            try await group.waitForAll()
        }
        let place = try #require(order.names.firstIndex(of: "one"))
        #expect(place < 30, "of 41 it was number \(place)")
        #expect(hasher.waiting == 0)
    }

    @Test("Beyond a bound it is 429 with a time; who gives up leaves the queue, and the rest is done")
    func bounded() async throws {
        let hasher = PasswordHasher(rounds: 200_000, bounds: bounds(waiting: 6, inQueue: 4))
        let password = try Password("correct horse")
        let outcomes = await withTaskGroup(of: Swift.Result<Void, any Error>.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await hasher.hash(password, queue: "a")
                        return .success(())
                    } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let refused = outcomes.compactMap { outcome -> Problem? in
            if case .failure(let error) = outcome { error as? Problem } else { nil }
        }
        let done = outcomes.count - refused.count
        #expect(done >= 4 && done <= 8, "\(done)")
        #expect(refused.allSatisfy { $0.code == .rateLimited && $0.retryAfter ?? 0 >= 1 })

        let waiting = (0..<4).map { _ in Task { try await hasher.hash(password, queue: "b") } }
        try await eventually("they wait") { hasher.waiting >= 3 }
        for task in waiting { task.cancel() }
        var cancelled = 0
        for task in waiting {
            if case .failure(let error) = await task.result, error is CancellationError { cancelled += 1 }
        }
        #expect(cancelled >= 3 && hasher.waiting == 0)
        _ = try await hasher.hash(password, queue: "b")
    }
}
