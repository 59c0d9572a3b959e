import DequeModule
import Foundation
import MariaDB
import Synchronization

/// What the table of scopes says of one.
struct ScopeCounter: Sendable, Hashable {
    /// The newest version; 0 where nothing ever changed.
    var version: Int64 = 0
    /// Tombstones up to this version may have been removed.
    var floor: Int64 = 0
}

/// Reads where a tenant's counters stand, for all who ask at the same time in one statement.
///
/// Whoever wants to know whether anything is new asks for a few counters, and most requests are of this kind. Those that come
/// while a read is under way wait for the next one, which begins after they have asked: nobody is told of a state from before
/// their question. When nobody else asks, nothing is waited for.
final class ScopeCounters: Sendable {
    /// How many scopes one statement asks for, about.
    private static let batch = 256

    private struct Question: Sendable {
        let scopes: [ScopeID]
        let answer: CheckedContinuation<[ScopeCounter], any Error>
    }

    /// Those who ask on one of the client's loops: question, read and answer change no thread.
    private final class Lane: Sendable {
        struct State {
            var questions: Deque<Question> = []
            var isReading = false
        }

        let loop: DatabaseLoopActor
        let state = Mutex(State())

        init(loop: DatabaseLoopActor) { self.loop = loop }

        /// Puts a question.
        /// - Returns: whether somebody is to be sent to answer it.
        func put(_ question: Question) -> Bool {
            state.withLock { state in
                state.questions.append(question)
                defer { state.isReading = true }
                return !state.isReading
            }
        }

        /// Those whom the next read is for; nil when nobody waits, and whoever reads may go.
        func take() -> [Question]? {
            state.withLock { state in
                guard !state.questions.isEmpty else {
                    state.isReading = false
                    return nil
                }
                var taken: [Question] = []
                var scopes = 0
                while let next = state.questions.first, taken.isEmpty || scopes + next.scopes.count <= batch {
                    scopes += next.scopes.count
                    taken.append(state.questions.removeFirst())
                }
                return taken
            }
        }
    }

    private let client: MariaDBClient
    private let database: String
    private let lanes: [Lane]

    /// The counters of a tenant's database.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
        lanes = client.configuration.loops.lanes.map(Lane.init)
    }

    /// The counters of some scopes, in their order, as they stand after the call.
    /// - Throws: what the database throws.
    func counters(of scopes: [ScopeID]) async throws -> [ScopeCounter] {
        let here = client.configuration.loops.here
        let lane = lanes.first { $0.loop === here } ?? lanes[0]
        return try await withCheckedThrowingContinuation { continuation in
            if lane.put(Question(scopes: scopes, answer: continuation)) {
                // Not the request's own task: that it is cancelled must not fail those who wait for the same read.
                lane.loop.start { _ in await self.answer(in: lane) }
            }
        }
    }

    /// The versions of some scopes, in their order, as they stand after the call; 0 for one in which nothing ever changed.
    /// - Throws: what the database throws.
    func versions(of scopes: [ScopeID]) async throws -> [Int64] {
        try await counters(of: scopes).map(\.version)
    }

    /// Answers until nobody asks any more.
    private func answer(in lane: Lane) async {
        // Who is about to ask at this moment may come along.
        await Task.yield()
        while let questions = lane.take() {
            do {
                let counters = try await read(questions)
                for question in questions {
                    question.answer.resume(returning: question.scopes.map { counters[$0] ?? ScopeCounter() })
                }
            } catch {
                for question in questions { question.answer.resume(throwing: error) }
            }
            await Task.yield()
        }
    }

    private func read(_ questions: [Question]) async throws -> [ScopeID: ScopeCounter] {
        var counters: [ScopeID: ScopeCounter] = [:]
        for question in questions {
            for scope in question.scopes { counters[scope] = ScopeCounter() }
        }
        // Of few lengths, so that few statements are prepared.
        let ids = Array(counters.keys).filledUp()
        return try await client.withConnection(database) { connection in
            let rows = try await connection.query(
                "SELECT Scope_ID, Ver, Floor_ver FROM Scope WHERE Scope_ID IN (\(list: ids))")
            for (id, version, floor) in try rows.decode((UUID, Int64, Int64).self) {
                counters[ScopeID(uuid: id)] = ScopeCounter(version: version, floor: floor)
            }
            return counters
        }
    }
}

extension Array {
    /// As many elements as the next power of two, the last one repeated: lists of any length in statements of few.
    func filledUp() -> [Element] {
        guard let last else { return [] }
        var full = 1
        while full < count { full *= 2 }
        return self + repeatElement(last, count: full - count)
    }
}
