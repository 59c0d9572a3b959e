import ArgumentParser
import Foundation
import MariaDB
import SubTrackAPI
import SubTrackServer

/// What the commands that take a file of plans share.
struct RevisionOptions: ParsableArguments {
    @Argument(help: "The file: .csv, .json or .sql.", completion: .file(extensions: ["csv", "json", "sql"]))
    var file: String

    @Option(help: "csv, json or sql. (default: what the file's name ends with)")
    var format: RevisionFile.Format?

    @Option(help: "The tenant whose catalogue it is.")
    var tenant = "default"

    @Option(
        help: """
            YYYY-MM-DD, the day from which prices hold whose rows name none. (default: the day in the file's name, else \
            today in UTC)
            """)
    var effectiveOn: String?

    @Flag(
        help: """
            The file has all plans of its providers in its countries: those that are in the catalogue and not in the file \
            are withdrawn on that day.
            """)
    var complete = false

    @Option(help: "Who sells the plans, where a file of JSON is a list of countries that does not say so.")
    var provider: String?

    @Flag(help: "The report as JSON.")
    var json = false

    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        if let effectiveOn, CalendarDate(effectiveOn) == nil {
            throw ValidationError("--effective-on must be a day such as 2027-01-31.")
        }
    }

    /// Reads the file and lends what works on it.
    func run<Result>(
        _ body: (CatalogueRevision, RevisionFile, CatalogueRevision.Options, RevisionProgress) async throws -> Result
    ) async throws -> Result {
        let settings = try database.settings()
        let url = URL(fileURLWithPath: file)
        let name = url.lastPathComponent
        let bytes = try Exit.bytes(of: file, json: json)
        let named = try effectiveOn.flatMap { CalendarDate($0) } ?? PriceSnapshot.day(inFileName: name)
        let options = CatalogueRevision.Options(
            effectiveOn: named ?? WallClock.system.now().date(secondsFromUTC: 0), isComplete: complete,
            provider: provider)
        do {
            let revision = try RevisionFile(name: name, format: format, bytes: bytes)
            return try await Commands.withPreparedDatabase(settings) { access in
                try await access.withTenant(tenant, logger: Commands.logger) { tenant in
                    let progress = RevisionProgress(file: name)
                    defer { progress.end() }
                    do {
                        return try await body(CatalogueRevision(tenant), revision, options, progress)
                    } catch {
                        progress.end()
                        progress.sayHowFar()
                        throw error
                    }
                }
            }
        } catch let found as RevisionFileFaults {
            throw try Exit.refusing(name, found, json: json)
        } catch let fault as RevisionFileFault {
            throw try Exit.refusing(name, RevisionFileFaults([fault]), json: json)
        } catch let rejected as RevisionRejected {
            try show(rejected.report, withRows: false)
            throw Exit.data
        }
    }

    /// Prints a report; all faults of the file come before the sums, which a screen shows of a long list.
    /// - Parameter withRows: whether the rows that change something are printed as well.
    func show(_ report: RevisionReport, withRows: Bool) throws {
        guard !json else { return try Exit.printJSON(report) }
        for fault in report.faults { Exit.say("\(fault)") }
        if report.isCut {
            Exit.say("subtrackd: the first \(report.faults.count) of \(report.rejected) faults are shown")
        }
        if withRows { for line in report.details.dropFirst(report.faults.count) { print(line) } }
        print(report)
        let staying = report.rows.count { $0.staysWithdrawn }
        if staying > 0 {
            let plans = staying == 1 ? "1 plan of the file stays" : "\(staying) plans of the file stay"
            Exit.say(
                "subtrackd: \(plans) withdrawn, as subtrackd catalog diff shows; an empty Withdrawn_on sells a plan again"
            )
        }
        guard report.rejected > 0 else { return }
        let count = report.rejected
        Exit.say("subtrackd: \(count) \(count == 1 ? "row is" : "rows are") rejected; nothing was changed")
    }
}

extension RevisionFile.Format: ExpressibleByArgument {}

extension Catalog {
    /// `subtrackd catalog check`
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what is wrong with a file of plans, and how much it would change.",
            discussion: """
                All faults of the file are told at once, in the order of its lines: each with its line, row and column, the \
                reason and the remedy. With --json they are the member faults of the one value on standard output.

                Columns (the first line of CSV, the members of JSON): \(columns). Country_ID, Provider, Plan_name, Fee, \
                Duration_value and Duration_unit are needed; what is empty is taken for the country's currency, the type \
                Standard, --effective-on, and terms as they are. A row with Withdrawn_on withdraws its plan; without a fee \
                that plan must be in the catalogue, unless the fee is none. Where that column is there and empty, a plan that is \
                withdrawn is sold again; a file without it leaves such a plan withdrawn. Of SQL only \
                INSERT INTO Staged_plan is taken, with @revision for the column Revision. Exit codes: 0 nothing is wrong, \
                64 usage, 65 a row or the file is faulty, 69 something needed is unavailable, 78 configuration.
                """)

        static let columns =
            "Country_ID, Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value, "
            + "Duration_unit, Trial_days, Notice_days, Withdrawn_on, Category"

        @OptionGroup var options: RevisionOptions

        func run() async throws {
            try await Exit.reporting {
                let report = try await options.run { work, file, settings, progress in
                    try await work.check(file, settings, progress: progress.show)
                }
                try options.show(report, withRows: false)
                guard report.rejected == 0 else { throw Exit.data }
            }
        }
    }

    /// `subtrackd catalog diff`
    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists what applying a file of plans would change.",
            discussion: """
                The faults, as check tells them; then a line for each row that is new or changes something, up to 1,000; then \
                the sums.
                """)

        @OptionGroup var options: RevisionOptions

        func run() async throws {
            try await Exit.reporting {
                let report = try await options.run { work, file, settings, progress in
                    try await work.check(file, settings, progress: progress.show)
                }
                try options.show(report, withRows: true)
                guard report.rejected == 0 else { throw Exit.data }
            }
        }
    }

    /// `subtrackd catalog apply`
    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Applies a file of plans: new plans, prices, terms, withdrawals.",
            discussion: """
                The file is staged and checked first, also where it was checked before; with a single row that is rejected \
                nothing is applied. Then each country is applied in a transaction of its own. When it was cut off, it says how \
                many were applied; run it again: it goes on where it stopped. Applying a file again changes nothing. Columns: \
                see check.
                """)

        @Flag(help: "Say what would be done; change nothing.")
        var dryRun = false

        @OptionGroup var options: RevisionOptions

        func run() async throws {
            try await Exit.reporting {
                let report = try await options.run { work, file, settings, progress in
                    dryRun
                        ? try await work.check(file, settings, progress: progress.show)
                        : try await work.apply(file, settings, progress: progress.show)
                }
                if dryRun, !options.json { print("Dry run: nothing was changed.") }
                try options.show(report, withRows: dryRun)
                guard report.rejected == 0 else { throw Exit.data }
                // The sums are those of check: without this line nothing tells that they came true.
                if !dryRun, !options.json {
                    let noun = report.countries == 1 ? "country" : "countries"
                    print("Applied: \(report.applied) of \(report.countries) \(noun)")
                }
            }
        }
    }

    /// `subtrackd catalog export`
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes the catalogue to standard output, in a form that apply takes.",
            discussion: "A row for each price of each plan, past and announced.")

        @Option(help: "csv, json or sql.")
        var format = RevisionFile.Format.csv

        @Option(help: "The tenant whose catalogue it is.")
        var tenant = "default"

        @Option(help: "ISO 3166-1 code of the only country that is written. (default: all)")
        var country: String?

        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await Exit.reporting {
                let settings = try database.settings()
                _ = try await Commands.withPreparedDatabase(settings) { access in
                    try await access.withTenant(tenant, logger: Commands.logger) { tenant in
                        try await CatalogueExport(tenant).run(format, country: country) { text in
                            try Exit.write(text)
                        }
                    }
                }
            }
        }
    }
}

/// A bar on standard error while a revision is read, checked and applied, where that is a terminal; nothing elsewhere.
final class RevisionProgress {
    private let file: String
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var last: CatalogueRevision.Progress?
    private var isEnded = false
    private static let width = 30

    init(file: String) { self.file = file }

    func show(_ progress: CatalogueRevision.Progress) {
        last = progress
        guard isTerminal else { return }
        switch progress.stage {
        case .reading: write("\r\(file) \(progress.done) rows read")
        case .checking: write("\r\(file) is checked …      ")
        case .applying:
            let filled = progress.total == 0 ? Self.width : Self.width * progress.done / progress.total
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
            write("\r\(file) [\(bar)] \(progress.done)/\(progress.total) \(progress.country ?? "  ")")
        }
    }

    /// Leaves the line of the bar.
    func end() {
        if isTerminal, !isEnded { write("\n") }
        isEnded = true
    }

    /// Says how many countries were applied before an error; nothing where none was begun.
    func sayHowFar() {
        guard let last, last.stage == .applying else { return }
        Exit.say(
            "subtrackd: \(last.done) of \(last.total) countries were applied; apply the file again: it goes on where it stopped"
        )
    }

    private func write(_ text: String) { Exit.mutter(text) }
}
