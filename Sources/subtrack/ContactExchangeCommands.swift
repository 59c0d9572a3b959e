import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

struct ContactImport: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Adds the contacts of vCard files, such as those of phones and mail programs.",
        discussion: """
            vCard 2.1, 3.0 and 4.0 can be read. A card is found among the contacts by its id, else by its names and an equal number, e-mail \
            address or birthday: the same file again changes nothing. A card that cannot be taken is named with the reason, and all others \
            are taken.

            The service keeps what a contact has no field for, such as a photo. Without network the contacts are here at once, and lose it; the \
            same file again brings it.

            The exit code is 65 where nothing could be taken.
            """)
    @OptionGroup var home: Home
    @Argument(help: "The files; - is the standard input.", completion: .file()) var files: [String]
    @Flag(help: "Show what would be changed, and change nothing.") var dryRun = false
    @Flag(help: "Put ? for a first or last name that is missing. Otherwise such a card is not taken.") var fillNames =
        false

    /// The outcome for one file.
    private struct Outcome: Encodable {
        var file: String
        var report: ContactImportReport
    }

    func work(_ session: Session) async throws {
        let contents = try files.map { (name: $0, data: try InputFile($0, maximum: Kit.maximumCards).read()) }
        let isReached = try await session.isInStep()
        var outcomes: [Outcome] = []
        for (name, data) in contents {
            let ofService =
                try isReached
                ? await session.kit.importCardsOnService(data, fillNames: fillNames, isTrial: dryRun) : nil
            outcomes.append(
                Outcome(
                    file: name,
                    report: try ofService ?? session.kit.importCards(data, fillNames: fillNames, isTrial: dryRun)))
        }
        try show(outcomes)
        var isRefused = false
        if !dryRun, outcomes.contains(where: { !$0.report.isOfService }) {
            isRefused = try await session.isRefused { $0.entity == StoredContact.declaration.name.rawValue }
        } else {
            try session.tellReports()
        }
        let reports = outcomes.map(\.report)
        guard reports.contains(where: { $0.refused.count < $0.count }) else {
            let refused = reports.reduce(0) { $0 + $1.refused.count }
            throw Failure(
                "nothing was added: "
                    + (refused == 0
                        ? "there is no card in \(files.count == 1 ? "the file" : "the files")"
                        : refused == 1 ? "1 card cannot be taken" : "\(refused) cards cannot be taken"),
                code: Exit.nothingTaken)
        }
        if isRefused { throw Exit.dataRefused }
    }

    private func show(_ outcomes: [Outcome]) throws {
        guard !home.json else { return try Output.json(outcomes) }
        for outcome in outcomes {
            let report = outcome.report
            let place = files.count == 1 ? "card" : "\(outcome.file), card"
            for one in report.refused {
                let name = one.name.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
                Output.say(Terminal.clean("\(place) \(one.index + 1)\(name) not taken: \(one.reason)"))
            }
            for one in report.adjusted { Output.say(Terminal.clean("\(place) \(one.index + 1): \(one.what)")) }
            if report.reduced > 0 {
                Output.say(
                    "\(Self.cards(report.reduced)) with more than a contact has fields for, such as a photo: import the file again with the "
                        + "service to keep it.")
            }
            var parts = ["\(dryRun ? "Would add" : "Added") \(report.created)"]
            if report.updated > 0 { parts.append("\(dryRun ? "would change" : "changed") \(report.updated)") }
            if report.unchanged > 0 {
                parts.append("\(report.unchanged) \(report.unchanged == 1 ? "was" : "were") here already")
            }
            if !report.refused.isEmpty { parts.append("\(report.refused.count) could not be taken") }
            let title = files.count == 1 ? "" : "\(Terminal.clean(outcome.file)): "
            try Output.line(home.terminal.fitted("\(title)\(parts.joined(separator: ", "))."))
        }
    }

    private static func cards(_ count: Int) -> String { count == 1 ? "1 card" : "\(count) cards" }
}

struct ContactExport: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes all contacts as vCards, for phones and mail programs.",
        discussion: """
            With network the cards have what the service keeps beside the fields of a contact, such as a photo.

            subtrack contacts export > contacts.vcf
            """)

    @OptionGroup var home: Home
    @Option(
        help: ArgumentHelp(
            "3.0, which every program reads, or 4.0. --version of this command means the same.", valueName: "version"))
    var vcard: VCardVersion = .v3
    static var asksForArea: Bool { false }

    func work(_ session: Session) async throws {
        guard !home.json else { return try Output.json(session.kit.contacts().map(ShownContact.init)) }
        let file = try await session.isInStep() ? session.kit.cardsOfService(version: vcard) : nil
        if file == nil, !home.offline {
            Output.say("The cards are those of this device: what the service keeps beside the fields is not in them.")
        }
        try Output.write(try file ?? session.kit.cards(version: vcard))
    }
}

extension Session {
    /// Sends what waits, and pulls what is new.
    /// - Returns: whether the service can be reached. Else work goes on with what is here.
    fileprivate func isInStep() async throws -> Bool {
        guard !home.offline else { return false }
        do {
            try await sync()
            return true
        } catch let error as KitError where error.keepsChanges {
            return false
        }
    }
}

extension VCardVersion: ExpressibleByArgument {}
