import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import Synchronization

/// Finds the session of a token, and caches it for a short while.
///
/// A token that ended is refused everywhere within ``maximumAge``; on the replica that ended it, from the moment on in
/// which that is answered. Requests with the same token that come while it is looked up wait for that one look. Tokens that
/// are in use are looked up again before they are forgotten, many in one statement.
final class SessionStore: Sendable {
    /// How long an answer is remembered.
    static let maximumAge = Duration.seconds(4)
    /// After which time an answer that is used is to be looked up again.
    static let refreshAge = Duration.seconds(2)
    /// How long such answers are gathered.
    private static let gathering = Duration.milliseconds(250)
    /// How many answers are remembered at the most.
    static let maximumCount = 20_000

    private struct State {
        var entries = RememberedSessions()
        /// The looks that are under way.
        var looks: [TokenHash: Task<SessionQueries.Presented, any Error>] = [:]
        /// Those that are to be looked up again, and whether somebody does.
        var due: Set<TokenHash> = []
        var isRefreshing = false
        /// Counts removed entries: a read that began before must not be cached after.
        var generation = 0

        /// Has a token looked up again.
        /// - Returns: whether somebody is to be sent to do it.
        mutating func note(due hash: TokenHash) -> Bool {
            due.insert(hash)
            defer { isRefreshing = true }
            return !isRefreshing
        }
    }

    private enum Step {
        case use(Session)
        case await(Task<SessionQueries.Presented, any Error>)
    }

    private let client: MariaDBClient
    private let database: String
    private let state = Mutex(State())

    /// A store for the sessions of a tenant's database.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
    }

    /// A token that cannot be one of ours.
    static let malformed = Problem(.tokenInvalid, "The token is not one that this service gave.")

    /// The session of a token of this hash.
    /// - Throws: `token_invalid` when it is nobody's, `token_ended` when it was somebody's, `user_deleted` when that
    ///   user is gone.
    func session(hash: TokenHash) async throws -> Session {
        let clock = ContinuousClock.now
        var isFirstDue = false
        let step: Step = state.withLock { state in
            if let entry = state.entries[hash], clock - entry.readAt < Self.maximumAge {
                if clock - entry.readAt >= Self.refreshAge { isFirstDue = state.note(due: hash) }
                return .use(entry.session)
            }
            if let look = state.looks[hash] { return .await(look) }
            let generation = state.generation
            // Not the request's own task: its cancellation must not fail other requests for the same read.
            let look = Task(executorPreference: client.configuration.loops.here.loop.taskExecutor) {
                try await self.look(for: hash, generation: generation)
            }
            state.looks[hash] = look
            return .await(look)
        }
        if isFirstDue {
            Task(executorPreference: client.configuration.loops.here.loop.taskExecutor) { await self.refresh() }
        }
        switch step {
        case .use(let session): return session
        case .await(let look):
            let presented = try await look.value
            guard case .valid(let session, _) = presented else { throw Self.problem(of: presented) }
            return session
        }
    }

    /// Whether the cache has a session for a token of this hash. A session that ended here is removed before the
    /// answer.
    func remembers(_ hash: TokenHash) -> Bool { state.withLock { $0.entries[hash] != nil } }

    /// The session of a token of this hash, for an operation. Nil where there is none, and that operation takes an
    /// ended token for none (`takesEndedTokens`).
    /// - Throws: `token_invalid`, `token_ended` or `user_deleted` where it does not.
    func session(hash: TokenHash, for entry: OperationRegistry.Entry) async throws -> Session? {
        do {
            return try await session(hash: hash)
        } catch let problem as Problem
            where entry.takesEndedTokens && [.tokenInvalid, .tokenEnded, .userDeleted].contains(problem.code)
        {
            return nil
        }
    }

    /// Reads the database, and caches the result unless an entry was removed meanwhile.
    private func look(for hash: TokenHash, generation: Int) async throws -> SessionQueries.Presented {
        let readAt = ContinuousClock.now
        do {
            let found = try await client.withConnection(database) { connection in
                let presented = try await SessionQueries.presented(tokenHash: hash, on: connection)
                // A database that takes no writes at the moment still has the session.
                if case .valid(let session, isStale: true) = presented {
                    try? await SessionQueries.touch(session.id, on: connection)
                }
                return presented
            }
            state.withLock { state in
                guard state.generation == generation else { return }
                state.looks[hash] = nil
                state.entries[hash] = nil
                guard case .valid(let session, _) = found else { return }
                if state.entries.entries.count >= Self.maximumCount {
                    state.entries.removeAll(
                        readBefore: readAt - Self.maximumAge, keepingAtMost: Self.maximumCount - 1)
                }
                state.entries[hash] = .init(session: session, readAt: readAt)
            }
            return found
        } catch {
            state.withLock { state in
                if state.generation == generation { state.looks[hash] = nil }
            }
            throw error
        }
    }

    /// The reason why a session has ended that was cached for longer than its user lived. The user was deleted, or was
    /// made part of another one, which keeps the data.
    /// - Returns: nil when it still is one.
    func end(of session: Session) async throws -> Problem? {
        forget(session.user)
        let presented = try await client.withConnection(database) { connection in
            try await SessionQueries.presented(tokenHash: session.tokenHash, on: connection)
        }
        if case .valid = presented { return nil }
        return Self.problem(of: presented)
    }

    /// Reads again the entries that are in use and not fresh any more, until none is left.
    private func refresh() async {
        while true {
            try? await Task.sleep(for: Self.gathering)
            let now = ContinuousClock.now
            let due = state.withLock { state in
                let entries = state.entries
                // Some were looked up while those before were.
                let due = state.due.filter { hash in
                    entries[hash].map { now - $0.readAt >= Self.refreshAge } ?? false
                }
                state.due.removeAll(keepingCapacity: true)
                if due.isEmpty { state.isRefreshing = false }
                return Array(due)
            }
            if due.isEmpty { return }
            for start in stride(from: 0, to: due.count, by: SessionQueries.batch) {
                let hashes = due[start..<min(start + SessionQueries.batch, due.count)]
                // Where it fails the answers grow too old, and each request asks for itself.
                try? await refresh(Array(hashes))
            }
        }
    }

    private func refresh(_ hashes: [TokenHash]) async throws {
        let generation = state.withLock { $0.generation }
        let readAt = ContinuousClock.now
        let found = try await client.withConnection(database) { connection in
            try await SessionQueries.presented(tokenHashes: hashes, on: connection)
        }
        state.withLock { state in
            guard state.generation == generation else { return }
            // The next request finds out whether it has ended, or is to be noted as used.
            for hash in hashes { state.entries[hash] = nil }
            for case (.valid(let session, isStale: false), let hash) in found {
                state.entries[hash] = .init(session: session, readAt: readAt)
            }
        }
    }

    /// Why a token is not taken.
    private static func problem(of presented: SessionQueries.Presented) -> Problem {
        switch presented {
        case .ended: Problem(.tokenEnded, "This session has ended; sign in again.")
        case .userDeleted: Problem(.userDeleted, "This user was deleted.")
        case .unknown, .valid: Problem(.tokenInvalid, "The token is not valid here.")
        }
    }

    /// The tokens among these that have a session now, without the cache.
    func live(_ hashes: [TokenHash]) async throws -> Set<TokenHash> {
        var live: Set<TokenHash> = []
        for start in stride(from: 0, to: hashes.count, by: 256) {
            var part = hashes[start..<min(start + 256, hashes.count)].map(\.bytes)
            // One statement text for all lengths but the shortest.
            while part.count > 1, part.count < 256 { part.append(part[0]) }
            let found = try await client.withConnection(database) { connection in
                try await SessionQueries.tokenHashes(among: part, on: connection)
            }
            live.formUnion(found.compactMap { TokenHash($0) })
        }
        return live
    }

    /// Removes the entries of a user, whose row, accounts or sessions have changed.
    func forget(_ user: UserID) {
        state.withLock { state in
            state.entries.removeAll(of: user)
            // Whose the looks under way are is not known yet.
            state.looks = [:]
            state.generation += 1
        }
    }
}

extension SessionStore: TenantPart {
    convenience init(of tenant: Tenant) { self.init(client: tenant.client, database: tenant.database) }
}

extension Tenant {
    /// The sessions of its tokens.
    var sessions: SessionStore { part() }

    /// Runs a look-up of a token, in the turn of the caller's networks unless the token is cached. The service reads the
    /// database for a token of nobody each time.
    func lookUp<Result>(
        _ hash: TokenHash, from origin: CallOrigin, _ body: () async throws -> Result
    ) async throws -> Result {
        if sessions.remembers(hash) { return try await body() }
        return try await networks.run(origin.networks, body)
    }
}
