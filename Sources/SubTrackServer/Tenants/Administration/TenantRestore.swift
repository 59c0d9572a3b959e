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
    ///   - slugs: the tenants to restore; nil: all of the backup, also those that were dropped since.
    ///   - isReplacing: whether a tenant that is there gets the data of the backup. Otherwise it stays as it is, unless its database
    ///     is gone.
    ///   - isHere: whether all databases are made beside the control database, wherever they were.
    ///   - report: takes each tenant's outcome as soon as it is known.
    /// - Returns: whether all tenants were restored or are here and stay as they are, those included that are missing in the backup.
    /// - Throws: ``TenantFileFault`` when the folder is no whole backup, or has not one of the tenants.
    @discardableResult
    public func restore(
        from folder: String, only slugs: [String]? = nil, isReplacing: Bool, isHere: Bool = false,
        report: (Outcome) -> Void
    ) async throws -> Bool {
        let backup = try TenantBackup.read(in: folder)
        try backup.checkNames(slugs ?? [], in: folder)
        // All of them: a tenant that is not asked for is not here either, and no other one answers for it.
        try await reserveHosts(of: backup)
        var isWhole = true
        for entry in backup.tenants where slugs?.contains(entry.slug) != false {
            let outcome = try await restore(entry, from: folder, isReplacing: isReplacing, isHere: isHere)
            isWhole = isWhole && !outcome.isFailed
            report(outcome)
        }
        for failure in backup.failed ?? [] where slugs?.contains(failure.slug) != false {
            let outcome = try await outcome(of: failure, isHere: isHere)
            isWhole = isWhole && !outcome.isFailed
            report(outcome)
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
        // Whether a tenant that is here needs the backup: its database is gone, or the data of its people are in the backup alone.
        var isNeeded = false
        do {
            let row = try await onControl { try await TenantQueries.find(entry.slug, on: $0) }
            if let row, !isReplacing {
                guard let rest = try await rest(of: row) else {
                    isNeeded = try await lacksPeople(row, of: path)
                    guard !isNeeded else {
                        throw Refusal(
                            "the tenant \(entry.slug) is here without people, and the backup has some: --replace puts the "
                                + "backup in its place")
                    }
                    var outcome = Outcome(slug: entry.slug, rows: nil, failure: nil, unused: nil)
                    outcome.leftBecause = "it is here; --replace would put the backup in its place"
                    return outcome
                }
                isNeeded = true
                // Of a database that is gone nothing can be replaced.
                guard row.isMade, try await isLost(row) else {
                    throw Refusal("\(DatabaseGone(row, rest).reason): --replace puts the backup in its place")
                }
            }
            let result = try await `import`(
                entry.slug, from: path, isReplacing: row != nil, hosts: row == nil ? entry.hosts : [], server: server)
            if row != nil { try await setHosts(entry.slug, adding: entry.hosts, removing: []) }
            if entry.isSuspended { try await setSuspended(true, entry.slug) }
            var outcome = Outcome(slug: entry.slug, rows: result.rows, failure: nil, unused: result.unused)
            outcome.isSuspended = entry.isSuspended || result.isSuspended
            return outcome
        } catch let error as CancellationError {
            throw error
        } catch {
            let advice = RightsAdvice.of(error).map { "; \($0)" } ?? ""
            var outcome = Outcome(slug: entry.slug, rows: nil, failure: "\(error)\(advice)", unused: nil)
            let isThere = try await onControl { try await TenantQueries.find(entry.slug, on: $0) } != nil
            // A tenant that is here and goes on as it was needs nothing.
            guard !isThere || isNeeded else { return outcome }
            outcome.reservedHosts = isThere ? [] : entry.hosts
            outcome.commands = Self.commands(
                entry.slug, file: path, isReplacing: isThere, hosts: isThere ? [] : entry.hosts,
                server: isThere ? nil : server, isSuspended: entry.isSuspended)
            return outcome
        }
    }

    /// Whether nobody is in a tenant that has people in a backup, as where a start made it before the restore.
    private func lacksPeople(_ row: TenantQueries.Row, of path: String) async throws -> Bool {
        let isInUse = try await clients.client(of: row.server).withConnection(row.database) {
            try await TenantCountQueries.isInUse(on: $0)
        }
        guard !isInUse else { return false }
        // The line of a table comes before its rows, and a row is an array.
        var lines = try LineReader(path: path)
        while let line = try lines.next(atMost: TenantImport.longestLine) {
            guard line.first == UInt8(ascii: "{"),
                let shape = try? JSONDecoder().decode(TableShape.self, from: line), shape.table.lowercased() == "user"
            else { continue }
            return try lines.next(atMost: TenantImport.longestLine)?.first == UInt8(ascii: "[")
        }
        return false
    }

    /// The outcome for a tenant that is missing in the backup.
    private func outcome(of failure: TenantBackup.Failure, isHere: Bool) async throws -> Outcome {
        let row = try await onControl { try await TenantQueries.find(failure.slug, on: $0) }
        let isThere = row != nil
        // The cause alone: earlier versions wrote the advice of that day behind it.
        let cause = failure.reason.prefix { $0 != ";" && $0 != "\n" }
        let shown = ShownText.of(String(cause), limit: 500)
        let reason = "it is not in this backup, for it could not be read when the backup was written: \(shown)"
        if let row {
            do {
                let isUsable = try await rest(of: row) == nil
                if isUsable {
                    var outcome = Outcome(slug: failure.slug, rows: nil, failure: nil, unused: nil)
                    outcome.leftBecause = reason
                    return outcome
                }
            } catch let error where !(error is CancellationError) {
                // Nothing is known of its data, so that no command that replaces them is proposed.
                return Outcome(
                    slug: failure.slug, rows: nil, failure: "\(reason); its database cannot be looked at: \(error)",
                    unused: nil)
            }
        }
        var outcome = Outcome(slug: failure.slug, rows: nil, failure: reason, unused: nil)
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
