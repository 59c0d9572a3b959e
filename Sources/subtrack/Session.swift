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
    /// Whether the service has chosen the user's country.
    private let wasPlaced = Flag()

    init(_ home: Home) throws {
        self.home = home
        isFirst = !DataFolder.hasData(home.folder)
        do {
            kit = try home.open()
        } catch let error as KitError {
            throw Failure(error)
        }
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
        let isUnplaced = try !kit.isRegistered() && kit.user().country.isEmpty
        let summary = try await kit.sync()
        if isUnplaced { wasPlaced.set() }
        home.rememberServer()
        // Nobody's work fails where exchange rates do not come.
        _ = try? await kit.refreshRates(askingAgain: true)
        return summary
    }

    /// Sends what was changed and pulls what is new. Without network it says so and goes on: nothing is lost.
    /// - Parameter id: the subscription that was changed.
    /// - Throws: ``Failure`` when the service refused a change of that subscription.
    func sendAndPull(_ id: UUID? = nil) async throws {
        guard !home.offline else { return try tellPending("offline, as you asked") }
        do {
            try await sync()
            let reports = try tellReports()
            let isRefused = reports.contains { $0.problem != nil && UUID(uuidString: $0.mutation.id) == id }
            if id != nil, isRefused { throw Failure("the service refused it; nothing was changed") }
        } catch let error as KitError where error.isTransient {
            try tellPending("\(error)")
        } catch let error as KitError where error.isOfConnection {
            try tellPending("\(error)")
            if let hint = Failure.hint(error) { Output.say("Try: \(hint)") }
        } catch KitError.signedOut {
            try tellPending("this device is signed out: subtrack login")
        } catch let error as KitError {
            throw Failure(error)
        }
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
        guard count > 0 else {
            return Output.say("Not in step with the service (\(Terminal.clean(reason))): this is as of the last sync.")
        }
        Output.say("Saved here; \(Self.changes(count)) will be sent by the next sync (\(Terminal.clean(reason))).")
    }

    /// So many changes, in words.
    static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

    /// Says what was not done as it was made, once.
    /// - Parameter say: shows a line.
    /// - Returns: what was told.
    @discardableResult
    func tellReports(_ say: (String) -> Void = Output.say) throws -> [ChangeReport] {
        let reports = try kit.reports()
        guard let last = reports.last else { return [] }
        for report in reports {
            let what = try name(of: report.mutation)
            if let problem = report.problem {
                say("Not done: \(report.mutation.op) \(what): \(Terminal.clean(problem.detail))")
            }
            for field in report.lost {
                say(
                    "Changed elsewhere first: \(field.field) of \(what) is \(Terminal.clean(field.kept.written)), "
                        + "not \(Terminal.clean(field.yours.written))")
            }
        }
        try kit.dismissReports(through: last.id)
        return reports
    }

    private func name(of mutation: PushChanges.Mutation) throws -> String {
        guard let id = UUID(uuidString: mutation.id) else { return mutation.entity }
        if let name = try kit.details(of: id)?.tracked.name { return Terminal.clean(name) }
        // What was refused at once is not here; it said itself what it was.
        if case .string(let label)? = mutation.fields?["label"] { return Terminal.clean(label) }
        if case .object(let plan)? = mutation.fields?["plan"], case .string(let provider)? = plan["provider"] {
            return Terminal.clean(provider)
        }
        return mutation.entity
    }

    /// The one subscription that some words lead to.
    /// - Parameter hint: the command that shows the list.
    func find(
        _ words: [String], among list: [TrackedSubscription], hint: String = "subtrack list shows those there are"
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
                "\"\(text)\" could be \(found.count) subscriptions:\n" + names.joined(separator: "\n"),
                hint: "give more of the name, or the digits in front of it")
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
    /// Whether the connection is at fault, in a way that somebody has to mend.
    fileprivate var isOfConnection: Bool {
        if case .insecure = self { true } else { false }
    }
}

extension AnyJSON {
    /// A value for people.
    fileprivate var written: String {
        switch self {
        case .null: "nothing"
        case .bool(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .string(let text): "\"\(text)\""
        case .array, .object: "another"
        }
    }
}
