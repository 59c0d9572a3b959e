import ArgumentParser
import Foundation
import SubTrackServer

/// `subtrackd tenant`
struct TenantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant",
        abstract: "Makes, moves and removes tenants, each of which has a database of its own.",
        discussion: """
            A tenant is addressed by its path, /t/SLUG/v1/…, or by a host name of its own. Running services see what is \
            done here within ten seconds. Databases are made and changed by the migrator's account (--migrator-url). The \
            embedded database is used while the service runs, and started for as long as this runs where it does not.

            Results are on standard output, with --json as JSON; progress is on standard error. Exit codes: 0 done, 64 \
            usage, 65 a file to import is faulty, 69 something needed is unavailable, 78 configuration, or it is refused.
            """,
        subcommands: [
            Create.self, List.self, Show.self, Hosts.self, Areas.self, Suspend.self, Resume.self, Move.self,
            Export.self,
            Import.self, Restored.self, Drop.self,
        ])
}

/// What all commands for tenants have.
struct TenantOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions

    /// Runs a body with the tenants of the database that is configured, or of the embedded one, running or not. SIGINT and
    /// SIGTERM cancel it: no tenant is left closed.
    /// - Parameters:
    ///   - mayMake: whether an embedded database is made where there is none.
    ///   - lookingFirst: refuses arguments that cannot be used, before a database is made or changed for them.
    func withTenants<Result: Sendable>(
        mayMake: Bool = false, lookingFirst: () throws -> Void = {},
        _ body: @escaping @Sendable (TenantAdministration) async throws -> Result
    ) async throws -> Result {
        try await Exit.reporting {
            let settings = try database.settings()
            do { try lookingFirst() } catch let fault as TenantFileFault {
                Exit.say("subtrackd: \(fault)")
                throw Exit.data
            }
            return try await Interruption.cancelling { try await Self.run(body, with: settings, mayMake: mayMake) }
        }
    }

    private static func run<Result: Sendable>(
        _ body: (TenantAdministration) async throws -> Result, with settings: ServiceSettings, mayMake: Bool
    ) async throws -> Result {
        try await Commands.withPreparedDatabase(settings, isControlEnough: true, mayMake: mayMake) { access in
            let tenants = TenantAdministration(access: access, logger: Commands.logger)
            do {
                let result = try await body(tenants)
                await tenants.shutdown()
                return result
            } catch {
                await tenants.shutdown()
                switch error {
                case let refusal as TenantAdministration.Refusal: throw SettingsError("\(refusal)")
                case let fault as TenantFileFault:
                    Exit.say("subtrackd: \(fault)")
                    throw Exit.data
                default: throw error
                }
            }
        }
    }
}

extension TenantCommand {
    /// `subtrackd tenant create`
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a tenant with a database of its own.")
        @Argument(help: "Its name: 1 to 32 small letters and digits.") var slug: String
        @Option(help: "A host name by which it is addressed as well; may be given again.") var host: [String] = []
        @Option(help: "Where its database is made: mysql://user@host:3306. (default: beside the control database)")
        var server: String?
        @Option(
            help: """
                The areas that it has beside those of every tenant, with commas between them, or none. (default: those that are on \
                unless you decide otherwise)
                """)
        var areas: String?
        @Option(help: "The plans that it begins with: none, or a demo catalogue to try it.")
        var catalog = StartingCatalog.none
        @Flag(help: "The same as --catalog demo.") var demo = false
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants(lookingFirst: { _ = try TenantName.checked(slug: slug) }) {
                tenants in
                let hasPlans = demo || catalog == .demo
                let names = areas.map { $0 == "none" ? [] : AreaNames.all(in: [$0]) }
                try await tenants.create(
                    slug, hosts: host, server: server, areas: names, hasDemoCatalogue: hasPlans)
                print("\(slug): created\(hasPlans ? ", with the demo catalogue" : "")")
                if !hasPlans {
                    Exit.say("It has no plans yet: subtrackd catalog apply FILE --tenant \(slug) loads them.")
                }
            }
        }

        /// The plans of a new tenant.
        enum StartingCatalog: String, CaseIterable, ExpressibleByArgument {
            case none, demo
        }
    }

    /// `subtrackd tenant list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all tenants.")
        @Flag(help: "As JSON.") var json = false
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants { tenants in
                let all = try await tenants.listWithProblems()
                guard !json else { return try TenantCommand.printJSON(all) }
                for tenant in all {
                    print(
                        ([tenant.slug, tenant.status.rawValue, tenant.database]
                            + [
                                tenant.server, tenant.hosts.isEmpty ? nil : tenant.hosts.joined(separator: " "),
                                "areas: \(tenant.areas.joined(separator: " "))", tenant.problem,
                            ].compactMap(\.self)).joined(separator: "\t"))
                }
                // The remedy stands in the command that shows one of them.
                for tenant in all where tenant.problem != nil {
                    Exit.say("subtrackd: \(tenant.slug) cannot be used: subtrackd tenant show \(tenant.slug)")
                }
            }
        }
    }

    /// `subtrackd tenant show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows a tenant and how much it has.")
        @Argument(help: "The tenant.") var slug: String
        @Flag(help: "As JSON.") var json = false
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants { tenants in
                let tenant = try await tenants.show(slug)
                guard !json else { return try TenantCommand.printJSON(tenant) }
                print("tenant         \(tenant.slug)\nstatus         \(tenant.status.rawValue)")
                print("database       \(tenant.database)\nserver         \(tenant.server ?? "the control database's")")
                print("hosts          \(tenant.hosts.isEmpty ? "none" : tenant.hosts.joined(separator: " "))")
                print("areas          \(tenant.areas.joined(separator: " "))")
                print("created        \(tenant.createdAt)\nepoch          \(tenant.epoch)")
                if let counts = tenant.counts {
                    print("users          \(counts.users)\naccounts       \(counts.accounts)")
                    print("subscriptions  \(counts.subscriptions)\nplans          \(counts.plans)")
                    print("size           \(counts.bytes / 1024) KiB")
                }
                if let problem = tenant.problem { print("problem        \(problem)") }
            }
        }
    }

    /// `subtrackd tenant hosts`
    struct Hosts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Gives host names to a tenant, or takes some away.")
        @Argument(help: "The tenant.") var slug: String
        @Option(help: "A host name to add; may be given again.") var add: [String] = []
        @Option(help: "A host name to remove; may be given again.") var remove: [String] = []
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants { tenants in
                try await tenants.setHosts(slug, adding: add, removing: remove)
                print((try await tenants.show(slug)).hosts.joined(separator: "\n"))
            }
        }
    }

    /// `subtrackd tenant suspend`
    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answers a tenant's people 403 tenant_suspended; its data stay as they are.")
        @Argument(help: "The tenant.") var slug: String
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants { tenants in
                try await tenants.setSuspended(true, slug)
                print("\(slug): suspended")
            }
        }
    }

    /// `subtrackd tenant resume`
    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Lets a tenant go on that is suspended, or that a move, import or drop left closed which was killed.")
        @Argument(help: "The tenant.") var slug: String
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants { tenants in
                try await tenants.setSuspended(false, slug)
                print("\(slug): active")
            }
        }
    }

    /// `subtrackd tenant move`
    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a tenant's data to another database server.",
            discussion: """
                The tenant answers 503 while its data are copied, and some seconds before. The database that it leaves is \
                no longer used, takes no writes any more, and stays: drop it when you have seen that all is well. Ctrl-C \
                leaves everything as it was. The folder for temporary files \
                (TMPDIR) needs room for the data.
                """)
        @Argument(help: "The tenant.") var slug: String
        @Option(help: "Where to: mysql://user@host:3306, or control for the control database's server.") var server:
            String
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants { tenants in
                let former = try await tenants.list().first { $0.slug == slug }?.server
                let (rows, unused) = try await tenants.move(slug, to: server == "control" ? nil : server)
                let place = former ?? "the control database's server"
                print("\(slug): \(rows) rows moved; its former database \(unused) on \(place) is no longer used")
            }
        }
    }

    /// `subtrackd tenant export`
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes all that a tenant has into a file, as it is at one moment; others go on meanwhile.",
            discussion: "The file has people's data in it, and can be imported on MariaDB and on MySQL.")
        @Argument(help: "The tenant.") var slug: String
        @Argument(help: "The file, which must not be there.", completion: .file()) var file: String
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants { tenants in
                print("\(slug): \(try await tenants.export(slug, to: file)) rows written to \(file)")
            }
        }
    }

    /// `subtrackd tenant import`
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a tenant of an export, or restores one.",
            discussion: """
                With --replace a tenant that is there gets the data of the file; it answers 503 for some seconds, and what \
                it had stays in a database that is no longer used. Devices ask for everything anew. A tenant of another \
                name than the one that was exported is a copy: its people sign in anew, and mails that the other one has \
                queued are not in it. A tenant that the import makes is suspended where the exported one was, unless --active \
                is given. With --replace it stays as it is here.
                """)
        @Argument(help: "The tenant.") var slug: String
        @Argument(help: "The file.", completion: .file()) var file: String
        @Flag(help: "In place of what the tenant has.") var replace = false
        @Flag(help: "Make an active tenant, although the exported one was suspended.") var active = false
        @Option(help: "A host name by which it is addressed as well; may be given again.") var host: [String] = []
        @Option(
            help: "Where its database is made: mysql://user@host:3306. (default: where it was, or beside the control's)"
        )
        var server: String?
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants(lookingFirst: {
                _ = try TenantName.checked(slug: slug)
                try TenantAdministration.checkExport(file)
            }) { tenants in
                let imported = try await tenants.import(
                    slug, from: file, isReplacing: replace, hosts: host, server: server, isActive: active)
                let former = imported.unused.map { "; its former database \($0) is no longer used" } ?? ""
                print("\(slug): \(imported.rows) rows imported from \(file)\(former)")
                if imported.isSuspended {
                    print(
                        "\(slug): it is suspended, as \(replace ? "before" : "at the export"); to let it go on: "
                            + "subtrackd tenant resume \(slug)")
                }
            }
        }
    }

    /// `subtrackd tenant restored`
    struct Restored: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Migrates a tenant's database that was restored from a backup, and has devices ask for everything anew."
        )
        @Argument(help: "The tenant.") var slug: String
        @OptionGroup var options: TenantOptions

        func run() async throws {
            try await options.withTenants { tenants in
                let applied = try await tenants.restored(slug)
                let files = applied.isEmpty ? "" : "\(applied.count) file\(applied.count == 1 ? "" : "s") applied; "
                print("\(slug): \(files)a new epoch has begun")
            }
        }
    }

    /// `subtrackd tenant drop`
    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a tenant and its database; what it had is left in an export.",
            discussion: """
                It asks for the tenant's name, unless --yes is given. Where the database is gone there is no export.
                """)
        @Argument(help: "The tenant.") var slug: String
        @Option(help: "The file for the export. (default: SLUG-TIME.jsonl in this folder)", completion: .file())
        var export: String?
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var options: TenantOptions

        func run() async throws {
            let isSuspended = try await options.withTenants { try await $0.show(slug).status == .suspended }
            // Asked between the two: Ctrl-C ends it here as it does everywhere.
            try await Exit.reporting {
                guard !yes else { return }
                Exit.say("This removes the tenant \(slug) with all its people's data. Type its name to go on:")
                guard readLine(strippingNewline: true) == slug else { throw SettingsError("nothing was removed") }
            }
            try await options.withTenants { tenants in
                let time = Date.now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
                let path = export ?? "\(slug)-\(time).jsonl"
                guard let rows = try await tenants.drop(slug, exportingTo: path) else {
                    return print("\(slug): removed; nothing was left of its database, so that there is no export")
                }
                print("\(slug): removed; \(rows) rows written to \(path)")
                if isSuspended {
                    print("\(slug): it was suspended, and so is a tenant that its export makes")
                }
            }
        }
    }

    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
