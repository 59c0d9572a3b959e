import DequeModule
import Foundation
import MariaDB
import Synchronization

/// A row of the table of scopes.
struct ScopeCounter: Sendable, Hashable {
    /// The newest version; 0 where nothing ever changed.
    var version: Int64 = 0
    /// Tombstones up to this version may have been removed.
    var floor: Int64 = 0
}

/// Reads a tenant's counters, for all concurrent requests in one statement.
///
/// Most requests ask only whether anything is new, by a few counters. Requests that arrive during a read share the next
/// one, which begins after they arrived: no answer is older than its request. A request alone does not wait. If the
/// database cannot be reached, all waiting requests fail at once. If a read has hung for ``patience``, the next request
/// begins another.
final class ScopeCounters: Sendable {
    /// How many scopes one statement asks for, about.
    private static let batch = 256
    /// How long requests wait for a read that others began, before another is begun beside it.
    private static let patience = Duration.seconds(1)
    /// How many reads are under way at the same time on one of the client's loops, at the most.
    private static let maximumReads = 4

    private struct Question: Sendable {
        let scopes: [ScopeID]
        let answer: PendingValue<[ScopeCounter]>
    }

    /// Requests on one of the client's loops: question, read and answer change no thread.
    private final class Lane: Sendable {
        struct State {
            var questions: Deque<Question> = []
            /// How many are answering.
            var readers = 0
            /// When the last read began.
            var lastRead = ContinuousClock.now
        }

        let loop: DatabaseLoopActor
        let state = Mutex(State())

        init(loop: DatabaseLoopActor) { self.loop = loop }

        /// Puts a question.
        /// - Returns: whether somebody is to be sent to answer it.
        func put(_ question: Question) -> Bool {
            let now = ContinuousClock.now
            return state.withLock { state in
                state.questions.append(question)
                let hangs = state.readers < maximumReads && now - state.lastRead > patience
                guard state.readers == 0 || hangs else { return false }
                state.readers += 1
                state.lastRead = now
                return true
            }
        }

        /// Requests of the next read; nil when none waits, and the reader may end.
        func take() -> [Question]? {
            let now = ContinuousClock.now
            return state.withLock { state in
                guard !state.questions.isEmpty else {
                    state.readers -= 1
                    return nil
                }
                state.lastRead = now
                var taken: [Question] = []
                var scopes = 0
                while let next = state.questions.first, taken.isEmpty || scopes + next.scopes.count <= batch {
                    scopes += next.scopes.count
                    taken.append(state.questions.removeFirst())
                }
                return taken
            }
        }

        /// All waiting requests.
        func takeAll() -> [Question] {
            state.withLock { state in
                defer { state.questions = [] }
                return Array(state.questions)
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
    /// - Throws: the database's errors.
    func counters(of scopes: [ScopeID]) async throws -> [ScopeCounter] {
        let here = client.configuration.loops.here
        let lane = lanes.first { $0.loop === here } ?? lanes[0]
        let answer = PendingValue<[ScopeCounter]>(on: lane.loop.loop)
        if lane.put(Question(scopes: scopes, answer: answer)) {
            // Not the request's own task: its cancellation must not fail other requests for the same read.
            lane.loop.start { _ in await self.answer(in: lane) }
        }
        return try await answer.value()
    }

    /// The versions of some scopes, in their order, as they stand after the call; 0 for one in which nothing ever changed.
    /// - Throws: the database's errors.
    func versions(of scopes: [ScopeID]) async throws -> [Int64] {
        try await counters(of: scopes).map(\.version)
    }

    /// Answers until nobody asks any more.
    private func answer(in lane: Lane) async {
        // A request that is about to arrive may share the read.
        await lane.loop.yield()
        while let questions = lane.take() {
            let way = Way()
            do {
                let counters = try await read(questions, by: way)
                for question in questions {
                    question.answer.resume(with: .success(question.scopes.map { counters[$0] ?? ScopeCounter() }))
                }
            } catch {
                // Where there is no way to the database, each further read would find that out anew, and take as long.
                let others = way.isFound.load(ordering: .relaxed) ? [] : lane.takeAll()
                for question in questions + others { question.answer.resume(with: .failure(error)) }
            }
            await lane.loop.yield()
        }
    }

    /// Whether a read came to a connection.
    private final class Way: Sendable {
        let isFound = Atomic(false)
    }

    private func read(_ questions: [Question], by way: Way) async throws -> [ScopeID: ScopeCounter] {
        var counters: [ScopeID: ScopeCounter] = [:]
        for question in questions {
            for scope in question.scopes { counters[scope] = ScopeCounter() }
        }
        // Of few lengths, so that few statements are prepared.
        let ids = Array(counters.keys).filledUp()
        return try await client.withConnection(database) { connection in
            way.isFound.store(true, ordering: .relaxed)
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
