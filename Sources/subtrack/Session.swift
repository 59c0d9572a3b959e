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
            Failure.ways(Failure.hint(error)).forEach(Output.say)
        } catch KitError.signedOut {
            let address = try kit.user().accounts.first.map { " \(TypedCommand.quoted($0.email))" } ?? ""
            try tellPending("this device is signed out: subtrack login\(address)")
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
            let names = FieldNames.of(report.mutation)
            if let problem = report.problem {
                say("Not done: \(report.mutation.op) \(what): \(Terminal.clean(names.text(problem)))")
            }
            for field in report.lost.flatMap(\.parts) {
                say(
                    "Changed elsewhere first: \(names.words(field.field)) of \(what) is "
                        + "\(Terminal.clean(field.kept.written)), not \(Terminal.clean(field.yours.written))")
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
    /// Whether the connection is at fault, in a way that somebody has to mend.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .insecure, .authorities: true
        default: false
        }
    }
}

extension LostField {
    /// The field, or where it has fields of its own those of which another value was kept.
    var parts: [LostField] {
        guard case .object(let mine) = yours, case .object(let theirs) = kept else { return [self] }
        let parts = mine.sorted { $0.key < $1.key }.compactMap { name, value -> LostField? in
            guard let kept = theirs[name], !kept.isSame(as: value) else { return nil }
            return LostField(field: "\(field).\(name)", kept: kept, yours: value)
        }
        return parts.isEmpty ? [self] : parts
    }
}

extension AnyJSON {
    /// Whether both are one value; amounts may have other digits.
    fileprivate func isSame(as other: AnyJSON) -> Bool {
        guard case .string(let one) = self, case .string(let two) = other, let amount = Amount(one) else {
            return self == other
        }
        return amount == Amount(two)
    }

    /// A value for people.
    fileprivate var written: String {
        switch self {
        case .null: "nothing"
        case .bool(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .string(let text): "\"\(text)\""
        case .object(let members):
            if case .integer(let value)? = members["value"], case .string(let unit)? = members["unit"] {
                "\(value) \(unit)\(value == 1 ? "" : "s")"
            } else {
                "another"
            }
        case .array: "another"
        }
    }
}
