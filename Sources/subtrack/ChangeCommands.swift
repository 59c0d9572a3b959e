import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// What can be said of a new subscription and of one that there is.
struct Terms: ParsableArguments {
    // Days before today begin with a minus, as options do.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("First day of the current period: 2026-01-31, today, -3 …", valueName: "day"))
    var start: TypedDay?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Day of the next renewal, in place of the start.", valueName: "day")
    )
    var renews: TypedDay?

    @Flag(inversion: .prefixedNo, help: "The current period is a free trial.") var trial: Bool?
    @Flag(inversion: .prefixedNo, help: "The provider renews it without asking.") var auto: Bool?

    @Option(help: ArgumentHelp("What you pay for a period, where it is not the plan's fee.", valueName: "amount"))
    var fee: Amount?

    @Option(help: "Your own name for it.") var label: String?
    @Option(help: ArgumentHelp("Days before the end from which it is due (default: 7).", valueName: "days")) var remind:
        Int?
    @Option(help: "A note.") var note: String?

    /// Whether anything was said.
    var areGiven: Bool {
        let texts: [Any?] = [start, renews, trial, auto, fee, label, remind, note]
        return texts.contains { $0 != nil }
    }
}

extension Session {
    /// Sends what was changed, and shows the subscription.
    func finish(_ id: UUID) async throws {
        try await sendAndPull(id)
        guard let tracked = try kit.details(of: id)?.tracked else { return }
        guard !home.json else { return try Output.json(tracked) }
        try Output.lines(SubscriptionTable.lines([tracked], on: home.terminal))
    }

    /// Changes the one subscription that some words lead to.
    func change(_ words: [String], _ body: (TrackedSubscription) throws -> Void) async throws {
        let found = try find(words, among: try kit.subscriptions())
        let before = try kit.details(of: found.id)?.gap
        try body(found)
        try await finish(found.id)
        try tellGap(of: found, unless: before)
    }

    /// Says which days a change has left without a period: nothing in the list shows them.
    /// - Parameter known: the gap that was there before.
    private func tellGap(of found: TrackedSubscription, unless known: Range<CalendarDate>?) throws {
        guard let gap = try kit.details(of: found.id)?.gap, gap != known else { return }
        let days = SubscriptionTable.days(gap.lowerBound.days(to: gap.upperBound))
        Output.say(
            "There is no period from \(gap.lowerBound) to \(gap.upperBound): these \(days) are not counted as paid. "
                + "If they were paid, let the period begin earlier.")
        let earlier = ["edit", found.shortID, "--start", gap.lowerBound.description]
        Output.mutter("Try: \(TypedCommand.line(earlier))\n")
    }
}

extension Kit.Details {
    /// The days between the current period and the one before it, which are in neither; nil: there are none.
    fileprivate var gap: Range<CalendarDate>? {
        guard let current = periods.last, let former = periods.dropLast().last, former.endDate < current.startDate
        else { return nil }
        return former.endDate..<current.startDate
    }
}

/// What can be changed of a plan of one's own.
struct OwnPlan: ParsableArguments {
    @Option(help: "Of a plan of your own: who is paid.") var provider: String?
    @Option(help: ArgumentHelp("Of a plan of your own: what it is called.", valueName: "name")) var plan: String?
    @Option(
        help: ArgumentHelp("Of a plan of your own: what a period costs from today on.", valueName: "amount"))
    var price: Amount?
    @Option(help: "Of a plan of your own: the currency of its price.") var currency: String?
    @Option(
        help: ArgumentHelp("Of a plan of your own: how long a period lasts, from the next on.", valueName: "duration"))
    var every: TypedDuration?
    @Option(help: "Of a plan of your own: its category.") var category: String?
    @Option(help: ArgumentHelp("Of a plan of your own: days before the end by which to cancel.", valueName: "days"))
    var notice: Int?

    /// What was said.
    var patch: PrivatePlanPatch {
        var patch = PrivatePlanPatch()
        if let provider { patch.provider = .set(provider) }
        if let plan { patch.name = .set(plan) }
        if let price { patch.fee = .set(price) }
        if let currency { patch.currency = .set(currency.uppercased()) }
        if let every { patch.duration = .set(every.duration) }
        if let category { patch.category = .set(category) }
        if let notice { patch.noticeDays = .set(notice) }
        return patch
    }
}

struct Edit: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Changes a subscription, and a plan of your own.",
        discussion: """
            subtrack edit music --label Songs --note "for the kids"

            These take a value away again: --no-fee, --no-remind, --no-trial, --no-auto, --label "", --note "".

            A plan of your own has a price and a length that can be changed, too:

            subtrack edit gym --price 34.90 --every 2months
            """)
    @OptionGroup var chosen: Chosen
    @OptionGroup var terms: Terms
    @Flag(help: "It is due as usual again, 7 days before the end.") var noRemind = false
    @Flag(help: "You pay the plan's fee again.") var noFee = false
    @OptionGroup var plan: OwnPlan

    func validate() throws {
        guard !noRemind || terms.remind == nil else { throw ValidationError("either --remind or --no-remind") }
        guard !noFee || terms.fee == nil else { throw ValidationError("either --fee or --no-fee") }
        guard terms.areGiven || noRemind || noFee || plan.patch != PrivatePlanPatch() else {
            throw ValidationError(
                "say what to change: --label, --note, --fee, --no-fee, --start, --renews, --trial, --auto, --remind, --no-remind; of a "
                    + "plan of your own: --provider, --plan, --price, --currency, --every, --category, --notice")
        }
    }

    func run(_ session: Session) async throws {
        try await session.change(words) { found in
            let today = try session.kit.today()
            var change = UpdateSubscription(id: found.id)
            if plan.patch != PrivatePlanPatch() { change.plan = .set(plan.patch) }
            if let start = terms.start { change.startDate = .set(start.day(today)) }
            if let end = terms.renews { change.nextRenewal = .set(end.day(today)) }
            if let trial = terms.trial { change.freeTrial = .set(trial) }
            if let auto = terms.auto { change.autoRenew = .set(auto) }
            if let fee = terms.fee { change.fee = .set(fee) }
            if noFee { change.fee = .remove }
            // An empty text takes it away.
            if let label = terms.label { change.label = label.isEmpty ? .remove : .set(label) }
            if let days = terms.remind { change.reminderDays = .set(days) }
            if noRemind { change.reminderDays = .remove }
            if let note = terms.note { change.note = note.isEmpty ? .remove : .set(note) }
            try session.kit.change(change)
        }
    }
}

struct Renew: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Ends the current period and begins the next.")
    @OptionGroup var chosen: Chosen

    func run(_ session: Session) async throws {
        try await session.change(words) { try session.kit.renew($0.id) }
    }
}

struct Cancel: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Notes that it was cancelled: it runs out at its end.")
    @OptionGroup var chosen: Chosen

    func run(_ session: Session) async throws {
        try await session.change(words) { found in
            try session.kit.cancel(found.id)
            if let url = try session.kit.details(of: found.id)?.cancelUrl {
                Output.say("The provider is not told. Cancel at \(Terminal.clean(url))")
            }
        }
    }
}

struct Resume: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Takes a cancellation back.")
    @OptionGroup var chosen: Chosen

    func run(_ session: Session) async throws {
        try await session.change(words) { try session.kit.resume($0.id) }
    }
}

struct Delete: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a subscription with its history; `restore` brings it back for 30 days.")
    @OptionGroup var chosen: Chosen

    func run(_ session: Session) async throws {
        let found = try session.find(words, among: try session.kit.subscriptions())
        try session.kit.delete(found.id)
        try await session.sendAndPull(found.id)
        guard !home.json else { return try Output.json(found) }
        try Output.line(
            home.terminal.fitted(
                "Deleted \(Terminal.clean(found.name)). It can be restored for 30 days: subtrack restore \(found.shortID)"
            ))
    }
}

struct Restore: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Brings a deleted subscription back.")
    @OptionGroup var home: Home
    @Argument(help: "Part of its name, or of its id; nothing: shows those there are.") var words: [String] = []

    func run(_ session: Session) async throws {
        let deleted = try session.kit.deletedSubscriptions()
        guard !words.isEmpty else {
            guard !home.json else { return try Output.json(deleted) }
            guard !deleted.isEmpty else {
                return try Output.line(home.terminal.fitted("Nothing was deleted on this device in the last 30 days."))
            }
            return try Output.lines(SubscriptionTable.lines(deleted, on: home.terminal))
        }
        let found = try session.find(
            words, among: deleted, hint: "subtrack restore")
        try session.kit.restore(found.id)
        try await session.finish(found.id)
    }
}
