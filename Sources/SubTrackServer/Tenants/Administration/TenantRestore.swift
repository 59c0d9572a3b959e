import Foundation
import MariaDB
import SubTrackAPI

/// The return of a backup's tenants.
extension TenantAdministration {
    /// Makes the tenants of a backup, with their hosts.
    ///
    /// A tenant that is suspended here stays so, and one that was suspended at the backup becomes so: an operator's decision is undone
    /// by `tenant resume` alone. Hosts of tenants that are not restored answer 404, because another tenant's data would be the answer
    /// where a default tenant is named.
    /// - Parameters:
    ///   - folder: a folder that ``backUp(to:report:)`` wrote.
    ///   - isReplacing: whether a tenant that is there gets the data of the backup. Otherwise it is refused and stays as it is, unless
    ///     its database is gone.
    ///   - isHere: whether all databases are made beside the control database, wherever they were.
    ///   - report: takes each tenant's outcome as soon as it is known.
    /// - Returns: whether all tenants were restored, those included that are missing in the backup.
    /// - Throws: ``TenantFileFault`` when the folder is no whole backup.
    @discardableResult
    public func restore(
        from folder: String, isReplacing: Bool, isHere: Bool = false, report: (Outcome) -> Void
    ) async throws -> Bool {
        let backup = try TenantBackup.read(in: folder)
        try await reserveHosts(of: backup)
        var isWhole = true
        for entry in backup.tenants {
            let outcome = try await restore(entry, from: folder, isReplacing: isReplacing, isHere: isHere)
            isWhole = isWhole && outcome.rows != nil
            report(outcome)
        }
        for failure in backup.failed ?? [] {
            isWhole = false
            report(try await outcome(of: failure, isHere: isHere))
        }
        return isWhole
    }

    /// Has the hosts of a backup answer 404 before anything else: a restore that is cut off leaves none of them to another tenant. A
    /// tenant that comes back gets its own. Hosts of tenants that are here stay as they are.
    private func reserveHosts(of backup: TenantBackup) async throws {
        let tenants =
            backup.tenants.map { (slug: $0.slug, hosts: $0.hosts) }
            + (backup.failed ?? []).map { (slug: $0.slug, hosts: $0.hosts ?? []) }
        try await onControl { connection in
            for host in backup.formerHosts ?? [] {
                try await TenantQueries.insert(formerHost: host.lowercased(), of: "", on: connection)
            }
            for (slug, hosts) in tenants where try await TenantQueries.find(slug, on: connection) == nil {
                for host in hosts {
                    try await TenantQueries.insert(formerHost: host.lowercased(), of: slug, on: connection)
                }
            }
        }
    }

    /// Restores one tenant.
    private func restore(
        _ entry: TenantBackup.Entry, from folder: String, isReplacing: Bool, isHere: Bool
    ) async throws -> Outcome {
        let path = folder + "/" + entry.file
        let server = isHere ? nil : entry.server
        do {
            let row = try await onControl { try await TenantQueries.find(entry.slug, on: $0) }
            if let row, !isReplacing {
                // Of a database that is gone nothing can be replaced.
                guard row.isMade, try await isLost(row) else {
                    throw Refusal("there is a tenant \(entry.slug) already: --replace puts the backup in its place")
                }
            }
            let result = try await `import`(
                entry.slug, from: path, isReplacing: row != nil, hosts: row == nil ? entry.hosts : [], server: server)
            if row != nil { try await setHosts(entry.slug, adding: entry.hosts, removing: []) }
            if entry.isSuspended { try await setSuspended(true, entry.slug) }
            var outcome = Outcome(slug: entry.slug, rows: result.rows, failure: nil, unused: result.unused)
            outcome.isSuspended = entry.isSuspended || row?.isSuspended == true
            return outcome
        } catch let error as CancellationError {
            throw error
        } catch {
            let advice = RightsAdvice.of(error).map { "; \($0)" } ?? ""
            var outcome = Outcome(slug: entry.slug, rows: nil, failure: "\(error)\(advice)", unused: nil)
            // A tenant that is here and goes on as it was needs nothing.
            let isThere = try await onControl { try await TenantQueries.find(entry.slug, on: $0) } != nil
            guard !isThere else { return outcome }
            outcome.reservedHosts = entry.hosts
            outcome.commands = Self.commands(
                entry.slug, file: path, isReplacing: false, hosts: entry.hosts, server: server,
                isSuspended: entry.isSuspended)
            return outcome
        }
    }

    /// The outcome for a tenant that is missing in the backup.
    private func outcome(of failure: TenantBackup.Failure, isHere: Bool) async throws -> Outcome {
        let isThere = try await onControl { try await TenantQueries.find(failure.slug, on: $0) } != nil
        let reason = ShownText.of(failure.reason, limit: 500)
        var outcome = Outcome(
            slug: failure.slug, rows: nil,
            failure: "it is not in this backup, for it could not be read when the backup was written: \(reason)",
            unused: nil)
        outcome.reservedHosts = isThere ? [] : failure.hosts ?? []
        outcome.commands = Self.commands(
            failure.slug, file: "\(failure.slug).jsonl", isReplacing: isThere,
            hosts: isThere ? [] : failure.hosts ?? [], server: isHere || isThere ? nil : failure.server,
            isSuspended: failure.isSuspended == true && !isThere)
        return outcome
    }

    /// The commands that bring a tenant back by hand, as a shell takes them.
    private static func commands(
        _ slug: String, file: String, isReplacing: Bool, hosts: [String], server: String?, isSuspended: Bool
    ) -> [String] {
        var words = ["subtrackd", "tenant", "import", slug, quoted(file)]
        if isReplacing { words.append("--replace") }
        for host in hosts { words += ["--host", host] }
        if let server { words += ["--server", quoted(server)] }
        let suspension = isSuspended ? ["subtrackd tenant suspend \(slug)"] : []
        return [words.joined(separator: " ")] + suspension
    }

    /// A word of a shell's command line.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-:@".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
