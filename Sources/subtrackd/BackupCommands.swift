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
                Self.print(outcome, in: folder)
                if outcome.rows == nil { missing.append(outcome.slug) }
            }
            return missing
        }
        guard missing.isEmpty else {
            Exit.say("subtrackd: the backup is not whole; missing: \(missing.joined(separator: ", "))")
            throw Exit.unavailable
        }
    }

    static func print(_ outcome: TenantAdministration.Outcome, in folder: String) {
        guard let rows = outcome.rows else {
            return Exit.say("\(outcome.slug): failed: \(outcome.failure ?? "for an unknown reason")")
        }
        let unused = outcome.unused.map { "; no longer used: \($0)" } ?? ""
        Swift.print("\(outcome.slug): \(rows) rows in \(folder)/\(outcome.slug).jsonl\(unused)")
    }
}

/// `subtrackd restore`
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes the tenants of a backup, with their hosts, on this installation.",
        discussion: """
            For an empty installation it is enough to name the folder. A tenant that is there already is left as it is, \
            unless --replace is given: it answers 503 for some seconds then, and its former database stays. Devices ask \
            for everything anew; tokens and passwords are those of the backup. The exit code is 69 where a tenant failed, \
            or is missing in the backup; each is named.
            """)
    @Argument(help: "The folder that subtrackd backup wrote.", completion: .directory) var folder: String
    @Flag(help: "Put the backup in place of tenants that are there.") var replace = false
    @Flag(help: "Make all databases beside the control database, wherever they were.") var here = false
    @OptionGroup var options: TenantOptions

    func run() async throws {
        let missing = try await options.withTenants(mayMake: true) { [folder, replace, here] tenants in
            var missing: [String] = []
            try await tenants.restore(from: folder, isReplacing: replace, isHere: here) { outcome in
                Backup.print(outcome, in: folder)
                if outcome.rows == nil { missing.append(outcome.slug) }
            }
            return missing
        }
        guard missing.isEmpty else {
            Exit.say("subtrackd: not all tenants are restored; missing: \(missing.joined(separator: ", "))")
            throw Exit.unavailable
        }
    }
}
