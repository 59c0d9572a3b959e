import SubTrackAPI
import SubTrackCore
import TestTraits

/// Random histories of subscriptions, as statements, with the rows that the rules of ``BillingState`` and ``PriceLine``
/// make of them: what the triggers must make of them as well.
struct BillingHistory {
    /// A plan as it is at this moment.
    private struct KnownPlan {
        var id: Int
        var terms: BillingTerms
        var line: PriceLine
    }

    /// The statements so far, each with what must come of it.
    private(set) var steps: [CaseFile.Step] = []
    private var random: SeededGenerator
    private var plans: [KnownPlan] = []
    private let user = "0x01900000000070008000000000000001"

    /// Makes plans of several durations, each with prices of its own, and as many histories on them.
    /// - Throws: never, as the terms that it makes are allowed.
    init(seed: UInt64, histories: Int) throws {
        random = SeededGenerator(seed: seed)
        let terms: [(Int, PlanDuration.Unit, Int?)] = [
            (1, .month, 7), (1, .month, nil), (1, .year, nil), (3, .month, 14), (2, .week, nil), (30, .day, nil),
            (6, .month, 31), (12, .month, nil), (10, .day, 3), (4, .year, 30), (1, .week, 7),
        ]
        for (index, (value, unit, trial)) in terms.enumerated() { try addPlan(100 + index, value, unit, trial) }
        for index in 0..<histories { try addHistory(index) }
    }

    private mutating func addPlan(_ id: Int, _ value: Int, _ unit: PlanDuration.Unit, _ trial: Int?) throws {
        let since = try day(2024, 6, 1)
        var entries = [(since, Int64.random(in: 0...9999, using: &random))]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let other = since.adding(days: Int.random(in: -400...800, using: &random))
            if !entries.contains(where: { $0.0 == other }) {
                entries.append((other, Int64.random(in: 0...9999, using: &random)))
            }
        }
        let line = PriceLine(
            entries.map {
                PriceLine.Entry(
                    effectiveOn: $0.0, price: Price(fee: Amount(units: $0.1, digits: 2), currency: "USD"))
            })
        guard let line else { return }
        plans.append(
            KnownPlan(
                id: id,
                terms: try BillingTerms(duration: PlanDuration(value: value, unit: unit), trialDays: trial), line: line)
        )
        add(
            """
            INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Trial_days, \
            Fee_since) VALUES (\(id), 'Any', 'Plan \(id)', \(cents(entries[0].1)), 'US', \(value), '\(unit.rawValue)', \
            \(trial.map(String.init) ?? "NULL"), '\(since)');
            """)
        for (effectiveOn, units) in entries.dropFirst() {
            add(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(id), '\(effectiveOn)', \(cents(units)));"
            )
        }
    }

    // MARK: one history

    /// A subscription, as the rules say that it is.
    private struct Known {
        var id: String
        var plan: Int
        var state: BillingState
        var ownFee: Amount?
        var ended: [String] = []
        var lastEnd: CalendarDate?
    }

    private mutating func addHistory(_ index: Int) throws {
        var day = try day(2023, 1, 1).adding(days: Int.random(in: 0..<2_500, using: &random))
        if random.chance(0.5) { day = monthEnd(day) }
        let plan = Int.random(in: plans.indices, using: &random)
        let trial = random.chance(0.3)
        let known: Known
        let id = "0x0190000000007000A0000000" + hex(index)
        if random.chance(0.3),
            let state = try? BillingState.begin(
                nextRenewal: day, terms: plans[plan].terms, freeTrial: trial)
        {
            known = Known(id: id, plan: plan, state: state, ownFee: randomFee())
        } else {
            known = Known(
                id: id, plan: plan, state: try .begin(on: day, terms: plans[plan].terms, freeTrial: trial),
                ownFee: randomFee())
        }
        let state = known.state
        let fee = known.ownFee.map(\.description) ?? "NULL"
        // Who gives no anchor leaves the column out.
        let anchor = state.anchor == state.start ? "" : ", Anchor_date"
        add(
            """
            INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Free_trial, Own_fee\(anchor)) \
            VALUES (\(id), \(user), \(plans[plan].id), '\(state.start)', \(trial), \
            \(fee)\(anchor.isEmpty ? "" : ", '\(state.anchor)'"));
            """)
        expect(known)
        var current = known
        for _ in 0..<Int.random(in: 1...9, using: &random) { try change(&current) }
        var step = CaseFile.Step(
            line: #line,
            statement: """
                SELECT Period, Start_date, End_date, Free_trial FROM Subscription_period \
                WHERE Subscription_ID = \(id) ORDER BY Period;
                """)
        step.rows = current.ended
        steps.append(step)
    }

    private mutating func change(_ known: inout Known) throws {
        let state = known.state
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: try update(&known, start: state.end, plan: nil, trial: nil)
        case 35..<41: try goOn(&known)
        case 41..<45: try renewByItself(&known)
        case 45..<70: try update(&known, start: randomStart(state), plan: randomPlan(), trial: randomFlag())
        case 70..<76:
            let start = state.start.adding(days: Int.random(in: -40...80, using: &random))
            if start != state.start { try correct(&known, start: start) }
        case 76..<80: try correct(&known, start: state.end)
        case 80..<88:
            try correct(&known, nextRenewal: state.end.adding(days: Int.random(in: -70...70, using: &random)))
        case 88..<90: try correct(&known, nextRenewal: monthEnd(state.end.adding(days: 20)))
        case 90..<94:
            known.ownFee = randomFee()
            add("UPDATE Subscription SET Own_fee = \(known.ownFee.map(\.description) ?? "NULL")" + whereClause(known))
            expect(known)
        case 94..<97:
            add(
                "UPDATE Subscription SET End_date = '2099-01-01', Period = 7, Period_fee = 1, Ver = 9"
                    + whereClause(known))
            expect(known)
        default: try changeTerms()
        }
    }

    /// One statement that names a start, a plan and the trial flag, or some of them.
    private mutating func update(_ known: inout Known, start: CalendarDate?, plan: Int?, trial: Bool?) throws {
        var columns: [String] = []
        if let start { columns.append("Start_date = '\(start)'") }
        if let plan { columns.append("Plan_ID = \(plans[plan].id)") }
        if let trial { columns.append("Free_trial = \(trial)") }
        guard !columns.isEmpty else { return }
        if start == known.state.end, random.chance(0.5) { columns[0] = "Start_date = End_date" }
        let terms = plans[plan ?? known.plan].terms
        let flag = trial ?? known.state.freeTrial
        let next = Result {
            try known.state.updated(
                start: start ?? known.state.start, terms: terms, planChanged: plan ?? known.plan != known.plan,
                freeTrial: flag, lastEnd: known.lastEnd)
        }
        apply(next, to: &known, plan: plan, statement: columns.joined(separator: ", "))
    }

    /// A correction that names its anchor.
    private mutating func correct(_ known: inout Known, start: CalendarDate) throws {
        let next = Result {
            try known.state.corrected(start: start, terms: plans[known.plan].terms, lastEnd: known.lastEnd)
        }
        apply(next, to: &known, plan: nil, statement: "Start_date = '\(start)', Anchor_date = '\(start)'")
    }

    /// A correction that is given as the day of the next renewal: start, anchor and count as the rules find them.
    private mutating func correct(_ known: inout Known, nextRenewal end: CalendarDate) throws {
        let terms = plans[known.plan].terms
        guard
            let found = try? BillingState.begin(nextRenewal: end, terms: terms, freeTrial: known.state.freeTrial),
            found.anchor != known.state.anchor || found.anchorCount != known.state.anchorCount
        else { return }
        let next = Result {
            try known.state.corrected(nextRenewal: end, terms: terms, lastEnd: known.lastEnd)
        }
        apply(
            next, to: &known, plan: nil,
            statement: """
                Start_date = '\(found.start)', Anchor_date = '\(found.anchor)', Anchor_count = \(found.anchorCount)
                """)
    }

    private mutating func apply(
        _ next: Result<BillingState, any Error>, to known: inout Known, plan: Int?, statement: String
    ) {
        add("UPDATE Subscription SET " + statement + whereClause(known))
        switch next {
        case .success(let state):
            if state.number > known.state.number {
                let ended = known.state
                known.ended.append(
                    "\(ended.number) | \(ended.start) | \(ended.end) | \(ended.freeTrial ? 1 : 0)")
                known.lastEnd = ended.end
            }
            known.state = state
            known.plan = plan ?? known.plan
        case .failure:
            steps[steps.count - 1].error = "Subscription.Start_date: lies in a period that has ended"
        }
        expect(known)
    }

    /// It ran out or was not there, and goes on, on a day that the database's clock shows.
    private mutating func goOn(_ known: inout Known) throws {
        let day = known.state.end.adding(days: Int.random(in: -10...300, using: &random))
        // Clocks of older servers end in 2038.
        guard day.components.year < 2037 else { return }
        let (before, again, after) =
            [
                ("Cancelled_on = '2024-01-01'", "Cancelled_on = NULL", "Note = NULL"),
                ("Note = NULL", "Auto_renew = TRUE", "Auto_renew = FALSE"),
                ("Auto_renew = TRUE, Deleted_at = '2024-01-01', Ver = 0", "Deleted_at = NULL", "Auto_renew = FALSE"),
            ].randomElement(using: &random) ?? ("", "", "")
        add("SET timestamp = UNIX_TIMESTAMP('\(day) 12:00:00');")
        add("UPDATE Subscription SET " + before + whereClause(known))
        let terms = plans[known.plan].terms
        let next = Result { try known.state.goingOn(from: day, terms: terms) }
        apply(next, to: &known, plan: nil, statement: again)
        add("UPDATE Subscription SET " + after + whereClause(known))
        expect(known)
    }

    /// It renews by itself, some times, and some of that is taken back.
    private mutating func renewByItself(_ known: inout Known) throws {
        let terms = plans[known.plan].terms
        var states = [known.state]
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            states.append(try states[states.count - 1].renewed(terms))
        }
        let last = states[states.count - 1]
        guard last.end.components.year < 2999 else { return }
        add(
            "UPDATE Subscription SET Auto_renew = TRUE, Start_date = End_date, End_date = '\(last.end)', Ver = 0"
                + whereClause(known))
        let (ended, lastEnd) = (known.ended, known.lastEnd)
        func come(to index: Int) {
            known.ended =
                ended
                + states[..<index].map { "\($0.number) | \($0.start) | \($0.end) | \($0.freeTrial ? 1 : 0)" }
            known.lastEnd = index == 0 ? lastEnd : states[index - 1].end
            known.state = states[index]
        }
        come(to: states.count - 1)
        expect(known)
        let index = Int.random(in: 0..<states.count - 1, using: &random)
        add(
            "UPDATE Subscription SET Auto_renew = FALSE, Period = \(states[index].number), Ver = 0" + whereClause(known)
        )
        come(to: index)
        expect(known)
    }

    /// The terms of a plan change under those who have it.
    private mutating func changeTerms() throws {
        let plan = Int.random(in: plans.indices, using: &random)
        let other = plans[Int.random(in: plans.indices, using: &random)].terms
        plans[plan].terms = other
        add(
            """
            UPDATE Plan SET Duration_value = \(other.duration.value), Duration_unit = '\(other.duration.unit.rawValue)', \
            Trial_days = \(other.trialDays) WHERE Plan_ID = \(plans[plan].id);
            """)
    }

    // MARK: pieces

    private mutating func add(_ statement: String) {
        steps.append(CaseFile.Step(line: #line, statement: statement))
    }

    private mutating func expect(_ known: Known) {
        let state = known.state
        let cost = plans[known.plan].line.cost(
            ofPeriodFrom: state.start, ownFee: known.ownFee, freeTrial: state.freeTrial)
        var step = CaseFile.Step(
            line: #line,
            statement: """
                SELECT Start_date, End_date, Free_trial, Anchor_date, Anchor_count, Period, Plan_ID, \
                ROUND(Period_fee, 2), Period_currency FROM Subscription WHERE Subscription_ID = \(known.id);
                """)
        step.rows = [
            "\(state.start) | \(state.end) | \(state.freeTrial ? 1 : 0) | \(state.anchor) | \(state.anchorCount) | "
                + "\(state.number) | \(plans[known.plan].id) | \(cost.fee) | \(cost.currency)"
        ]
        steps.append(step)
    }

    private func whereClause(_ known: Known) -> String { " WHERE Subscription_ID = \(known.id);" }

    private func cents(_ units: Int64) -> String { Amount(units: units, digits: 2).description }

    private func hex(_ index: Int) -> String {
        let digits = String(index, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDate {
        guard let date = CalendarDate(year: year, month: month, day: day) else { throw BillingError.endTooFarAway }
        return date
    }

    private func monthEnd(_ day: CalendarDate) -> CalendarDate {
        let (year, month, number) = day.components
        return day.adding(days: CalendarDate.daysInMonth(year: year, month: month) - number)
    }

    private mutating func randomFee() -> Amount? {
        random.chance(0.2) ? Amount(units: Int64.random(in: 0...5_000, using: &random), digits: 2) : nil
    }

    private mutating func randomPlan() -> Int? {
        random.chance(0.5) ? Int.random(in: plans.indices, using: &random) : nil
    }

    private mutating func randomFlag() -> Bool? { random.chance(0.3) ? Bool.random(using: &random) : nil }

    private mutating func randomStart(_ state: BillingState) -> CalendarDate? {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: state.end
        case 1: state.start.adding(days: Int.random(in: -40...80, using: &random))
        default: nil
        }
    }
}
