import EmbeddedMariaDB
import Foundation
import Logging
import MariaDB
import ServiceLifecycle
import SubTrackAPI
import SubTrackServer
import Synchronization

/// The real service in this process, on a real database, reached over real HTTP.
///
///     try await TestService.run(at: "2026-01-31") { service in
///         let ada = try await service.newUser(country: "US")
///         let plan = try await service.addPlan(fee: "17.99")
///         let subscription = try await ada.call(CreateSubscription(planId: plan))
///     }
///
/// The catalogue has countries and currencies and nothing else: a test adds what it needs, by SQL as an admin would.
public struct TestService: Sendable {
    /// A client without a token.
    public let client: APIClient
    /// The time that the service goes by. The database has its own.
    public let clock: ManualClock
    /// The database of the tenant `default`, for SQL as an admin types it.
    public let database: TestDatabase
    /// The control database.
    public let control: TestDatabase
    /// What the service logged.
    public let log: RecordedLog
    /// The settings that it runs with.
    public let settings: ServiceSettings

    /// The port at which it listens, on 127.0.0.1.
    public var port: Int { settings.httpListen.port }

    /// A connection to the first address of its plain sockets; a test says in its settings where they are.
    public func connectSocket() async throws -> RawSocket {
        guard let address = settings.socketListen.first else {
            throw NeverHappened(description: "the test's settings have no socketListen")
        }
        return try await RawSocket.connect(to: address)
    }

    /// Runs a service on databases that other tests of this process use at the same time, each with its own service.
    ///
    /// It takes a few hundredths of a second. What belongs to one user is the test's alone when the test makes the user;
    /// a test that lists or changes the catalogue, or counts rows, wants ``runAlone(at:on:configure:_:)``.
    /// - Parameters:
    ///   - time: what its clock shows; it stands still.
    ///   - configure: changes the settings.
    ///   - body: the test.
    /// - Throws: what the body throws; ``ServerFault`` when the service logged an error (a 500).
    public static func run<Result: Sendable>(
        at time: String = "2026-01-31", configure: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        try await Slots.shared.withSlot {
            let control = try await SharedDatabases.shared.control
            var settings = settings(control)
            configure(&settings)
            return try await run(at: ManualClock(time), settings: settings, control: control, body)
        }
    }

    /// Runs a service on databases of its own, and drops them afterwards, whatever the test did.
    /// - Parameters:
    ///   - time: what its clock shows; it stands still.
    ///   - server: the database server; nil: the one that the tests of this process share.
    ///   - configure: changes the settings.
    ///   - body: the test.
    /// - Throws: what the body throws; ``ServerFault`` when the service logged an error (a 500).
    public static func runAlone<Result: Sendable>(
        at time: String = "2026-01-31", on server: EmbeddedServer? = nil,
        configure: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        let socketPath = if let server { server.socketPath } else { try await ServicesServer.socketPath }
        return try await runAlone(
            at: time, onSocket: socketPath,
            configure: {
                // A server of the test's own may go away: see runUnready.
                if server != nil { $0.waits = RequestWaits() }
                configure(&$0)
            }, body)
    }

    /// Runs a service on databases of its own on the server behind a socket, and drops them afterwards.
    /// - Parameters:
    ///   - time: what its clock shows; it stands still.
    ///   - socketPath: the database server's Unix socket.
    ///   - prepare: is called with the control database's place before anything is there.
    ///   - configure: changes the settings.
    ///   - body: the test.
    /// - Throws: what the body throws; ``ServerFault`` when the service logged an error (a 500).
    public static func runAlone<Result: Sendable>(
        at time: String = "2026-01-31", onSocket socketPath: String,
        prepare: (TestDatabase) async throws -> Void = { _ in },
        configure: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        try await Slots.shared.withSlot {
            let control = TestDatabase(name: TestDatabase.uniqueName(), socketPath: socketPath)
            var settings = settings(control)
            configure(&settings)
            do {
                try await prepare(control)
                let result = try await run(at: ManualClock(time), settings: settings, control: control, body)
                try await control.dropWithTenants()
                return result
            } catch {
                try? await control.dropWithTenants()
                throw error
            }
        }
    }

    /// Runs a service on a server of the test's own that may not even run yet: nobody waits until it is ready.
    /// - Parameters:
    ///   - server: the database server; the databases go with it.
    ///   - configure: changes the settings.
    ///   - body: the test. What the service logs is the test's to judge.
    public static func runUnready<Result: Sendable>(
        on server: EmbeddedServer, at time: String = "2026-01-31",
        configure: (inout ServiceSettings) -> Void = { _ in }, _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        try await Slots.shared.withSlot {
            let control = TestDatabase(name: TestDatabase.uniqueName(), socketPath: server.socketPath)
            var settings = settings(control)
            // Where the database is away, a request waits for it as long as it may.
            settings.waits = RequestWaits()
            configure(&settings)
            return try await run(
                at: ManualClock(time), settings: settings, control: control, isDisturbed: true, body)
        }
    }

    /// Runs a service on a control database that is there, or will be made, and leaves it there.
    /// - Parameters:
    ///   - control: the control database.
    ///   - time: what its clock shows; it stands still.
    ///   - isDisturbed: whether the test disturbs the server: what the service logs is then the test's to judge.
    ///   - body: the test.
    public static func run<Result: Sendable>(
        on control: TestDatabase, at time: String = "2026-01-31", isDisturbed: Bool = false,
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        try await Slots.shared.withSlot {
            var settings = settings(control)
            if isDisturbed { settings.waits = RequestWaits() }
            return try await run(
                at: ManualClock(time), settings: settings, control: control, isDisturbed: isDisturbed, body)
        }
    }

    /// Runs another service with the same databases, as a second replica.
    /// - Parameters:
    ///   - time: what its own clock shows; nil: it goes by the same clock.
    ///   - configure: changes its settings.
    public func runReplica<Result: Sendable>(
        at time: String? = nil, configure: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        var settings = settings
        settings.httpListen = ListenAddress(host: "127.0.0.1", port: 0)
        settings.socketListen = settings.socketListen.compactMap { address in
            guard case .tcp(let address) = address else { return nil }
            return .tcp(ListenAddress(host: address.host, port: 0))
        }
        configure(&settings)
        return try await Self.run(
            at: time.map { ManualClock($0) } ?? clock, settings: settings, control: control, body)
    }

    /// The settings of a service on a control database.
    ///
    /// Limits are out of reach, hashes of passwords quick and tenants seen soon, where a test does not ask for the real ones.
    static func settings(_ control: TestDatabase) -> ServiceSettings {
        var settings = ServiceSettings(
            stateDirectory: URL(fileURLWithPath: "/nonexistent"), httpListen: ListenAddress(host: "127.0.0.1", port: 0),
            database: DatabaseURL(
                endpoint: .unix(path: control.socketPath), user: EmbeddedServer.user, controlDatabase: control.name),
            databaseConnections: 8)
        settings.accountLimits = AccountLimits(
            signInsPerMinute: 100_000, registrationsPerHour: 100_000, mailsPerHour: 100_000,
            tenantSignInsPerMinute: 100_000, devicesPerHour: 100_000)
        // A busy machine is no reason for a 503, nor for half of a push. A test about waits sets those of the service.
        settings.waits = RequestWaits(all: .seconds(60))
        settings.limits.pushTime = .seconds(60)
        settings.accountLimits.longestWait = .seconds(60)
        settings.passwordRounds = 1000
        settings.tenantReadingInterval = .milliseconds(500)
        // 127.0.0.1 stays the tenant `default`'s where a test gives hosts to others.
        settings.defaultTenant = "default"
        ServicesServer.apply(to: &settings, socketPath: control.socketPath, control: control.name)
        return settings
    }

    private static func run<Result: Sendable>(
        at clock: ManualClock, settings: ServiceSettings, control: TestDatabase, isDisturbed: Bool = false,
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        let log = RecordedLog()
        let (addresses, listening) = AsyncStream.makeStream(of: ListenAddress.self)
        let socketAddresses = Mutex<[SocketListenAddress]>([])
        let adminAddress = Mutex<ListenAddress?>(nil)
        let service = SubTrackService(
            settings: settings, clock: clock.wall, logger: log.logger("service"), onListening: { listening.yield($0) },
            onSocketListening: { address in socketAddresses.withLock { $0.append(address) } },
            onAdminListening: { address in adminAddress.withLock { $0 = address } })
        let group = ServiceGroup(services: [Stoppable(service: service)], logger: log.logger("group", level: .notice))
        let hasEnded = Mutex(false)
        let running = Task {
            defer {
                listening.finish()
                hasEnded.withLock { $0 = true }
            }
            try await group.run()
        }
        do {
            guard let address = await addresses.first(where: { _ in true }) else {
                try await running.value
                throw NeverHappened(description: "the service ended before it listened")
            }
            let wanted = settings.socketListen.count
            try await eventually(within: .seconds(60), "sockets are listened for") {
                if hasEnded.withLock({ $0 }) { try await running.value }
                let hasAdmin = settings.adminListen == nil || adminAddress.withLock { $0 } != nil
                return hasAdmin && socketAddresses.withLock { $0.count } == wanted
            }
            var settings = settings
            settings.httpListen = address
            settings.socketListen = socketAddresses.withLock { $0 }
            settings.adminListen = adminAddress.withLock { $0 }
            let test = TestService(
                client: APIClient(baseURL: "\(settings.tls == nil ? "http" : "https")://127.0.0.1:\(address.port)"),
                clock: clock,
                database: TestDatabase(name: control.name + "_default", socketPath: control.socketPath),
                control: control, log: log, settings: settings)
            // Behind an operators' address there is no /readyz at the public one: the test asks there.
            if !isDisturbed, settings.adminListen == nil { try await test.becomesReady() }
            let result = try await body(test)
            await group.triggerGracefulShutdown()
            try await running.value
            let faults = isDisturbed ? [] : log.lines.filter { $0.level >= .error }
            guard faults.isEmpty else { throw ServerFault(lines: faults) }
            return result
        } catch {
            await group.triggerGracefulShutdown()
            try? await running.value
            throw error
        }
    }

    /// Waits until the service says that it can do its work.
    public func becomesReady() async throws {
        do {
            try await eventually(within: .seconds(240), "the service is ready") {
                try await client.send("GET", "/readyz").status == 200
            }
        } catch let error as NeverHappened {
            throw NeverHappened(description: "\(error); it logged \(log.lines)")
        }
    }

    /// The service as part of a group, which stops it in order. The signals belong to the test's process.
    private struct Stoppable: Service {
        let service: SubTrackService
        func run() async throws { try await service.run(stoppingOn: []) }
    }
}

/// The service logged that something went wrong that no input and no fault around it explains.
public struct ServerFault: Error, CustomStringConvertible {
    /// What it logged.
    public let lines: [RecordedLog.Line]

    public var description: String { "the service logged errors: \(lines)" }
}
