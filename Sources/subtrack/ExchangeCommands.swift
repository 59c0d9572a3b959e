import ArgumentParser
import Foundation
import SubTrackKit

struct Export: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes all subscriptions as JSON or CSV, to be kept or imported again.",
        discussion: """
            An import of the file brings back the subscriptions with plan, own fee, trial, dates of the present period, cancellation, reminder, \
            label and note. It does not bring back earlier periods, the user's settings, and deleted subscriptions.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case json, csv }

    @OptionGroup var home: Home
    @Option(help: "json, or csv for tables.") var format = Format.json

    func run(_ session: Session) async throws {
        let export = try session.kit.export()
        switch format {
        case .json: try Output.json(export)
        case .csv: try Output.write(export.csv)
        }
    }
}

struct Import: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Adds the subscriptions of a file: an export of subtrack, Wallos or SubTrackr, or CSV.",
        discussion: """
            CSV has a line of names first: name, price, currency, and of cycle (month, year, 3 months …), next_renewal or start_date, \
            any of plan, category, note, auto_renew, status, reminder_days, muted. Wallos gives JSON by its export and by its API.

            A row gets the plan of the catalogue that has its provider, plan, price, currency and cycle, else a plan of your own. A row of an \
            export of subtrack keeps its plan and its own fee. A row is left out where a subscription here has its provider, plan, price, \
            currency, cycle and label, or its id. Each such row is named with the reason.

            The exit code is 65 where nothing was added, because the file is empty, has no known form, or has rows that cannot be taken. It is 0 \
            where all rows are here already.
            """)
    @OptionGroup var home: Home
    @Argument(help: "The file; - is the standard input.", completion: .file()) var file: String
    @Option(
        help: ArgumentHelp(
            "The currency of fees that have none, in place of your country's; 2=USD for each number, where the file has numbers for "
                + "currencies.", valueName: "currency"))
    var currency: [String] = []
    @Flag(help: "Show what would be added, and add nothing.") var dryRun = false

    func validate() throws {
        let plain = currency.filter { !$0.contains("=") }
        guard plain.count < 2, currency.allSatisfy({ Self.code($0).count == 3 }) else {
            throw ValidationError("--currency: a code such as EUR, or a number of the file and a code, such as 2=USD")
        }
    }

    /// The code of a currency as it is typed, with a number or without.
    private static func code(_ text: String) -> String {
        String(text.split(separator: "=", omittingEmptySubsequences: false).last ?? "").uppercased()
    }

    func run(_ session: Session) async throws {
        let data = try InputFile(file, maximum: Kit.maximumImport).read()
        let reason = try await session.pullOnce()
        if try !session.kit.hasPulled() {
            let why = reason.map { "\($0)".asPart } ?? "offline, as you asked"
            Output.say("The catalogue is not here yet (\(Terminal.clean(why))): each gets a plan of your own.")
        }
        let numbered = currency.filter { $0.contains("=") }.map { text in
            (text.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces), Self.code(text))
        }
        let report: ImportReport
        do {
            report = try session.kit.importFile(
                data, currency: currency.first { !$0.contains("=") }.map(Self.code),
                numbered: Dictionary(numbered, uniquingKeysWith: { $1 }), isTrial: dryRun)
        } catch KitError.invalid(_, let message) {
            throw Failure("\(message); nothing was added", code: Exit.nothingTaken)
        }
        for fault in report.faults { Output.say(Terminal.clean(fault)) }
        for remark in report.remarks { Output.say(Terminal.clean(remark)) }
        let added = Set(report.entries.map { $0.subscription.id.uuidString.lowercased() })
        var isRefused = false
        if !dryRun, !added.isEmpty { isRefused = try await session.isRefused { added.contains($0.id) } }
        if home.json { try Output.json(report) } else { try show(report) }
        if let reason = Self.nothingTaken(report) {
            throw Failure("nothing was added: \(reason)", code: Exit.nothingTaken)
        }
        if isRefused { throw Exit.dataRefused }
    }

    /// The reason for which nothing was added; nil: something was, or all rows are here already.
    private static func nothingTaken(_ report: ImportReport) -> String? {
        guard report.added.isEmpty else { return nil }
        guard report.faults.isEmpty else {
            let count = report.faults.count
            return count == 1 ? "1 row cannot be taken" : "\(count) rows cannot be taken"
        }
        return report.known == 0 ? "the file has no rows" : nil
    }

    private func show(_ report: ImportReport) throws {
        var parts = ["\(dryRun ? "Would add" : "Added") \(report.added.count)"]
        if report.known > 0 { parts.append("\(report.known) \(report.known == 1 ? "was" : "were") here already") }
        if !report.faults.isEmpty { parts.append("\(report.faults.count) could not be taken") }
        try Output.line(home.terminal.fitted(parts.joined(separator: ", ") + "."))
        for one in report.leftOut {
            let text = "Left out: \(one.place), \(one.name): \(one.reason)"
            try Output.line(home.terminal.fitted(Terminal.clean(text)))
        }
        guard !report.entries.isEmpty else { return }
        try Output.lines(ImportTable.lines(Array(report.entries.prefix(100)), on: home.terminal))
        if report.entries.count > 100 { try Output.line("… and \(report.entries.count - 100) more") }
    }
}

/// The subscriptions of an import, as a table.
enum ImportTable {
    static func lines(_ entries: [ImportReport.Entry], on terminal: Terminal) -> [String] {
        var table = Table(columns: [
            .init(title: "SUBSCRIPTION", minimum: 12, keepsEnd: true), .init(title: "PLAN", minimum: 8, rank: 4),
            .init(title: "FEE", isNumber: true), .init(title: "", rank: 2), .init(title: "FROM", rank: 5),
            .init(title: "TO", rank: 1), .init(title: "", rank: 3),
        ])
        for entry in entries {
            let one = entry.subscription
            let source = entry.isOfCatalogue ? "catalogue" : "your own"
            table.rows.append([
                .init(one.label ?? one.plan.provider, .bold),
                .init([one.plan.nameBesideProvider, "(\(source))"].compactMap { $0 }.joined(separator: " ")),
                .init("\(one.fee) \(one.currency)"), .init(SubscriptionTable.every(one.plan.duration), .dim),
                .init(one.startDate.description), .init(one.endDate.description),
                .init(one.status == .active ? "" : one.status == .ended ? "ended" : "runs out", .cyan),
            ])
        }
        return table.lines(on: terminal)
    }
}
