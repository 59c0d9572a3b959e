import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Faults of typed values, all at once: a person mends them in one go.
extension Kit {
    /// All faults of a new subscription that can be told on this device, each ``KitError/invalid(field:message:)``.
    /// - Throws: ``KitError/unknown(_:)``, ``KitError/store(_:)``.
    public func faults(of new: CreateSubscription) throws -> [KitError] {
        try store.read { try faults(of: new, in: $0) }
    }

    /// All faults of a change of a subscription that can be told on this device.
    public func faults(of change: UpdateSubscription) throws -> [KitError] {
        try store.read { try faults(of: change, in: $0) }
    }

    /// All faults of a change of the user that can be told on this device.
    public func faults(of change: UpdateMe) throws -> [KitError] {
        try store.read { try faults(of: change, in: $0) }
    }

    func faults(of new: CreateSubscription, in database: Database) throws -> [KitError] {
        var faults = InputFaultList()
        faults.checkDates(new.startDate, new.nextRenewal)
        faults.check(label: new.label, note: new.note, reminderDays: new.reminderDays)
        let (duration, trialDays, currency): (PlanDuration, Int?, String)
        switch (new.planId, new.plan) {
        case (let plan?, nil):
            guard let known = try PlanTable([plan], in: database)[plan], try !Store.isGuessed(plan, in: database) else {
                throw KitError.unknown("there is no plan \(plan) on this device; sync first")
            }
            (duration, trialDays, currency) = (known.duration, known.trialDays, known.currency)
        case (nil, let plan?):
            try faults.check(plan, in: database)
            (duration, trialDays, currency) = (plan.duration, plan.trialDays, plan.currency)
        default:
            faults.note("planId", "give a plan, of the catalogue or of your own")
            return faults.all
        }
        if let fee = new.fee { try faults.check(fee, currency, field: "fee", in: database) }
        let today = try today(in: database)
        faults.checkBilling(new.nextRenewal == nil ? "startDate" : "nextRenewal") { () throws(BillingError) in
            let terms = try BillingTerms(duration: duration, trialDays: trialDays)
            let trial = new.freeTrial ?? false
            if let end = new.nextRenewal {
                _ = try BillingState.begin(nextRenewal: end, terms: terms, freeTrial: trial)
            } else {
                _ = try BillingState.begin(on: new.startDate ?? today, terms: terms, freeTrial: trial)
            }
        }
        return faults.all
    }

    func faults(of change: UpdateSubscription, in database: Database) throws -> [KitError] {
        let entry = try entry(change.id, in: database)
        var faults = InputFaultList()
        faults.check(label: change.label.value, note: change.note.value, reminderDays: change.reminderDays.value)
        faults.checkDates(change.startDate.value, change.nextRenewal.value)
        let planId = change.planId.value ?? entry.row.planId
        let plans = try PlanTable([planId], in: database)
        if planId != entry.row.planId, try plans[planId] == nil || Store.isGuessed(planId, in: database) {
            throw KitError.unknown("there is no plan \(planId) on this device; sync first")
        }
        if let patch = change.plan.value {
            // One that was made here, and waits, is known to the overlay alone.
            let overlay = try LocalReading.overlay(of: change.id.lowercased, in: database)
            if !change.planId.isNamed, var plan = overlay.plans[entry.row.planId], plan.private {
                // What others made of it meanwhile is not known; what is based on the subscription's version would undo it.
                guard try !Store.isGuessed(entry.row.planId, in: database) else {
                    throw KitError.unknown("what the plan is by now is not on this device yet; sync first")
                }
                plan.apply(patch)
                try faults.check(PrivatePlan(plan), in: database)
            } else {
                faults.note("plan", "is of the catalogue; only a plan of your own can be changed")
            }
        }
        if let fee = change.fee.value {
            let currency = plans[planId]?.currency ?? entry.row.currency
            try faults.check(fee, currency, field: "fee", in: database)
        }
        guard let terms = plans.terms(planId) else { return faults.all }
        faults.checkBilling(change.startDate.value == nil ? "nextRenewal" : "startDate") { () throws(BillingError) in
            let trial = change.freeTrial.value ?? entry.row.freeTrial
            if let start = change.startDate.value {
                _ = try entry.row.state.corrected(start: start, terms: terms, freeTrial: trial, lastEnd: nil)
            } else if let end = change.nextRenewal.value {
                _ = try entry.row.state.corrected(nextRenewal: end, terms: terms, freeTrial: trial, lastEnd: nil)
            }
        }
        return faults.all
    }

    func faults(of change: UpdateMe, in database: Database) throws -> [KitError] {
        var faults = InputFaultList()
        if let zone = change.timeZone.value, !LocalDay.isTimeZone(zone) {
            faults.note("timeZone", "there is no time zone \"\(zone.prefix(40))\", such as Europe/Vienna")
        }
        if let country = change.country.value {
            let isKnown = try Self.country(country, in: database).map { $0.code == country }
            let hasCountries = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM country)") ?? false
            let isCode = country.utf8.count == 2 && country.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            if !(hasCountries ? isKnown == true : isCode) {
                faults.note("country", "there is no country \"\(country.prefix(40))\", such as AT")
            }
        }
        if let name = change.userName.value,
            !(1...100).contains(name.unicodeScalars.count) || !name.contains(where: { !$0.isWhitespace })
        {
            faults.note("userName", "must have 1 to 100 characters")
        }
        return faults.all
    }
}
