import Foundation
import Logging
import MariaDB
import Metrics
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The whole service: a database, its preparation, and the HTTP server on top, started and stopped in order.
public struct SubTrackService: Sendable {
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
        let stop = StopLog(logger)
        logger.notice(
            "SubTrackIt \(ServiceVersion.text) starts",
            metadata: [
                "process": "\(ProcessInfo.processInfo.processIdentifier)",
                "database": "\(settings.database.map { "\($0.endpoint)" } ?? "embedded")",
            ])
        if settings.mail.carrier != nil { _ = try settings.mail.resolvedSender() }
        // A certificate that cannot be used is said before anything is begun.
        let tls = try settings.tls.map { try TLSIdentity($0) }
        // First: where an address cannot be had, no database is made. A client that connects meanwhile is told that the
        // service is starting.
        let listeners = try await listen(tls)
        do {
            guard let access = try await DatabaseOpening.open(settings, unless: signals, logger: logger) else {
                await listeners.close()
                return stop.ended()
            }
            do {
                try await serve(access, listeners, tls: tls, stoppingOn: signals, stop)
                await access.embedded?.stop()
                stop.ended(cut: listeners.http.channels.cut)
            } catch {
                await access.embedded?.stop()
                throw error
            }
        } catch {
            await listeners.close()
            throw error
        }
    }

    /// What listens for HTTP, and what answers there.
    private struct Listeners {
        let http: HTTPListener
        let gate: ServiceGate
        let admin: HTTPListener?
        let adminGate: ServiceGate
        let plan: DescriptorPlan

        func close() async {
            await http.close()
            await admin?.close()
        }
    }

    private func listen(_ tls: TLSIdentity?) async throws -> Listeners {
        let plan = DescriptorPlan(
            limit: settings.descriptorLimit ?? DescriptorPlan.limit, http: settings.httpLimits.connections,
            sockets: settings.socketLimits.connections, databaseConnections: settings.databaseConnections)
        if let warning = plan.warning { logger.warning("\(warning)") }
        var limits = settings.httpLimits
        limits.connections = plan.http
        limits.head = settings.socketLimits.messageDeadline
        let (gate, adminGate) = (ServiceGate(logger: logger), ServiceGate(logger: logger))
        let connections = HTTPConnections(
            gate: gate, limits: limits, proxies: settings.trustedProxies, tls: tls)
        let http = try await HTTPListener.listen(
            at: settings.httpListen, .httpListen, connections, on: Self.eventLoops, logger: logger)
        guard let address = settings.adminListen else {
            return Listeners(http: http, gate: gate, admin: nil, adminGate: adminGate, plan: plan)
        }
        var adminLimits = AdminResponder.limits
        adminLimits.head = settings.socketLimits.messageDeadline
        let adminConnections = HTTPConnections(gate: adminGate, limits: adminLimits)
        do {
            let admin = try await HTTPListener.listen(
                at: address, .adminListen, adminConnections, on: Self.eventLoops, logger: logger)
            return Listeners(http: http, gate: gate, admin: admin, adminGate: adminGate, plan: plan)
        } catch {
            await http.close()
            throw error
        }
    }

    private func serve(
        _ access: DatabaseAccess, _ listeners: Listeners, tls: TLSIdentity?, stoppingOn signals: [UnixSignal],
        _ stop: StopLog
    ) async throws {
        let client = try access.client(logger: logger)
        let servers = DatabaseServers(main: client, logger: logger) { [logger] in
            try access.client(logger: logger, server: $0)
        }
        Gauge(label: "subtrackit_build_info", dimensions: [("version", ServiceVersion.text)]).record(1)
        let readiness = Readiness()
        let commits = CommitSignal()
        let directory = TenantDirectory(
            client: client, servers: servers, controlDatabase: access.url.controlDatabase, logger: logger,
            limits: settings.limits, waits: settings.waits, areas: settings.areas,
            commits: commits,
            maximumAge: settings.tenantReadingInterval, defaultTenant: settings.defaultTenant,
            publicHost: settings.mail.host)
        let accounts = AccountServices(
            limits: settings.accountLimits,
            hasher: settings.passwordHasher ?? PasswordHasher(rounds: settings.passwordRounds),
            mailer: Mailer(settings.mail, clock: clock, logger: logger), clock: clock)
        let areas = Self.areas(
            accounts: accounts, lists: RememberedLists(bytes: settings.listMemoryMiB << 20),
            further: settings.furtherAreas)
        let sync = SyncRegistries(areas)
        let registry = Self.registry(areas, sync, sendsMails: settings.mail.carrier != nil)
        let inconsistencies =
            settings.areas.inconsistencies + registry.inconsistencies + sync.all.inconsistencies
            + UserDataRegistry(areas).inconsistencies
        guard inconsistencies.isEmpty else {
            throw SettingsError("the service's areas do not fit together: \(inconsistencies.joined(separator: "; "))")
        }
        let control = access.url.controlDatabase
        let dispatcher = OperationDispatcher(
            tenants: directory, readiness: readiness, clock: clock, logger: logger,
            inputs: settings.largeInputs ?? LargeInputs())
        let connections = LiveConnections()
        let changes = ChangeWatch(
            registries: sync, connections: connections, tenants: directory, commits: commits,
            interval: settings.socketLimits.changeCheckInterval, logger: logger)
        let sockets = SocketDispatcher(
            registry: registry, dispatcher: dispatcher, connections: connections, changes: changes,
            limits: settings.socketLimits)
        let quota = ConnectionQuota(
            maximum: listeners.plan.sockets, perNetwork: settings.socketLimits.connectionsPerAddress)
        let descriptions = APIDescriptions(all: settings.areas.all) { set in
            try OpenAPIDocument(registry.within(set)).bytes
        }
        @Sendable func system(metrics: Bool, readiness hasReadiness: Bool) -> SystemRoutes {
            SystemRoutes(
                description: descriptions.ofAll, metrics: metrics ? metricsText : nil, hasReadiness: hasReadiness,
                notReady: { await readiness.reason(client: client, controlDatabase: control) })
        }
        let others: [any PathResponder] = [
            AddressBooks(dispatcher: dispatcher, proxies: settings.trustedProxies),
            Unsubscribing(dispatcher: dispatcher, proxies: settings.trustedProxies),
            CalendarFiles(dispatcher: dispatcher, proxies: settings.trustedProxies),
        ]
        let responder = APIResponder(
            routes: RouteTable(registry), dispatcher: dispatcher, descriptions: descriptions,
            standardAreas: settings.areas.standard,
            system: system(metrics: settings.publicMetrics, readiness: settings.adminListen == nil),
            web: WebResponder(
                files: try WebFolderReader(settings.web, logger: logger),
                root: WebResponder.root(ofPublicURL: settings.mail.publicURL), tenants: directory,
                proxies: settings.trustedProxies),
            others: others, proxies: settings.trustedProxies,
            metrics: RequestMetrics(operations: registry.entries.map(\.name) + others.map(\.name)))
        let live = LiveUpgrade(dispatcher: sockets, quota: quota, proxies: settings.trustedProxies)
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        if let embedded = access.embedded {
            services.append(.init(service: CancelledOnShutdown { try await embedded.run() }))
        }
        services.append(.init(service: CancelledOnShutdown { await servers.run() }))
        if !signals.isEmpty {
            services.append(.init(service: CancelledOnShutdown { await stop.watch(signals) }))
            services.append(.init(service: CancelledOnShutdown { await reload(tls) }))
        }
        services.append(
            .init(
                service: CancelledOnShutdown(mayEnd: true) {
                    try await prepare(access, servers: servers, directory: directory, readiness: readiness)
                }))
        let letters = areas.map(\.letters).reduce(into: [:]) { all, letters in all.merge(letters) { first, _ in first }
        }
        services.append(
            .init(
                service: CancelledOnShutdown(mayEnd: true) {
                    await accounts.mailer.run(letters: letters) {
                        while !readiness.isPrepared { try await Task.sleep(for: .milliseconds(100)) }
                        return try await directory.all()
                    }
                }))
        let jobs = SyncUpkeep.jobs + areas.jobs
        for isShared in [false, true] {
            let runner = JobRunner(
                jobs: jobs.filter { $0.isShared == isShared }, tenants: directory, readiness: readiness, clock: clock,
                interval: isShared ? settings.sharedJobInterval : settings.jobInterval,
                lease: isShared ? nil : try Lease(client: client, database: control, name: "jobs"), logger: logger)
            services.append(.init(service: CancelledOnShutdown { try await runner.run() }))
        }
        if let admin = listeners.admin {
            let pages = OperatorPages(
                access: access, tenants: directory, clock: clock,
                gate: try OperatorGuard(host: settings.adminListen?.host ?? ""), logger: logger,
                notReady: { await readiness.reason(client: client, controlDatabase: control) })
            listeners.adminGate.open(
                AdminResponder(system: system(metrics: true, readiness: true), pages: pages, logger: logger))
            services.append(.init(service: admin))
            onAdminListening(admin.address)
        }
        services.append(.init(service: listeners.http))
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
        services.append(
            .init(
                service: OnShutdown {
                    stop.begins(
                        http: listeners.http.channels.count, sockets: connections.count, limit: Self.shutdownDeadline)
                    connections.close()
                }))
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: signals, logger: quiet(logger))
        configuration.maximumGracefulShutdownDuration = Self.shutdownDeadline
        accounts.mailer.serves(at: listeners.http.address, hasTLS: tls != nil)
        listeners.gate.open(responder, live: live)
        onListening(listeners.http.address)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// The description of the API as `/openapi.json` gives it.
    /// - Throws: when an operation's types do not show what their JSON looks like.
    public static func apiDescription() throws -> [UInt8] { try OpenAPIDocument(registry()).bytes }

    /// The areas of the service, each after those that it builds on.
    /// - Parameter further: areas behind the service's own.
    static func areas(
        accounts: AccountServices = AccountServices(), lists: RememberedLists = RememberedLists(bytes: 0),
        further: [any Area] = []
    ) -> [any Area] {
        let before: [any Area] = [CatalogueArea()]
        let after: [any Area] =
            [SubscriptionsArea(lists: lists), ContactsArea(), RemindersArea(mailer: accounts.mailer)] + further
        return before + [AccountsArea(services: accounts, others: before + after)] + after
    }

    /// The same, as databases and operators know them.
    static let standardAreas = AreaList(areas())

    /// The handlers of all operations.
    /// - Parameter sendsMails: whether mails leave the service.
    static func registry(_ areas: [any Area] = areas(), _ sync: SyncRegistries? = nil, sendsMails: Bool = false)
        -> OperationRegistry
    {
        let sync = sync ?? SyncRegistries(areas)
        var registry = OperationRegistry(fields: ColumnFields(areas))
        ServerInfoHandler.register(in: &registry, sendsMails: sendsMails)
        registry.register(areas)
        ChangesPull.register(in: &registry, sync)
        ChangesPush.register(in: &registry, sync)
        return registry
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
    private let mayEnd: Bool
    private let body: @Sendable () async throws -> Void

    /// Runs a body.
    /// - Parameter mayEnd: whether it may be done before the shutdown. Then this waits for the shutdown: a service group takes one
    ///   that ends while another one is being stopped for a failure, whatever its termination behaviour.
    init(mayEnd: Bool = false, _ body: @escaping @Sendable () async throws -> Void) {
        self.mayEnd = mayEnd
        self.body = body
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await body() }
            if mayEnd { try await gracefulShutdown() }
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
