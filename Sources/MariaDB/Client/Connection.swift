import Synchronization

/// A connection that was borrowed from the pool, for as long as the closure it was given to runs.
///
/// It may be used by several tasks; their statements then follow one another. After its closure has ended it refuses
/// to work.
public final class Connection: Sendable {
    private struct Lease: Sendable {
        var lent: ConnectionPool.Lent?
        /// Whether a dead connection was already replaced once.
        var wasReplaced = false
        /// Whether another connection may take this one's place: nothing happened that depends on the session.
        var isReplaceable = true
        /// The error with which the server gave up the transaction, as a whole or in part: nothing more may be done in it.
        var doom: MariaDBError?
    }

    /// The database that unqualified names mean; nil when the lease named none.
    public let database: String?
    private let lease: Mutex<Lease>
    private let pool: ConnectionPool
    private let metrics: ClientMetrics
    private let timeout: Duration
    private let onStatement: (@Sendable (SQL, String?) -> Void)?

    init(
        _ lent: ConnectionPool.Lent, database: String?, pool: ConnectionPool, metrics: ClientMetrics,
        timeout: Duration, onStatement: (@Sendable (SQL, String?) -> Void)?
    ) {
        self.database = database
        self.pool = pool
        self.metrics = metrics
        self.timeout = timeout
        self.onStatement = onStatement
        lease = Mutex(Lease(lent: lent))
    }

    /// Which server it is.
    public var serverVersion: ServerVersion {
        get throws { try session().version }
    }

    /// The server's number for this connection, as `SHOW PROCESSLIST` and `KILL` have it.
    public var connectionID: UInt {
        get throws { try session().connectionID }
    }

    /// Whether a transaction is open.
    public var isInTransaction: Bool {
        (try? session().flags.contains(.inTransaction)) ?? false
    }

    /// Runs a statement, prepared once for this connection, and gives its rows.
    ///
    /// - Throws: ``MariaDBError``; `CancellationError`.
    @discardableResult
    public func query(_ sql: SQL) async throws -> Rows {
        onStatement?(sql, database)
        return try await measured { try await $0.query(sql, on: database) }
    }

    /// Runs a statement, prepared once for this connection, and gives what it changed.
    ///
    /// - Throws: ``MariaDBError``; `CancellationError`.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> ExecutionResult {
        onStatement?(sql, database)
        return try await measured { try await $0.execute(sql, on: database) }
    }

    /// Runs a statement and reads its rows as they are asked for, about 64 KiB at a time; the server waits meanwhile.
    ///
    /// The connection does nothing else until the rows are read or the iterator is dropped.
    public func stream(_ sql: SQL) -> RowStream {
        RowStream(connection: self, sql: sql)
    }

    /// Runs text without values, unprepared: for what the server does not prepare (`CREATE TRIGGER`, `LOCK TABLES`).
    ///
    /// The session is reset before the connection's next borrower.
    /// - Throws: ``MariaDBError``; `CancellationError`.
    @discardableResult
    public func simpleQuery(_ sql: SQL) async throws -> SimpleResult {
        try await measured { try await $0.simpleQuery(sql, on: database) }
    }

    /// Runs text of this client's own.
    func command(_ text: String) async throws {
        try await measured { try await $0.command(text, isShielded: false) }
    }

    /// Sends COMMIT, unless the transaction is lost, and awaits the answer even if the task is cancelled.
    func commit() async throws {
        try await measured { try await $0.command("COMMIT", isShielded: true) }
    }

    /// Undoes the transaction even if the task is cancelled. When that fails the connection is not lent again.
    func rollBack() async {
        guard isInTransaction else { return }
        try? await session().command("ROLLBACK", isShielded: true)
    }

    /// Runs a statement whose rows are then read from the session that is returned.
    func open(_ sql: SQL, token: StreamState.Token) async throws -> Session {
        onStatement?(sql, database)
        return try await measured { session in
            try await session.open(sql, on: database, token: token)
            return session
        }
    }

    /// The session, while the lease lasts.
    func session() throws -> Session {
        guard let lent = lease.withLock({ $0.lent }) else {
            throw MariaDBError.invalidStatement("the connection was used after its lease had ended")
        }
        return lent.session
    }

    /// From now on what was done here cannot be done again on another connection.
    func pin() {
        lease.withLock { $0.isReplaceable = false }
    }

    /// Ends the lease; what was lent is the caller's to give back.
    func end() -> ConnectionPool.Lent? {
        lease.withLock { lease in
            defer { lease.lent = nil }
            return lease.lent
        }
    }

    private func measured<Result: Sendable>(_ body: (Session) async throws -> Result) async throws -> Result {
        let start = Moment.now
        if let doom = lease.withLock({ $0.doom }) { throw doom }
        do {
            let result = try await replacing(body)
            metrics.queried(for: Moment.now - start)
            return result
        } catch {
            if let error = error as? MariaDBError {
                metrics.count(error)
                // Without this, statements after a deadlock that was caught would be committed one by one.
                if isInTransaction, error.endsTransaction { lease.withLock { $0.doom = error } }
            }
            throw error
        }
    }

    /// Runs `body`; when its connection was dead before a byte of it was sent, once more on another one.
    private func replacing<Result: Sendable>(_ body: (Session) async throws -> Result) async throws -> Result {
        let session = try session()
        do {
            return try await body(session)
        } catch let error as MariaDBError where error.wasNotSent && session.mayBeReplaced {
            guard let dead = takeForReplacement() else { throw error }
            pool.release(dead, error.kind == .connection ? .broken : .moved)
            let lent = try await pool.leaseReady(database, deadline: .now + timeout, isRepeated: true)
            lease.withLock { $0.lent = lent }
            return try await body(lent.session)
        }
    }

    private func takeForReplacement() -> ConnectionPool.Lent? {
        lease.withLock { lease in
            guard lease.isReplaceable, !lease.wasReplaced, let lent = lease.lent else { return nil }
            lease.wasReplaced = true
            lease.lent = nil
            return lent
        }
    }
}

extension Session {
    /// Whether nothing in this session has to be found again in another: no transaction, lock, variable or stream.
    nonisolated var mayBeReplaced: Bool {
        flags.isDisjoint(with: [.inTransaction, .needsReset, .streaming])
    }
}
