import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// Shows subscriptions as a table.
enum SubscriptionTable {
    /// The columns by their worth: price, day, period, state, plan, reminder, and the days, which the day says too.
    private static func table(of list: [TrackedSubscription]) -> Table {
        // Rows of one name are told apart by their plans.
        let names = Set(list.map { $0.subscription.label ?? $0.subscription.plan.provider })
        var table = Table(columns: [
            .init(title: "SUBSCRIPTION", minimum: 12, keepsEnd: true, staysApart: true),
            .init(title: "PLAN", minimum: 8, keepsEnd: true, rank: names.count < list.count ? 4 : 6),
            .init(title: "FEE", isNumber: true), .init(title: "", rank: 2), .init(title: "RENEWS", rank: 1),
            .init(title: "DAYS", isNumber: true, rank: 7), .init(title: "", rank: 3),
        ])
        // Names are cut before the state goes: a trial that is not seen costs money.
        table.important = 3
        return table
    }

    static func lines(_ list: [TrackedSubscription], on terminal: Terminal) -> [String] {
        guard !list.isEmpty else { return terminal.wrapped("Nothing yet. Try: subtrack plans, subtrack add --help") }
        let table = filled(list, isShort: false, on: terminal)
        let hidden = table.columns.indices.dropFirst(stateColumn).filter { column in
            table.rows.contains { !$0[column].text.isEmpty } && !table.shows(column, on: terminal)
        }
        if !hidden.isEmpty {
            // Shorter words keep the state, or the reminder.
            let short = filled(list, isShort: true, on: terminal)
            if hidden.contains(where: { short.shows($0, on: terminal) }) { return short.lines(on: terminal) }
        }
        return table.lines(on: terminal)
    }

    /// The place of the state. The reminder follows, where there is one.
    private static let stateColumn = 6

    /// The table with its rows.
    /// - Parameter isShort: whether the length of a period is an abbreviation: `/m`.
    private static func filled(_ list: [TrackedSubscription], isShort: Bool, on terminal: Terminal) -> Table {
        let hasReminders = list.contains { $0.subscription.reminderDays != nil }
        var table = table(of: list)
        if hasReminders { table.columns.append(.init(title: "REMIND", rank: 5)) }
        for tracked in list {
            let subscription = tracked.subscription
            let plan = subscription.plan
            let style = standing(tracked).1
            let name = plan.nameBesideProvider ?? ""
            table.rows.append([
                .init(subscription.label ?? plan.provider, .bold),
                .init(subscription.label == nil ? name : name.isEmpty ? plan.provider : "\(plan.provider) \(name)"),
                fee(subscription), .init(isShort ? briefly(plan.duration) : every(plan.duration), .dim),
                .init(subscription.endDate.description), .init(String(subscription.remaining), style),
                .init(state(tracked), style ?? .dim),
            ])
            guard hasReminders else { continue }
            let reminder = subscription.reminderDays.map { days($0) } ?? ""
            table.rows[table.rows.count - 1].append(.init(reminder, tracked.isDue ? .yellow : .dim))
        }
        tellApart(&table, list, on: terminal)
        return table
    }

    /// How a subscription stands, the kind of its next renewal, and whether something of it waits to be sent.
    private static func state(_ tracked: TrackedSubscription) -> String {
        // A table, which has less room, names it as the option of `add`.
        let kind = renewal(tracked.subscription, automatic: "auto")
        let words = [standing(tracked).0, kind].compactMap { $0 }.joined(separator: ", ")
        return [words, tracked.isPending ? "↑" : ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Makes rows differ that look alike: by the plan where its column is left out, else by the last digits of the id.
    private static func tellApart(_ table: inout Table, _ list: [TrackedSubscription], on terminal: Terminal) {
        let hasPlan = table.shows(1, on: terminal)
        func alike() -> Set<String> {
            var count: [String: Int] = [:]
            for row in table.rows { count[key(row), default: 0] += 1 }
            return Set(count.filter { $0.value > 1 }.keys)
        }
        func key(_ row: [Table.Cell]) -> String { hasPlan ? "\(row[0].text)\n\(row[1].text)" : row[0].text }
        if !hasPlan {
            let same = alike()
            for (index, tracked) in list.enumerated() where same.contains(key(table.rows[index])) {
                let plan = tracked.subscription.plan
                let label = tracked.subscription.label
                table.rows[index][0] = .init(label.map { "\($0), \(plan.title)" } ?? plan.title, .bold)
            }
        }
        let same = alike()
        for (index, tracked) in list.enumerated() where same.contains(key(table.rows[index])) {
            table.rows[index][0] = .init("\(table.rows[index][0].text) (\(tracked.shortID))", .bold)
        }
    }

    /// The fee of the period, and of the next one where it differs: an announced price, the end of a trial.
    private static func fee(_ subscription: Subscription) -> Table.Cell {
        let (fee, currency) = (subscription.fee, subscription.currency)
        guard let next = subscription.next, next.fee != fee || next.currency != currency else {
            return .init("\(fee) \(currency)")
        }
        return .init(
            next.currency == currency
                ? "\(fee) → \(next.fee) \(currency)" : "\(fee) \(currency) → \(next.fee) \(next.currency)", .yellow)
    }

    static func every(_ duration: PlanDuration) -> String {
        duration.value == 1 ? "/ \(duration.unit.rawValue)" : "/ \(duration.words)"
    }

    /// The length of a period as briefly as it can be typed: `/m`, `/2w`.
    private static func briefly(_ duration: PlanDuration) -> String {
        "/\(duration.value == 1 ? "" : String(duration.value))\(duration.unit.rawValue.prefix(1))"
    }

    /// So many days, in words.
    static func days(_ count: Int) -> String { count == 1 ? "1 day" : "\(count) days" }

    /// How a subscription stands; nil: there is nothing to say.
    static func standing(_ tracked: TrackedSubscription) -> (String?, Terminal.Style?) {
        switch tracked.subscription.status {
        case .ended: ("ended", .dim)
        case .cancelled: ("runs out", .cyan)
        case .active: tracked.isOverdue ? ("overdue", .red) : tracked.isDue ? ("due", .yellow) : (nil, nil)
        }
    }

    /// The kind of its next renewal.
    /// - Parameter automatic: the word for a renewal that the provider does.
    static func renewal(_ subscription: Subscription, automatic: String = "automatic") -> String? {
        guard subscription.status == .active else { return nil }
        let words = [subscription.freeTrial ? "trial" : nil, subscription.autoRenew ? automatic : nil]
        return words.contains { $0 != nil } ? words.compactMap { $0 }.joined(separator: ", ") : nil
    }
}

/// The cost of all subscriptions, in lines.
enum SpendingLines {
    /// - Parameters:
    ///   - spend: the spending, by currency.
    ///   - total: the same in one currency, where there are several.
    static func lines(
        _ spend: [GetDashboard.Spend], total: SpendingTotal?, on terminal: Terminal
    ) -> [String] {
        let all = spend.map { words($0.month, $0.year, $0.currency) } + (total.map { [words($0, of: spend)] } ?? [])
        return all.flatMap { terminal.wrapped($0) }.map { terminal.styled($0, .dim) }
    }

    private static func words(_ month: Amount, _ year: Amount, _ currency: String) -> String {
        "\(month)\u{A0}\(currency) a\u{A0}month, \(year)\u{A0}\(currency) a\u{A0}year"
    }

    private static func words(_ total: SpendingTotal, of spend: [GetDashboard.Spend]) -> String {
        if let month = total.month, let year = total.year {
            let day = total.ratesOf.map { ", at exchange rates of \($0)" } ?? ""
            return "together \(words(month, year, total.currency))\(day)"
        }
        let to = "in \(total.currency)"
        guard total.unasked.isEmpty else {
            let rates = total.unasked.joined(separator: ", ")
            return "no total \(to) yet: the exchange rate for \(rates) comes with the next sync (subtrack sync)"
        }
        // Every rate is one to the euro.
        let rates = total.missing.joined(separator: ", ")
        // The total's own rate alone is missing: the others are known.
        let isOwn = total.missing == [total.currency] && !spend.contains { $0.currency == total.currency }
        let other = isOwn ? "; subtrack me --currency EUR gives a total in euros" : ""
        return "no total \(to): the service has no exchange rate for \(rates) to EUR; ask its operator to import rates "
            + "(subtrackd rates import)\(other)"
    }
}
