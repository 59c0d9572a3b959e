import SubTrackAPI
import SubTrackCore

/// Cases that a person would think of.
enum FixedCases {
    static var all: [RuleCase] {
        days + calendars + changes + bounds + amounts + written + standings + ContactCases.fixed
            + ReminderCases.fixed
    }

    /// Where a period can just be, and just cannot.
    private static var bounds: [RuleCase] {
        guard let terms = try? BillingTerms(duration: month, trialDays: nil) else { return [] }
        let states =
            ["8999-11-30", "8999-12-01", "8999-12-02", "9999-11-30", "9999-12-15"].map { text in
                BillingState(
                    start: day(text).adding(days: -30), end: day(text), anchor: day(text), anchorCount: 0, number: 3,
                    freeTrial: false)
            }
            + ["8999-11-01", "8999-12-01", "8999-12-02", "9999-11-30"].compactMap { text in
                BillingCalendar.date(anchor: day(text), count: 1, duration: month).map {
                    BillingState(
                        start: day(text), end: $0, anchor: day(text), anchorCount: 1, number: 0, freeTrial: false)
                }
            }
        return states.flatMap { state in
            [
                BillingCases.caughtUp(state, terms, today: state.end, limit: 3),
                BillingCases.caughtUp(state, terms, today: state.end.adding(days: 400), limit: 3),
            ]
                + ["renewed", "fits"].map {
                    BillingCases.change(
                        $0, state, terms, day: state.end, trial: false, lastEnd: nil, planChanged: false)
                }
        }
            + ["0001-01-01", "0001-01-31", "0001-02-28", "9999-12-31", "9999-11-30"].flatMap { text in
                [-12, -1, 0, 1, 12].flatMap { count in
                    [month, year, PlanDuration(value: 1, unit: .day)].map {
                        BillingCases.calendar(anchor: day(text), count: count, day: day(text), $0)
                    }
                }
            }
            + [-1, 0, 1].flatMap { moved in
                ["corrected", "correctedRenewal", "updated"].flatMap { op in
                    [
                        BillingState(
                            start: day("2026-03-01"), end: day("2026-04-01"), anchor: day("2026-03-01"), anchorCount: 1,
                            number: 1,
                            freeTrial: false)
                    ].map {
                        BillingCases.change(
                            op, $0, terms, day: day(op == "correctedRenewal" ? "2026-04-02" : "2026-03-02"),
                            trial: false,
                            lastEnd: day("2026-03-02").adding(days: moved), planChanged: false)
                    }
                }
            }
    }

    private static func day(_ text: String) -> CalendarDate {
        CalendarDate(text) ?? CalendarDate.range.lowerBound
    }

    private static let month = PlanDuration(value: 1, unit: .month)
    private static let year = PlanDuration(value: 1, unit: .year)

    private static var days: [RuleCase] {
        [
            "2026-02-29", "2024-02-29", "2000-02-29", "1900-02-29", "2026-12-31", "0001-01-01", "9999-12-31",
            "10000-01-01", "2026-1-1", "",
        ].map(DayCases.written)
            + ["0001-01-01", "1970-01-01", "2000-02-29", "9999-12-31"].flatMap { text in
                [-1, 0, 1].map { DayCases.arithmetic(day(text), $0) }
            }
            // Midnight, one second before it, and the hours that are twice or never there.
            + DayCases.zones.flatMap { zone in
                [1_798_671_600, 1_798_671_599, 1_792_889_999, 1_774_746_000].map { DayCases.local($0, zone) }
            }
            + [DayCases.local(0, "Nowhere/Land"), DayCases.local(0, "Europe/../Berlin")]
    }

    private static var calendars: [RuleCase] {
        let ends = ["2026-01-28", "2026-01-29", "2026-01-30", "2026-01-31", "2024-02-29", "2026-12-31"]
        return ends.flatMap { text in
            [month, year, PlanDuration(value: 7, unit: .day), PlanDuration(value: 6, unit: .month)].flatMap {
                duration in
                [1, 2, 3, 4, 12, 25].map {
                    BillingCases.calendar(anchor: day(text), count: $0, day: day("2027-02-28"), duration)
                }
                    + [BillingCases.nextRenewal(day(text), duration)]
                    + [true, false].flatMap { isRenewal in
                        [true, false].map {
                            BillingCases.begin(
                                day(text), duration, trialDays: 14, freeTrial: $0, number: 0, isRenewal: isRenewal)
                        }
                    }
            }
        } + [
            BillingCases.begin(day("1970-01-01"), month, trialDays: nil, freeTrial: false, number: 0, isRenewal: false),
            BillingCases.begin(day("1970-01-02"), month, trialDays: nil, freeTrial: false, number: 0, isRenewal: false),
            BillingCases.begin(
                day("2999-12-31"), PlanDuration(value: 1200, unit: .year), trialDays: nil, freeTrial: false, number: 0,
                isRenewal: false),
            BillingCases.begin(
                day("2999-12-31"), PlanDuration(value: 1200, unit: .day), trialDays: 1200, freeTrial: true, number: 0,
                isRenewal: false),
            BillingCases.begin(day("3000-01-01"), month, trialDays: nil, freeTrial: false, number: 0, isRenewal: false),
        ]
    }

    private static var changes: [RuleCase] {
        guard let terms = try? BillingTerms(duration: month, trialDays: 7),
            let other = try? BillingTerms(duration: year, trialDays: nil),
            let first = try? BillingState.begin(on: day("2026-01-31"), terms: terms),
            let trial = try? BillingState.begin(on: day("2026-01-31"), terms: terms, freeTrial: true)
        else { return [] }
        let ops = [
            "renewed", "goingOn", "changedTrial", "changedPlan", "corrected", "correctedRenewal", "updated", "fits",
        ]
        return ops.flatMap { op in
            [first, trial].flatMap { state in
                [terms, other].flatMap { terms in
                    ["2026-01-31", "2026-02-28", "2026-03-15", "2026-01-15"].map { text in
                        BillingCases.change(
                            op, state, terms, day: day(text), trial: op == "changedTrial", lastEnd: day("2026-01-20"),
                            planChanged: true)
                    }
                }
            }
        }
            + [first, trial].flatMap { state in
                ["2026-02-27", "2026-02-28", "2026-03-30", "2026-03-31", "2031-07-01"].map {
                    BillingCases.caughtUp(state, terms, today: day($0), limit: 3)
                }
            }
    }

    private static var amounts: [RuleCase] {
        [
            "0", "-0", "17.99", "1.5", "1.50", "0.000001", "999999999999999999", "9999999999999999999", "1.1234567", "",
            "1.", ".1", "1e2",
        ].flatMap { text in
            [0, 2, 3, 6].flatMap {
                [MoneyCases.amount(text, "1.500", digits: $0), MoneyCases.fee(text, digits: min($0, 4))]
            }
        }
    }

    private static var written: [RuleCase] {
        [
            "15.99", "15,99", "1.299,00", "1,299.00", "1,299,000", "0,500", "1234,567", "1.299", "12", "0,5",
            "1 299,00", "1'299.5",
            "1.299.000,5", "1,500", "12,000", "9,99,99", "12 34", "1.2.3,4,5", "", ",5", "5,",
        ].flatMap { text in [0, 2, 3].map { MoneyCases.written(text, digits: $0) } }
    }

    private static var standings: [RuleCase] {
        [-1, 0, 1, 7, 8].flatMap { left in
            [nil, day("2026-11-01")].map { cancelled in
                PlanCases.standing(
                    end: day("2026-11-23").adding(days: left), cancelled: cancelled, notice: 3,
                    today: day("2026-11-23"), within: 7)
            }
        }
    }
}
