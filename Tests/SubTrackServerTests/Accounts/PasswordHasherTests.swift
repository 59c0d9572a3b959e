import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Threads that hash passwords", .ownTime)
struct PasswordHasherTests {
    /// How many tasks have failed.
    private final class Refusals: Sendable {
        private let failed = Atomic<Int>(0)
        var count: Int { failed.load(ordering: .sequentiallyConsistent) }
        func add() { failed.add(1, ordering: .sequentiallyConsistent) }
    }

    /// Who was served when.
    private final class Order: Sendable {
        private let served = Mutex<[String]>([])
        var names: [String] { served.withLock { $0 } }
        func add(_ name: String) { served.withLock { $0.append(name) } }
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

    @Test("A wrong password takes all rounds, also where its hash has fewer, and where there is none")
    func rounds() async throws {
        let rounds = 200_000
        let hasher = PasswordHasher(rounds: rounds)
        let (right, wrong) = (try Password("correct horse"), try Password("battery staple"))
        let hashes: [PasswordHash?] = [
            try PasswordHash(of: right, iterations: rounds), try PasswordHash(of: right, iterations: 1000), nil,
        ]
        for hash in hashes {
            var least = Duration.seconds(60)
            for _ in 0..<3 {
                let start = ContinuousClock.now
                #expect(try await !hasher.matches(wrong, hash, queue: "a"))
                least = min(least, ContinuousClock.now - start)
            }
            // No processor is near 20 rounds in a microsecond. A load makes it longer, and never shorter.
            #expect(least > .microseconds(rounds / 20), "\(hash?.iterations ?? 0) rounds: \(least)")
        }
    }

    /// Who was served when, where one comes while forty wait.
    private func served(after flood: @escaping @Sendable (Int) -> PasswordHasher.Queue) async throws -> [String] {
        let held = HeldHasher()
        let hasher = held.hasher
        let order = Order()
        let tasks = try await held.held {
            var tasks = (0..<40).map { number in
                Task { try await hasher.run(flood(number)) { order.add("flood") } }
            }
            try await eventually("the flood waits") { hasher.waiting == 40 }
            tasks.append(Task { try await hasher.run("one") { order.add("one") } })
            try await eventually("one waits as well") { hasher.waiting == 41 }
            return tasks
        }
        for task in tasks { try await task.value }
        #expect(hasher.waiting == 0)
        return order.names
    }

    @Test("Who comes after somebody with a long queue waits for one hash and not for all")
    func fair() async throws {
        let names = try await served { _ in "flood" }
        #expect(names.count == 41 && names.firstIndex(of: "one") == 1, "\(names)")
    }

    @Test("A network with many addresses has one turn, as a network with one address has")
    func groups() async throws {
        let names = try await served { number in .init("flood \(number)", group: "flood") }
        #expect(names.count == 41 && names.firstIndex(of: "one") == 1, "\(names)")
    }

    @Test("Beyond a bound it is 429 with a time; who gives up leaves the queue, and the rest is done")
    func bounded() async throws {
        var bounds = PasswordHasher.Bounds()
        bounds.waiting = 6
        bounds.waitingInQueue = 4
        let held = HeldHasher(bounds: bounds)
        let hasher = held.hasher
        let password = try Password("correct horse")
        let tasks = try await held.held {
            let tasks = (0..<20).map { _ in Task { try await hasher.hash(password, queue: "a") } }
            // Nobody who waits is served before the thread is free.
            let refusals = Refusals()
            for task in tasks {
                Task {
                    if case .failure = await task.result { refusals.add() }
                }
            }
            try await eventually("all but four are refused") { refusals.count == 16 }
            #expect(hasher.waiting == 4)
            return tasks
        }
        var outcomes: [Swift.Result<PasswordHash, any Error>] = []
        for task in tasks { outcomes.append(await task.result) }
        let refused = outcomes.compactMap { outcome -> Problem? in
            if case .failure(let error) = outcome { error as? Problem } else { nil }
        }
        #expect(refused.count == 16 && refused.allSatisfy { $0.code == .rateLimited && $0.retryAfter ?? 0 >= 1 })
        let done = outcomes.count { (try? $0.get()) != nil }
        #expect(done == 4)

        let cancelled = try await held.held {
            let waiting = (0..<4).map { _ in Task { try await hasher.hash(password, queue: "b") } }
            try await eventually("they wait") { hasher.waiting == 4 }
            for task in waiting { task.cancel() }
            var cancelled = 0
            for task in waiting {
                if case .failure(let error) = await task.result, error is CancellationError { cancelled += 1 }
            }
            return cancelled
        }
        #expect(cancelled == 4 && hasher.waiting == 0)
        _ = try await hasher.hash(password, queue: "b")
    }
}
