import ArgumentParser
import Foundation
import SubTrackKit

struct Export: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes all subscriptions as JSON or CSV.")

    enum Format: String, ExpressibleByArgument, CaseIterable { case json, csv }

    @OptionGroup var home: Home
    @Option(help: "json (can be imported again) or csv (for tables).") var format = Format.json

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
            plan, category, note, auto_renew what there is. What is here already is left out.
            """)
    @OptionGroup var home: Home
    @Argument(help: "The file; - is the standard input.", completion: .file()) var file: String
    @Option(help: "The currency of fees that have none.") var currency: String?
    @Flag(help: "Show what would be added, and add nothing.") var dryRun = false

    func run(_ session: Session) async throws {
        let data = try read()
        _ = try await session.pullOnce()
        let report = try session.kit.importFile(data, currency: currency?.uppercased(), isTrial: dryRun)
        for fault in report.faults { Output.say(Terminal.clean(fault)) }
        if !dryRun { try await session.sendAndPull() }
        guard !home.json else { return try Output.json(report) }
        try Output.line("\(dryRun ? "Would add" : "Added") \(report.added.count), \(report.known) were here already.")
        for name in report.added.prefix(100) { try Output.line("  " + Terminal.clean(name)) }
    }

    /// The file, or as much of it as shows that it is too large.
    private func read() throws -> Data {
        guard let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file) else {
            throw Failure("\(file) cannot be read", hint: "look whether it is there, and yours to read")
        }
        var data = Data()
        do {
            while data.count <= Kit.maximumImport, let more = try handle.read(upToCount: 1 << 20), !more.isEmpty {
                data.append(more)
            }
        } catch {
            throw Failure("\(file) cannot be read", hint: "give a file, or - for the standard input")
        }
        return data
    }
}
