import ArgumentParser
import SubTrackServer

/// `subtrackd backup`
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes all tenants and the control database's part into a folder; the service goes on meanwhile.",
        discussion: """
            Each tenant is written as it is at one moment. The folder has people's data and hashes of passwords in it: \
            only this user can read it. A tenant that cannot be written is named, and the exit code is 69 then. \
            backup.json is written last: a folder without it is no whole backup.
            """)
    @Argument(help: "The folder: empty, or not there yet.", completion: .directory) var folder: String
    @OptionGroup var options: TenantOptions

    func run() async throws {
        let missing = try await options.withTenants { [folder] tenants in
            var missing: [String] = []
            try await tenants.backUp(to: folder) { outcome in
                if let rows = outcome.rows {
                    print("\(outcome.slug): \(rows) rows written to \(folder)/\(outcome.slug).jsonl")
                } else {
                    Exit.say("\(outcome.slug): failed: \(outcome.failure ?? "for an unknown reason")")
                    missing.append(outcome.slug)
                }
            }
            return missing
        }
        guard missing.isEmpty else {
            Exit.say("subtrackd: the backup is not whole; missing: \(missing.joined(separator: ", "))")
            throw Exit.unavailable
        }
    }
}

/// `subtrackd restore`
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes the tenants of a backup, with their hosts, on this installation.",
        discussion: """
            For an empty installation it is enough to name the folder. Where tenants are there already, name those to bring \
            back with --tenant. Without it all tenants of the backup that are not there come back with their hosts, also \
            those that were dropped since. A tenant that is there is left as it is, unless --replace is given or its \
            database is gone. With --replace it answers 503 for some seconds, and its former database stays. Devices ask for everything anew; tokens and passwords are those of the backup. A tenant \
            that is suspended here, or was so at the backup, is suspended afterwards.

            Exit codes: 0 all tenants are restored or left as they are, 65 the folder is no whole backup or lacks a tenant \
            of --tenant, 69 the restore is partial. Then each missing tenant is named with the commands that bring it back, \
            and its hosts answer 404 until a tenant has them. A tenant that is there without people counts as missing \
            where the backup has people.
            """)
    @Argument(help: "The folder that subtrackd backup wrote.", completion: .directory) var folder: String
    @Option(help: "A tenant to restore, in place of all of the backup; may be given again.") var tenant: [String] = []
    @Flag(help: "Put the backup in place of tenants that are there.") var replace = false
    @Flag(help: "Make all databases beside the control database, wherever they were.") var here = false
    @OptionGroup var options: TenantOptions

    func run() async throws {
        let missing = try await options.withTenants(
            mayMake: true, lookingFirst: { try TenantBackup.check(folder, has: tenant) }
        ) { [folder, tenant, replace, here] tenants in
            var missing: [TenantAdministration.Outcome] = []
            let slugs = tenant.isEmpty ? nil : tenant
            try await tenants.restore(from: folder, only: slugs, isReplacing: replace, isHere: here) { outcome in
                Self.tell(outcome, from: folder)
                if outcome.isFailed { missing.append(outcome) }
            }
            return missing
        }
        guard missing.isEmpty else {
            let names = missing.map(\.slug).joined(separator: ", ")
            Exit.say("subtrackd: the restore is partial: not all tenants are restored; missing: \(names)")
            Self.proposeCommands(for: missing)
            throw Exit.unavailable
        }
    }

    private static func tell(_ outcome: TenantAdministration.Outcome, from folder: String) {
        let slug = outcome.slug
        if let reason = outcome.leftBecause { return print("\(slug): left as it is: \(reason)") }
        guard let rows = outcome.rows else {
            return Exit.say("\(slug): failed: \(outcome.failure ?? "for an unknown reason")")
        }
        print("\(slug): \(rows) rows restored from \(folder)/\(slug).jsonl")
        if let unused = outcome.unused { print("\(slug): its former database \(unused) is no longer used") }
        if outcome.isSuspended { print("\(slug): it is suspended; subtrackd tenant resume \(slug) lets it go on") }
    }

    /// Prints the commands that bring back tenants, and the hosts that wait for them.
    private static func proposeCommands(for missing: [TenantAdministration.Outcome]) {
        let hosts = missing.flatMap(\.reservedHosts)
        if !hosts.isEmpty {
            Exit.say("These hosts answer 404 until a tenant has them: \(hosts.joined(separator: ", "))")
        }
        let commands = missing.flatMap(\.commands)
        guard !commands.isEmpty else { return }
        Exit.say("To finish, with the file mended or taken from an older backup:")
        for command in commands { Exit.say("  \(command)") }
    }
}
