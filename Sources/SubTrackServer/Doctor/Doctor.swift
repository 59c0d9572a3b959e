import Foundation
import Logging
import MariaDB

/// Looks whether the database servers are as the service needs them, before something goes wrong. What it makes to prove it,
/// it drops.
public struct Doctor: Sendable {
    let access: DatabaseAccess
    let logger: Logger
    /// Whether it makes a scratch tenant on each server and tries there what the service does.
    public var proves = false
    /// Servers that are looked at although no tenant is on them: `mysql://user@host:3306`.
    public var furtherServers: [String] = []
    /// Is told what the doctor waits for when that takes longer than a second.
    public var onWaiting: @Sendable (String) -> Void = { _ in }
    var control: String { access.url.controlDatabase }

    /// How long a server may take to be looked at, and each tenant on it; and how long the proof may take on a slow machine.
    static let (serverLimit, tenantLimit, proofLimit) = (
        Duration.seconds(15), Duration.seconds(15), Duration.seconds(180)
    )

    /// A doctor for the servers of a deployment.
    public init(access: DatabaseAccess, logger: Logger) {
        self.access = access
        self.logger = logger
    }

    /// Reads the URL of a server.
    /// - Returns: its form in tenants' rows; nil for that of the control database.
    /// - Throws: ``SettingsError`` that names its fault.
    public func checked(server: String) throws -> String? {
        let url = try DatabaseURL(server: server, controlDatabase: control)
        return url.endpoint == access.url.endpoint ? nil : url.serverText
    }

    /// Looks at the control database's server, all tenants, and the other servers that they are on.
    /// - Returns: what was found. Where the task is cancelled, nothing; what was made is dropped by then.
    public func findings() async -> [Finding] { (try? await examine()) ?? [] }

    private func examine() async throws -> [Finding] {
        var findings = try await server(nil)
        // What cannot be reached is not tried again for each of the things that are looked at there.
        guard !findings.contains(where: \.isUnreachable) else { return findings }
        if !Self.forbidProof(findings) { findings += try await proof(of: nil) }
        guard let client = try? access.migratorClient(logger: logger) else { return findings }
        do {
            let (further, deadFurther) = try await self.servers(furtherServers)
            findings += further
            // The databases first: a tenant that is made meanwhile is not taken for nobody's.
            let databases = try await client.withConnection(control) { connection in
                try await DoctorQueries.tenantDatabases(control: control, on: connection)
            }
            let tenants = try await client.withConnection(control) { try await TenantQueries.all(on: $0) }
            let names = Set(tenants.compactMap(\.server)).subtracting(furtherServers).sorted()
            let (others, deadOthers) = try await self.servers(names)
            findings += others
            let dead = deadOthers.union(deadFurther)
            findings += try await look(at: tenants, control: client, dead: dead)
            findings += try await leftovers(databases, beside: tenants, control: client)
            for server in names + furtherServers where !dead.contains(server) {
                findings += try await leftovers(on: server, beside: tenants, control: client)
            }
            findings += try await client.withConnection(control) { connection in
                try await HostFindings.examine(defaultTenant: access.settings.defaultTenant, on: connection)
            }
        } catch let error as MariaDBError where [1049, 1146, 1054, 1044].contains(error.code) {
            let lacksRights = findings.contains { $0.level == .problem && $0.subject.hasPrefix(Self.rightsSubject) }
            findings.append(
                .warning(
                    "databases", "\(control) is not there yet, or not migrated",
                    remedy: "subtrackd migrate\(lacksRights ? "   -- after the GRANTs above" : "")"))
        } catch let error as CancellationError {
            await client.shutdown()
            throw error
        } catch {
            // It was said already why the server cannot be reached.
        }
        await client.shutdown()
        return findings
    }

    /// Whether nothing is to be tried on a server: it takes no writes, cannot hold the schema, or lets an account not in.
    private static func forbidProof(_ findings: [Finding]) -> Bool {
        findings.contains { $0.isUnusable || ($0.level == .problem && $0.subject.hasPrefix("server ")) }
    }

    /// Looks at several servers at the same time, so that those that are away cost no more than one of them.
    /// - Returns: what was found, in the order of the servers, and those that cannot be reached.
    private func servers(_ names: [String]) async throws -> (findings: [Finding], dead: Set<String>) {
        let found = try await withThrowingTaskGroup(of: (String, [Finding]).self) { group in
            for name in names { group.addTask { (name, try await server(name)) } }
            return try await group.reduce(into: [String: [Finding]]()) { $0[$1.0] = $1.1 }
        }
        var findings: [Finding] = []
        var dead: Set<String> = []
        for name in names {
            let own = found[name] ?? []
            findings += own
            if own.contains(where: \.isUnreachable) {
                dead.insert(name)
            } else if !Self.forbidProof(own) {
                findings += try await proof(of: name)
            }
        }
        return (findings, dead)
    }

    /// Looks at one server with the accounts that the service uses there.
    private func server(_ server: String?) async throws -> [Finding] {
        let name = name(of: server)
        do {
            return try await bounded(Self.serverLimit, waitingFor: "the server \(name)") {
                try await look(at: server, name).of(name)
            }
        } catch is DeadlineExceeded {
            return [
                .problem(
                    "server \(name)", "it did not answer within \(Self.serverLimit)",
                    remedy: "Is it overloaded, or stopped?", isUnreachable: true)
            ].of(name)
        }
    }

    private func look(at server: String?, _ name: String) async throws -> [Finding] {
        var findings: [Finding] = []
        do {
            // The client's library says that it cannot be read, and not which file.
            try access.settings.checkDatabaseCA()
            let service = try access.configuration(of: server, as: .service)
            let hasMigrator = access.settings.migrator != nil
            findings += try await signedIn(service, of: name) { connection in
                var findings = try await serverFindings(connection, service)
                findings += try await rights(connection, isMigrator: !hasMigrator, isService: true)
                return findings
            }
            if hasMigrator, !findings.contains(where: \.isUnreachable) {
                let migrator = try access.configuration(of: server, as: .migrator)
                findings += try await signedIn(migrator, of: server ?? migrator.endpoint.description) {
                    try await rights($0, isMigrator: true, isService: false)
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            findings.append(
                .problem(
                    "server \(name)", "\(error)",
                    remedy: "See --database-url and the settings below it in docs/operate/settings.md."))
        }
        return findings
    }

    /// Tries on a server what the service does, with the accounts that do it.
    private func proof(of server: String?) async throws -> [Finding] {
        guard proves else { return [] }
        let name = name(of: server)
        do {
            let proof = ServerProof(
                control: control, migrator: try access.configuration(of: server, as: .migrator),
                service: try access.configuration(of: server, as: .service), areas: access.settings.areas,
                logger: logger)
            return try await bounded(Self.proofLimit, waitingFor: "a scratch tenant on \(name)") {
                try await proof.run().of(name)
            }
        } catch is DeadlineExceeded {
            return [
                .problem(
                    "proof", "on \(name) it was not done within \(Self.proofLimit); what had been made was dropped",
                    remedy: "-- The server is too slow for the service, or waits for somebody: SHOW FULL PROCESSLIST")
            ]
        } catch let error as SettingsError {
            return [
                .problem(
                    "proof", "\(error)",
                    remedy: "See --database-url and the settings below it in docs/operate/settings.md.")
            ]
        }
    }

    /// The name of a server in findings; nil: that of the control database.
    func name(of server: String?) -> String { server ?? access.url.endpoint.description }

    /// Runs a body that is cancelled when its time is over. Says what it waits for.
    /// - Throws: ``DeadlineExceeded``; what the body throws.
    func bounded<Result: Sendable>(
        _ limit: Duration, waitingFor what: String, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: .seconds(1))
                onWaiting("waiting for \(what), \(limit.components.seconds) s at the most …")
                try await Task.sleep(for: limit - .seconds(1))
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else {
                try Task.checkCancellation()
                throw DeadlineExceeded()
            }
            return result
        }
    }

    /// What is looked at did not answer in time.
    struct DeadlineExceeded: Error {}

    /// Signs in once, and runs a body.
    private func signedIn(
        _ configuration: MariaDBConfiguration, of name: String, _ body: (Connection) async throws -> [Finding]
    ) async throws -> [Finding] {
        var configuration = configuration
        configuration.maximumConnections = 1
        configuration.leaseTimeout = .seconds(5)
        configuration.name = "doctor"
        let client = MariaDBClient(configuration: configuration, logger: logger)
        do {
            let findings = try await client.withConnection(nil, body)
            await client.shutdown()
            return findings
        } catch let error as MariaDBError {
            await client.shutdown()
            return [unreachable(error, configuration, name)]
        } catch {
            await client.shutdown()
            throw error
        }
    }

    private func unreachable(
        _ error: MariaDBError, _ configuration: MariaDBConfiguration, _ name: String
    ) -> Finding {
        let subject = "server \(name)"
        if let fault = SignInFault(error) {
            return .problem(
                subject, "\(fault.text): \(error.message)", remedy: fault.remedy, isUnreachable: !fault.isOfAccount)
        }
        switch error.code {
        case 1045:
            return .problem(
                subject, "it refuses the user \(configuration.user): \(error.message)",
                remedy: Self.remedy(ofRefused: configuration))
        case 2026:
            return .problem(
                subject,
                "TLS cannot be had, or the server's certificate is not of the CA file's authority and for this host: "
                    + error.message,
                remedy:
                    "-- The certificate must have the URL's host among its names (the one that MySQL makes for itself has none),\n"
                    + "-- and --database-ca-file the authority that made it.")
        case 1184 where error.message.contains("init_connect"):
            return .problem(
                subject,
                "its init_connect fails for \(configuration.user), which ends the connection: \(error.message)",
                remedy: "SHOW GLOBAL VARIABLES LIKE 'init_connect';   -- mend it, or: SET GLOBAL init_connect = '';",
                isUnreachable: true)
        case 0 where error.kind == .refused, 1193 where error.kind == .refused:
            return .problem(
                subject, error.message, remedy: "Use a MariaDB from 10.6 on, or a MySQL from 8.0 on.",
                isUnreachable: true)
        default:
            return .problem(
                subject, "it cannot be reached: \(error.message)", remedy: "Is the address right, and does it run?",
                isUnreachable: true)
        }
    }

    /// What may be behind error 1045: the server tells nobody whether it is the account, the password or how it is reached.
    private static func remedy(ofRefused configuration: MariaDBConfiguration) -> String {
        let user = configuration.user.replacing("\\", with: "\\\\").replacing("'", with: "''")
        // One of them is right, so that none can be pasted with the others.
        var lines = [
            "SELECT User, Host FROM mysql.user WHERE User IN ('\(user)', '');   -- by an administrator",
            "-- where the account is not listed: CREATE USER '\(user)'@'%' IDENTIFIED BY 'the password';"
                + "   -- then the GRANTs of subtrackd doctor --grants",
            "-- where it is: ALTER USER … IDENTIFIED BY 'the password';",
            "-- where one without a name is listed, which goes before '%' for its host (MySQL manual, \"Access Control, "
                + "Stage 1\"): DROP USER ''@'localhost';",
        ]
        if case .disabled = configuration.tls {
            lines.append(
                "-- where the server takes TLS alone (require_secure_transport is ON, or the account has REQUIRE SSL): "
                    + "--database-ca-file FILE, with the authority of its certificate")
        }
        return lines.joined(separator: "\n")
    }
}
