import Foundation
import SubTrackAPI
import SubTrackCore

/// The made-up rows, as pure functions of their number: any of them can be made without those before it.
struct SeedRows: Sendable {
    /// A plan of the catalogue, or of a person's own.
    struct Plan: Sendable {
        var id: Int64
        var provider: String
        var name: String
        var type: String
        var fee: Amount
        var since: CalendarDate
        var duration: PlanDuration
        var country: String
        var trialDays: Int?
        var noticeDays: Int
        var withdrawnOn: CalendarDate?
        var owner: UUID?
        /// Another price and the day from which it holds.
        var other: (day: CalendarDate, fee: Amount)?
    }

    /// A person.
    struct User: Sendable {
        var id: UUID
        var name: String?
        var country: String
        var timeZone: String
        /// The number of the country in ``SeedNames/countries``.
        var countryIndex: Int
    }

    /// A subscription.
    struct Subscription: Sendable {
        var id: UUID
        var plan: Int64
        var start: CalendarDate
        var freeTrial = false
        var autoRenew = false
        var ownFee: Amount?
        var label: String?
        var note: String?
        var reminderDays: Int?
        /// How often it was renewed since ``start``.
        var renewals = 0
        /// The day on which it was cancelled.
        var cancelledOn: CalendarDate?
    }

    let size: SeedSize
    /// The number of the first plan; the others follow.
    let firstPlan: Int64
    /// The plans of the catalogue, by the country's number.
    let plansByCountry: [[Plan]]

    /// The rows of a size.
    init(_ size: SeedSize, firstPlan: Int64) {
        self.size = size
        self.firstPlan = firstPlan
        var plans = Array(repeating: [Plan](), count: SeedNames.countries.count)
        for index in 0..<size.plans {
            plans[index % plans.count].append(Self.plan(index, size: size, firstPlan: firstPlan))
        }
        plansByCountry = plans
    }

    /// The name of the category of each provider.
    var providers: [(name: String, category: String)] {
        (0..<Self.providerCount(size.plans)).map { SeedNames.provider($0, seed: size.seed) }
    }

    /// Fewer providers than plans: each has some in most countries.
    private static func providerCount(_ plans: Int) -> Int { max(1, (plans + 23) / 24) }

    private static func plan(_ index: Int, size: SeedSize, firstPlan: Int64) -> Plan {
        var random = SeedRandom(seed: size.seed, .plan, index)
        let countries = SeedNames.countries.count
        let country = SeedNames.countries[index % countries]
        // In a country, plan after plan goes through the providers, then through their tiers and types.
        let place = index / countries
        let providers = providerCount(size.plans)
        let turn = place / providers
        let tier = SeedNames.tiers[turn % SeedNames.tiers.count]
        let round = turn / SeedNames.tiers.count
        let unit: PlanDuration.Unit = random.percent(70) ? .month : random.percent(80) ? .year : .week
        let duration = PlanDuration(value: unit == .month && random.percent(8) ? 3 : 1, unit: unit)
        let cents = (1 + random.below(40)) * 100 - 1
        let fee = Self.fee(cents * (unit == .year ? 10 : 1), in: country)
        var plan = Plan(
            id: firstPlan + Int64(index), provider: SeedNames.provider(place % providers, seed: size.seed).name,
            name: round == 0 ? tier : "\(tier) \(round + 1)", type: random.pick(SeedNames.types, else: "Standard"),
            fee: fee, since: size.today.adding(days: -random.below(900) - 30), duration: duration, country: country.id,
            trialDays: random.percent(35) ? [7, 14, 30][random.below(3)] : nil,
            noticeDays: random.percent(20) ? [7, 14, 30][random.below(3)] : 0,
            withdrawnOn: random.percent(4) ? size.today.adding(days: -random.below(300)) : nil)
        if random.percent(30) {
            plan.other = (
                plan.since.adding(days: -300), Self.fee(cents * 8 / 10 * (unit == .year ? 10 : 1), in: country)
            )
        } else if random.percent(12) {
            plan.other = (
                size.today.adding(days: 14 + random.below(60)),
                Self.fee(cents * 12 / 10 * (unit == .year ? 10 : 1), in: country)
            )
        }
        return plan
    }

    /// A fee of so many cents of a dollar, in a country's currency.
    private static func fee(_ cents: Int, in country: SeedNames.Country) -> Amount {
        let hundredths = Int64(cents * country.factor / 100)
        switch country.digits {
        case 0: return Amount(units: max(1, hundredths), digits: 0)
        case 3: return Amount(units: hundredths * 10, digits: 3)
        default: return Amount(units: hundredths, digits: 2)
        }
    }

    /// The milliseconds of the ids: a person every second, from 2023-11-14 on; their subscriptions in that second.
    private func milliseconds(_ user: Int) -> UInt64 { 1_700_000_000_000 + UInt64(user) * 1000 }

    /// A person by number, from 0 on.
    func user(_ index: Int) -> User {
        var random = SeedRandom(seed: size.seed, .user, index)
        var share = random.below(100)
        let countryIndex =
            SeedNames.countries.firstIndex { country in
                share -= country.share
                return share < 0
            } ?? 0
        let country = SeedNames.countries[countryIndex]
        let name =
            "\(random.pick(SeedNames.first, else: "Ada")) \(random.pick(SeedNames.last, else: "Underhay"))"
        return User(
            id: random.id(milliseconds: milliseconds(index)), name: random.percent(60) ? name : nil,
            country: country.id, timeZone: random.pick(country.zones, else: "UTC"), countryIndex: countryIndex)
    }

    /// How much more than others a person subscribes to: 1 to 5.
    func weight(_ user: Int) -> Int {
        var random = SeedRandom(seed: size.seed, .weight, user)
        return 1 + random.below(3) + random.below(3)
    }

    /// Whether a person has a plan that is in no catalogue.
    func hasOwnPlan(_ user: Int) -> Bool {
        var random = SeedRandom(seed: size.seed &+ 1, .weight, user)
        return random.percent(5)
    }

    /// The plan of a person's own.
    /// - Parameter number: how many people before have one.
    func ownPlan(of user: User, index: Int, number: Int) -> Plan {
        var random = SeedRandom(seed: size.seed &+ 1, .plan, index)
        let country = SeedNames.countries[user.countryIndex]
        return Plan(
            id: firstPlan + Int64(size.plans + number),
            provider: random.pick(SeedNames.privateProviders, else: "Choir"), name: "Membership", type: "Standard",
            fee: Self.fee(500 + random.below(60) * 100, in: country), since: size.today.adding(days: -400),
            duration: PlanDuration(value: 1, unit: random.percent(70) ? .month : .year), country: user.country,
            noticeDays: random.percent(30) ? 30 : 0, owner: user.id)
    }

    /// A subscription of a person.
    /// - Parameter index: its number among all.
    /// - Parameter place: its number among the person's, from 0 on; the first is to the plan of their own, if any.
    func subscription(_ index: Int, place: Int, user: User, userIndex: Int, own: Plan?) -> Subscription? {
        var random = SeedRandom(seed: size.seed, .subscription, index)
        let plans = plansByCountry[user.countryIndex].isEmpty ? plansByCountry[0] : plansByCountry[user.countryIndex]
        guard
            let plan = place == 0
                ? own ?? plans.first.map({ random.pick(plans, else: $0) })
                : plans.first.map({ random.pick(plans, else: $0) })
        else { return nil }
        let id = random.id(milliseconds: milliseconds(userIndex) + UInt64(min(place, 999)))
        let days = max(1, Self.days(plan.duration))
        var made = Subscription(id: id, plan: plan.id, start: size.today.adding(days: -random.below(days)))
        made.label = random.percent(15) ? random.pick(SeedNames.labels, else: "Work") : nil
        made.note = random.percent(8) ? random.pick(SeedNames.notes, else: "") : nil
        made.reminderDays = random.percent(25) ? [1, 3, 7, 14][random.below(4)] : nil
        if let trial = plan.trialDays, random.percent(20) {
            made.freeTrial = true
            made.start = size.today.adding(days: -random.below(trial))
            return made
        }
        if random.percent(5) { made.ownFee = plan.fee }
        switch random.below(100) {
        case 0..<8:
            // Cancelled, and still running; or ended some time ago.
            made.cancelledOn = made.start.adding(days: random.below(max(1, made.start.days(to: size.today) + 1)))
            if random.percent(50) {
                made.start = made.start.adding(days: -days - random.below(200))
                made.cancelledOn = made.start.adding(days: random.below(days))
            }
        case 8..<14:
            // Overdue: its end went by, and nobody said whether it goes on.
            made.start = made.start.adding(days: -days - 1)
        case 14..<26:
            made.renewals = 1 + random.below(3)
            made.start = Self.moved(made.start, by: plan.duration, times: -made.renewals)
            made.autoRenew = random.percent(60)
        default: made.autoRenew = random.percent(30)
        }
        return made
    }

    /// About how many days a period has; never more than it has.
    private static func days(_ duration: PlanDuration) -> Int {
        let (months, days) = duration.span
        return months * 28 + days
    }

    /// A day moved by whole periods; the end of a month stays within the month.
    private static func moved(_ day: CalendarDate, by duration: PlanDuration, times: Int) -> CalendarDate {
        let (months, days) = duration.span
        guard months > 0 else { return day.adding(days: days * times) }
        let (year, month, dayOfMonth) = day.components
        let count = year * 12 + month - 1 + months * times
        let (newYear, newMonth) = (count / 12, count % 12 + 1)
        let last = CalendarDate.daysInMonth(year: newYear, month: newMonth)
        return CalendarDate(year: newYear, month: newMonth, day: min(dayOfMonth, last)) ?? day
    }
}
