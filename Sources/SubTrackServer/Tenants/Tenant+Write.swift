import Foundation
import MariaDB
import SubTrackAPI

extension Tenant {
    /// How often a write looks for its scopes, where they change each time before they are locked.
    private static var maximumSearches: Int { 4 }

    /// Changes the rows of one user: ``write(in:_:)``.
    func write<Result>(scope user: UserID, _ body: (Connection) async throws -> Result) async throws -> Result {
        try await write(in: WriteScopes(user), body)
    }

    /// Changes rows in a transaction (READ COMMITTED) that has their scopes locked before anything is read. Writes of a
    /// scope are therefore serial, and cannot deadlock: see ``WriteScopes``.
    /// - Throws: ``ScopeInUse`` when a scope was not had within two seconds; ``TurnMissed`` when the network's turn did
    ///   not come in time; `user_deleted` for a writer that is being erased, `not_found` for another such user; the
    ///   errors of `body`.
    func write<Result>(in scopes: WriteScopes, _ body: (Connection) async throws -> Result) async throws -> Result {
        let result = try await inTurn(of: scopes) {
            try await client.withTransaction(database, isolation: .readCommitted) { connection in
                do {
                    try await ScopeLocks.lock(scopes, on: connection)
                } catch let error as MariaDBError where error.code == MariaDBError.lockWaitTimeout {
                    // Not tried again, as other waits are: nothing was done yet, and the caller may as well come back.
                    throw ScopeInUse()
                }
                return try await body(connection)
            }
        }
        commits.note(tenant: slug, scopes.all)
        return result
    }

    /// Changes rows in scopes that a read finds. The read runs again under the locks: where it then finds a scope that
    /// is not locked, the write begins anew.
    /// - Parameters:
    ///   - find: finds the place of the rows. It runs several times.
    ///   - body: makes the change. It may run again from the start.
    /// - Throws: ``ScopeInUse`` also when the place changes again and again; the errors of `find`.
    func write<Place: WritePlace, Result>(
        finding find: (Connection) async throws -> Place, _ body: (Place, Connection) async throws -> Result
    ) async throws -> Result {
        var scopes = try await read(find).scopes
        for _ in 0..<Self.maximumSearches {
            do {
                return try await write(in: scopes) { connection in
                    let place = try await find(connection)
                    guard place.scopes.isCovered(by: scopes) else { throw PlaceChanged(scopes: place.scopes) }
                    return try await body(place, connection)
                }
            } catch let error as PlaceChanged {
                scopes = error.scopes
            }
        }
        throw ScopeInUse()
    }

    /// Runs a write in its user's turn, then in those of its shared scopes, and then in its network's. A write that waits
    /// in vain for a turn of a scope waits for the scope's lock, which others have.
    private func inTurn<Result>(of scopes: WriteScopes, _ body: () async throws -> Result) async throws -> Result {
        // A renewal within a read has a turn of the network. A write with the user's turn may wait for that one: the
        // renewal waits for the lock in the database instead.
        if NetworkTurns.isHeld { return try await body() }
        var hasTurns = false
        do {
            return try await turns.run(scopes.writer) {
                // In one order, as the locks.
                try await inTurns(of: scopes.shared.sorted { $0.uuid.uuidString < $1.uuid.uuidString }[...]) {
                    hasTurns = true
                    return try await networks.run(body)
                }
            }
        } catch is TurnMissed where !hasTurns {
            throw ScopeInUse()
        }
    }

    private func inTurns<Result>(
        of shared: ArraySlice<ScopeID>, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let first = shared.first else { return try await body() }
        return try await sharedTurns.run(first) { try await inTurns(of: shared.dropFirst(), body) }
    }
}

/// The statements that lock the scopes of a write.
private enum ScopeLocks {
    /// Locks scopes in their order. The lock makes a write wait for a deletion of a user that is under way, and read
    /// what it has written.
    static func lock(_ scopes: WriteScopes, on connection: Connection) async throws {
        guard scopes.users.count > 1 else {
            let erased = try await connection.query(
                """
                SELECT e.User_ID IS NOT NULL FROM Scope s LEFT JOIN Erasure e ON e.User_ID = s.Scope_ID
                WHERE s.Scope_ID = \(scopes.writer.uuid) FOR UPDATE
                """
            ).decode(Bool.self)
            guard !erased.contains(true) else { throw userErased }
            return try await lock(shared: scopes.shared, on: connection)
        }
        // By key: a look at all rows of a small table would wait for scopes of others as well, and perhaps in a circle.
        let erased = try await connection.query(
            """
            SELECT e.User_ID FROM Scope s FORCE INDEX (PRIMARY) LEFT JOIN Erasure e ON e.User_ID = s.Scope_ID
            WHERE s.Scope_ID IN (\(list: scopes.users.map(\.uuid).filledUp())) ORDER BY s.Scope_ID FOR UPDATE
            """
        ).decode(UUID?.self).compactMap { $0.map(UserID.init(uuid:)) }
        guard scopes.own.isDisjoint(with: erased) else { throw userErased }
        guard erased.isEmpty else { throw Problem(.notFound, "There is no such user.") }
        try await lock(shared: scopes.shared, on: connection)
    }

    private static func lock(shared scopes: Set<ScopeID>, on connection: Connection) async throws {
        guard !scopes.isEmpty else { return }
        _ = try await connection.query(
            """
            SELECT Scope_ID FROM Scope FORCE INDEX (PRIMARY)
            WHERE Scope_ID IN (\(list: Array(scopes).filledUp())) ORDER BY Scope_ID FOR UPDATE
            """)
    }

    /// The problem of a user whose rows are being removed.
    private static var userErased: Problem { Problem(.userDeleted, "This user was deleted.") }
}

/// The rows of a write lie in other scopes than those that it has locked.
private struct PlaceChanged: Error {
    let scopes: WriteScopes
}

/// Another change of the same scope, or of an admin in it, went on for longer than this one could wait.
struct ScopeInUse: Error {}

extension MariaDBError {
    /// A lock was not had in time (`ER_LOCK_WAIT_TIMEOUT`).
    static let lockWaitTimeout: UInt32 = 1205
}
