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
/// their question. When nobody else asks, nothing is waited for. Where the database cannot be reached, all who wait are told so
/// at once, and when a read has hung for ``patience`` the next who asks begins another.
final class ScopeCounters: Sendable {
    /// How many scopes one statement asks for, about.
    private static let batch = 256
    /// For how long those who ask wait for a read that others began, before one more is begun beside it.
    private static let patience = Duration.seconds(1)
    /// How many reads are under way at the same time on one of the client's loops, at the most.
    private static let maximumReads = 4

    private struct Question: Sendable {
        let scopes: [ScopeID]
        let answer: PendingValue<[ScopeCounter]>
    }

    /// Those who ask on one of the client's loops: question, read and answer change no thread.
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

        /// Those whom the next read is for; nil when nobody waits, and whoever reads may go.
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

        /// All who wait.
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
    /// - Throws: what the database throws.
    func counters(of scopes: [ScopeID]) async throws -> [ScopeCounter] {
        let here = client.configuration.loops.here
        let lane = lanes.first { $0.loop === here } ?? lanes[0]
        let answer = PendingValue<[ScopeCounter]>(on: lane.loop.loop)
        if lane.put(Question(scopes: scopes, answer: answer)) {
            // Not the request's own task: that it is cancelled must not fail those who wait for the same read.
            lane.loop.start { _ in await self.answer(in: lane) }
        }
        return try await answer.value()
    }

    /// The versions of some scopes, in their order, as they stand after the call; 0 for one in which nothing ever changed.
    /// - Throws: what the database throws.
    func versions(of scopes: [ScopeID]) async throws -> [Int64] {
        try await counters(of: scopes).map(\.version)
    }

    /// Answers until nobody asks any more.
    private func answer(in lane: Lane) async {
        // Who is about to ask at this moment may come along.
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
