import Foundation
import MariaDB

/// What is looked at in tenants' databases.
extension Doctor {
    /// What was read of a tenant's database.
    private struct Examination: Sendable {
        /// Why it is not in the state that this service needs.
        var reason: String?
        var collation: String?
        var lost: (id: UUID, plan: Int64)?
        var triggers = TriggerInventory.Comparison()
        var views = ViewInventory.Drift()
        /// The installation that it is noted as.
        var owner: Installation?
        var remarks: [AreaRemark] = []
    }

    /// Looks at all tenants.
    /// - Parameter dead: servers that cannot be reached: they are not tried again for each tenant.
    func look(
        at tenants: [TenantQueries.Row], control client: MariaDBClient, dead: Set<String>
    ) async throws -> [Finding] {
        let clients = MigratorClients(access: access, logger: logger)
        let mine = try? await client.withConnection(control) { try await Installation.find(on: $0) }
        var findings: [Finding] = []
        var dead = dead
        do {
            for tenant in tenants {
                if let server = tenant.server, dead.contains(server) {
                    findings.append(
                        .problem(
                            "tenant \(tenant.slug)", "it is on \(server), which cannot be reached",
                            remedy: "subtrackd doctor   -- once the server answers"))
                    continue
                }
                let (found, isLost) = try await look(at: tenant, clients, mine)
                findings += found
                if isLost, let server = tenant.server { dead.insert(server) }
            }
        } catch {
            await clients.shutdown()
            throw error
        }
        await clients.shutdown()
        return findings
    }

    /// Looks at one tenant's database.
    /// - Returns: what was found, and whether its server did not answer.
    private func look(
        at tenant: TenantQueries.Row, _ clients: MigratorClients, _ mine: Installation?
    ) async throws -> ([Finding], isLost: Bool) {
        let subject = "tenant \(tenant.slug)"
        if tenant.isClosed {
            return (
                [
                    .warning(
                        subject, "it is closed for work on its data, and answers 503",
                        remedy: "subtrackd tenant resume \(tenant.slug)   -- where no move, import or drop is under way"
                    )
                ], false
            )
        }
        let remedy = "subtrackd migrate; subtrackd tenant show \(tenant.slug)"
        do {
            let examination = try await bounded(Self.tenantLimit, waitingFor: "the tenant \(tenant.slug)") {
                try await examine(tenant, try clients.client(of: tenant.server))
            }
            return (judge(examination, of: tenant, subject, mine), false)
        } catch is DeadlineExceeded {
            return ([.problem(subject, "its server did not answer within \(Self.tenantLimit)", remedy: remedy)], true)
        } catch let gone as DatabaseGone {
            return ([.problem(subject, gone.reason, remedy: gone.remedies.joined(separator: "\n"))], false)
        } catch let error as CancellationError {
            throw error
        } catch {
            let kind = (error as? MariaDBError)?.kind
            return ([.problem(subject, "\(error)", remedy: remedy)], kind == .connection || kind == .poolTimeout)
        }
    }

    private func examine(_ tenant: TenantQueries.Row, _ client: MariaDBClient) async throws -> Examination {
        try await DatabaseGone.check(tenant, client: client)
        let plan = access.settings.areas.plan(for: tenant)
        return try await client.withConnection(tenant.database) { connection in
            var found = Examination()
            found.reason = try await TenantOpening.reason(plan, on: connection)
            guard found.reason == nil else { return found }
            found.collation = try await DoctorQueries.collation(of: tenant.database, on: connection)
            found.lost = try await TenantImportQueries.subscriptionWithoutPlan(on: connection)
            let applied = try await MigrationQueries.applied(on: connection)
            let kept = plan.keeping(applied)
            found.triggers = try await TriggerInventory.compare(kept, applied: applied, on: connection)
            found.views = try await ViewInventory.compare(kept, applied: applied, on: connection)
            found.owner = try await Installation.find(on: connection)
            let areas = access.settings.areas
            // Nothing is done for a suspended tenant, so that nothing of it is late.
            for area in areas.areas(in: areas.on(tenant.areas)) where !tenant.isSuspended {
                found.remarks += try await area.look(connection)
            }
            return found
        }
    }

    /// All that is wrong with a tenant's database, the worst first.
    private func judge(
        _ found: Examination, of tenant: TenantQueries.Row, _ subject: String, _ mine: Installation?
    ) -> [Finding] {
        // Nothing else was looked at then.
        if let reason = found.reason { return [.problem(subject, reason, remedy: "subtrackd migrate")] }
        let findings = problems(found, of: tenant, subject) + warnings(found, of: tenant, subject, mine)
        guard findings.isEmpty else { return findings }
        let text =
            found.triggers.isBlind
            ? "\(tenant.database); its triggers were not looked at, for this account may not see them (--migrator-url)"
            : tenant.database
        return [.ok(subject, text)]
    }

    private func problems(_ found: Examination, of tenant: TenantQueries.Row, _ subject: String) -> [Finding] {
        var findings: [Finding] = []
        if let lost = found.lost {
            findings.append(
                .problem(
                    subject, "the subscription \(lost.id) is of the plan \(lost.plan), which is not there",
                    remedy: "INSERT INTO Plan (Plan_ID, …) VALUES (\(lost.plan), …);   -- as it was: by subtrackd sql "
                        + "--tenant \(tenant.slug)"))
        }
        let missing = found.triggers.drifts.flatMap(\.missing) + found.views.missing
        if !missing.isEmpty {
            let what = found.views.missing.isEmpty ? "triggers" : "triggers and views"
            findings.append(
                .problem(
                    subject,
                    "\(missing.count) of its \(what) are missing, \(Self.list(missing)) among them: nobody keeps their "
                        + "rules. Was a dump loaded in part?",
                    remedy: "subtrackd tenant restored \(tenant.slug)"))
        }
        let changed = found.triggers.drifts.flatMap(\.changed) + found.views.changed
        if !changed.isEmpty {
            findings.append(
                .problem(
                    subject,
                    "somebody has changed \(Self.list(changed)): what they do now is not what this version of the service "
                        + "counts on",
                    remedy: "subtrackd migrate   -- makes them again as they were"))
        }
        return findings
    }

    private func warnings(
        _ found: Examination, of tenant: TenantQueries.Row, _ subject: String, _ mine: Installation?
    ) -> [Finding] {
        var findings: [Finding] = []
        if let owner = found.owner, let mine, owner != mine {
            findings.append(
                .warning(
                    subject,
                    "\(tenant.database) is noted as another installation's (control database \(owner.control)): it was "
                        + "loaded from a dump of theirs, or both use it",
                    remedy: "subtrackd tenant restored \(tenant.slug)   -- where nobody else uses it"))
        }
        if !found.triggers.others.isEmpty {
            findings.append(
                .warning(
                    subject, "there are triggers that are none of the service's: \(Self.list(found.triggers.others))",
                    remedy: found.triggers.others.map {
                        "DROP TRIGGER `\(tenant.database)`.`\($0)`;   -- where nobody needs it"
                    }
                    .joined(separator: "\n")))
        }
        findings += found.remarks.map { .warning(subject, $0.text, remedy: $0.remedy) }
        if let collation = found.collation, collation != "utf8mb4_unicode_ci" {
            findings.append(
                .warning(
                    subject, "the default collation of \(tenant.database) is \(collation)",
                    remedy: "ALTER DATABASE `\(tenant.database)` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;"))
        }
        return findings
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
