import Logging
import MariaDB
import SubTrackAPI

/// The preparation of the databases beside the running service.
extension SubTrackService {
    /// Migrates, as soon as the database can be reached; until then the service answers 503.
    func prepare(
        _ access: DatabaseAccess, servers: DatabaseServers, directory: TenantDirectory, readiness: Readiness
    ) async throws {
        let client = servers.main
        var preparation = Preparation(access: access, logger: logger)
        preparation.leavesGone = true
        preparation.isLogged = { server in
            // A server has no connections before the directory was read.
            guard (try? await directory.all()) != nil, let client = try? servers.client(of: server) else {
                return false
            }
            if !client.isAway { _ = try? await client.withConnection(nil) { _ in } }
            return client.isAway
        }
        var pause = Duration.milliseconds(250)
        var fault = LastingFault()
        var since: Instant?
        var isToldOfHosts = false
        while true {
            let begin = clock.now()
            do {
                let outcomes = try await preparation.run(
                    defaultTenant: .init(hasDemoCatalogue: access.embedded != nil),
                    onControl: { readiness.controlPrepared() })
                readiness.prepared()
                await look(at: outcomes.filter(\.isGone).map(\.slug), directory)
                if let away = fault.end(at: .now) {
                    logger.notice(
                        "The database is prepared",
                        metadata: [
                            "database": "\(access.url.endpoint)",
                            "away": "\(away.secondsText)",
                        ])
                }
                since = nil
                if !isToldOfHosts { await tellOfHosts(client, control: access.url.controlDatabase) }
                isToldOfHosts = true
                guard outcomes.contains(where: { $0.failure != nil }) else { return }
                // Their requests get 503 meanwhile; an operator may be mending what stood in the way.
                try await Task.sleep(for: settings.preparationInterval)
            } catch let error where !(error is CancellationError) {
                // Once the service has worked, its own client says that the server is away, and that it is back.
                var isLogged = false
                if readiness.isPrepared { isLogged = await preparation.isLogged(nil) }
                since = since ?? begin
                var metadata: Logger.Metadata = [
                    "database": "\(access.url.endpoint)", "error": "\(error)", "since": "\(since ?? begin)",
                ]
                metadata["remedy"] = RightsAdvice.of(error).map { "\($0)" }
                if isLogged {
                    logger.debug("The database cannot be prepared", metadata: metadata)
                } else if fault.isToBeSaid("\(error)", at: .now) {
                    if (error as? MariaDBError)?.isOutOfReach == true {
                        if access.embedded == nil { metadata["remedy"] = Self.reachRemedy }
                        logger.error(
                            "The service waits for its database; requests are answered 503 until it can be reached.",
                            metadata: metadata)
                    } else {
                        logger.error(
                            "The database cannot be prepared; requests are answered 503, and it is tried again.",
                            metadata: metadata)
                    }
                }
                try await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(2))
            }
        }
    }

    /// Advice to the operator of a database server that cannot be reached.
    private static let reachRemedy: Logger.MetadataValue =
        "start the database server, or correct --database-url; subtrackd doctor looks at the server"

    /// Has the tenants say that their database is gone, whether anybody uses them or not.
    private func look(at gone: [String], _ directory: TenantDirectory) async {
        guard !gone.isEmpty, let tenants = try? await directory.all() else { return }
        for tenant in tenants where gone.contains(tenant.slug) {
            tenant.opening.lookAgain()
            _ = try? await tenant.opening.check()
        }
    }

    /// Warns of a default tenant that is not there, and of hosts that are refused because no default is named.
    private func tellOfHosts(_ client: MariaDBClient, control: String) async {
        let findings = try? await client.withConnection(control) { connection in
            try await HostFindings.atStart(defaultTenant: settings.defaultTenant, on: connection)
        }
        for finding in findings ?? [] {
            logger.warning("\(finding.text)", metadata: finding.remedy.map { ["remedy": "\($0)"] })
        }
    }
}

extension MariaDBError {
    /// Whether no connection could be had: the server is away, does not answer, or has none that is free.
    fileprivate var isOutOfReach: Bool { kind == .connection || kind == .poolTimeout }
}
