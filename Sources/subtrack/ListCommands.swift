import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

struct List: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows all subscriptions, those that end first on top.")
    @OptionGroup var home: Home
    @Flag(help: "Those that have ended too.") var all = false
    @Flag(help: "Sync first. Without it what is here is shown at once.") var sync = false

    func run(_ session: Session) async throws {
        if sync { _ = try await session.isRefused { _ in false } }
        var list = try session.kit.subscriptions()
        if !all { list.removeAll { $0.subscription.status == .ended } }
        guard !home.json else { return try Output.json(list) }
        try Output.lines(SubscriptionTable.lines(list, on: home.terminal))
        let spend = try session.kit.spending(of: list)
        if !spend.isEmpty {
            try Output.lines(
                [""] + SpendingLines.lines(spend, total: try session.kit.total(of: spend), on: home.terminal))
        }
    }
}

struct Due: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "due",
        abstract: "Shows what renews soon, and what should have been renewed or cancelled.",
        discussion: "Soon is within the days of --remind of each subscription, or within 7 days.")
    @OptionGroup var home: Home
    @Argument(help: "How many days ahead to look, for all of them.") var days: Int?

    func validate() throws {
        guard days.map({ (0...3660).contains($0) }) ?? true else { throw ValidationError("days: 0 to 3660") }
    }

    func run(_ session: Session) async throws {
        let list = try session.kit.subscriptions().filter { tracked in
            guard let days else { return tracked.isDue }
            return tracked.subscription.status == .active && tracked.subscription.remaining <= days
        }
        guard !home.json else { return try Output.json(list) }
        guard !list.isEmpty else { return try Output.lines(home.terminal.wrapped(nothing)) }
        try Output.lines(SubscriptionTable.lines(list, on: home.terminal))
    }

    private var nothing: String {
        switch days {
        case nil: "Nothing renews in the next 7 days, or in the days before its end in which you want to be reminded."
        case 0?: "Nothing renews today."
        case 1?: "Nothing renews today or tomorrow."
        case let days?: "Nothing renews in the next \(days) days."
        }
    }
}

struct Show: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a subscription with its history.")
    @OptionGroup var chosen: Chosen
    @Flag(help: "All periods, and not the last 24 alone.") var all = false

    func run(_ session: Session) async throws {
        let found = try session.find(words, among: try session.kit.subscriptions())
        guard let details = try session.kit.details(of: found.id) else { throw Failure("it is gone") }
        guard !home.json else { return try Output.json(details) }
        try Output.lines(Self.lines(details, all: all, on: home.terminal))
    }

    /// How many periods are shown unless all are asked for.
    private static let shownPeriods = 24

    static func lines(_ details: Kit.Details, all: Bool = false, on terminal: Terminal) -> [String] {
        let (tracked, subscription) = (details.tracked, details.tracked.subscription)
        let plan = subscription.plan
        let (standing, style) = SubscriptionTable.standing(tracked)
        func field(_ name: String, _ value: String?, _ style: Terminal.Style? = nil) -> [String] {
            guard let value else { return [] }
            return terminal.wrapped(Terminal.clean(value), indent: 13).enumerated().map { index, line in
                let head = (index == 0 ? name : "").padding(toLength: 13, withPad: " ", startingAt: 0)
                return terminal.styled(head, .dim) + terminal.styled(line, style)
            }
        }
        func money(_ fee: Amount, _ currency: String) -> String { "\(fee)\u{A0}\(currency)" }
        func price(_ fee: Amount) -> String {
            "\(money(fee, plan.currency)) \(SubscriptionTable.every(plan.duration))"
        }
        let (ownPrice, planPrice) = (details.ownFee.map(price), price(plan.fee))
        let isActive = subscription.status == .active
        let status = [standing, SubscriptionTable.renewal(subscription)].compactMap { $0 }.joined(separator: ", ")
        let window = tracked.reminderWindow
        let category = plan.category == "Other" ? "" : ", \(plan.category)"
        var lines = terminal.wrapped(Terminal.clean(tracked.name)).map { terminal.styled($0, .bold) }
        lines += [
            field("plan", plan.title + category),
            field("costs", ownPrice.map { "\($0), your own fee" } ?? planPrice),
            field("plan's price", ownPrice == nil ? nil : planPrice),
            field(
                "this period",
                "\(subscription.startDate) to \(subscription.endDate), \(money(subscription.fee, subscription.currency))"
            ),
            field("status", status.isEmpty ? nil : status, style),
            field(
                "days left",
                subscription.remaining < 0
                    ? isActive ? "none, \(SubscriptionTable.days(-subscription.remaining)) overdue" : nil
                    : String(subscription.remaining), style),
            field("next", subscription.next.map { "\(money($0.fee, $0.currency)) on \($0.on)" }),
            field("cancel by", isActive ? subscription.cancelBy.description : nil),
            field("cancelled", tracked.cancelledOn?.description),
            field("cancel at", details.cancelUrl),
            field(
                "reminder",
                isActive && (subscription.reminderDays != nil || tracked.isDue)
                    ? "\(SubscriptionTable.days(window)) before, from \(subscription.endDate.adding(days: -window)) on"
                    : nil),
            field("muted", subscription.muted ? "you are told only that it is overdue" : nil),
            field("note", subscription.note), field("id", tracked.id.uuidString.lowercased(), .dim),
            field("", tracked.isPending ? "changed here, not sent yet" : nil, .yellow),
        ].flatMap { $0 }
        lines += announced(details).flatMap { price in
            field(
                "announced",
                "\(money(price.fee, price.currency)) from \(price.effectiveOn) on"
                    + (details.ownFee == nil ? "" : "; your own fee stays"), .yellow)
        }
        var table = Table(columns: [
            .init(title: "PERIOD", isNumber: true), .init(title: "FROM", rank: 2), .init(title: "TO"),
            .init(title: "COST", isNumber: true), .init(title: "", rank: 1),
        ])
        table.rows = details.periods.reversed().prefix(all ? .max : shownPeriods).map { period in
            [
                .init(String(period.number)), .init(period.startDate.description), .init(period.endDate.description),
                .init("\(period.fee) \(period.currency)"),
                .init(period.freeTrial ? "trial" : period.number == subscription.period ? "now" : "", .dim),
            ]
        }
        lines += [""] + table.lines(on: terminal)
        let hidden = details.periods.count - table.rows.count
        guard hidden > 0 else { return lines }
        let command = TypedCommand.line(["show", tracked.shortID, "--all"])
        return lines + ["… and \(hidden) earlier \(hidden == 1 ? "period" : "periods"): \(command)"]
    }

    /// Prices of days to come that differ from the price before them.
    private static func announced(_ details: Kit.Details) -> [GetPlan.Price] {
        let today = details.tracked.subscription.endDate.adding(days: -details.tracked.subscription.remaining)
        return zip(details.prices, details.prices.dropFirst()).filter { former, price in
            price.effectiveOn > today && (price.fee != former.fee || price.currency != former.currency)
        }.map(\.1)
    }
}

struct Plans: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "plans", abstract: "Finds plans by a few letters of provider and name.",
        discussion: "The number of a plan is good for subtrack add --number with the same letters.")
    @OptionGroup var home: Home
    @Argument(help: "Letters of provider, name or category; none: all plans.") var words: [String] = []

    /// How many are shown.
    static let limit = 50

    func run(_ session: Session) async throws {
        let reason = try await session.pullOnce()
        let text = words.joined(separator: " ")
        let found = try session.kit.plans(matching: text, limit: Self.limit + 1)
        let plans = Array(found.prefix(Self.limit))
        guard !home.json else { return try Output.json(plans) }
        guard !plans.isEmpty else {
            let currency = try session.kit.presumedCurrency() ?? "EUR"
            let own = TypedCommand.line(
                ["add", text.isEmpty ? "NAME" : text, "--fee", "9.99", "--currency", currency, "--every", "month"])
            throw try Failure.noPlan(text, in: session.kit, own: own, because: reason)
        }
        try Output.lines(PlanTableLines.lines(plans, on: home.terminal))
        if found.count > Self.limit { Output.say("… and more: give more letters.") }
    }
}

/// Plans as a table.
enum PlanTableLines {
    static func lines(_ plans: [Plan], on terminal: Terminal) -> [String] {
        var table = Table(columns: [
            .init(title: "#", isNumber: true), .init(title: "PROVIDER", minimum: 8, keepsEnd: true),
            .init(title: "PLAN", minimum: 8, keepsEnd: true), .init(title: "TYPE", minimum: 6, rank: 3),
            .init(title: "FEE", isNumber: true), .init(title: "", rank: 1),
            .init(title: "TRIAL", isNumber: true, rank: 4),
        ])
        for (index, plan) in plans.enumerated() {
            table.rows.append([
                .init(String(index + 1), .dim), .init(plan.provider, .bold), .init(plan.name), .init(plan.type),
                .init("\(plan.fee) \(plan.currency)"), .init(SubscriptionTable.every(plan.duration), .dim),
                .init(plan.trialDays.map { SubscriptionTable.days($0) } ?? "", .dim),
            ])
        }
        return table.lines(on: terminal)
    }
}
