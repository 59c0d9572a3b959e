import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackServer

/// `subtrackd seed`
struct Seed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fills a tenant with made-up people, plans and subscriptions, to try and to measure with.",
        discussion: """
            The same numbers and the same --seed give the same rows. Nobody and no company is meant by the names. People \
            live in eleven countries; subscriptions are running, overdue, in trial, cancelled, ended or renewed before, \
            and one person in twenty has a plan of their own. Nobody can sign in: there are no devices and no accounts.

            Running it again with the same numbers adds nothing when it was done, and goes on when it was cut off. With \
            other numbers it is refused, unless --seed is another. A tenant that has people already is left alone, unless \
            --add says otherwise.

            The embedded database is used while the service runs, and started for as long as this runs where it does \
            not. What was made is on standard output, progress on standard error. Exit codes: 0 done, 64 usage, 69 \
            something needed is unavailable, 78 configuration, or it is refused.
            """)

    @Option(help: "How many people, up to 10,000,000.")
    var users = 1_000

    @Option(help: "How many plans of the catalogue, up to 100,000.")
    var plans = 200

    @Option(help: "How many subscriptions over all people, up to 100,000,000.")
    var subscriptions = 5_000

    @Option(help: "The tenant to fill.")
    var tenant = "default"

    @Option(help: "Another number gives other rows.")
    var seed: UInt32 = 1

    @Option(help: "YYYY-MM-DD, the day that the rows take for today. (default: today in UTC)")
    var today: String?

    @Flag(help: "Also where there are people already.")
    var add = false

    @Flag(help: "What was made, as JSON.")
    var json = false

    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        let greatest = SeedSize.greatest
        for (name, value, most) in [
            ("users", users, greatest.users), ("plans", plans, greatest.plans),
            ("subscriptions", subscriptions, greatest.subscriptions),
        ] where !(0...most).contains(value) {
            throw ValidationError("--\(name) must be from 0 to \(most), is \(value).")
        }
        guard subscriptions == 0 || (users > 0 && plans > 0) else {
            throw ValidationError("--subscriptions need --users and --plans.")
        }
        let days = CalendarDate(daysSince1970: 3650)...(CalendarDate("2990-12-31") ?? CalendarDate.range.upperBound)
        if let today, CalendarDate(today).map(days.contains) != true {
            throw ValidationError("--today must be a day from \(days.lowerBound) to \(days.upperBound).")
        }
    }

    func run() async throws {
        try await Exit.reporting {
            let size = SeedSize(
                users: users, plans: plans, subscriptions: subscriptions, seed: seed,
                today: today.flatMap { CalendarDate($0) } ?? WallClock.system.now().date(secondsFromUTC: 0))
            let start = ContinuousClock.now
            do {
                let report = try await fill(size, settings: try database.settings())
                show(report, duration: ContinuousClock.now - start)
            } catch let error as SeedWork.Refusal {
                Exit.say("subtrackd: \(error); nothing was added")
                throw Exit.configuration
            }
        }
    }

    /// Fills the database that is configured, or the embedded one, running or not.
    private func fill(_ size: SeedSize, settings: ServiceSettings) async throws -> SeedReport {
        try await Commands.withPreparedDatabase(settings) { access in
            try await access.withTenant(tenant, logger: Commands.logger) { tenant in
                let bar = SeedProgress()
                defer { bar.end() }
                return try await SeedWork(tenant).run(
                    size, isAdding: add,
                    workers: min(8, settings.databaseConnections, ProcessInfo.processInfo.activeProcessorCount * 2),
                    progress: bar.show)
            }
        }
    }

    private func show(_ report: SeedReport, duration: Duration) {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            if let data = try? encoder.encode(report) { print(String(decoding: data, as: UTF8.self)) }
            return
        }
        let what =
            "\(report.users) people, \(report.plans) plans, \(report.privatePlans) plans of their own, "
            + "\(report.subscriptions) subscriptions; seed \(report.seed), as of \(report.today)"
        let seconds = duration.formatted(.units(allowed: [.minutes, .seconds], width: .narrow))
        print(report.isAdded ? "Made \(what), in \(seconds)." : "They are there already, nothing was added: \(what).")
    }
}

/// Progress on standard error: a bar on a terminal, a line every tenth elsewhere.
private final class SeedProgress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private static let width = 30

    /// Shows how far it is. Called by one task at a time.
    func show(_ progress: SeedWork.Progress) {
        guard progress.total > 0 else { return }
        let seconds = max(0.001, Double((ContinuousClock.now - start) / .seconds(1)))
        let rate = Int(Double(progress.done) / seconds)
        if isTerminal {
            let filled = Self.width * progress.done / progress.total
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
            write("\r[\(bar)] \(progress.done)/\(progress.total), \(rate)/s ")
        } else if Self.isTenth(progress, before: 2_500) {
            write("\(progress.done) of \(progress.total) subscriptions, \(rate)/s\n")
        }
    }

    /// Whether a tenth of all was passed by the last transaction.
    private static func isTenth(_ progress: SeedWork.Progress, before: Int) -> Bool {
        let tenth = max(1, progress.total / 10)
        return progress.done / tenth != max(0, progress.done - before) / tenth
    }

    /// Leaves the bar's line.
    func end() { if isTerminal { write("\n") } }

    private func write(_ text: String) { Exit.mutter(text) }
}
