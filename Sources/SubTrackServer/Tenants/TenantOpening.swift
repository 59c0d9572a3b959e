import Logging
import MariaDB
import SubTrackAPI
import Synchronization

/// Whether a tenant's database is in the state that this service needs. It is looked at when the tenant is used first, and
/// again for as long as it is not.
final class TenantOpening: Sendable {
    /// How long it is remembered that a database is not ready.
    static let pause = Duration.milliseconds(500)

    private enum State {
        case unknown
        case looking(Task<Bool, any Error>)
        case unready(since: ContinuousClock.Instant)
    }

    private let slug: String
    private let database: String
    private let client: MariaDBClient
    private let logger: Logger
    /// The common case, without a lock.
    private let isReady = Atomic(false)
    /// Whether the control database says that work is done on the data, or that they want a newer service.
    private let isClosed = Atomic(false)
    /// Whether this is no longer what the control database has.
    private let isOver = Atomic(false)
    private let state = Mutex(State.unknown)
    /// Since when the database was found not ready.
    private let awaySince = Mutex<ContinuousClock.Instant?>(nil)

    /// A tenant that nobody has used yet.
    init(slug: String, database: String, client: MariaDBClient, logger: Logger) {
        self.slug = slug
        self.database = database
        self.client = client
        self.logger = logger
    }

    /// Takes note of what the control database says.
    /// - Parameters:
    ///   - isClosed: work is done on the data.
    ///   - oldestService: the oldest version of the service that the database accepts.
    func note(isClosed: Bool, oldestService: String?) {
        let isTooNew = oldestService.flatMap { ServiceVersion($0) }.map { $0 > .current } ?? false
        if isTooNew, !self.isClosed.load(ordering: .relaxed) {
            logger.error(
                "A tenant's database wants a newer service",
                metadata: ["tenant": "\(slug)", "wants": "\(oldestService ?? "")"])
        }
        let wasClosed = self.isClosed.exchange(isClosed || isTooNew, ordering: .relaxed)
        // What was done meanwhile is looked at.
        if wasClosed, !isClosed, !isTooNew { lookAgain() }
    }

    /// Has the database looked at before it is used again: other data are in it.
    func lookAgain() {
        isReady.store(false, ordering: .relaxed)
        state.withLock { $0 = .unknown }
    }

    /// Whether nobody is to work on the data at the moment, mails included.
    var isShut: Bool { isClosed.load(ordering: .relaxed) || isOver.load(ordering: .relaxed) }

    /// The control database has the tenant no longer, or otherwise: suspended, or with another database. Who begins to use it
    /// gets it anew from the directory.
    func end() { isOver.store(true, ordering: .relaxed) }

    /// Refuses requests to a tenant whose database cannot be used.
    /// - Throws: `tenant_migrating`; what keeps the database from being looked at.
    func check() async throws {
        if isReady.load(ordering: .relaxed), !isClosed.load(ordering: .relaxed) { return }
        guard !isClosed.load(ordering: .relaxed), try await isFoundReady() else {
            throw Problem(.tenantMigrating, "The data of this tenant are being upgraded; try again later.")
        }
    }

    private func isFoundReady() async throws -> Bool {
        let task: Task<Bool, any Error>? = state.withLock { state in
            switch state {
            case .looking(let task): return task
            case .unready(let since) where ContinuousClock.now - since < Self.pause: return nil
            case .unready, .unknown:
                // Not the request's own task: that it is cancelled must not fail those who wait for the same.
                let task = Task(executorPreference: client.configuration.loops.here.loop.taskExecutor) {
                    try await self.look()
                }
                state = .looking(task)
                return task
            }
        }
        return try await task?.value ?? false
    }

    private func look() async throws -> Bool {
        do {
            let reason = try await client.withConnection(database) { try await Self.reason(on: $0) }
            state.withLock { $0 = reason == nil ? .unknown : .unready(since: .now) }
            isReady.store(reason == nil, ordering: .relaxed)
            note(unready: reason)
            return reason == nil
        } catch let error as MariaDBError where Self.isMissing(error) {
            state.withLock { $0 = .unready(since: .now) }
            note(unready: "\(error)")
            return false
        } catch {
            state.withLock { $0 = .unknown }
            throw error
        }
    }

    /// Logs that the database is not ready, or that it is again.
    private func note(unready reason: String?) {
        let now = ContinuousClock.now
        guard let reason else {
            guard let since = awaySince.withLock({ $0.take() }) else { return }
            return logger.notice(
                "Ready again", metadata: ["tenant": "\(slug)", "away": "\((now - since).secondsText)"])
        }
        awaySince.withLock { $0 = $0 ?? now }
        logger.warning("Not ready", metadata: ["tenant": "\(slug)", "reason": "\(reason)"])
    }

    /// Why a database is not in the state that this service needs; nil when it is.
    static func reason(on connection: Connection) async throws -> String? {
        let oldest = try await MigrationQueries.oldestService(on: connection)
        if let oldest, oldest > .current { return "it wants at least version \(oldest) of the service" }
        let files = MigrationPlan.tenant.missing(from: try await MigrationQueries.applied(on: connection)).files
        return files.first.map { "\(files.count) files are to be applied, the first \($0.path)" }
    }

    /// No such database, table or column; or it is another's.
    private static func isMissing(_ error: MariaDBError) -> Bool { [1049, 1146, 1054, 1044].contains(error.code) }
}
