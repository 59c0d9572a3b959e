import ArgumentParser
import Foundation
import SubTrackServer

/// `subtrackd rates`
struct Rates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Loads exchange rates.", subcommands: [Import.self])

    /// `subtrackd rates import`
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Loads the European Central Bank's file of rates.",
            discussion: """
                FILE is eurofxref-daily.xml, or the CSV of the same name, from \
                https://www.ecb.europa.eu/stats/eurofxref/; files of several days are taken too. All rates are loaded or \
                none; loading them again changes nothing. All faults are told at once, each with its line, and so are \
                currencies that the database does not know. Exit codes: 0 done, 64 usage, 65 the file is faulty, 69 \
                something needed is unavailable, 78 configuration.
                """)

        @Argument(help: "The file.", completion: .file(extensions: ["xml", "csv"]))
        var file: String

        @Option(help: "The tenant whose rates they are.")
        var tenant = "default"

        @Flag(help: "Leave out the rates of currencies that the database does not know; they are named.")
        var skipUnknown = false

        @Flag(help: "What was done, or the faults, as JSON.")
        var json = false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await Exit.reporting {
                let settings = try database.settings()
                let url = URL(fileURLWithPath: file)
                let bytes = try Exit.bytes(of: file, json: json)
                let report: RateImport.Report
                do {
                    let rates = try RateFile.withFaults(name: url.lastPathComponent, bytes: bytes)
                    report = try await load(rates, settings: settings)
                } catch let found as RevisionFileFaults {
                    throw try Exit.refusing(url.lastPathComponent, found, json: json)
                }
                if json {
                    try Exit.printJSON(report)
                } else {
                    let codes = report.unknown.joined(separator: " ")
                    let unknown = codes.isEmpty ? "" : "; left out, unknown currencies: \(codes)"
                    print(
                        "Rates up to \(report.on): \(report.changed) new or changed, \(report.unchanged) unchanged\(unknown)"
                    )
                }
            }
        }

        /// Loads rates. Where the database is away, the file's faults are told without unknown currencies.
        private func load(_ rates: RateFile, settings: ServiceSettings) async throws -> RateImport.Report {
            do {
                return try await Commands.withPreparedDatabase(settings) { access in
                    try await access.withTenant(tenant, logger: Commands.logger) {
                        try await RateImport($0).run(rates, skipsUnknown: skipUnknown)
                    }
                }
            } catch {
                if error is RevisionFileFaults || rates.faults.isEmpty { throw error }
                throw RevisionFileFaults(rates.faults)
            }
        }
    }
}
