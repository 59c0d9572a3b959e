internal import CoreMetrics
public import Logging

/// A client of one MariaDB or MySQL server: a pool of connections, and closures that borrow them.
///
/// ```swift
/// let client = MariaDBClient(configuration: configuration, logger: logger)
/// async let upkeep: Void = client.run()
/// let names = try await client.withConnection("shop") { connection in
///     try await connection.query("SELECT name FROM item WHERE price < \(limit)").decode(String.self)
/// }
/// ```
public final class MariaDBClient: Sendable {
    /// What the client was made with.
    public let configuration: MariaDBConfiguration
    let pool: ConnectionPool
    let logger: Logger
    let metrics: ClientMetrics

    /// Connects to nothing yet. Metrics go where the process's `MetricsSystem` sends them.
    public convenience init(configuration: MariaDBConfiguration, logger: Logger) {
        self.init(configuration: configuration, logger: logger, metrics: MetricsSystem.factory)
    }

    init(configuration: MariaDBConfiguration, logger: Logger, metrics factory: any MetricsFactory) {
        self.configuration = configuration
        self.logger = logger
        metrics = ClientMetrics(client: configuration.name, factory: factory)
        pool = ConnectionPool(configuration, logger: logger, metrics: metrics)
    }

    /// Counts of the present.
    public var statistics: PoolStatistics { pool.statistics }

    /// Whether the server cannot be reached, as the last attempt to connect found. Nothing is tried for the answer.
    public var isAway: Bool { pool.isAway }

    /// How many connections there may be at the moment.
    public var maximumConnections: Int { pool.maximumConnections }

    /// Allows another number of connections than the configuration: where several clients share what there may be. What is
    /// too much is closed now if it is idle, else when it comes back. With none, who asks waits for one as long as it may.
    public func setMaximumConnections(_ count: Int) {
        if pool.maximumConnections != count { pool.resize(to: count) }
    }

    /// Closes connections that are too old or idle too long, and reports metrics, until the task is cancelled; then
    /// shuts down.
    public func run() async {
        while !Task.isCancelled {
            pool.tick()
            report()
            try? await Task.sleep(for: .seconds(1))
        }
        await shutdown()
    }

    /// Reports the pool's present counts.
    func report() { metrics.record(statistics) }

    /// Lends no more, waits (at most five seconds) for what is lent, and closes all connections.
    public func shutdown() async {
        await pool.shutDown(deadline: .now + .seconds(5))
    }

    /// Borrows a connection for as long as `body` runs.
    ///
    /// A transaction that `body` left open is rolled back; a session that it changed is reset.
    ///
    /// - Parameters:
    ///   - database: the default database; nil: the configuration's, or none.
    ///   - timeout: how long to wait for a connection; nil: the configuration's.
    /// - Throws: ``MariaDBError`` of kind `.poolTimeout`, `.connection`, `.refused` or `.shutDown` when there is no
    ///   connection; what `body` throws; `CancellationError`.
    @discardableResult
    public func withConnection<Result>(
        _ database: String? = nil, timeout: Duration? = nil, _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        let database = database ?? configuration.database
        let start = Moment.now
        let timeout = timeout ?? configuration.leaseTimeout
        let lent: ConnectionPool.Lent
        do {
            lent = try await pool.leaseReady(database, deadline: start + timeout)
        } catch {
            if let error = error as? MariaDBError { metrics.count(error) }
            throw error
        }
        metrics.leased(after: Moment.now - start)
        let connection = Connection(
            lent, database: database, pool: pool, metrics: metrics, timeout: timeout,
            onStatement: configuration.onStatement)
        do {
            let result = try await body(connection)
            await giveBack(connection)
            return result
        } catch {
            await giveBack(connection, isMoved: (error as? MariaDBError)?.isReadOnlyServer == true)
            throw error
        }
    }

    /// Returns what was lent, clean or closed. Not cut short by cancellation.
    private func giveBack(_ connection: Connection, isMoved: Bool = false) async {
        guard let lent = connection.end() else { return }
        let flags = lent.session.flags
        guard !isMoved else { return pool.release(lent, .moved) }
        guard !flags.contains(.broken) else { return pool.release(lent, .broken) }
        guard flags.isEmpty else {
            do {
                try await lent.session.cleanUp()
                pool.release(lent, .healthy(database: connection.database))
            } catch {
                pool.release(lent, lent.session.flags.contains(.broken) ? .broken : .retire)
            }
            return
        }
        pool.release(lent, .healthy(database: connection.database))
    }
}

extension ConnectionPool {
    /// Borrows a connection that is alive as far as can be told: it is asked when it rested, and one that turns out to
    /// be dead is replaced, within the same time.
    func leaseReady(_ database: String?, deadline: Moment, isRepeated: Bool = false) async throws -> Lent {
        var isRepeated = isRepeated
        while true {
            let lent = try await lease(database, deadline: deadline, isRepeated: isRepeated)
            guard lent.check || lent.session.flags.contains(.broken) else { return lent }
            do {
                try await lent.session.ping(until: deadline)
                return lent
            } catch {
                let isBroken = lent.session.flags.contains(.broken)
                release(lent, isBroken ? .broken : .healthy(database: database))
                guard isBroken, !(error is CancellationError), Moment.now < deadline else { throw error }
                isRepeated = true
            }
        }
    }
}
