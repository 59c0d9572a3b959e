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
    private let server: String?
    private let client: MariaDBClient
    private let areas: TenantAreas
    private let logger: Logger
    /// The common case, without a lock.
    private let isReady = Atomic(false)
    /// Whether the control database says that work is done on the data, or that they want a newer service.
    private let isClosed = Atomic(false)
    /// Whether this is no longer what the control database has.
    private let isOver = Atomic(false)
    /// Whether the control database says that the database was complete once.
    private let isMade = Atomic(false)
    /// Whether the database was complete once and was found missing.
    private let isGone = Atomic(false)
    /// Whether the database was found in another state than this service needs.
    private let isUnready = Atomic(false)
    /// Is called when ``isUnusable`` or ``hasLost`` may have changed.
    private let onFound: @Sendable () -> Void
    private let state = Mutex(State.unknown)
    /// The reason for which the database was found not ready.
    private let fault = Mutex(LastingFault())

    /// A tenant that nobody has used yet.
    /// - Parameters:
    ///   - server: the server of its database, for the log; nil: the control database's.
    ///   - onFound: is called when the database was found in another state than before.
    init(
        slug: String, database: String, server: String? = nil, areas: TenantAreas, client: MariaDBClient,
        logger: Logger, onFound: @escaping @Sendable () -> Void = {}
    ) {
        self.areas = areas
        self.onFound = onFound
        self.server = server
        self.slug = slug
        self.database = database
        self.client = client
        self.logger = logger
    }

    /// Takes note of what the control database says.
    /// - Parameters:
    ///   - isClosed: work is done on the data.
    ///   - oldestService: the oldest version of the service that the database accepts.
    ///   - isMade: the database was complete once.
    func note(isClosed: Bool, oldestService: String?, isMade: Bool) {
        self.isMade.store(isMade, ordering: .relaxed)
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

    /// Whether the database was there once, and is not any more, as the last look found.
    var hasLost: Bool { isGone.load(ordering: .relaxed) }

    /// Whether requests are refused because of the database: it is not as this service needs it, or its server is away.
    var isUnusable: Bool {
        isUnready.load(ordering: .relaxed) || isClosed.load(ordering: .relaxed) || client.isAway
    }

    /// Whether nobody is to work on the data at the moment, mails included.
    var isShut: Bool { isClosed.load(ordering: .relaxed) || isOver.load(ordering: .relaxed) }

    /// The control database has the tenant no longer, or otherwise: suspended, or with another database. Who begins to use it
    /// gets it anew from the directory.
    func end() { isOver.store(true, ordering: .relaxed) }

    /// Refuses requests to a tenant whose database cannot be used.
    /// - Throws: `tenant_migrating`; `unavailable` where the database is gone; what keeps the database from being looked at.
    func check() async throws {
        if isReady.load(ordering: .relaxed), !isClosed.load(ordering: .relaxed) { return }
        guard !isClosed.load(ordering: .relaxed), try await isFoundReady() else {
            guard !isClosed.load(ordering: .relaxed), isGone.load(ordering: .relaxed) else {
                throw Problem(.tenantMigrating, "The data of this tenant are being upgraded; try again later.")
            }
            throw Problem(.unavailable, "The data of this tenant cannot be reached at the moment; try again later.")
        }
    }

    /// Looks at the database again after an error that says that it, or a table of it, is missing.
    /// - Returns: the problem of the request; nil for any other error, and where the database is as it should be.
    func problem(after error: MariaDBError) async -> Problem? {
        guard Self.isMissing(error) else { return nil }
        lookAgain()
        do {
            try await check()
            return nil
        } catch {
            return error as? Problem
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
            let plan = areas.plan
            let (reason, applied) = try await client.withConnection(database) { try await Self.look(plan, on: $0) }
            if let applied { areas.noteMade(areas.list.made(in: applied)) }
            found(reason)
            return reason == nil
        } catch let error as MariaDBError where Self.isMissing(error) {
            // One that is still to be made is no loss.
            var rest: DatabaseGone.Rest?
            if isMade.load(ordering: .relaxed) { rest = try? await DatabaseGone.rest(of: database, client: client) }
            found("\(error)", gone: rest.map { DatabaseGone(slug: slug, database: database, server: server, rest: $0) })
            return false
        } catch {
            state.withLock { $0 = .unknown }
            throw error
        }
    }

    /// Notes what was found.
    /// - Parameter reason: why the database is not ready; nil: it is.
    private func found(_ reason: String?, gone: DatabaseGone? = nil) {
        state.withLock { $0 = reason == nil ? .unknown : .unready(since: .now) }
        let wasGone = isGone.exchange(gone != nil, ordering: .relaxed)
        let wasUnready = isUnready.exchange(reason != nil, ordering: .relaxed)
        isReady.store(reason == nil, ordering: .relaxed)
        if wasGone != (gone != nil) || wasUnready != (reason != nil) { onFound() }
        guard let reason else {
            guard let away = fault.withLock({ $0.end(at: .now) }) else { return }
            return logger.notice("Ready again", metadata: ["tenant": "\(slug)", "away": "\(away.secondsText)"])
        }
        guard fault.withLock({ $0.isToBeSaid(gone?.reason ?? reason, at: .now) }) else { return }
        guard let gone else {
            return logger.warning("Not ready", metadata: ["tenant": "\(slug)", "reason": "\(reason)"])
        }
        logger.error(
            "A tenant answers 503: its database is gone",
            metadata: ["tenant": "\(slug)", "reason": "\(gone.reason)", "remedy": "\(gone.advice)"])
    }

    /// Why a database is not in the state that a plan wants; nil when it is.
    static func reason(_ plan: MigrationPlan, on connection: Connection) async throws -> String? {
        try await look(plan, on: connection).reason
    }

    /// The same, with the files that were applied; nil where they were not read.
    private static func look(
        _ plan: MigrationPlan, on connection: Connection
    ) async throws -> (reason: String?, applied: [String: MigrationQueries.Applied]?) {
        let oldest = try await MigrationQueries.oldestService(on: connection)
        if let oldest, oldest > .current { return ("it wants at least version \(oldest) of the service", nil) }
        let applied = try await MigrationQueries.applied(on: connection)
        let files = plan.missing(from: applied).files
        return (files.first.map { "\(files.count) files are to be applied, the first \($0.path)" }, applied)
    }

    /// No such database, table or column; or it is another's.
    private static func isMissing(_ error: MariaDBError) -> Bool { [1049, 1146, 1054, 1044].contains(error.code) }
}
