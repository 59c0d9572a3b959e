import SubTrackAPI
import SubTrackCore

/// The billing calendar.
enum BillingCases {
    static func calendar(_ random: inout CaseRandom) -> RuleCase {
        let duration = random.duration()
        return calendar(
            anchor: random.day(),
            count: random.pick([0, 1, 2, -1, random.int(-50...500), random.int(-20_000...20_000)]),
            day: random.day(), duration)
    }

    static func calendar(anchor: CalendarDate, count: Int, day: CalendarDate, _ duration: PlanDuration) -> RuleCase {
        RuleCase(
            kind: "calendar",
            input: ["anchor": .day(anchor), "count": .int(count), "day": .day(day), "duration": .duration(duration)],
            expected: .object([
                "date": .day(BillingCalendar.date(anchor: anchor, count: count, duration: duration)),
                "first": .int(BillingCalendar.countOfFirst(after: day, anchor: anchor, duration: duration)),
            ]))
    }

    static func nextRenewal(_ random: inout CaseRandom) -> RuleCase {
        nextRenewal(random.day(), random.duration())
    }

    static func nextRenewal(_ end: CalendarDate, _ duration: PlanDuration) -> RuleCase {
        RuleCase(
            kind: "nextRenewal", input: ["end": .day(end), "duration": .duration(duration)],
            expected: .decided { () throws(BillingError) in
                let found = try BillingCalendar.start(forNextRenewal: end, duration: duration)
                return .object([
                    "start": .day(found.start), "anchor": .day(found.anchor), "anchorCount": .int(found.anchorCount),
                ])
            })
    }

    static func begin(_ random: inout CaseRandom) -> RuleCase {
        let (value, unit) = (
            random.once(in: 20) ? random.pick([0, -1, 1201]) : random.duration().value, random.duration().unit
        )
        let trialDays: Int? =
            random.once(in: 20) ? random.pick([-1, 1201]) : random.pick([nil, 0, 7, 30, random.int(0...1200)])
        return begin(
            random.day(), PlanDuration(value: value, unit: unit), trialDays: trialDays, freeTrial: random.once(in: 3),
            number: random.pick([0, 0, 1, 7]), isRenewal: random.once(in: 2))
    }

    static func begin(
        _ day: CalendarDate, _ duration: PlanDuration, trialDays: Int?, freeTrial: Bool, number: Int, isRenewal: Bool
    ) -> RuleCase {
        RuleCase(
            kind: isRenewal ? "beginWithRenewal" : "begin",
            input: [
                "day": .day(day), "duration": .duration(duration), "trialDays": trialDays.map { .int($0) } ?? .null,
                "freeTrial": .bool(freeTrial), "number": .int(number),
            ],
            expected: .decided { () throws(BillingError) in
                let terms = try BillingTerms(duration: duration, trialDays: trialDays)
                return .state(
                    isRenewal
                        ? try .begin(nextRenewal: day, terms: terms, freeTrial: freeTrial, number: number)
                        : try .begin(on: day, terms: terms, freeTrial: freeTrial, number: number))
            })
    }

    /// One of the changes of a state.
    static func change(_ random: inout CaseRandom) -> RuleCase {
        let state = random.state()
        let terms = random.terms()
        let day =
            random.once(in: 3)
            ? state.end : random.once(in: 2) ? state.start.adding(days: random.int(-40...80)) : random.day()
        let trial = random.once(in: 2)
        let lastEnd: CalendarDate? = random.once(in: 3) ? state.start.adding(days: random.int(-30...5)) : nil
        let planChanged = random.once(in: 2)
        let op = random.pick([
            "renewed", "goingOn", "changedTrial", "changedPlan", "corrected", "correctedRenewal", "updated", "fits",
        ])
        return change(op, state, terms, day: day, trial: trial, lastEnd: lastEnd, planChanged: planChanged)
    }

    static func change(
        _ op: String, _ state: BillingState, _ terms: BillingTerms, day: CalendarDate, trial: Bool,
        lastEnd: CalendarDate?,
        planChanged: Bool
    ) -> RuleCase {
        RuleCase(
            kind: "change",
            input: [
                "op": .string(op), "state": .state(state), "terms": .terms(terms), "day": .day(day),
                "trial": .bool(trial),
                "lastEnd": .day(lastEnd), "planChanged": .bool(planChanged),
            ],
            expected: .decided { () throws(BillingError) in
                switch op {
                case "renewed": .state(try state.renewed(terms))
                case "goingOn": .state(try state.goingOn(from: day, terms: terms))
                case "changedTrial": .state(try state.changedTrial(to: trial, terms: terms))
                case "changedPlan": .state(try state.changedPlan(to: terms, freeTrial: trial))
                case "corrected":
                    .state(try state.corrected(start: day, terms: terms, freeTrial: trial, lastEnd: lastEnd))
                case "correctedRenewal":
                    .state(try state.corrected(nextRenewal: day, terms: terms, freeTrial: trial, lastEnd: lastEnd))
                case "updated":
                    .state(
                        try state.updated(
                            start: day, terms: terms, planChanged: planChanged, freeTrial: trial, lastEnd: lastEnd))
                default: .bool(state.fits(terms))
                }
            })
    }

    static func caughtUp(_ random: inout CaseRandom) -> RuleCase {
        let state = random.state()
        let today = random.once(in: 3) ? random.day() : state.end.adding(days: random.int(-10...4000))
        return caughtUp(
            state, random.once(in: 2) ? random.terms() : random.fitting(state), today: today,
            limit: random.pick([1, 3, 1000]))
    }

    static func caughtUp(_ state: BillingState, _ terms: BillingTerms, today: CalendarDate, limit: Int) -> RuleCase {
        RuleCase(
            kind: "caughtUp",
            input: ["state": .state(state), "terms": .terms(terms), "today": .day(today), "limit": .int(limit)],
            expected: .object([
                "now": .decided { () throws(BillingError) in .state(try state.caughtUp(to: today, terms: terms)) },
                "limited": .decided { () throws(BillingError) in
                    .state(try state.caughtUp(to: today, terms: terms, limit: limit))
                },
                "due": .decided { () throws(BillingError) in .int(try state.renewalsDue(on: today, terms: terms)) },
                "steps": .decided { () throws(BillingError) in
                    let all = try state.renewals(upTo: today, terms: terms, limit: min(limit, 12))
                    return .array(all.map { .state($0) })
                },
            ]))
    }
}

extension CaseRandom {
    mutating func duration() -> PlanDuration {
        PlanDuration(
            value: pick([1, 1, 1, 2, 3, 6, 12, 28, 30, int(1...1200)]),
            unit: pick([.day, .week, .month, .month, .month, .year]))
    }

    mutating func terms() -> BillingTerms {
        let trialDays: Int? = pick([nil, nil, 7, 30, int(0...1200)])
        do throws(BillingError) {
            return try BillingTerms(duration: duration(), trialDays: trialDays)
        } catch {
            return terms()
        }
    }

    /// Terms in which a state's calendar may go on.
    mutating func fitting(_ state: BillingState) -> BillingTerms {
        for _ in 0..<20 {
            let terms = terms()
            if state.fits(terms) { return terms }
        }
        return terms()
    }

    /// Where a subscription may stand: after some renewals, corrected, or in a trial.
    mutating func state() -> BillingState {
        let terms = terms()
        var state: BillingState?
        while state == nil {
            let (day, trial) = (day(), once(in: 4))
            state =
                once(in: 3)
                ? try? .begin(nextRenewal: day, terms: terms, freeTrial: trial)
                : try? .begin(on: day, terms: terms, freeTrial: trial)
        }
        for _ in 0..<int(0...4) {
            guard let now = state else { break }
            let next =
                once(in: 4)
                ? try? now.corrected(start: now.start.adding(days: int(-5...40)), terms: terms, lastEnd: nil)
                : try? now.renewed(terms)
            state = next ?? now
        }
        // The loop above leaves one; a state of one day would do as well.
        return state
            ?? BillingState(
                start: CalendarDate(daysSince1970: 20_000), end: CalendarDate(daysSince1970: 20_001),
                anchor: CalendarDate(daysSince1970: 20_000), anchorCount: 1, number: 0, freeTrial: false)
    }
}
