import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// Random lives of subscriptions against a model that keeps a list of periods and adds dates by walking.
@Suite(.ownTime) struct BillingProperties {
    /// A subscription as a person would keep it on paper.
    private struct Model {
        struct Cycle {
            let anchor: CalendarDate
            var count: Int
        }
        var plan: BillingTerms
        var freeTrial: Bool
        var number = 0
        var ended: [(start: CalendarDate, end: CalendarDate)] = []
        var start: CalendarDate
        var end: CalendarDate
        var cycle: Cycle?

        init(_ plan: BillingTerms, _ start: CalendarDate, freeTrial: Bool) throws {
            (self.plan, self.start, self.freeTrial) = (plan, start, freeTrial)
            end = start
            try begin(start)
        }

        mutating func begin(_ day: CalendarDate) throws {
            start = day
            if freeTrial, plan.trialDays > 0 {
                cycle = nil
                end = try add(day, 1, PlanDuration(value: plan.trialDays, unit: .day))
            } else {
                cycle = Cycle(anchor: day, count: 1)
                end = try add(day, 1, plan.duration)
            }
        }

        func add(_ day: CalendarDate, _ count: Int, _ duration: PlanDuration) throws -> CalendarDate {
            try #require(WallCalendar.date(day, plus: count, duration))
        }

        /// Whether the running end fits the duration that the plan has now.
        func fits() throws -> Bool {
            guard let cycle else { return false }
            return try add(cycle.anchor, cycle.count, plan.duration) == end
        }

        mutating func close() {
            ended.append((start, end))
            number += 1
        }

        mutating func renew() throws {
            close()
            freeTrial = false
            if let cycle, try fits() {
                start = end
                self.cycle = Cycle(anchor: cycle.anchor, count: cycle.count + 1)
                end = try add(cycle.anchor, cycle.count + 1, plan.duration)
            } else {
                try begin(end)
            }
        }

        mutating func change(_ plan: BillingTerms) throws {
            self.plan = plan
            if try !fits() { try begin(start) }
        }

        mutating func setTrial(_ trial: Bool) throws {
            guard trial != freeTrial else { return }
            freeTrial = trial
            if cycle == nil || (trial && plan.trialDays > 0 && number == 0) { try begin(start) }
        }

        /// Whether the correction was possible.
        mutating func correct(_ day: CalendarDate) throws -> Bool {
            if let last = ended.map(\.end).max(), day < last { return false }
            if day > end { close() }
            try begin(day)
            return true
        }
    }

    private static func plans() throws -> [BillingTerms] {
        try [
            terms(1, .month, trialDays: 7), terms(1, .month), terms(1, .year), terms(3, .month, trialDays: 14),
            terms(2, .week), terms(30, .day), terms(6, .month, trialDays: 31), terms(12, .month),
            terms(10, .day, trialDays: 3), terms(4, .week), terms(28, .day, trialDays: 28), terms(1, .day),
            terms(24, .month), terms(2, .year, trialDays: 1), terms(11, .month), terms(1200, .day),
        ]
    }

    @Test(arguments: 1...8) func livesAsOnPaper(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let plans = try Self.plans()
        for life in 0..<500 {
            let plan = try #require(plans.randomElement(using: &random))
            let start = try startDay(using: &random)
            let freeTrial = random.chance(0.3)
            var model = try Model(plan, start, freeTrial: freeTrial)
            var state = try BillingState.begin(on: start, terms: plan, freeTrial: freeTrial)
            var log = ["begin \(start) \(plan) \(freeTrial)"]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let before = state
                log.append(try step(&state, &model, plans, using: &random))
                let (end, cycle) = (model.end, model.cycle)
                guard state.start == model.start, state.end == end, state.number == model.number,
                    state.freeTrial == model.freeTrial, state.anchorCount == cycle?.count ?? 0,
                    state.anchor == cycle?.anchor ?? model.start, state.number >= before.number
                else {
                    Issue.record("life \(life) of seed \(seed): \(log)\n\(state)\n\(model)")
                    return
                }
            }
        }
    }

    private func startDay(using random: inout SeededGenerator) throws -> CalendarDate {
        let start = CalendarDate(daysSince1970: Int32.random(in: 1...40_000, using: &random))
        guard random.chance(0.4) else { return start }
        let (year, month, _) = start.components
        return try #require(
            CalendarDate(year: year, month: month, day: CalendarDate.daysInMonth(year: year, month: month)))
    }

    private func step(
        _ state: inout BillingState, _ model: inout Model, _ plans: [BillingTerms], using random: inout SeededGenerator
    ) throws -> String {
        let other = try #require(plans.randomElement(using: &random))
        switch Int.random(in: 0..<11, using: &random) {
        case 0...4:
            state = try state.updated(
                start: state.end, terms: model.plan, planChanged: false, freeTrial: state.freeTrial, lastEnd: nil)
            try model.renew()
            return "renew"
        case 5:
            state = try state.changedPlan(to: other)
            try model.change(other)
            return "change to \(other)"
        case 6:
            state = try state.renewed(other)
            model.plan = other
            try model.renew()
            return "renew as \(other)"
        case 7:
            // The plan's own duration is changed by an admin; the running period keeps its end.
            model.plan = other
            return "plan becomes \(other)"
        case 8:
            let trial = random.chance(0.5)
            state = try state.updated(
                start: state.start, terms: model.plan, planChanged: false, freeTrial: trial, lastEnd: nil)
            try model.setTrial(trial)
            return "trial \(trial)"
        default:
            let newStart = max(
                state.start.adding(days: Int.random(in: -40...80, using: &random)), BillingCalendar.starts.lowerBound)
            let lastEnd = model.ended.map(\.end).max()
            if try model.correct(newStart) {
                state = try state.corrected(start: newStart, terms: model.plan, lastEnd: lastEnd)
            } else {
                #expect(throws: BillingError.self) {
                    try state.corrected(start: newStart, terms: model.plan, lastEnd: lastEnd)
                }
            }
            return "correct to \(newStart)"
        }
    }

    @Test(arguments: 1...4) func catchingUpIsRenewingAgainAndAgain(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let plans = try Self.plans()
        for _ in 0..<500 {
            let plan = try #require(plans.randomElement(using: &random))
            let soldAs = random.chance(0.3) ? try #require(plans.randomElement(using: &random)) : plan
            let start = try startDay(using: &random)
            let state = try BillingState.begin(on: start, terms: soldAs, freeTrial: random.chance(0.3))
            let someDay = start.adding(days: Int.random(in: -10...3000, using: &random))
            // Half of the time the very day of a renewal, or the day before.
            let renewal = try state.renewals(upTo: someDay, terms: plan).randomElement(using: &random)?.start
            let today = random.chance(0.5) ? someDay : (renewal ?? state.end).adding(days: random.chance(0.5) ? 0 : -1)
            var expected = state
            while expected.end <= today { expected = try expected.renewed(plan) }
            let caughtUp = try state.caughtUp(to: today, terms: plan)
            try #require(caughtUp == expected, "\(state) \(plan) \(today)")
            #expect(try state.renewalsDue(on: today, terms: plan) == expected.number - state.number)
            let passed = try state.renewals(upTo: today, terms: plan)
            #expect(passed.last ?? state == expected)
            let limit = Int.random(in: 0...5, using: &random)
            let some = try state.caughtUp(to: today, terms: plan, limit: limit)
            #expect(some == passed.prefix(limit).last ?? state)
            #expect(try state.renewals(upTo: today, terms: plan, limit: limit) == Array(passed.prefix(limit)))
        }
    }

    @Test func aThousandYearsOfDaysAreCaughtUpAtOnce() throws {
        let daily = try terms(1, .day)
        let state = try BillingState.begin(on: day("1970-01-02"), terms: daily)
        let caughtUp = try state.caughtUp(to: day("2999-12-31"), terms: daily)
        #expect(caughtUp.number == 376_198)
        #expect(caughtUp.start.description == "2999-12-31")
        #expect(throws: BillingError.startOutOfRange(try day("3000-01-01"))) {
            try state.caughtUp(to: day("3000-01-01"), terms: daily)
        }
    }

    @Test(arguments: 1...4) func aPeriodForEachNextRenewal(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1500 {
            let unit = try #require(PlanDuration.Unit.allCases.randomElement(using: &random))
            let plan = try terms(Int.random(in: 1...(unit == .year ? 5 : 40), using: &random), unit, trialDays: 9)
            let end = try startDay(using: &random)
            guard end.components.year >= 1980 else { continue }
            let found = try BillingState.begin(nextRenewal: end, terms: plan)
            #expect(found.end == end)
            #expect(found.fits(plan), "the calendar goes on from it")
            #expect(WallCalendar.date(found.anchor, plus: found.anchorCount, plan.duration) == end)
            #expect(WallCalendar.date(found.anchor, plus: found.anchorCount - 1, plan.duration) == found.start)
            // The nearest anchor: none of the nearer ones leads back to the same day of the month.
            if unit == .month || unit == .year, found.anchorCount > 1 {
                let before = try #require(WallCalendar.date(end, plus: -1, plan.duration))
                #expect(before.components.day < end.components.day)
                #expect(found.start == before)
            } else {
                #expect(found.anchor == found.start)
                #expect(found.anchorCount == 1)
            }
            let trial = try BillingState.begin(nextRenewal: end, terms: plan, freeTrial: true)
            #expect(try trial == BillingState.begin(on: end.adding(days: -9), terms: plan, freeTrial: true))
            #expect(trial.end == end)
        }
    }

    @Test func nextRenewals() throws {
        func found(_ end: String, _ value: Int, _ unit: PlanDuration.Unit) throws -> [String] {
            let found = try BillingCalendar.start(
                forNextRenewal: day(end), duration: PlanDuration(value: value, unit: unit))
            return ["\(found.start)", "\(found.anchor)", "\(found.anchorCount)"]
        }
        #expect(try found("2027-03-31", 1, .month) == ["2027-02-28", "2027-01-31", "2"])
        #expect(try found("2028-03-31", 1, .month) == ["2028-02-29", "2028-01-31", "2"])
        #expect(try found("2028-02-29", 1, .year) == ["2027-02-28", "2024-02-29", "4"])
        #expect(try found("2104-02-29", 1, .year) == ["2103-02-28", "2096-02-29", "8"])
        #expect(try found("2027-02-28", 1, .month) == ["2027-01-28", "2027-01-28", "1"])
        #expect(try found("2027-05-31", 3, .month) == ["2027-02-28", "2026-08-31", "3"])
        #expect(try found("2027-05-31", 2, .week) == ["2027-05-17", "2027-05-17", "1"])
        // 29 February after 999 years: three such spans back there is none since the year 1000.
        let impossible = try day("2972-02-29")
        #expect(throws: BillingError.renewalImpossible(impossible)) {
            try BillingCalendar.start(forNextRenewal: impossible, duration: PlanDuration(value: 999, unit: .year))
        }
    }

    @Test func correctingTheNextRenewal() throws {
        let monthly = try terms(1, .month)
        let first = try BillingState.begin(on: day("2027-01-05"), terms: monthly)
        let second = try first.renewed(monthly)
        let corrected = try second.corrected(nextRenewal: day("2027-03-31"), terms: monthly, lastEnd: first.end)
        #expect(corrected.end.description == "2027-03-31")
        #expect(corrected.start.description == "2027-02-28")
        #expect(corrected.number == 1)
        #expect(try corrected.renewed(monthly).end.description == "2027-04-30")
        let later = try second.corrected(nextRenewal: day("2027-06-20"), terms: monthly, lastEnd: first.end)
        #expect(later.number == 2, "a period was left out")
        #expect(throws: BillingError.startInEndedPeriod(try day("2027-02-03"), earliest: first.end)) {
            try second.corrected(nextRenewal: day("2027-03-03"), terms: monthly, lastEnd: first.end)
        }
    }
}
