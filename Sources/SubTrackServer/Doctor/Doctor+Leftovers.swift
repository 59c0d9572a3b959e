import MariaDB

/// Databases that no tenant uses any more.
extension Doctor {
    /// The notes in a database.
    private struct Leftover: Sendable {
        let database: String
        /// The installation that it is noted as.
        let owner: Installation?
        /// Whether it takes no writes, because its tenant was moved or replaced.
        let isFenced: Bool
    }

    /// Looks for databases on a server beside that of the control database. Its own faults are said elsewhere.
    func leftovers(
        on server: String, beside tenants: [TenantQueries.Row], control client: MariaDBClient
    ) async throws -> [Finding] {
        let clients = MigratorClients(access: access, logger: logger)
        do {
            let found = try await bounded(Self.serverLimit, waitingFor: "the databases of \(server)") {
                let other = try clients.client(of: server)
                let databases = try await other.withConnection(nil) {
                    try await DoctorQueries.tenantDatabases(control: control, on: $0)
                }
                return try await leftovers(databases, on: server, beside: tenants, control: client, there: other)
            }
            await clients.shutdown()
            return found
        } catch {
            await clients.shutdown()
            try Task.checkCancellation()
            return []
        }
    }

    /// Looks at databases of the control database's server.
    func leftovers(
        _ databases: [String], beside tenants: [TenantQueries.Row], control client: MariaDBClient
    ) async throws -> [Finding] {
        try await leftovers(databases, on: nil, beside: tenants, control: client, there: client)
    }

    /// Names databases that look like a tenant's and are nobody's. Their tenant was dropped, moved or replaced, or a command was
    /// cut off.
    private func leftovers(
        _ databases: [String], on server: String?, beside tenants: [TenantQueries.Row], control client: MariaDBClient,
        there: MariaDBClient
    ) async throws -> [Finding] {
        let mine = try await client.withConnection(control) { try await Installation.find(on: $0) }
        var findings: [Finding] = []
        for database in databases {
            let users = tenants.filter { $0.database.lowercased() == database.lowercased() }
            guard !users.contains(where: { $0.server == server }) else { continue }
            let leftover = try await examine(database, client: there)
            // A tenant on another server may be on this one by another name of it. A closed one is being worked on.
            guard users.isEmpty || (leftover.isFenced && !users.contains(where: \.isClosed)) else { continue }
            if let finding = finding(leftover, mine) { findings += [finding].of(name(of: server)) }
        }
        return findings
    }

    private func examine(_ database: String, client: MariaDBClient) async throws -> Leftover {
        do {
            return try await client.withConnection(database) { connection in
                Leftover(
                    database: database, owner: try await Installation.find(on: connection),
                    isFenced: try await TenantFence.isRaised(on: connection))
            }
        } catch is MariaDBError {
            // The account may not read it.
            return Leftover(database: database, owner: nil, isFenced: false)
        }
    }

    private func finding(_ leftover: Leftover, _ mine: Installation?) -> Finding? {
        let (database, subject) = (leftover.database, "database \(leftover.database)")
        guard let owner = leftover.owner, owner == mine else {
            // subtrackit_staging_2 may be the database of the tenant 2 of the installation subtrackit_staging.
            guard leftover.owner == nil || DoctorQueries.isFirstName(database, control: control) else { return nil }
            return .warning(
                subject, "it is like a tenant's, and no tenant of this installation has it",
                // Nothing to be pasted without a thought: another installation may have put a tenant on this server.
                remedy:
                    "-- Another installation's, if its prefix is \(control) as well: see `subtrackd tenant list` there."
                    + "\n-- A command's, if one is making, moving or bringing back a tenant: wait for its end."
                    + "\n-- Nobody's: keep a dump of it before you drop it.")
        }
        let slug = database.dropFirst(control.count + 1).prefix { $0 != "_" }
        guard leftover.isFenced else {
            return .warning(
                subject, "it is this installation's, and no tenant has it: a command was cut off, or is under way",
                remedy: "-- Wait for the end of a command that makes, moves or brings back \(slug)."
                    + "\n-- Where none is under way: keep a dump of it before you drop it.")
        }
        return .warning(
            subject,
            "the tenant \(slug) left it behind: it was moved, or its data were replaced. It takes no writes any more",
            remedy:
                "DROP DATABASE `\(database)`;   -- once all is well with \(slug) where it is now (subtrackd tenant show \(slug))"
        )
    }
}
