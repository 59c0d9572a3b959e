import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import MariaDB
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The whole service: a database, its preparation, and the HTTP server on top, started and stopped in order.
public struct SubTrackService: Sendable {
    /// The version of this service.
    public static let version = "0.1.0"

    let settings: ServiceSettings
    let clock: WallClock
    let logger: Logger
    let metricsText: (@Sendable () -> String)?
    let onListening: @Sendable (ListenAddress) -> Void
    let onSocketListening: @Sendable (SocketListenAddress) -> Void
    let onAdminListening: @Sendable (ListenAddress) -> Void

    /// A service with its settings.
    /// - Parameters:
    ///   - clock: the time of day.
    ///   - metricsText: gives the metrics for `/metrics`; nil: there is no such path.
    ///   - onListening: is called with the address at which HTTP is served, once it is.
    ///   - onSocketListening: is called with each address at which plain sockets are served, once they are.
    ///   - onAdminListening: is called with the address of the operators' listener, once it listens.
    public init(
        settings: ServiceSettings, clock: WallClock = .system, logger: Logger,
        metricsText: (@Sendable () -> String)? = nil,
        onListening: @escaping @Sendable (ListenAddress) -> Void = { _ in },
        onSocketListening: @escaping @Sendable (SocketListenAddress) -> Void = { _ in },
        onAdminListening: @escaping @Sendable (ListenAddress) -> Void = { _ in }
    ) {
        self.onAdminListening = onAdminListening
        self.settings = settings
        self.clock = clock
        self.logger = logger
        self.metricsText = metricsText
        self.onListening = onListening
        self.onSocketListening = onSocketListening
    }

    /// The threads that read and write HTTP: half as many as processors, for requests are handled on another thread and
    /// answered by the database's. On two processors that others were using too, one took 108 to 138 µs of the service's
    /// time for a list and two took 154; a run on a quiet machine is still to confirm it.
    static let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: max(1, System.coreCount / 2))

    /// How long requests that are under way may take after the service was told to stop.
    static let shutdownDeadline = Duration.seconds(20)

    /// Runs until SIGINT or SIGTERM, or until the task is cancelled.
    /// - Parameter signals: what ends it in order; none where the process is not the service's alone.
    /// - Throws: when the embedded database cannot be started, or the address is not free.
    public func run(stoppingOn signals: [UnixSignal] = [.sigterm, .sigint]) async throws {
        if settings.mail.program != nil { _ = try settings.mail.resolvedSender() }
        // Before anything is made: an address that cannot be had is no reason for a database.
        try await ListenCheck.check(settings.httpListen, on: Self.eventLoops)
        if let admin = settings.adminListen { try await ListenCheck.check(admin, on: Self.eventLoops) }
        // A certificate that cannot be used is said before anything is begun.
        let tls = try settings.tls.map { try TLSIdentity($0) }
        let access = try await DatabaseAccess.open(settings, logger: logger)
        do {
            try await serve(access, tls: tls, stoppingOn: signals)
            await access.embedded?.stop()
        } catch let error as IOError {
            await access.embedded?.stop()
            throw ListenCheck.Failure(address: settings.httpListen, errno: error.errnoCode)
        } catch {
            await access.embedded?.stop()
            throw error
        }
    }

    private func serve(
        _ access: DatabaseAccess, tls: TLSIdentity?, stoppingOn signals: [UnixSignal]
    ) async throws {
        let client = try access.client(logger: logger)
        let servers = DatabaseServers(main: client, logger: logger) { [logger] in
            try access.client(logger: logger, server: $0)
        }
        let readiness = Readiness()
        let commits = CommitSignal()
        let directory = TenantDirectory(
            client: client, servers: servers, controlDatabase: access.url.controlDatabase, logger: logger,
            limits: settings.limits,
            commits: commits, lists: RememberedLists(bytes: settings.listMemoryMiB << 20),
            maximumAge: settings.tenantReadingInterval)
        let accounts = AccountServices(
            limits: settings.accountLimits,
            hasher: settings.passwordHasher ?? PasswordHasher(rounds: settings.passwordRounds),
            mailer: Mailer(settings.mail, clock: clock, logger: logger))
        let registry = Self.registry(accounts: accounts)
        guard registry.inconsistencies.isEmpty else {
            throw SettingsError("operations and handlers differ: \(registry.inconsistencies.joined(separator: "; "))")
        }
        let control = access.url.controlDatabase
        let dispatcher = OperationDispatcher(tenants: directory, readiness: readiness, clock: clock, logger: logger)
        let connections = LiveConnections()
        let changes = ChangeWatch(
            connections: connections, tenants: directory, commits: commits,
            interval: settings.socketLimits.changeCheckInterval, logger: logger)
        let sockets = SocketDispatcher(
            registry: registry, dispatcher: dispatcher, connections: connections, changes: changes,
            limits: settings.socketLimits)
        let quota = ConnectionQuota(limits: settings.socketLimits)
        let description = try OpenAPIDocument(registry).bytes
        @Sendable func system(isForOperators: Bool) -> SystemRoutes {
            SystemRoutes(
                description: description, metrics: metricsText, isForOperators: isForOperators,
                notReady: { await readiness.reason(client: client, controlDatabase: control) })
        }
        let responder = APIResponder(
            routes: RouteTable(registry), dispatcher: dispatcher,
            system: system(isForOperators: settings.adminListen == nil),
            proxies: settings.trustedProxies,
            metrics: RequestMetrics(operations: registry.entries.map(\.name)))
        let channels = OpenChannels()
        let application = Application(
            responder: HummingbirdResponder(responder: responder),
            server: HTTPServerBuilder { respond in
                ServiceChannel(
                    responder: responder, http2: respond,
                    live: LiveUpgrade(dispatcher: sockets, quota: quota, proxies: settings.trustedProxies), tls: tls,
                    channels: channels)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.httpListen.host, port: settings.httpListen.port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? settings.httpListen.port
                let address = ListenAddress(host: settings.httpListen.host, port: port)
                accounts.mailer.serves(at: address, hasTLS: tls != nil)
                onListening(address)
            },
            eventLoopGroupProvider: .shared(Self.eventLoops), logger: quiet(logger))
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        if let embedded = access.embedded {
            services.append(.init(service: CancelledOnShutdown { try await embedded.run() }))
        }
        services.append(.init(service: CancelledOnShutdown { await servers.run() }))
        if !signals.isEmpty { services.append(.init(service: CancelledOnShutdown { await reload(tls) })) }
        services.append(
            .init(
                service: CancelledOnShutdown { try await prepare(access, readiness: readiness) },
                successTerminationBehavior: .ignore))
        services.append(
            .init(
                service: CancelledOnShutdown {
                    await accounts.mailer.run {
                        guard readiness.isPrepared else { return [] }
                        return try await directory.all()
                    }
                }, successTerminationBehavior: .ignore))
        let jobs = JobRunner(
            jobs: SyncUpkeep.jobs + [AccountUpkeep().job], tenants: directory, readiness: readiness, clock: clock,
            interval: settings.jobInterval, lease: try Lease(client: client, database: control, name: "jobs"),
            logger: logger)
        services.append(.init(service: CancelledOnShutdown { try await jobs.run() }))
        if let admin = settings.adminListen {
            services.append(
                .init(
                    service: AdminListener.service(
                        at: admin, system: system(isForOperators: true), on: Self.eventLoops, logger: quiet(logger),
                        onListening: onAdminListening)))
        }
        services.append(.init(service: DrainedServer(server: application, channels: channels)))
        services.append(
            .init(
                service: SocketServer(
                    addresses: settings.socketListen, dispatcher: sockets, quota: quota, tls: tls,
                    eventLoops: Self.eventLoops, onListening: onSocketListening)))
        let sessions = SessionWatch(connections: connections, tenants: directory, logger: logger)
        services.append(
            .init(service: LiveTick(interval: settings.socketLimits.sessionCheckInterval, work: sessions.look)))
        services.append(.init(service: CancelledOnShutdown { await changes.run() }))
        // The last is stopped first: all sockets are told at once.
        services.append(.init(service: OnShutdown { connections.close() }))
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: signals, logger: quiet(logger))
        configuration.maximumGracefulShutdownDuration = Self.shutdownDeadline
        try await ServiceGroup(configuration: configuration).run()
    }

    /// The description of the API as `/openapi.json` gives it.
    /// - Throws: when an operation's types do not show what their JSON looks like.
    public static func apiDescription() throws -> [UInt8] { try OpenAPIDocument(registry()).bytes }

    /// The handlers of all operations.
    static func registry(accounts: AccountServices = AccountServices()) -> OperationRegistry {
        var registry = OperationRegistry()
        ServerInfoHandler.register(in: &registry)
        CatalogueHandlers.register(in: &registry)
        DeviceHandlers.register(in: &registry, services: accounts)
        UserHandlers.register(in: &registry)
        AccountHandlers.register(in: &registry, services: accounts)
        PasswordHandlers.register(in: &registry, services: accounts)
        SignIn.register(in: &registry, services: accounts)
        SessionHandlers.register(in: &registry, services: accounts)
        OwnDataHandlers.register(in: &registry, services: accounts)
        DashboardHandler.register(in: &registry)
        SubscriptionReading.register(in: &registry)
        SubscriptionCreation.register(in: &registry)
        SubscriptionChanges.register(in: &registry)
        ChangesPull.register(in: &registry)
        ChangesPush.register(in: &registry)
        return registry
    }

    /// Migrates, as soon as the database can be reached; until then the service answers 503.
    private func prepare(_ access: DatabaseAccess, readiness: Readiness) async throws {
        let preparation = Preparation(access: access, logger: logger)
        var pause = Duration.milliseconds(250)
        var lastSaid: (error: String, at: ContinuousClock.Instant)?
        while true {
            do {
                let outcomes = try await preparation.run(
                    defaultTenant: .init(hasDemoCatalogue: access.embedded != nil),
                    onControl: { readiness.controlPrepared() })
                readiness.prepared()
                guard outcomes.contains(where: { $0.failure != nil }) else { return }
                // Their requests get 503 meanwhile; an operator may be mending what stood in the way.
                try await Task.sleep(for: .seconds(30))
            } catch let error where !(error is CancellationError) {
                // The same again is said twice a minute, not at every try.
                let now = ContinuousClock.now
                if lastSaid.map({ $0.error != "\(error)" || now - $0.at > .seconds(30) }) ?? true {
                    lastSaid = ("\(error)", now)
                    logger.error(
                        "The database cannot be prepared; requests are answered 503, and it is tried again.",
                        metadata: ["database": "\(access.url.endpoint)", "error": "\(error)"])
                }
                try await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(2))
            }
        }
    }

    /// Reads the certificate again at each SIGHUP. New connections have it; those that are open keep theirs. One that
    /// cannot be used is said, and the old one stays.
    private func reload(_ tls: TLSIdentity?) async {
        for await _ in await UnixSignalsSequence(trapping: [.sighup]) {
            guard let tls else {
                logger.notice("SIGHUP: there is no certificate to read again")
                continue
            }
            do {
                try tls.reload()
                logger.notice("SIGHUP: new connections get the certificate as it is now")
            } catch {
                logger.error("SIGHUP: the certificate stays as it was", metadata: ["error": "\(error)"])
            }
        }
    }

    /// The libraries' own chatter, only where something is wrong.
    private func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        if logger.logLevel < .notice, logger.logLevel > .debug { logger.logLevel = .notice }
        return logger
    }
}

/// Runs a body until graceful shutdown, then cancels it and waits for its end.
struct CancelledOnShutdown: Service {
    let body: @Sendable () async throws -> Void

    init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await body() }
        } catch is CancellationError {
            // That is how it ends.
        }
    }
}

/// Does something on graceful shutdown, when its turn comes.
struct OnShutdown: Service {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() async throws {
        try? await gracefulShutdown()
        body()
    }
}
