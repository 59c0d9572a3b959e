import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Brings subscriptions that renew by themselves into the period in which the user's today lies.
///
/// It is done at each read, so that nothing depends on a job having run. Each passed period is recorded with the price
/// of its first day. It stops where the user has as many ended periods as there may be (``UserLimits/periods``). A
/// subscription that is behind then stays in its last recorded period, and is overdue. Nothing is skipped, and it goes
/// on when there is room.
enum AutoRenewal {
    /// How many periods a new subscription that renews by itself may be behind: a daily one for more than five years.
    static let maximumBehind = 2000
    /// How many periods one statement records at the most, so that no lock is held for long: half a second of work.
    private static let periodsPerStatement = 5000
    /// How many periods of one subscription the triggers record at once.
    private static let periodsAtOnce = 4000

    /// Renews all due subscriptions, in as many transactions as it takes.
    static func catchUp(_ tenant: Tenant, user: UserID, today: CalendarDate) async throws {
        var isDone = false
        while !isDone {
            isDone = try await tenant.write(scope: user) { connection in
                try await step(user, .all, today: today, limits: tenant.limits, on: connection)
            }
        }
    }

    /// Refuses a subscription that renews by itself and began so long ago that its periods would take long to record.
    /// - Returns: how many periods have passed.
    @discardableResult
    static func checkBehind(_ period: BillingState, plan: PlanRow, today: CalendarDate) throws -> Int {
        let terms = try SubscriptionInput.terms(plan)
        guard let due = try? period.renewalsDue(on: today, terms: terms), due <= maximumBehind else {
            throw Problem.input(
                "startDate", .range,
                "lies more than \(maximumBehind) periods back; give nextRenewal, or a later start")
        }
        return due
    }

    /// Renews due subscriptions, in a transaction that has the user's scope locked.
    /// - Parameter choice: the subscriptions to look after.
    static func catchUp(
        _ user: UserID, _ choice: SubscriptionChoice, today: CalendarDate, limits: UserLimits, on connection: Connection
    ) async throws {
        while try await !step(user, choice, today: today, limits: limits, on: connection) {}
    }

    /// Takes back periods that a subscription began by itself after a day, for a change that was made on that day.
    /// Periods that a person began, moved or confirmed stay, and so do those that the sender had seen.
    /// - Parameters:
    ///   - base: the version of the row that the change was based on; nil: the day alone counts.
    ///   - isFollowed: whether periods are recorded anew afterwards.
    /// - Returns: the number of the period in which it is then; nil where nothing was taken back.
    static func takeBack(
        _ user: UserID, _ id: UUID, after day: CalendarDate, since base: Int64?, isFollowed: Bool,
        on connection: Connection
    ) async throws -> Int? {
        let period = try await RenewalQueries.periodToReturnTo(
            id, of: user, on: day, since: base ?? 0, isFollowed: isFollowed, on: connection)
        guard let period else { return nil }
        try await RenewalQueries.takeBack(to: period, [id], of: user, on: connection)
        return period
    }

    /// Takes back the periods that the subscriptions to a plan began by themselves after a day, for a change of the plan on
    /// that day. Those that return to a period of one number do so together.
    /// - Parameter base: the version of the plan that the change was based on; nil: the day alone counts.
    /// - Returns: how many periods were taken back.
    static func takeBack(
        _ user: UserID, plan: Int64, after day: CalendarDate, since base: Int64?, on connection: Connection
    ) async throws -> Int {
        let found = try await RenewalQueries.periodsToReturnTo(
            plan: plan, of: user, on: day, since: base ?? 0, on: connection)
        let byPeriod = Dictionary(grouping: found) { $0.period }
        for (period, subscriptions) in byPeriod.sorted(by: { $0.key < $1.key }) {
            try await RenewalQueries.takeBack(to: period, subscriptions.map(\.id), of: user, on: connection)
        }
        return found.reduce(0) { $0 + $1.present - $1.period }
    }

    /// Renews by one statement: the triggers record the passed periods, with kind and cost of each. As many
    /// subscriptions as have no more periods together than one statement may record, were they all daily ones.
    /// - Parameter choice: the subscriptions to look after.
    /// - Returns: whether nothing was left to do, or nothing may be done.
    private static func step(
        _ user: UserID, _ choice: SubscriptionChoice, today: CalendarDate, limits: UserLimits, on connection: Connection
    ) async throws -> Bool {
        guard let due = try await RenewalQueries.firstDue(user, choice, today: today, on: connection) else {
            return true
        }
        let room = try await limits.roomForPeriods(of: user, on: connection)
        guard room > 0 else { return true }
        let periods = max(due.days(to: today), 0) + 1
        let fitting = room / min(periods, periodsAtOnce)
        guard fitting > 0 else {
            return try await !fill(user, choice, today: today, room: room, on: connection)
        }
        try await RenewalQueries.renew(
            user, choice, today: today, limit: min(max(periodsPerStatement / periods, 1), fitting), on: connection)
        return false
    }

    /// Renews one subscription by as many periods as there is room for.
    /// - Returns: whether it was renewed.
    private static func fill(
        _ user: UserID, _ choice: SubscriptionChoice, today: CalendarDate, room: Int, on connection: Connection
    ) async throws -> Bool {
        guard let first = try await RenewalQueries.firstBehind(user, choice, today: today, on: connection),
            let row = try await SubscriptionQueries.subscription(first, of: user, today: today, on: connection)
        else { return false }
        let renewed: BillingState
        do throws(BillingError) {
            renewed = try row.state.caughtUp(
                to: today, terms: BillingTerms(duration: row.plan.duration, trialDays: row.plan.trialDays), limit: room)
        } catch {
            return false
        }
        guard renewed.number > row.state.number else { return false }
        try await RenewalQueries.renew(first, of: user, until: renewed.end, on: connection)
        return true
    }
}
