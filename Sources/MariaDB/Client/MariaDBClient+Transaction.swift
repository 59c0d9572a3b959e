extension MariaDBClient {
    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// When the server gave up the transaction so that another could go on (deadlock 1213, changed snapshot 1020), or
    /// a lock was not had in time (1205, after a ROLLBACK: the server undid the one statement only), all of `body`
    /// runs again, at most `retries` times, after a short random wait. So `body` must have no effect but on the
    /// database. A refused row (duplicate, foreign key, CHECK, SIGNAL) is never tried again, nor is anything once
    /// COMMIT was sent.
    ///
    /// - Parameters:
    ///   - database: the default database; nil: the configuration's, or none.
    ///   - isolation: nil: the session's, READ COMMITTED unless configured otherwise.
    ///   - isReadOnly: the server refuses writes.
    ///   - retries: how often `body` may run again.
    ///   - timeout: how long to wait for a connection; nil: the configuration's.
    /// - Throws: ``MariaDBError`` of kind `.outcomeUnknown` when COMMIT was sent and its answer was lost, else as
    ///   ``withConnection(_:timeout:_:)``.
    @discardableResult
    public func withTransaction<Result>(
        _ database: String? = nil, isolation: MariaDBConfiguration.Isolation? = nil, isReadOnly: Bool = false,
        retries: Int = 3, timeout: Duration? = nil, _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        var attempt = 0
        var movedOn = false
        while true {
            var hasBegun = false
            do {
                return try await withConnection(database, timeout: timeout) { connection in
                    try await begin(connection, isolation: isolation, isReadOnly: isReadOnly)
                    hasBegun = true
                    return try await run(body, on: connection)
                }
            } catch let error as MariaDBError {
                if error.endsTransaction {
                    guard attempt < retries else { throw error }
                    attempt += 1
                    metrics.retried()
                    // Doubling from 10 ms, half of it random, so that two that collided do not do so again.
                    try await Task.sleep(for: .milliseconds(5 << min(attempt, 10)) * Double.random(in: 0.5...1))
                } else {
                    // The connection was lost before anything was done in it, or the primary has moved, which the
                    // connection's dropping makes good: its successor resolves the name again.
                    let isLostEarly = error.kind == .connection && !hasBegun
                    guard isLostEarly || error.isReadOnlyServer, !movedOn else { throw error }
                    movedOn = true
                }
            }
        }
    }

    private func begin(
        _ connection: Connection, isolation: MariaDBConfiguration.Isolation?, isReadOnly: Bool
    ) async throws {
        connection.pin()
        if let isolation, isolation != configuration.session.isolation {
            try await connection.command("SET TRANSACTION ISOLATION LEVEL \(isolation.rawValue)")
        }
        try await connection.command(isReadOnly ? "START TRANSACTION READ ONLY" : "START TRANSACTION")
    }

    private func run<Result>(
        _ body: (Connection) async throws -> Result, on connection: Connection
    ) async throws -> Result {
        let result: Result
        do {
            result = try await body(connection)
            try Task.checkCancellation()
        } catch {
            // A lost connection rolls back by itself.
            await connection.rollBack()
            throw error
        }
        do {
            try await commit(connection)
        } catch {
            await connection.rollBack()
            throw error
        }
        return result
    }

    /// Sends COMMIT and waits for the answer, cancelled or not: nobody but the server knows what became of it.
    private func commit(_ connection: Connection) async throws {
        do {
            try await connection.commit()
        } catch let error as MariaDBError where error.kind == .connection && !error.wasNotSent {
            throw MariaDBError(
                kind: .outcomeUnknown, code: error.code, sqlState: error.sqlState,
                message: "COMMIT was sent and its answer was lost: \(error.message)")
        }
    }
}
