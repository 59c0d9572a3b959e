import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit
import Synchronization

/// What commands do before and after their work.
struct Session {
    let home: Home
    let kit: Kit
    /// Whether there were no data yet.
    let isFirst: Bool
    /// Whether the service has brought another country, time zone or currency.
    private let wasPlaced = Flag()

    init(_ home: Home) throws {
        self.home = home
        isFirst = !DataFolder.hasData(home.folder)
        kit = try home.open()
    }

    /// Makes sure that the service may be reached.
    func needService() throws {
        guard !home.offline else { throw Failure("this needs the service: leave out --offline", code: Exit.usage) }
    }

    /// Whether where the user is has to be said: at the first command, and when the service has decided it.
    var isToIntroduce: Bool { isFirst || wasPlacedByService }

    /// Whether the service has decided where the user is.
    var wasPlacedByService: Bool { wasPlaced.isSet }

    /// Sends and pulls changes, and remembers the service that was reached.
    @discardableResult
    func sync() async throws -> SyncSummary {
        let summary = try await notingPlace { try await kit.sync() }
        home.rememberServer()
        // Nobody's work fails where exchange rates do not come.
        _ = try? await kit.refreshRates(askingAgain: true)
        return summary
    }

    /// Runs work that may bring another country, time zone or currency from the service, and notes whether it did.
    func notingPlace<Result>(_ body: () async throws -> Result) async throws -> Result {
        let before = try kit.place()
        let result = try await body()
        if try kit.place() != before { wasPlaced.set() }
        return result
    }

    /// Sends what was changed and pulls what is new. Without network it says so and goes on: nothing is lost.
    /// - Parameter id: the subscription that was changed.
    /// - Throws: ``Failure`` when the service refused a change of that subscription.
    func sendAndPull(_ id: UUID) async throws {
        if try await isRefused({ UUID(uuidString: $0.id) == id }) { throw Failure.refused }
    }

    /// Sends changes and pulls, as ``sendAndPull(_:)`` does.
    /// - Parameter isOwn: whether a change is one that the command made.
    /// - Returns: whether the service refused one of those.
    func isRefused(_ isOwn: (PushChanges.Mutation) -> Bool) async throws -> Bool {
        guard !home.offline else {
            try tellPending("offline, as you asked")
            return false
        }
        do {
            try await sync()
            return try tellReports().contains { $0.problem != nil && isOwn($0.mutation) }
        } catch let error as KitError where error.isTransient {
            try tellPending("\(error)")
        } catch let error as KitError where error.leavesChanges {
            // Told to try again, a person would make the change twice.
            try tellPending(FieldNames.of(nil).text(error).withoutRetry)
            Failure.ways(Failure.hint(error)).forEach(Output.say)
        } catch KitError.signedOut {
            let address = try kit.user().accounts.first.map { " \(TypedCommand.quoted($0.email))" } ?? ""
            try tellPending("this device is signed out: subtrack login\(address)")
        }
        return false
    }

    /// Pulls everything where that never was done. Without network it goes on: what is changed needs none.
    /// - Returns: why it was not pulled, where that was tried.
    func pullOnce() async throws -> KitError? {
        guard try !home.offline && !kit.hasPulled() else { return nil }
        do {
            try await sync()
            return nil
        } catch let error as KitError {
            return error
        }
    }

    private func tellPending(_ reason: String) throws {
        let count = try kit.pendingCount()
        let reason = reason.asPart
        guard count > 0 else {
            return Output.say("Not in step with the service (\(Terminal.clean(reason))): this is as of the last sync.")
        }
        Output.say("Saved here; \(Self.changes(count)) will be sent by the next sync (\(Terminal.clean(reason))).")
    }

    /// So many changes, in words.
    static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

    /// Says what was not done as it was made, once.
    /// - Parameter say: shows a line.
    /// - Returns: the reports.
    @discardableResult
    func tellReports(_ say: (String) -> Void = ReportLines.say) throws -> [ChangeReport] {
        let reports = try kit.reports()
        guard let last = reports.last else { return [] }
        let list = try kit.subscriptions()
        for report in reports { ReportLines.lines(report, among: list).forEach(say) }
        if reports.contains(where: { $0.problem != nil }) { say("subtrack refused shows it again.") }
        try kit.dismissReports(through: last.id)
        return reports
    }

    /// The one subscription that some words lead to.
    /// - Parameter hint: the command that shows the list.
    func find(
        _ words: [String], among list: [TrackedSubscription], hint: String = "subtrack list --all"
    ) throws -> TrackedSubscription {
        let text = words.joined(separator: " ")
        let found = Matching.best(text, among: list)
        guard let first = found.first else {
            throw Failure(
                "there is no subscription like \"\(Terminal.clean(text))\"", hint: hint)
        }
        guard found.count == 1 else {
            let names = found.prefix(8).map {
                "  \($0.shortID)  \(Terminal.clean($0.name)), ends \($0.subscription.endDate)"
            }
            throw Failure(
                "\"\(Terminal.clean(text))\" could be \(found.count) subscriptions; give more of the name, or the digits:\n"
                    + names.joined(separator: "\n"),
                hint: TypedCommand().line(replacing: words, with: [first.shortID]))
        }
        return first
    }
}

/// Something that happens once.
private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}

extension KitError {
    /// Whether changes are kept and sent later where a sync ends so.
    var keepsChanges: Bool { isTransient || leavesChanges || self == .signedOut }

    /// Whether a change that was made waits here until somebody has mended the connection, its address, or the store.
    fileprivate var leavesChanges: Bool {
        switch self {
        case .insecure, .authorities, .nonsense, .store: true
        case .refused(let problem): problem.isOfAddress
        default: false
        }
    }
}
