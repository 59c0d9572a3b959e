import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// A subscription of a file, as it is to be added.
struct ImportedSubscription {
    var create: CreateSubscription
    /// Those by which it is found among the subscriptions that are here, the surest first.
    var identities: [ImportIdentity]
    /// Whether it was cancelled.
    var isCancelled = false
    /// Whether it would renew by itself, were it resumed. That is said after it was cancelled, for it would renew first.
    var renewsLater = false
    /// Whether its currency was not said.
    var hasUsualCurrency = false
    /// Remarks that a reader of the file might not expect.
    var remarks: [String] = []
}

/// All faults of an entry of a file.
struct RowFaults: Error {
    /// Each is ``KitError/invalid(field:message:)``.
    let all: [KitError]

    init(_ all: [KitError]) { self.all = all }
}

/// Makes subscriptions of entries.
struct ImportRun {
    /// The name of the plan of a row that names none.
    static let usualPlan = "Standard"

    /// The currency that a sign means which several currencies have.
    let currency: String?
    /// The currencies of a file that has numbers for them.
    let numbered: [String: String]
    /// The currency of rows without one.
    let usual: String?
    /// The user's.
    let country: String
    let today: CalendarDate
    let database: Database
    /// The numbers that the file has for currencies.
    let currencyNumbers: Set<String>
    /// How many did not say their currency.
    var usualCount = 0
    private var catalogue: CatalogueMatch?

    init(
        currency: String?, numbered: [String: String], usual: String?, country: String, today: CalendarDate,
        database: Database, currencyNumbers: Set<String>
    ) {
        self.currency = currency
        self.numbered = numbered
        self.usual = usual
        self.country = country
        self.today = today
        self.database = database
        self.currencyNumbers = currencyNumbers
    }

    /// One remark for all rows without a currency.
    var remarkOnCurrency: String? {
        guard currency == nil, usualCount > 0, let usual else { return nil }
        return "\(usualCount == 1 ? "1 entry does" : "\(usualCount) entries do") not say the currency: "
            + "\(usual) is taken, as your country's (--currency says otherwise)"
    }

    mutating func subscription(_ entry: ImportedEntry) throws -> ImportedSubscription {
        switch entry {
        case .own(let one, _): try subscription(one)
        case .other(let row): try subscription(row)
        }
    }

    /// To the same plan of the catalogue where it is here, else to one of the user's own.
    private func subscription(_ exported: ExportedSubscription) throws -> ImportedSubscription {
        let (one, plan) = (exported.subscription, exported.subscription.plan)
        let new = CreateSubscription(
            freeTrial: one.freeTrial, autoRenew: one.autoRenew, label: one.label, reminderDays: one.reminderDays,
            muted: one.muted ? true : nil, note: one.note)
        var imported = ImportedSubscription(
            create: new, identities: [ImportIdentity(plan, fee: exported.ownFee, label: one.label)])
        let same = try plan.private ? nil : planHere(like: plan)
        if let same {
            imported.create.planId = same.id
            imported.identities.append(ImportIdentity(same, fee: exported.ownFee, label: one.label))
        } else {
            imported.create.plan = PrivatePlan(
                provider: plan.provider, name: plan.name, type: plan.type, category: plan.category, fee: plan.fee,
                currency: plan.currency, duration: plan.duration, trialDays: plan.trialDays, noticeDays: plan.noticeDays
            )
        }
        let (fee, currency) = (same?.fee ?? plan.fee, same?.currency ?? plan.currency)
        if let own = exported.ownFee {
            if plan.currency == currency {
                imported.create.fee = own
            } else {
                imported.remarks.append(
                    "its own fee of \(own) \(plan.currency) is not kept, because its plan has fees in \(currency) here")
            }
        } else if fee != plan.fee || currency != plan.currency {
            imported.remarks.append(
                "the file says \(plan.fee) \(plan.currency), and its plan costs \(fee) \(currency) here")
        }
        if same == nil, !plan.private {
            imported.remarks.append("its plan is not in the catalogue here, so it gets a plan of your own")
        }
        // A period from its first day keeps the day of the month also where its end was clamped: 31 January to 28 February.
        if let terms = try? BillingTerms(same ?? plan),
            (try? BillingState.begin(on: one.startDate, terms: terms, freeTrial: one.freeTrial).end) == one.endDate
        {
            imported.create.startDate = one.startDate
        } else {
            imported.create.nextRenewal = one.endDate
        }
        if one.status != .active { cancel(&imported, end: one.endDate) }
        return imported
    }

    /// Notes that it was cancelled. One that has ended must not renew by itself before it is cancelled here.
    private func cancel(_ new: inout ImportedSubscription, end: CalendarDate) {
        new.isCancelled = true
        guard end <= today, new.create.autoRenew == true else { return }
        new.renewsLater = true
        new.create.autoRenew = false
    }

    /// The plan of the catalogue, also one that is not sold any more: its subscriptions go on.
    private func planHere(like plan: Plan) throws -> Plan? {
        let rows = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM plan WHERE provider = ? AND name = ? AND type = ? AND country = ? AND durationValue = ?
                    AND durationUnit = ? AND NOT private ORDER BY withdrawnOn IS NOT NULL, id LIMIT 1
                """,
            arguments: [
                plan.provider, plan.name, plan.type, plan.country, plan.duration.value, plan.duration.unit.rawValue,
            ])
        guard let id = rows.first else { return nil }
        return try PlanTable([id], in: database).plan(id, today: today)
    }

    private func plan(
        _ row: ImportedRow
    ) throws -> (plan: PrivatePlan, digits: Int, hasUsualCurrency: Bool) {
        if let fault = row.fault { throw RowFaults([.invalid(field: "", message: fault)]) }
        let known = try? currency(of: row)
        let currency = known ?? usual ?? ""
        let digits = try CurrencyDigits(in: database)[currency]
        let faults = try row.faults(digits: digits) { _ = try self.currency(of: row) }
        guard faults.isEmpty, let name = row.name else { throw RowFaults(faults) }
        return (
            PrivatePlan(
                provider: name, name: row.plan ?? Self.usualPlan, type: row.planType, category: row.category,
                fee: try row.fee(digits: digits), currency: currency, duration: try row.duration()), digits,
            known == nil
        )
    }

    /// The currency that a row says; nil: it says none, and the usual one is meant.
    private func currency(of row: ImportedRow) throws -> String? {
        if let said = try row.currency(or: currency, country: country) { return said }
        if let number = row.currencyNumber {
            if let code = numbered[number] { return code }
            guard currencyNumbers.count < 2 else {
                throw KitError.invalid(
                    field: "currency",
                    message:
                        "the file has numbers for its currencies; say which number \(number) is (--currency \(number)=USD)"
                )
            }
        }
        guard usual != nil else {
            throw KitError.invalid(field: "currency", message: "is missing; give one for those without (--currency)")
        }
        return nil
    }

    private mutating func subscription(_ row: ImportedRow) throws -> ImportedSubscription {
        let (plan, digits, hasUsualCurrency) = try plan(row)
        if let exported = try row.exported(plan, country: country, digits: digits) {
            var imported = try subscription(exported)
            imported.hasUsualCurrency = hasUsualCurrency
            return imported
        }
        var new = CreateSubscription(
            freeTrial: try row.isTrial() ? true : nil, autoRenew: try row.flag(.autoRenew), label: row.label,
            reminderDays: try row.reminderDays(), muted: try row.isMuted() ? true : nil, note: row.note)
        let isActive = try row.isActive()
        let end = try setDates(&new, row, plan.duration, isActive: isActive)
        var imported = ImportedSubscription(create: new, identities: [], hasUsualCurrency: hasUsualCurrency)
        let catalogue = try self.catalogue ?? CatalogueMatch(country: country, today: today, in: database)
        self.catalogue = catalogue
        switch catalogue.match(plan, namesPlan: row.plan != nil) {
        case .one(let found):
            imported.create.planId = found.id
            imported.identities.append(ImportIdentity(found, fee: nil, label: row.label))
        case .several(let found):
            imported.create.plan = plan
            imported.remarks.append(
                "several plans of the catalogue are like it (\(found.prefix(4).map(\.title).joined(separator: ", "))), so it "
                    + "gets a plan of your own")
        case .none: imported.create.plan = plan
        }
        // It may have got a plan of the user's own when the catalogue was not here.
        let hasFound = imported.create.planId != nil
        let named = row.plan.map { ImportIdentity.PlanName.of($0, kind: row.planType) }
        imported.identities.append(
            ImportIdentity(
                provider: plan.provider, plan: named ?? (hasFound ? .unnamedOwn : .unnamed),
                price: Price(fee: plan.fee, currency: plan.currency), duration: plan.duration, label: row.label))
        if !isActive {
            cancel(&imported, end: end)
            if let remark = try remark(on: row, end: end) { imported.remarks.append(remark) }
        } else if let day = row.cancellation {
            imported.remarks.append("the file says to cancel it on \(day); it is added as one that goes on")
        }
        return imported
    }

    /// A remark on the end of one that was cancelled: it is not what the file says.
    private func remark(on row: ImportedRow, end: CalendarDate) throws -> String? {
        if try row.standing() == .ended {
            return end > today ? "the file says that it has ended, and its last period lasts until \(end)" : nil
        }
        guard try row.nextRenewal() == nil, try row.cancelledOn() == nil else { return nil }
        return "the file does not say until when it lasts: \(end) is taken"
    }

    /// Says when its current period began, or ends.
    /// - Returns: the day on which that period ends, as far as it matters: of one that was cancelled.
    private func setDates(
        _ new: inout CreateSubscription, _ row: ImportedRow, _ duration: PlanDuration, isActive: Bool
    ) throws -> CalendarDate {
        let start = try row.startDate()
        var end = try row.nextRenewal()
        if !isActive, end == nil {
            // The period in which it was cancelled was its last one.
            let last = try row.cancelledOn()
            end =
                if let start, let last, start < last { periodEnd(from: start, onOrAfter: last, duration) } else { last }
            if end == nil, start == nil { end = today }
        }
        switch (start, end) {
        case (let start, let end?):
            // Where the calendar of the first day leads to the renewal, its day of the month is the one to keep.
            if let start = start.flatMap({ periodStart(from: $0, endingOn: end, duration) }) {
                new.startDate = start
            } else {
                new.nextRenewal = end
            }
            return end
        case (let start?, nil):
            // The day on which it began, maybe years ago: it is in the period of today.
            let end = periodEnd(from: start, onOrAfter: today.adding(days: 1), duration)
            if try row.isTrial() || end == periodEnd(from: start, onOrAfter: start.adding(days: 1), duration) {
                new.startDate = start
            } else if let end, let first = periodStart(from: start, endingOn: end, duration) {
                new.startDate = first
            } else {
                new.nextRenewal = end
            }
            return end ?? today
        case (nil, nil):
            new.startDate = today
            return today
        }
    }

    /// The first end of a period on a day or after it, in the calendar of an anchor.
    private func periodEnd(
        from anchor: CalendarDate, onOrAfter day: CalendarDate, _ duration: PlanDuration
    ) -> CalendarDate? {
        let count = BillingCalendar.countOfFirst(after: day.adding(days: -1), anchor: anchor, duration: duration)
        return BillingCalendar.date(anchor: anchor, count: max(count, 1), duration: duration)
    }

    /// The first day of the period that ends on a day in the calendar of an anchor.
    /// - Returns: nil where the calendar does not lead there, or a period from that day would end on another.
    private func periodStart(
        from anchor: CalendarDate, endingOn end: CalendarDate, _ duration: PlanDuration
    ) -> CalendarDate? {
        guard anchor < end else { return nil }
        let count = BillingCalendar.countOfFirst(after: end.adding(days: -1), anchor: anchor, duration: duration)
        guard BillingCalendar.date(anchor: anchor, count: count, duration: duration) == end,
            let start = BillingCalendar.date(anchor: anchor, count: count - 1, duration: duration),
            BillingCalendar.date(anchor: start, count: 1, duration: duration) == end
        else { return nil }
        return start
    }
}
