import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// Shows subscriptions as a table.
enum SubscriptionTable {
    static func lines(_ list: [TrackedSubscription], on terminal: Terminal) -> [String] {
        guard !list.isEmpty else { return ["Nothing yet. Try: subtrack add netflix"] }
        var table = Table(columns: [
            .init(title: "SUBSCRIPTION", minimum: 12), .init(title: "PLAN", minimum: 8, rank: 3),
            .init(title: "FEE", isNumber: true), .init(title: "", rank: 4), .init(title: "RENEWS", rank: 2),
            .init(title: "DAYS", isNumber: true, rank: 1), .init(title: ""),
        ])
        for tracked in list {
            let subscription = tracked.subscription
            let plan = subscription.plan
            let (standing, style) = standing(tracked)
            table.rows.append([
                .init(subscription.label ?? plan.provider, .bold),
                .init(subscription.label == nil ? name(plan) : "\(plan.provider) \(name(plan))"),
                fee(subscription), .init(every(plan.duration), .dim),
                .init(subscription.endDate.description), .init(String(subscription.remaining), style),
                .init(standing + (tracked.isPending ? "  ↑" : ""), style),
            ])
        }
        return table.lines(on: terminal)
    }

    /// What the period costs, and the next one where that is something else: an announced price, the end of a trial.
    private static func fee(_ subscription: Subscription) -> Table.Cell {
        let (fee, currency) = (subscription.fee, subscription.currency)
        guard let next = subscription.next, next.fee != fee || next.currency != currency else {
            return .init("\(fee) \(currency)")
        }
        return .init(
            next.currency == currency
                ? "\(fee) → \(next.fee) \(currency)" : "\(fee) \(currency) → \(next.fee) \(next.currency)", .yellow)
    }

    /// A plan's name, with its type where that says something.
    private static func name(_ plan: Plan) -> String {
        plan.type == "Standard" || plan.type == plan.name ? plan.name : "\(plan.name) \(plan.type)"
    }

    static func every(_ duration: PlanDuration) -> String {
        let unit = duration.unit.rawValue
        return duration.value == 1 ? "/ \(unit)" : "/ \(duration.value) \(unit)s"
    }

    static func standing(_ tracked: TrackedSubscription) -> (String, Terminal.Style?) {
        let subscription = tracked.subscription
        switch subscription.status {
        case .ended: return ("ended", .dim)
        case .cancelled: return ("runs out", .cyan)
        case .active:
            if tracked.isOverdue { return ("overdue", .red) }
            let how = subscription.freeTrial ? "trial" : subscription.autoRenew ? "automatic" : ""
            return (how, subscription.remaining <= 7 ? .yellow : nil)
        }
    }

    /// What it all costs.
    static func spending(_ spend: [GetDashboard.Spend]) -> String {
        spend.map { "\($0.month) \($0.currency) a month, \($0.year) \($0.currency) a year" }.joined(separator: "; ")
    }
}

struct List: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows all subscriptions, those that end first on top.")
    @OptionGroup var home: Home
    @Flag(help: "Those that have ended too.") var all = false
    @Flag(help: "Sync first. Without it what is here is shown at once.") var sync = false

    func run(_ session: Session) async throws {
        if sync { try await session.sendAndPull() }
        var list = try session.kit.subscriptions()
        if !all { list.removeAll { $0.subscription.status == .ended } }
        guard !home.json else { return try Output.json(list) }
        try Output.lines(SubscriptionTable.lines(list, on: home.terminal))
        let spend = try session.kit.spending(of: list)
        if !spend.isEmpty {
            try Output.line("\n" + home.terminal.styled(SubscriptionTable.spending(spend), .dim))
        }
    }
}

struct Due: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "due",
        abstract: "Shows what renews in the next days, and what should have been renewed or cancelled.")
    @OptionGroup var home: Home
    @Argument(help: "How many days ahead.") var days = 7

    func validate() throws {
        guard (0...3660).contains(days) else { throw ValidationError("days: 0 to 3660") }
    }

    func run(_ session: Session) async throws {
        let list = try session.kit.subscriptions().filter {
            $0.subscription.status == .active && $0.subscription.remaining <= days
        }
        guard !home.json else { return try Output.json(list) }
        guard !list.isEmpty else {
            try Output.line("Nothing renews in the next \(days) days.")
            return
        }
        try Output.lines(SubscriptionTable.lines(list, on: home.terminal))
    }
}

struct Show: ChosenCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a subscription with its history.")
    @OptionGroup var chosen: Chosen

    func run(_ session: Session) async throws {
        let found = try session.find(words, among: try session.kit.subscriptions())
        guard let details = try session.kit.details(of: found.id) else { throw Failure("it is gone") }
        guard !home.json else { return try Output.json(details) }
        try Output.lines(Self.lines(details, on: home.terminal))
    }

    static func lines(_ details: Kit.Details, on terminal: Terminal) -> [String] {
        let (tracked, subscription) = (details.tracked, details.tracked.subscription)
        let plan = subscription.plan
        let (standing, style) = SubscriptionTable.standing(tracked)
        func field(_ name: String, _ value: String?, _ style: Terminal.Style? = nil) -> String? {
            value.map { value in
                terminal.styled(name.padding(toLength: 13, withPad: " ", startingAt: 0), .dim)
                    + terminal.styled(Terminal.clean(value), style)
            }
        }
        var lines = [terminal.styled(Terminal.clean(tracked.name), .bold)]
        lines += [
            field("plan", "\(plan.provider) \(plan.name), \(plan.type), \(plan.category)"),
            field("costs", "\(plan.fee) \(plan.currency) \(SubscriptionTable.every(plan.duration))"),
            field(
                "this period",
                "\(subscription.startDate) to \(subscription.endDate), \(subscription.fee) \(subscription.currency)"),
            field("stands", standing.isEmpty ? nil : standing, style),
            field("days left", String(subscription.remaining), style),
            field("next", subscription.next.map { "\($0.fee) \($0.currency) on \($0.on)" }),
            field("cancel by", subscription.status == .active ? subscription.cancelBy.description : nil),
            field("cancel at", details.cancelUrl),
            field("reminder", subscription.reminderDays.map { "\($0) days before" }),
            field("note", subscription.note), field("id", tracked.id.uuidString.lowercased(), .dim),
            field("", tracked.isPending ? "changed here, not sent yet" : nil, .yellow),
        ].compactMap { $0 }
        let announced = details.prices.filter { $0.effectiveOn > subscription.startDate }
        lines += announced.compactMap { price in
            field("announced", "\(price.fee) \(price.currency) from \(price.effectiveOn)", .yellow)
        }
        var table = Table(columns: [
            .init(title: "PERIOD", isNumber: true), .init(title: "FROM", rank: 2), .init(title: "TO"),
            .init(title: "COST", isNumber: true), .init(title: "", rank: 1),
        ])
        table.rows = details.periods.reversed().prefix(24).map { period in
            [
                .init(String(period.number)), .init(period.startDate.description), .init(period.endDate.description),
                .init("\(period.fee) \(period.currency)"),
                .init(period.freeTrial ? "trial" : period.number == subscription.period ? "now" : "", .dim),
            ]
        }
        return lines + [""] + table.lines(on: terminal)
    }
}

struct Plans: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "plans", abstract: "Finds plans by a few letters of provider and name.")
    @OptionGroup var home: Home
    @Argument(help: "Letters of provider, name or category.") var words: [String] = []

    func run(_ session: Session) async throws {
        let reason = try await session.pullOnce()
        let text = words.joined(separator: " ")
        let plans = try session.kit.plans(matching: text, limit: 50)
        guard !home.json else { return try Output.json(plans) }
        guard !plans.isEmpty else { throw try Failure.noPlan(text, in: session.kit, because: reason) }
        try Output.lines(PlanTableLines.lines(plans, on: home.terminal))
    }
}

/// Plans as a table.
enum PlanTableLines {
    static func lines(_ plans: [Plan], on terminal: Terminal) -> [String] {
        var table = Table(columns: [
            .init(title: "#", isNumber: true), .init(title: "PROVIDER", minimum: 10), .init(title: "PLAN", minimum: 10),
            .init(title: "TYPE", minimum: 6, rank: 2), .init(title: "FEE", isNumber: true), .init(title: "", rank: 1),
            .init(title: "TRIAL", isNumber: true, rank: 3),
        ])
        for (index, plan) in plans.enumerated() {
            table.rows.append([
                .init(String(index + 1), .dim), .init(plan.provider, .bold), .init(plan.name), .init(plan.type),
                .init("\(plan.fee) \(plan.currency)"), .init(SubscriptionTable.every(plan.duration), .dim),
                .init(plan.trialDays.map { "\($0) days" } ?? "", .dim),
            ])
        }
        return table.lines(on: terminal)
    }
}
