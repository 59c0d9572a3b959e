import SubTrackAPI
import SubTrackCore

/// Prices, standing, spending, savings and notices.
enum PlanCases {
    static let codes = ["EUR", "USD", "JPY"]

    static func priceLine(_ random: inout CaseRandom) -> RuleCase {
        let entries = random.entries(around: random.day())
        let day = random.once(in: 2) ? random.pick(entries).effectiveOn.adding(days: random.int(-1...1)) : random.day()
        let ownFee: Amount? = random.once(in: 3) ? random.fee() : nil
        let trial = random.once(in: 4)
        var expected = AnyJSON.null
        if let line = PriceLine(entries) {
            expected = .object([
                "days": .array(line.entries.map { .day($0.effectiveOn) }), "price": .price(line.price(on: day)),
                "cost": .price(line.cost(ofPeriodFrom: day, ownFee: ownFee, freeTrial: trial)),
                "next": .day(line.next(after: day)?.effectiveOn),
            ])
        }
        return RuleCase(
            kind: "priceLine",
            input: ["entries": .entries(entries), "day": .day(day), "ownFee": .amount(ownFee), "trial": .bool(trial)],
            expected: expected)
    }

    static func standing(_ random: inout CaseRandom) -> RuleCase {
        let end = random.day()
        let today = random.once(in: 3) ? random.day() : end.adding(days: random.int(-12...12))
        let cancelled: CalendarDate? = random.once(in: 3) ? today.adding(days: random.int(-30...0)) : nil
        return standing(
            end: end, cancelled: cancelled, notice: random.pick([0, 0, 1, 30, random.int(0...1200), -5]), today: today,
            within: random.pick([0, 7, 30]))
    }

    static func standing(end: CalendarDate, cancelled: CalendarDate?, notice: Int, today: CalendarDate, within: Int)
        -> RuleCase
    {
        let standing = SubscriptionStanding(endDate: end, cancelledOn: cancelled, noticeDays: notice, today: today)
        return RuleCase(
            kind: "standing",
            input: [
                "end": .day(end), "cancelled": .day(cancelled), "notice": .int(notice), "today": .day(today),
                "within": .int(within),
            ],
            expected: .object([
                "status": .string(standing.status.rawValue), "remaining": .int(standing.remaining),
                "cancelBy": .day(standing.cancelBy), "overdue": .bool(standing.isOverdue),
                "due": .bool(standing.isDue(within: within)),
                "usual": .bool(standing.isDue()),
            ]))
    }

    static func spending(_ random: inout CaseRandom) -> RuleCase {
        let items = (0..<random.int(0...8)).map { _ in (random.price(of: codes), random.terms()) }
        let digits = random.pick([0, 2, 2, 3, 6])
        var spending = Spending()
        var expected = AnyJSON.null
        do throws(TotalTooLarge) {
            for (price, terms) in items { try spending.add(price, terms: terms) }
            expected = .array(
                try spending.totals { _ in digits }.map {
                    .object(["currency": .string($0.currency), "month": .amount($0.month), "year": .amount($0.year)])
                })
        } catch {
            expected = .object(["error": "tooLarge"])
        }
        return RuleCase(
            kind: "spending",
            input: [
                "items": .array(items.map { .object(["price": .price($0.0), "terms": .terms($0.1)]) }),
                "digits": .int(digits),
            ],
            expected: expected)
    }

    static func savings(_ random: inout CaseRandom) -> RuleCase {
        var savings = Savings()
        var items: [AnyJSON] = []
        var isTooLarge = false
        let digits = random.pick([0, 2, 3])
        for _ in 0..<random.int(1...3) {
            let state = random.state()
            let terms = random.once(in: 2) ? random.fitting(state) : random.terms()
            let entries = random.entries(around: state.end)
            let ownFee: Amount? = random.once(in: 4) ? random.fee() : nil
            let today = state.end.adding(days: random.int(-20...1500))
            items.append(
                .object([
                    "state": .state(state), "terms": .terms(terms), "entries": .entries(entries),
                    "ownFee": .amount(ownFee),
                    "today": .day(today),
                ]))
            guard let line = PriceLine(entries) else { continue }
            do throws(TotalTooLarge) {
                try savings.add(state, terms: terms, prices: line, ownFee: ownFee, today: today)
            } catch {
                isTooLarge = true
            }
        }
        var expected = AnyJSON.object(["error": "tooLarge"])
        if !isTooLarge, let totals = try? savings.totals(digits: { _ in digits }) {
            expected = .array(totals.map { .object(["currency": .string($0.currency), "amount": .amount($0.amount)]) })
        }
        return RuleCase(kind: "savings", input: ["items": .array(items), "digits": .int(digits)], expected: expected)
    }

    static func notices(_ random: inout CaseRandom) -> RuleCase {
        let state = random.state()
        let fitting = random.once(in: 2) ? random.fitting(state) : random.terms()
        let terms = PlanTerms(duration: fitting.duration, noticeDays: random.pick([0, 0, 7, 30]))
        let entries = random.entries(around: state.end)
        let former: PlanOutlook.Former? =
            random.once(in: 3)
            ? .init(
                until: state.start.adding(days: random.int(-5...40)),
                terms: PlanTerms(
                    duration: random.once(in: 2) ? terms.duration : random.duration(),
                    noticeDays: random.pick([terms.noticeDays, 0, 14])))
            : nil
        let withdrawn: CalendarDate? = random.once(in: 4) ? random.day() : nil
        let ownFee: Amount? = random.once(in: 4) ? random.fee() : nil
        guard let line = PriceLine(entries) else { return standing(&random) }
        let current =
            random.once(in: 2)
            ? line.cost(ofPeriodFrom: state.start, ownFee: ownFee, freeTrial: state.freeTrial) : random.price(of: codes)
        let outlook = PlanOutlook(prices: line, terms: terms, former: former, withdrawnOn: withdrawn)
        var change = AnyJSON.null
        if let found = outlook.priceChange(for: state, current: current, ownFee: ownFee) {
            change = .object(["from": .price(found.from), "to": .price(found.to), "on": .day(found.on)])
        }
        return RuleCase(
            kind: "notices",
            input: [
                "state": .state(state), "terms": .planTerms(terms), "entries": .entries(entries),
                "former": former.map { .object(["until": .day($0.until), "terms": .planTerms($0.terms)]) } ?? .null,
                "withdrawn": .day(withdrawn), "ownFee": .amount(ownFee), "current": .price(current),
            ],
            expected: .object([
                "change": change, "former": outlook.formerTerms(for: state).map { .planTerms($0) } ?? .null,
                "notice": .int(outlook.noticeDays(for: state)),
            ]))
    }
}

extension CaseRandom {
    /// Prices from days around one; now and then two of one day.
    mutating func entries(around day: CalendarDate) -> [PriceLine.Entry] {
        let codes = once(in: 4) ? PlanCases.codes : [pick(PlanCases.codes)]
        return (0..<int(1...4)).map { _ in
            PriceLine.Entry(
                effectiveOn: day.adding(days: pick([0, 1, int(-400...400), int(-20...90)])), price: price(of: codes))
        }
    }
}

extension AnyJSON {
    static func entries(_ entries: [PriceLine.Entry]) -> AnyJSON {
        .array(entries.map { .object(["effectiveOn": .day($0.effectiveOn), "price": .price($0.price)]) })
    }

    static func planTerms(_ terms: PlanTerms) -> AnyJSON {
        .object(["duration": .duration(terms.duration), "noticeDays": .int(terms.noticeDays)])
    }
}
