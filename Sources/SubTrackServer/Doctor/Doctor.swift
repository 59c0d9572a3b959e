import Foundation
import Logging
import MariaDB

/// Looks whether the database servers are as the service needs them, before something goes wrong. It changes nothing.
public struct Doctor: Sendable {
    let access: DatabaseAccess
    let logger: Logger
    var control: String { access.url.controlDatabase }

    /// A doctor for the servers of a deployment.
    public init(access: DatabaseAccess, logger: Logger) {
        self.access = access
        self.logger = logger
    }

    /// Looks at the control database's server, all tenants, and the other servers that they are on.
    public func findings() async -> [Finding] {
        var findings = await server(nil)
        // What cannot be reached is not tried again for each of the things that are looked at there.
        guard !findings.contains(where: \.isUnreachable) else { return findings }
        guard let client = try? access.migratorClient(logger: logger) else { return findings }
        do {
            // The databases first: a tenant that is made meanwhile is not taken for nobody's.
            let databases = try await client.withConnection(control) { connection in
                try await DoctorQueries.tenantDatabases(control: control, on: connection)
            }
            let tenants = try await client.withConnection(control) { try await TenantQueries.all(on: $0) }
            for server in Set(tenants.compactMap(\.server)).sorted() { findings += await self.server(server) }
            for tenant in tenants { findings.append(await look(at: tenant, control: client)) }
            findings += leftovers(databases, beside: tenants)
        } catch let error as MariaDBError where [1049, 1146, 1054, 1044].contains(error.code) {
            findings.append(
                .warning("databases", "\(control) is not there yet, or not migrated", remedy: "subtrackd migrate"))
        } catch {
            // It was said already why the server cannot be reached.
        }
        await client.shutdown()
        return findings
    }

    /// Looks at one server with the accounts that the service uses there.
    private func server(_ server: String?) async -> [Finding] {
        let name = server ?? access.url.endpoint.description
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
        } catch {
            findings.append(
                .problem("server \(name)", "\(error)", remedy: "See the settings of the database in the README."))
        }
        return findings
    }

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
            "-- where the account is not listed: CREATE USER '\(user)'@'%' IDENTIFIED BY 'the password';",
            "-- where it is: ALTER USER … IDENTIFIED BY 'the password';",
            "-- where one without a name is listed, which goes before '%' for its host (MySQL manual, \"Access Control, "
                + "Stage 1\"): DROP USER ''@'localhost';",
        ]
        if case .disabled = configuration.tls {
            lines.append(
                "-- where the account is REQUIRE SSL: --database-ca-file, with the authority of its certificate")
        }
        return lines.joined(separator: "\n")
    }

    /// Databases that look like a tenant's and are nobody's: of a tenant that was dropped or moved, or made by a command that
    /// was cut off. A tenant on another server may be on this one by another name of it: none of theirs is meant.
    private func leftovers(_ databases: [String], beside tenants: [TenantQueries.Row]) -> [Finding] {
        let known = Set(tenants.map { $0.database.lowercased() })
        return databases.filter { !known.contains($0.lowercased()) }.map { database in
            .warning(
                "database \(database)", "it is like a tenant's, and no tenant of this installation has it",
                // Nothing to be pasted without a thought: another installation may have put a tenant on this server.
                remedy:
                    "-- Another installation's, if its prefix is \(control) as well: see `subtrackd tenant list` there."
                    + "\n-- A command's, if one is making, moving or bringing back a tenant: wait for its end."
                    + "\n-- Nobody's: keep a dump of it before you drop it.")
        }
    }

    /// Looks at one tenant's database.
    private func look(at tenant: TenantQueries.Row, control client: MariaDBClient) async -> Finding {
        let subject = "tenant \(tenant.slug)"
        if tenant.isClosed {
            return .warning(
                subject, "it is closed for work on its data, and answers 503",
                remedy: "subtrackd tenant resume \(tenant.slug)   -- where no move, import or drop is under way")
        }
        do {
            let own = try tenant.server.map { try access.migratorClient(logger: logger, server: $0) }
            let (reason, collation, lost, lacking): (String?, String?, (id: UUID, plan: Int64)?, [String])
            do {
                (reason, collation, lost, lacking) = try await (own ?? client).withConnection(tenant.database) {
                    connection in
                    let reason = try await TenantOpening.reason(on: connection)
                    return (
                        reason, try await DoctorQueries.collation(of: tenant.database, on: connection),
                        reason == nil ? try await TenantImportQueries.subscriptionWithoutPlan(on: connection) : nil,
                        try await TriggerInventory.lacking(
                            .tenant, applied: try await MigrationQueries.applied(on: connection), on: connection
                        ).flatMap(\.triggers)
                    )
                }
            } catch {
                await own?.shutdown()
                throw error
            }
            await own?.shutdown()
            if let reason { return .problem(subject, reason, remedy: "subtrackd migrate") }
            if let collation, collation != "utf8mb4_unicode_ci" {
                return .warning(
                    subject, "the default collation of \(tenant.database) is \(collation)",
                    remedy: "ALTER DATABASE `\(tenant.database)` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;")
            }
            if let lost {
                return .problem(
                    subject, "the subscription \(lost.id) is of the plan \(lost.plan), which is not there",
                    remedy: "INSERT INTO Plan (Plan_ID, …) VALUES (\(lost.plan), …);   -- as it was: by subtrackd sql "
                        + "--tenant \(tenant.slug)")
            }
            if let first = lacking.first {
                return .problem(
                    subject,
                    "\(lacking.count) of its triggers are missing, \(first) among them: nobody keeps their rules. "
                        + "Was a dump loaded in part?",
                    remedy: "subtrackd tenant restored \(tenant.slug)")
            }
            return .ok(subject, tenant.database)
        } catch {
            return .problem(subject, "\(error)", remedy: "subtrackd migrate; subtrackd tenant show \(tenant.slug)")
        }
    }
}
