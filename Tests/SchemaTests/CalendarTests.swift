import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport
import TestTraits
import Testing

/// The billing calendar is there twice: in the triggers, and in the rules that clients compute with. Both must come to the same
/// days and prices, on random cases, many rows in each statement.
///
/// There are four thousand cases, ten thousand in the full run, and a hundred thousand among the faults.
/// `SUBTRACKIT_CALENDAR_CASES` is another number. (The triggers take a millisecond for a row.)
@Suite("The billing calendar", .ownTime)
struct CalendarTests {
    /// The same in each run, unless the environment says otherwise; a failure tells which.
    static let seeds = TestSeed.some(2, of: "the billing calendar")

    @Test("is the same in SubTrackCore and in the triggers of MariaDB", arguments: seeds)
    func mariaDB(_ seed: UInt64) async throws { try await check(seed, on: .mariaDB) }

    @Test(
        "is the same in SubTrackCore and in the triggers of MySQL", .mySQL,
        arguments: seeds.prefix(TestStage.full ? 2 : 1))
    func mySQL(_ seed: UInt64) async throws { try await check(seed, on: .mySQL) }

    private static let cases =
        ProcessInfo.processInfo.environment["SUBTRACKIT_CALENDAR_CASES"].flatMap { Int($0) }
        ?? (TestStage.faults ? 100_000 : TestStage.full ? 10_000 : 4_000)

    private func check(_ seed: UInt64, on server: TestServer) async throws {
        // Each seed half of them.
        let model = try CalendarModel(seed: seed, cases: Self.cases / 2)
        #expect(model.cases >= Self.cases / 2)
        let (rows, periods) = try await server.leaseTenant { database in
            try await database.run(model.statements.joined(separator: "\n"))
            return (
                try await database.run(
                    """
                    SELECT CONV(RIGHT(HEX(Subscription_ID), 8), 16, 10), Start_date, End_date, Anchor_date, Anchor_count,
                        Period, Free_trial, TRUNCATE(Period_fee, 2)
                    FROM Subscription WHERE HEX(Subscription_ID) LIKE '0199%' ORDER BY Subscription_ID
                    """),
                try await database.run(
                    """
                    SELECT CONV(RIGHT(HEX(Subscription_ID), 8), 16, 10), Period, Start_date, End_date, Free_trial,
                        TRUNCATE(Fee, 2)
                    FROM Subscription_period WHERE HEX(Subscription_ID) LIKE '0199%' ORDER BY Subscription_ID, Period
                    """)
            )
        }
        compare(rows, model.rows, "subscriptions", seed)
        compare(periods, model.periods, "periods", seed)
    }

    private func compare(_ printed: String, _ expected: [String], _ what: String, _ seed: UInt64) {
        let found = printed.split(separator: "\n").map(String.init)
        #expect(found.count == expected.count, "seed \(seed): \(what)")
        for (one, other) in zip(found, expected).filter({ $0 != $1 }).prefix(5) {
            Issue.record("seed \(seed): \(what): the database has \(one), SubTrackCore \(other)")
        }
    }
}

/// Random plans and subscriptions, with what happens to them, as statements and as the rules of `SubTrackCore` say.
struct CalendarModel {
    private struct KnownPlan {
        var terms: BillingTerms
        var line: PriceLine
    }

    private struct Known {
        var plan: Int
        var state: BillingState
        var ownFee: Amount?
        var price: Price
        var ended: [(BillingState, Price)] = []
    }

    /// All of it, in SQL.
    private(set) var statements: [String] = []
    /// How many subscriptions were begun or changed.
    private(set) var cases = 0
    private var random: SeededGenerator
    private var plans: [KnownPlan] = []
    private var known: [Known] = []

    /// Numbers of plans that the fixture does not have.
    private static let firstPlan = 5000
    /// So many subscriptions are changed by one statement.
    private static let block = 100

    /// - Parameter count: how many cases there are to be at the least.
    init(seed: UInt64, cases count: Int) throws {
        random = SeededGenerator(seed: seed)
        for index in 0..<200 { try addPlan(index) }
        while cases < count {
            let start = known.count
            try addBlock(start)
            for _ in 0..<Int.random(in: 3...5, using: &random) where cases < count { try changeBlock(start) }
        }
    }

    // MARK: What it should come to

    /// The subscriptions, as the database prints them.
    var rows: [String] {
        known.enumerated().map { index, one in
            let state = one.state
            return
                "\(index)\t\(state.start)\t\(state.end)\t\(state.anchor)\t\(state.anchorCount)\t\(state.number)\t"
                + "\(state.freeTrial ? 1 : 0)\t\(one.price.fee)"
        }
    }

    /// The periods that have ended.
    var periods: [String] {
        known.enumerated().flatMap { index, one in
            one.ended.map { state, price in
                "\(index)\t\(state.number)\t\(state.start)\t\(state.end)\t\(state.freeTrial ? 1 : 0)\t\(price.fee)"
            }
        }
    }

    // MARK: Making it

    /// A day that is the end of a month or a leap day oftener than others.
    private mutating func day(_ years: ClosedRange<Int>) -> CalendarDate {
        let year = Int.random(in: years, using: &random)
        let month = random.next() % 4 == 0 ? 2 : Int.random(in: 1...12, using: &random)
        let last = CalendarDate.daysInMonth(year: year, month: month)
        let day =
            random.next() % 3 == 0 ? Int.random(in: 1...28, using: &random) : Int.random(in: 27...31, using: &random)
        return CalendarDate(year: year, month: month, day: min(day, last)) ?? CalendarDate(daysSince1970: 365)
    }

    private mutating func amount() -> Amount { Amount(units: Int64.random(in: 0...99_999, using: &random), digits: 2) }

    private mutating func addPlan(_ index: Int) throws {
        let unit = PlanDuration.Unit.allCases.randomElement(using: &random) ?? .month
        let common = [1, 1, 1, 2, 3, 4, 6, 7, 12, 24, 30]
        let value =
            random.next() % 4 == 0
            ? Int.random(in: 1...(unit == .year ? 80 : 1200), using: &random)
            : common.randomElement(using: &random) ?? 1
        let trial = random.next() % 2 == 0 ? Int.random(in: 1...1200, using: &random) : nil
        let since = day(1980...2400)
        var entries = [PriceLine.Entry(effectiveOn: since, price: Price(fee: amount(), currency: "USD"))]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let other = day(1980...2400)
            if !entries.contains(where: { $0.effectiveOn == other }) {
                entries.append(.init(effectiveOn: other, price: Price(fee: amount(), currency: "USD")))
            }
        }
        guard let line = PriceLine(entries) else { return }
        let duration = PlanDuration(value: value, unit: unit)
        plans.append(KnownPlan(terms: try BillingTerms(duration: duration, trialDays: trial), line: line))
        let id = Self.firstPlan + index
        statements.append(
            """
            INSERT INTO Plan (Plan_ID, Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Trial_days,
                Fee_since)
            VALUES (\(id), 'Any', 'Random \(index)', \(entries[0].price.fee), 'US', \(value), '\(unit.rawValue)',
                \(trial.map(String.init) ?? "NULL"), '\(since)');
            """)
        for entry in entries.dropFirst() {
            statements.append(
                """
                INSERT INTO Plan_price (Plan_ID, Effective_on, Fee)
                VALUES (\(id), '\(entry.effectiveOn)', \(entry.price.fee));
                """)
        }
    }

    private static func id(_ index: Int) -> String {
        let hex = String(index, radix: 16, uppercase: true)
        return "0x019900000000700080000000" + String(repeating: "0", count: 8 - hex.count) + hex
    }

    /// Begins subscriptions, by their start or by their next renewal.
    private mutating func addBlock(_ start: Int) throws {
        var values: [String] = []
        for index in start..<start + Self.block {
            let plan = Int.random(in: plans.indices, using: &random)
            let (terms, line) = (plans[plan].terms, plans[plan].line)
            let trial = random.next() % 3 == 0
            let ownFee = random.next() % 5 == 0 ? amount() : nil
            var state = try BillingState.begin(on: day(1971...2300), terms: terms, freeTrial: trial)
            var anchor = "1970-01-02"
            if random.next() % 3 == 0,
                let found = try? BillingState.begin(nextRenewal: day(1995...2300), terms: terms, freeTrial: trial),
                found.start >= CalendarDate(daysSince1970: 365)
            {
                state = found
                anchor = found.anchor.description
            }
            let price = line.cost(ofPeriodFrom: state.start, ownFee: ownFee, freeTrial: trial)
            known.append(Known(plan: plan, state: state, ownFee: ownFee, price: price))
            values.append(
                """
                (\(Self.id(index)), 0x01900000000070008000000000000001, \(Self.firstPlan + plan), '\(state.start)', \
                '\(anchor)', \(trial ? 1 : 0), \(ownFee?.description ?? "NULL"))
                """)
        }
        statements.append(
            """
            INSERT INTO Subscription (Subscription_ID, User_ID, Plan_ID, Start_date, Anchor_date, Free_trial, Own_fee) VALUES
            \(values.joined(separator: ",\n"));
            """)
        cases += Self.block
    }

    /// Changes all subscriptions of a block by one statement.
    private mutating func changeBlock(_ start: Int) throws {
        let range = start..<start + Self.block
        let place = "WHERE Subscription_ID BETWEEN \(Self.id(start)) AND \(Self.id(start + Self.block - 1))"
        switch random.next() % 5 {
        case 0, 1:
            statements.append("UPDATE Subscription SET Start_date = End_date \(place);")
            for index in range { try change(index) { state, terms in try state.renewed(terms) } }
        case 2:
            let plan = Int.random(in: plans.indices, using: &random)
            statements.append("UPDATE Subscription SET Plan_ID = \(Self.firstPlan + plan) \(place);")
            for index in range where known[index].plan != plan {
                known[index].plan = plan
                try change(index) { state, terms in try state.changedPlan(to: terms) }
            }
        case 3:
            statements.append("UPDATE Subscription SET Free_trial = 1 - Free_trial \(place);")
            for index in range {
                try change(index) { state, terms in try state.changedTrial(to: !state.freeTrial, terms: terms) }
            }
        default:
            let days = Int.random(in: 1...800, using: &random)
            statements.append("UPDATE Subscription SET Start_date = Start_date + INTERVAL \(days) DAY \(place);")
            for index in range {
                let last = known[index].ended.last?.0.end
                try change(index) { state, terms in
                    try state.updated(
                        start: state.start.adding(days: days), terms: terms, planChanged: false,
                        freeTrial: state.freeTrial, lastEnd: last)
                }
            }
        }
        cases += Self.block
    }

    private mutating func change(
        _ index: Int, _ body: (BillingState, BillingTerms) throws -> BillingState
    ) throws {
        let (before, plan) = (known[index], plans[known[index].plan])
        let state = try body(before.state, plan.terms)
        if state.number > before.state.number { known[index].ended.append((before.state, before.price)) }
        known[index].state = state
        known[index].price = plan.line.cost(
            ofPeriodFrom: state.start, ownFee: before.ownFee, freeTrial: state.freeTrial)
    }
}
