import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import Synchronization

/// Finds out who a token stands for, and remembers it for a short while.
///
/// A token that ended is refused everywhere within ``maximumAge``; on the replica that ended it, at once.
final class SessionStore: Sendable {
    /// How long an answer is remembered.
    static let maximumAge = Duration.seconds(4)
    /// How many answers are remembered at the most.
    static let maximumCount = 20_000

    private struct Entry {
        let session: Session
        let readAt: ContinuousClock.Instant
    }

    private let client: MariaDBClient
    private let database: String
    private let entries = Mutex<[TokenHash: Entry]>([:])

    /// A store for the sessions of a tenant's database.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
    }

    /// Who a token stands for.
    /// - Throws: `token_invalid` when it is nobody's.
    func session(token text: String, now: Instant) async throws -> Session {
        guard let token = Token(text) else { throw Self.malformed }
        return try await session(hash: try token.hash)
    }

    /// A token that cannot be one of ours.
    static let malformed = Problem(.tokenInvalid, "The token is not one that this service gave.")

    /// Who a token of this hash stands for.
    /// - Throws: `token_invalid` when it is nobody's.
    func session(hash: TokenHash) async throws -> Session {
        let clock = ContinuousClock.now
        if let entry = entries.withLock({ $0[hash] }), clock - entry.readAt < Self.maximumAge { return entry.session }
        let found = try await client.withConnection(database) { connection in
            try await SessionQueries.session(tokenHash: hash.bytes, on: connection)
        }
        guard let found else {
            entries.withLock { _ = $0.removeValue(forKey: hash) }
            throw Problem(.tokenInvalid, "The token is not valid here.")
        }
        entries.withLock { entries in
            if entries.count >= Self.maximumCount {
                entries = entries.filter { clock - $0.value.readAt < Self.maximumAge }
                if entries.count >= Self.maximumCount { entries.removeAll(keepingCapacity: true) }
            }
            entries[hash] = Entry(session: found, readAt: clock)
        }
        return found
    }

    /// Which of these tokens stand for somebody now, whatever is remembered.
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

    /// Forgets what is remembered of a user, whose row has changed.
    func forget(_ user: UserID) {
        entries.withLock { entries in entries = entries.filter { $0.value.session.user != user } }
    }
}
