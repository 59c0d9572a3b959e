import ArgumentParser
import Foundation
import MariaDB
import SubTrackAPI
import SubTrackServer

/// `subtrackd catalog`
struct Catalog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks, compares, applies and writes catalogues of plans.",
        subcommands: [Check.self, Diff.self, Apply.self, Export.self, Import.self])
}

extension Catalog {
    /// `subtrackd catalog import`
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Loads a provider's plans and prices of a day, in any number of countries.",
            discussion: """
                A FILE is a JSON list of countries: {"country_code": "DE", "currency": "EUR", "plans": [{"name": "basic", \
                "price": 7.99}, {"name": "mobile", "price": null}]}; null: not sold there; other fields are not looked at. \
                Plans are by the month. A plan keeps the name that it has in the catalogue: capitals do not count, and _ \
                is a space.

                All files are checked first, and every fault is reported; with any of them nothing is written. Then they \
                are loaded, the oldest first, one transaction for each country. Loading a file again changes nothing; one \
                that is older than what is there fills the past of the prices. When it was cut off, run it again.

                No plan is withdrawn: those that are in the catalogue and not in the file are reported.

                The embedded database is used while the service runs, and started for as long as the import runs where \
                it does not. Counts are on standard output, progress and faults on standard error. Exit codes: 0 done, \
                64 usage, 65 a file is faulty or cannot be read, 69 something needed is unavailable, 78 configuration.
                """)

        @Argument(help: "The files.", completion: .file(extensions: ["json"]))
        var files: [String]

        @Option(help: "The tenant whose catalogue it is.")
        var tenant = "default"

        @Option(help: "Who sells the plans; made if it is not there.")
        var provider = "Netflix"

        @Option(help: "The category of a provider that is not there yet.")
        var category = "Video"

        @Option(
            help: """
                YYYY-MM-DD, the day from which the prices hold; with one FILE alone. (default: the day in the file's name, \
                else today in UTC)
                """)
        var effectiveOn: String?

        @Flag(help: "Say what would be done, against the catalogue as it is now; write nothing.")
        var dryRun = false

        @Flag(help: "Counts, or faults, as JSON.")
        var json = false

        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard effectiveOn == nil || files.count == 1 else {
                throw ValidationError("--effective-on goes with one file; put the days into the names of several.")
            }
            if let effectiveOn, CalendarDate(effectiveOn).map(Self.days.contains) != true {
                throw ValidationError(
                    "--effective-on must be a day from \(Self.days.lowerBound) to \(Self.days.upperBound).")
            }
        }

        func run() async throws {
            try await Exit.reporting {
                let settings = try database.settings()
                let snapshots = try files.map(read)
                do {
                    let reports = try await load(snapshots, settings: settings)
                    try show(reports)
                } catch let error as SnapshotFaults {
                    if json {
                        try Exit.printJSON(Faults(faults: error.faults))
                    } else {
                        for fault in error.faults { Exit.say("\(fault)") }
                        let count = error.faults.count
                        Exit.say("subtrackd: \(count) \(count == 1 ? "fault" : "faults"); nothing was written")
                    }
                    throw Exit.data
                }
            }
        }
    }
}

extension Catalog.Import {
    /// The days that the database takes for a price.
    private static let days = CalendarDate.ofCatalogue

    /// The form of `--json`.
    private struct Reports: Encodable {
        let dryRun: Bool
        let files: [ImportReport]
    }

    /// The form of `--json` when nothing was written.
    private struct Faults: Encodable {
        let faults: [SnapshotFault]
    }

    private func read(_ path: String) throws -> PriceSnapshot {
        let url = URL(fileURLWithPath: path)
        let name = url.lastPathComponent
        let named = try effectiveOn.flatMap { CalendarDate($0) } ?? PriceSnapshot.day(inFileName: name)
        let day = named ?? WallClock.system.now().date(secondsFromUTC: 0)
        guard Self.days.contains(day) else {
            throw SettingsError("\(name): the day must be from \(Self.days.lowerBound) to \(Self.days.upperBound)")
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            // One byte more than is allowed tells that there are too many.
            let bytes = try handle.read(upToCount: PriceSnapshot.maximumBytes + 1) ?? Data()
            return PriceSnapshot(name: name, effectiveOn: day, json: bytes)
        } catch {
            throw try Exit.refusing(name, RevisionFileFaults([Exit.unreadable(path, error)]), json: json)
        }
    }

    /// Loads into the database that is configured, or the embedded one, running or not.
    private func load(_ snapshots: [PriceSnapshot], settings: ServiceSettings) async throws -> [ImportReport] {
        let bar = ProgressBar()
        do {
            return try await Commands.withPreparedDatabase(settings) { access in
                try await access.withTenant(tenant, logger: Commands.logger) { tenant in
                    try await CatalogueImport(tenant, provider: provider, category: category)
                        .run(snapshots, isDryRun: dryRun, progress: bar.show)
                }
            }
        } catch {
            bar.end()
            throw error
        }
    }

    private func show(_ reports: [ImportReport]) throws {
        guard !json else { return try Exit.printJSON(Reports(dryRun: dryRun, files: reports)) }
        if dryRun { print("Dry run: nothing was written.") }
        for report in reports { print(report) }
    }
}

/// A bar on standard error while a file is loaded, where that is a terminal; nothing elsewhere.
private struct ProgressBar {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private static let width = 30

    func show(_ progress: CatalogueImport.Progress) {
        guard isTerminal else { return }
        let filled = progress.total == 0 ? Self.width : Self.width * progress.done / progress.total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        write("\r\(progress.file) [\(bar)] \(progress.done)/\(progress.total) \(progress.country ?? "  ")")
        if progress.country == nil { write("\n") }
    }

    /// Leaves the line of a bar that was cut off.
    func end() { if isTerminal { write("\n") } }

    private func write(_ text: String) { Exit.mutter(text) }
}
