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
                none; loading them again changes nothing. Exit codes: 0 done, 64 usage, 65 the file is faulty, 69 \
                something needed is unavailable, 78 configuration.
                """)

        @Argument(help: "The file.", completion: .file(extensions: ["xml", "csv"]))
        var file: String

        @Option(help: "The tenant whose rates they are.")
        var tenant = "default"

        @Flag(help: "What was done, as JSON.")
        var json = false

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await Exit.reporting {
                let settings = try database.settings()
                let url = URL(fileURLWithPath: file)
                let rates: RateFile
                do {
                    rates = try RateFile(name: url.lastPathComponent, bytes: try Data(contentsOf: url))
                } catch {
                    Exit.say(
                        "subtrackd: \((error as? RevisionFileFault).map(String.init(describing:)) ?? error.localizedDescription)"
                    )
                    throw Exit.data
                }
                let report = try await Commands.withPreparedDatabase(settings) { access in
                    try await access.withTenant(tenant, logger: Commands.logger) { try await RateImport($0).run(rates) }
                }
                if json {
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = [.sortedKeys]
                    print(String(decoding: try encoder.encode(report), as: UTF8.self))
                } else {
                    let unknown =
                        report.unknown.isEmpty ? "" : "; unknown currencies: \(report.unknown.joined(separator: " "))"
                    print(
                        "Rates up to \(report.on): \(report.changed) new or changed, \(report.unchanged) unchanged\(unknown)"
                    )
                }
            }
        }
    }
}
