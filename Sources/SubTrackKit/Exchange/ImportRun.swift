import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// The properties by which two subscriptions are alike.
struct ImportIdentity: Hashable {
    private let parts: [String]

    private init(_ provider: String, _ plan: String, _ currency: String, _ duration: PlanDuration, _ label: String?) {
        parts = [
            provider.lowercased(), plan.lowercased(), currency, "\(duration.value) \(duration.unit.rawValue)",
            label?.lowercased() ?? "",
        ]
    }

    init(_ one: Subscription) {
        self.init(one.plan.provider, one.plan.name, one.currency, one.plan.duration, one.label)
    }

    init(_ plan: Plan, label: String?) {
        self.init(plan.provider, plan.name, plan.currency, plan.duration, label)
    }

    init(_ plan: PrivatePlan, label: String?) {
        self.init(plan.provider, plan.name, plan.currency, plan.duration, label)
    }
}

/// A subscription of a file, as it is to be added.
struct ImportedSubscription {
    var create: CreateSubscription
    /// Those that it is known by: with the plan of the catalogue, and with one of the user's own.
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

/// Makes subscriptions of entries.
struct ImportRun {
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
    private func subscription(_ one: Subscription) throws -> ImportedSubscription {
        let plan = one.plan
        var new = CreateSubscription(
            freeTrial: one.freeTrial, autoRenew: one.autoRenew, label: one.label, reminderDays: one.reminderDays,
            note: one.note)
        if let same = try plan.private ? nil : planHere(like: plan) {
            new.planId = same.id
            if !one.freeTrial, one.fee != same.fee, one.currency == same.currency { new.fee = one.fee }
        } else {
            new.plan = PrivatePlan(
                provider: plan.provider, name: plan.name, type: plan.type, category: plan.category, fee: plan.fee,
                currency: plan.currency, duration: plan.duration, trialDays: plan.trialDays, noticeDays: plan.noticeDays
            )
            if !one.freeTrial, one.fee != plan.fee, one.currency == plan.currency { new.fee = one.fee }
        }
        let terms = try? BillingTerms(plan)
        // A period from its first day keeps the day of the month also where its end was clamped: 31 January to 28 February.
        if let terms,
            (try? BillingState.begin(on: one.startDate, terms: terms, freeTrial: one.freeTrial).end) == one.endDate
        {
            new.startDate = one.startDate
        } else {
            new.nextRenewal = one.endDate
        }
        var imported = ImportedSubscription(create: new, identities: [ImportIdentity(one)])
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

    private func planHere(like plan: Plan) throws -> Plan? {
        let rows = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM plan WHERE provider = ? AND name = ? AND type = ? AND country = ? AND durationValue = ?
                    AND durationUnit = ? AND NOT private AND (withdrawnOn IS NULL OR withdrawnOn > ?) LIMIT 1
                """,
            arguments: [
                plan.provider, plan.name, plan.type, plan.country, plan.duration.value, plan.duration.unit.rawValue,
                today.stored,
            ])
        guard let id = rows.first else { return nil }
        return try PlanTable([id], in: database).plan(id, today: today)
    }

    private func plan(_ row: ImportedRow) throws -> (plan: PrivatePlan, hasUsualCurrency: Bool) {
        if let fault = row.fault { throw KitError.invalid(field: "", message: fault) }
        guard let name = row.name else { throw KitError.invalid(field: "name", message: "is missing") }
        let currency = try currency(of: row)
        return (
            PrivatePlan(
                provider: name, name: row.plan ?? "Standard", category: row.category, fee: try row.fee(),
                currency: currency ?? usual ?? "", duration: try row.duration()), currency == nil
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
        let (plan, hasUsualCurrency) = try plan(row)
        var new = CreateSubscription(
            freeTrial: row.isTrial ? true : nil, autoRenew: row.autoRenew, label: row.label,
            reminderDays: row.reminderDays, note: row.note)
        let isActive = row.isActive
        let end = try setDates(&new, row, plan.duration, isActive: isActive)
        var imported = ImportedSubscription(
            create: new, identities: [ImportIdentity(plan, label: row.label)], hasUsualCurrency: hasUsualCurrency)
        let catalogue = try self.catalogue ?? CatalogueMatch(country: country, today: today, in: database)
        self.catalogue = catalogue
        switch catalogue.match(plan, namesPlan: row.plan != nil) {
        case .one(let found):
            imported.create.planId = found.id
            imported.identities.insert(ImportIdentity(found, label: row.label), at: 0)
        case .several(let found):
            imported.create.plan = plan
            imported.remarks.append(
                "several plans of the catalogue are like it (\(found.prefix(4).map(\.title).joined(separator: ", "))), so it "
                    + "gets a plan of your own")
        case .none: imported.create.plan = plan
        }
        if !isActive {
            cancel(&imported, end: end)
        } else if let day = row.cancellation {
            imported.remarks.append("the file says to cancel it on \(day); it is added as one that goes on")
        }
        return imported
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
            if row.isTrial || end == periodEnd(from: start, onOrAfter: start.adding(days: 1), duration) {
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
