import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

// Each function runs in a transaction that has the user's scope locked: of a direct operation, or of a pushed change.

extension SubscriptionChanges {
    /// Ends a period and begins the next; nothing when the period that is named has ended already.
    @Sendable static func renew(
        _ input: RenewSubscription, _ call: Call, found: SubscriptionRow?, on connection: Connection
    ) async throws {
        let user = try call.requireSession().user
        let row = try await checked(input.id, madeOn: input.madeOn, call, found: found, on: connection)
        if input.period == nil,
            let begun = try await RenewalQueries.firstAutomatic(
                row.id, of: user, after: try day(input.madeOn, call), on: connection)
        {
            // It was made before that period began by itself: it was this one that was renewed, and is confirmed.
            return try await RenewalQueries.confirm(
                period: begun, isCurrent: begun == row.state.number, row.id, of: user, on: connection)
        }
        if let period = input.period {
            guard period <= row.state.number else {
                throw Problem.input("period", .range, "the current period is \(row.state.number)")
            }
            // It has ended already, by another device perhaps: renewing twice would skip a period.
            guard period == row.state.number else {
                // But a person said so: a period that began then is not taken back for a late cancellation.
                return try await RenewalQueries.confirm(
                    period: period + 1, isCurrent: period + 1 == row.state.number, row.id, of: user, on: connection)
            }
        }
        guard row.cancelledOn == nil else { throw Problem(.statusConflict, "It was cancelled; resume it first.") }
        do throws(BillingError) {
            _ = try row.state.renewed(try BillingTerms(duration: row.plan.duration, trialDays: row.plan.trialDays))
        } catch {
            throw Problem(.statusConflict, "It cannot be renewed: \(error.description).")
        }
        try await call.tenant.limits.checkPeriods(of: user, adding: 1, on: connection)
        try await SubscriptionQueries.renew(row.id, of: user, period: row.state.number, on: connection)
    }

    /// Lets it run out, at the end of the period in which that was decided.
    @Sendable static func cancel(
        _ input: CancelSubscription, _ call: Call, found: SubscriptionRow?, on connection: Connection
    ) async throws {
        let session = try call.requireSession()
        let row = try await checked(
            input.id, madeOn: input.madeOn, isTakenBack: true, isCancelling: true, call, found: found, on: connection)
        // Where the period was begun by somebody after that day, it is this one that runs out.
        let day = min(max(try day(input.madeOn, call), row.state.start), session.today(at: call.now))
        // Of two cancellations the earlier one counts, whichever comes first.
        if let cancelledOn = row.cancelledOn, cancelledOn <= day { return }
        try await SubscriptionQueries.update(
            row.id, of: session.user, set: ["Cancelled_on = \(day)"], on: connection)
    }

    /// Takes a cancellation back. One that has run out begins a period on that day: nobody paid for the time between.
    @Sendable static func resume(
        _ input: ResumeSubscription, _ call: Call, found: SubscriptionRow?, on connection: Connection
    ) async throws {
        let row = try await checked(input.id, madeOn: input.madeOn, call, found: found, on: connection)
        guard row.cancelledOn != nil else { return }
        let session = try call.requireSession()
        // Ver = 0: whether it has run out is judged by the user's day, not by the database's.
        var assignments: [SQL] = ["Cancelled_on = NULL", "Ver = 0"]
        if let start = try startOfGoingOn(row, on: try day(input.madeOn, after: row.cancelledOn, call)) {
            assignments += ["Start_date = \(start)", "Free_trial = FALSE"]
        }
        if row.state.end <= session.today(at: call.now) {
            // Its period has ended, and is recorded when it goes on.
            try await call.tenant.limits.checkPeriods(of: session.user, adding: 1, on: connection)
        }
        try await SubscriptionQueries.update(row.id, of: session.user, set: assignments, on: connection)
    }

    /// The first day of the period that a subscription begins when it goes on after its end; nil where that has not passed.
    /// - Throws: `status_conflict` where there can be no such period.
    static func startOfGoingOn(_ row: SubscriptionRow, on day: CalendarDate) throws -> CalendarDate? {
        do throws(BillingError) {
            let next = try row.state.goingOn(
                from: day, terms: try BillingTerms(duration: row.plan.duration, trialDays: row.plan.trialDays))
            return next.number == row.state.number ? nil : next.start
        } catch {
            throw Problem(.statusConflict, "It cannot go on: \(error.description).")
        }
    }

    /// Marks it as deleted.
    static func delete(
        _ input: DeleteSubscription, _ call: Call, found: SubscriptionRow?, on connection: Connection
    ) async throws {
        let row = try await checked(
            input.id, madeOn: input.madeOn, isTakenBack: true, call, found: found, on: connection)
        let user = try call.requireSession().user
        try await SubscriptionQueries.delete(row.id, of: user, on: connection)
        try await call.tenant.limits.boundTombstones(of: user, on: connection)
    }

    /// Brings it back; nothing when it is there. One that renews by itself does so from then on: while it was deleted nobody
    /// said that it went on.
    @Sendable static func restore(
        _ input: RestoreSubscription, _ call: Call, found: SubscriptionRow?, on connection: Connection
    ) async throws {
        let user = try call.requireSession().user
        let made = try day(input.madeOn, call)
        if let deleted = try await SubscriptionQueries.deleted(input.id, of: user, today: made, on: connection) {
            let row = deleted.row
            // A device that was offline may have deleted and restored it on days before both arrive, one soon after the other.
            let yesterday = call.now.date(secondsFromUTC: 0).adding(days: -1)
            let arrivesWithIt = call.isPushed && deleted.on >= yesterday
            let day = try day(input.madeOn, after: arrivesWithIt ? nil : deleted.on, call)
            let start =
                row.autoRenew && row.cancelledOn == nil ? try startOfGoingOn(row, on: day) : nil
            if start != nil { try await call.tenant.limits.checkPeriods(of: user, adding: 1, on: connection) }
            try await SubscriptionQueries.restore(input.id, of: user, beginningOn: start, on: connection)
        }
        // It has come back and counts again; beyond the limit it is rolled back.
        try await call.tenant.limits.checkSubscriptions(of: user, adding: 0, on: connection)
        _ = try await checked(input.id, madeOn: input.madeOn, call, on: connection)
    }
}
