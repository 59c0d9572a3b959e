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
    var start: Typed<TypedDay>?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Day of the next renewal, in place of the start.", valueName: "day")
    )
    var renews: Typed<TypedDay>?

    @Flag(inversion: .prefixedNo, help: "The current period is a free trial.") var trial: Bool?
    @Flag(inversion: .prefixedNo, help: "The provider renews it without asking.") var auto: Bool?

    @Option(help: ArgumentHelp("What you pay for a period, where it is not the plan's fee.", valueName: "amount"))
    var fee: TypedAmount?

    @Option(help: "Your own name for it.") var label: String?
    @Option(help: ArgumentHelp("Days before the end from which it is due (default: 7).", valueName: "days")) var remind:
        Typed<Int>?
    @Flag(help: "You are told only that it is overdue, without other reminders.") var mute = false
    @Option(help: "A note.") var note: String?

    /// Notes the faults of unreadable values.
    /// - Parameter digits: the digits of the fee's currency.
    func check(_ faults: inout OptionFaults, digits: Int) {
        faults.check("--start", start)
        faults.check("--renews", renews)
        faults.check("--fee", fee, digits: digits)
        faults.check("--remind", remind)
    }

    /// Whether anything was said.
    var areGiven: Bool {
        let texts: [Any?] = [start, renews, trial, auto, fee, label, remind, note]
        return mute || texts.contains { $0 != nil }
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
    /// - Parameters:
    ///   - isSure: whether `--yes` was typed: nothing is asked.
    ///   - change: makes the change of the subscription.
    ///   - faults: those of the options, where the subscription is not found.
    func change(
        _ words: [String], isSure: Bool, _ change: (TrackedSubscription) throws -> SubscriptionChange,
        faults: () -> OptionFaults = { OptionFaults() }
    ) async throws {
        let found: TrackedSubscription
        do {
            found = try find(words, among: try kit.subscriptions())
        } catch let failure as Failure {
            throw failure.with(faults())
        }
        try await make(try change(found), of: found, isSure: isSure)
    }

    /// Makes a change, and says how it is taken back.
    func make(_ change: SubscriptionChange, of found: TrackedSubscription, isSure: Bool) async throws {
        let effect = try PeriodEffect(change, of: found, on: kit)
        if let effect { try confirm(effect, isSure: isSure) }
        try kit.make(change)
        try await finish(found.id)
        try tellGap(of: found, unless: effect?.before?.gap)
        if let effect { try tellUndo(effect) }
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

/// The option of commands that ask before a change that cannot be taken back.
struct Sure: ParsableArguments {
    @Flag(help: "Do not ask before a change that cannot be taken back. Without a terminal it is needed.") var yes =
        false
}

/// What can be changed of a plan of one's own.
struct OwnPlan: ParsableArguments {
    @Option(help: "Of a plan of your own: who is paid.") var provider: String?
    @Option(help: ArgumentHelp("Of a plan of your own: what it is called.", valueName: "name")) var plan: String?
    @Option(
        help: ArgumentHelp("Of a plan of your own: what a period costs from today on.", valueName: "amount"))
    var price: TypedAmount?
    @Option(help: "Of a plan of your own: the currency of its price.") var currency: String?
    @Option(
        help: ArgumentHelp("Of a plan of your own: how long a period lasts, from the next on.", valueName: "duration"))
    var every: Typed<TypedDuration>?
    @Option(help: "Of a plan of your own: its category.") var category: String?
    @Option(help: ArgumentHelp("Of a plan of your own: days before the end by which to cancel.", valueName: "days"))
    var notice: Typed<Int>?

    /// Whether anything was said.
    var isGiven: Bool {
        let texts: [Any?] = [provider, plan, price, currency, every, category, notice]
        return texts.contains { $0 != nil }
    }

    /// Notes the faults of unreadable values.
    /// - Parameter digits: the digits of the price's currency.
    func check(_ faults: inout OptionFaults, digits: Int) {
        faults.check("--price", price, digits: digits)
        faults.check("--every", every)
        faults.check("--notice", notice)
    }

    /// What was said, as far as it can be read.
    /// - Parameter digits: the digits of the price's currency.
    func patch(digits: Int) -> PrivatePlanPatch {
        var patch = PrivatePlanPatch()
        if let provider { patch.provider = .set(provider) }
        if let plan { patch.name = .set(plan) }
        if let price = price?.amount(digits: digits) { patch.fee = .set(price) }
        if let currency { patch.currency = .set(currency.uppercased()) }
        if let every = every?.value { patch.duration = .set(every.duration) }
        if let category { patch.category = .set(category) }
        if let notice = notice?.value { patch.noticeDays = .set(notice) }
        return patch
    }
}

struct Edit: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Changes a subscription, and a plan of your own.",
        discussion: """
            subtrack edit music --label Songs --note "for the kids"

            These take a value away again: --no-fee, --no-remind, --unmute, --no-trial, --no-auto, --label "", --note "".

            A plan of your own has a price and a length that can be changed, too:

            subtrack edit gym --price 34.90 --every 2months
            """)
    @OptionGroup var chosen: Chosen
    @OptionGroup var terms: Terms
    @Flag(help: "It is due as usual again, 7 days before the end.") var noRemind = false
    @Flag(help: "All reminders of it are said again.") var unmute = false
    @Flag(help: "You pay the plan's fee again.") var noFee = false
    @OptionGroup var plan: OwnPlan
    @OptionGroup var sure: Sure

    func validate() throws {
        guard terms.areGiven || noRemind || unmute || noFee || plan.isGiven else {
            throw ValidationError(
                "say what to change: --label, --note, --fee, --no-fee, --start, --renews, --trial, --auto, --remind, "
                    + "--no-remind, --mute, --unmute; of a plan of your own: --provider, --plan, --price, --currency, --every, "
                    + "--category, --notice")
        }
    }

    func run(_ session: Session) async throws {
        try await session.change(words, isSure: sure.yes) { found in
            let (change, faults) = try change(found.subscription, session.kit)
            try faults.throwAny()
            return .update(change)
        } faults: {
            optionFaults(digits: 2, ofPrice: 2)
        }
    }

    /// The faults of the options by themselves.
    private func optionFaults(digits: Int, ofPrice: Int) -> OptionFaults {
        var faults = OptionFaults()
        terms.check(&faults, digits: digits)
        plan.check(&faults, digits: ofPrice)
        if noRemind, terms.remind != nil { faults.note("either --remind or --no-remind") }
        if unmute, terms.mute { faults.note("either --mute or --unmute") }
        if noFee, terms.fee != nil { faults.note("either --fee or --no-fee") }
        return faults
    }

    /// The change, and all faults of it.
    private func change(_ one: Subscription, _ kit: Kit) throws -> (UpdateSubscription, OptionFaults) {
        let digits = try kit.digits(of: one.plan.currency)
        let ofPrice = try plan.currency.map { try kit.digits(of: $0.uppercased()) } ?? digits
        var faults = optionFaults(digits: digits, ofPrice: ofPrice)
        let today = try kit.today()
        var change = UpdateSubscription(id: one.id)
        if plan.isGiven { change.plan = .set(plan.patch(digits: ofPrice)) }
        if let start = terms.start?.value { change.startDate = .set(start.day(today)) }
        if let end = terms.renews?.value { change.nextRenewal = .set(end.day(today)) }
        if let trial = terms.trial { change.freeTrial = .set(trial) }
        if let auto = terms.auto { change.autoRenew = .set(auto) }
        if let fee = terms.fee?.amount(digits: digits) { change.fee = .set(fee) }
        if noFee { change.fee = .remove }
        // An empty text takes it away.
        if let label = terms.label { change.label = label.isEmpty ? .remove : .set(label) }
        if let days = terms.remind?.value { change.reminderDays = .set(days) }
        if noRemind { change.reminderDays = .remove }
        if terms.mute || unmute { change.muted = .set(terms.mute) }
        if let note = terms.note { change.note = note.isEmpty ? .remove : .set(note) }
        faults.note(try kit.faults(of: change), .edit)
        return (change, faults)
    }
}

struct Renew: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Ends the current period and begins the next, which cannot be taken back.")
    @OptionGroup var chosen: Chosen
    @OptionGroup var sure: Sure

    func run(_ session: Session) async throws {
        try await session.change(words, isSure: sure.yes) { .renew($0.id) }
    }
}

struct Cancel: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Notes that it was cancelled: it runs out at its end.")
    @OptionGroup var chosen: Chosen

    func run(_ session: Session) async throws {
        let found = try session.find(words, among: try session.kit.subscriptions())
        if let url = try session.kit.details(of: found.id)?.cancelUrl {
            Output.say("The provider is not told. Cancel at \(Terminal.clean(url))")
        }
        try await session.make(.cancel(found.id), of: found, isSure: true)
    }
}

struct Resume: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Takes a cancellation back. One that has ended begins a new period today, which cannot be taken back."
    )
    @OptionGroup var chosen: Chosen
    @OptionGroup var sure: Sure

    func run(_ session: Session) async throws {
        try await session.change(words, isSure: sure.yes) { .resume($0.id) }
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
