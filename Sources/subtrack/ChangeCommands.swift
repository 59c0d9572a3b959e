import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// A day as it is typed: `2026-01-31`, `today`, `yesterday`, `tomorrow`, or days from today: `+3`, `-10`.
struct TypedDay: ExpressibleByArgument {
    private enum Form {
        case day(CalendarDate)
        case offset(Int)
    }

    private let form: Form

    init?(argument: String) {
        switch argument.lowercased() {
        case "today": form = .offset(0)
        case "yesterday": form = .offset(-1)
        case "tomorrow": form = .offset(1)
        default:
            if let day = CalendarDate(argument) {
                form = .day(day)
            } else if argument.first == "+" || argument.first == "-", let days = Int(argument) {
                form = .offset(days)
            } else {
                return nil
            }
        }
    }

    func day(_ today: CalendarDate) -> CalendarDate {
        switch form {
        case .day(let day): day
        case .offset(let days): today.adding(days: days)
        }
    }
}

/// How long a period lasts, as it is typed: `month`, `3months`, `1 year`, `30d`.
struct TypedDuration: ExpressibleByArgument {
    let duration: PlanDuration

    init?(argument: String) {
        let text = argument.lowercased().filter { !$0.isWhitespace }
        let digits = text.prefix { $0.isNumber }
        let unit = text.dropFirst(digits.count)
        guard let value = digits.isEmpty ? 1 : Int(digits), (1...1200).contains(value),
            let found = PlanDuration.Unit.allCases.first(where: { known in
                unit == known.rawValue || unit == known.rawValue + "s" || unit == known.rawValue.prefix(1)
            })
        else { return nil }
        duration = PlanDuration(value: value, unit: found)
    }
}

extension Amount: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument.replacingOccurrences(of: ",", with: ".")) }
}

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

struct Add: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a subscription: a plan is found by a few letters.",
        discussion: """
            A plan of the catalogue, from today or another day:

            subtrack add netflix premium
            subtrack add spotify fam --start -3 --auto --label Music

            One of your own:

            subtrack add Gym --fee 29.90 --currency EUR --every month
            """)
    @OptionGroup var home: Home
    @Argument(help: "Letters of provider and plan; of one of your own, its name.") var words: [String] = []
    @OptionGroup var terms: Terms
    @Option(
        help: "Makes it a plan of your own, with --every: the currency of its fee (default: that of subtrack me).")
    var currency: String?
    @Option(
        help: ArgumentHelp(
            "Makes it a plan of your own: how long a period lasts, such as month, 2weeks, 90d.", valueName: "duration"))
    var every: TypedDuration?
    @Option(help: "The category of a plan of your own.") var category: String?
    @Option(help: "Which of the plans that subtrack plans shows for these letters: its number.") var number: Int?

    func validate() throws {
        guard !words.isEmpty || number != nil else {
            throw ValidationError("name a plan by letters of provider and plan, such as subtrack add netflix premium")
        }
        guard number == nil || (every == nil && currency == nil) else {
            throw ValidationError("--number is of a plan of the catalogue, --every and --currency make one of your own")
        }
    }

    func run(_ session: Session) async throws {
        let kit = session.kit
        let reason = try await session.pullOnce()
        var new = CreateSubscription()
        if every != nil || currency != nil {
            new.plan = try ownPlan(kit)
        } else {
            new.planId = try choose(kit, because: reason).id
            new.fee = terms.fee
        }
        let today = try kit.today()
        new.startDate = terms.start?.day(today)
        new.nextRenewal = terms.renews?.day(today)
        new.freeTrial = terms.trial
        new.autoRenew = terms.auto
        new.label = terms.label
        new.reminderDays = terms.remind
        new.note = terms.note
        let id = try kit.add(new)
        try await session.finish(id)
    }

    private func ownPlan(_ kit: Kit) throws -> PrivatePlan {
        guard let every, let fee = terms.fee, let currency = try currency ?? kit.currency() else {
            throw Failure(
                "a plan of your own needs --fee, --currency and --every",
                hint: "subtrack add Gym --fee 29.90 --currency EUR --every month")
        }
        let name = words.joined(separator: " ")
        return PrivatePlan(
            provider: name, name: "Standard", category: category, fee: fee, currency: currency.uppercased(),
            duration: every.duration)
    }

    /// The plan that the words lead to. Where there are several, they are shown, and asked for at a terminal.
    /// - Parameter reason: why there is no catalogue yet.
    private func choose(_ kit: Kit, because reason: KitError?) throws -> Plan {
        let text = words.joined(separator: " ")
        let found = Array(try kit.plans(matching: text, limit: Plans.limit))
        guard let first = found.first else { throw try Failure.noPlan(text, in: kit, because: reason) }
        let list = text.isEmpty ? "subtrack plans" : "subtrack plans \(Terminal.clean(text))"
        if let number {
            guard found.indices.contains(number - 1) else {
                throw Failure(
                    "there is no plan number \(number): \(list) shows \(found.count == 1 ? "1" : "1 to \(found.count)")"
                )
            }
            return found[number - 1]
        }
        if found.count == 1 { return first }
        let shown = found.prefix(Self.asked)
        Output.say(PlanTableLines.lines(Array(shown), on: home.terminal).joined(separator: "\n"))
        if found.count > shown.count { Output.say("… and more: \(list)") }
        guard Prompt.isInteractive else {
            throw Failure("\"\(Terminal.clean(text))\" could be any of these", hint: "add more letters, or --number")
        }
        guard let answer = Prompt.line("Which? [1] "), let index = answer.isEmpty ? 1 : Int(answer),
            found.indices.contains(index - 1)
        else { throw Failure("nothing was added") }
        return found[index - 1]
    }

    /// How many plans are shown to choose from.
    private static let asked = 12
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
        try body(found)
        try await finish(found.id)
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

            A plan of your own has a price and a length that can be changed, too:

            subtrack edit gym --price 34.90 --every 2months
            """)
    @OptionGroup var chosen: Chosen
    @OptionGroup var terms: Terms
    @Flag(help: "It is due as usual again, 7 days before the end.") var noRemind = false
    @OptionGroup var plan: OwnPlan

    func validate() throws {
        guard !noRemind || terms.remind == nil else { throw ValidationError("either --remind or --no-remind") }
        guard terms.areGiven || noRemind || plan.patch != PrivatePlanPatch() else {
            throw ValidationError(
                "say what to change: --label, --note, --fee, --start, --renews, --trial, --auto, --remind, --no-remind; of a plan of your "
                    + "own: --provider, --plan, --price, --currency, --every, --category, --notice")
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
            words, among: deleted, hint: "subtrack restore shows those that were deleted")
        try session.kit.restore(found.id)
        try await session.finish(found.id)
    }
}
