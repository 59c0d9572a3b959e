import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Changes are made by the operations' own types. They are checked here, so that most of what a service would refuse is said at
/// once; then they are here, and wait to be sent.
extension Kit {
    /// Adds a subscription.
    /// - Returns: its id.
    /// - Throws: ``KitError/invalid(field:message:)``, ``KitError/unknown(_:)``, ``KitError/store(_:)``.
    @discardableResult
    public func add(_ new: CreateSubscription) throws -> UUID {
        try store.write { try add(new, in: $0) }
    }

    /// Adds subscriptions, all or none.
    public func add(_ all: [CreateSubscription]) throws -> [UUID] {
        try store.write { database in try all.map { try add($0, in: database) } }
    }

    func add(_ new: CreateSubscription, in database: Database) throws -> UUID {
        var new = new
        let fresh = UUID.v7(at: try now(in: database))
        let id = new.id ?? fresh
        new.id = nil
        let today = try today(in: database)
        // The day on which it was added, not that on which it is sent.
        if new.startDate == nil, new.nextRenewal == nil { new.startDate = today }
        guard new.startDate == nil || new.nextRenewal == nil else {
            throw KitError.invalid(field: "nextRenewal", message: "give either the start or the next renewal")
        }
        try LocalInput.check(label: new.label, note: new.note, reminderDays: new.reminderDays)
        let (duration, trialDays, currency): (PlanDuration, Int?, String)
        switch (new.planId, new.plan) {
        case (let plan?, nil):
            guard let known = try PlanTable([plan], in: database)[plan], try !Store.isGuessed(plan, in: database) else {
                throw KitError.unknown("there is no plan \(plan) on this device; sync first")
            }
            (duration, trialDays, currency) = (known.duration, known.trialDays, known.currency)
        case (nil, let plan?):
            try LocalInput.check(plan, in: database)
            (duration, trialDays, currency) = (plan.duration, plan.trialDays, plan.currency)
        default: throw KitError.invalid(field: "planId", message: "give a plan, of the catalogue or of your own")
        }
        if let fee = new.fee { try LocalInput.check(fee, currency, field: "fee", in: database) }
        do throws(BillingError) {
            let terms = try BillingTerms(duration: duration, trialDays: trialDays)
            let trial = new.freeTrial ?? false
            if let end = new.nextRenewal {
                _ = try BillingState.begin(nextRenewal: end, terms: terms, freeTrial: trial)
            } else {
                _ = try BillingState.begin(on: new.startDate ?? today, terms: terms, freeTrial: trial)
            }
        } catch {
            throw KitError.invalid(
                field: new.nextRenewal == nil ? "startDate" : "nextRenewal", message: error.description)
        }
        try Store.enqueue(
            .subscription, id: id.lowercased, op: .create, fields: try LocalInput.fields(new), today: today,
            in: database)
        return id
    }

    /// Changes a subscription.
    public func change(_ change: UpdateSubscription) throws {
        try store.write { database in
            let entry = try entry(change.id, in: database)
            try LocalInput.check(
                label: change.label.value, note: change.note.value, reminderDays: change.reminderDays.value)
            guard change.startDate.value == nil || change.nextRenewal.value == nil else {
                throw KitError.invalid(field: "nextRenewal", message: "give either the start or the next renewal")
            }
            let plans = try PlanTable([change.planId.value ?? entry.row.planId], in: database)
            if let plan = change.planId.value, plan != entry.row.planId,
                try plans[plan] == nil || Store.isGuessed(plan, in: database)
            {
                throw KitError.unknown("there is no plan \(plan) on this device; sync first")
            }
            if let patch = change.plan.value {
                // One that was made here, and waits, is known to the overlay alone.
                let overlay = try LocalReading.overlay(of: change.id.lowercased, in: database)
                guard !change.planId.isNamed, var plan = overlay.plans[entry.row.planId], plan.private else {
                    throw KitError.invalid(
                        field: "plan", message: "is of the catalogue; only a plan of your own can be changed")
                }
                // What others made of it meanwhile is not known; what is based on the subscription's version would undo it.
                guard try !Store.isGuessed(entry.row.planId, in: database) else {
                    throw KitError.unknown("what the plan is by now is not on this device yet; sync first")
                }
                plan.apply(patch)
                try LocalInput.check(PrivatePlan(plan), in: database)
            }
            if let fee = change.fee.value {
                let currency = plans[change.planId.value ?? entry.row.planId]?.currency ?? entry.row.currency
                try LocalInput.check(fee, currency, field: "fee", in: database)
            }
            if let terms = plans.terms(change.planId.value ?? entry.row.planId) {
                do throws(BillingError) {
                    let trial = change.freeTrial.value ?? entry.row.freeTrial
                    if let start = change.startDate.value {
                        _ = try entry.row.state.corrected(start: start, terms: terms, freeTrial: trial, lastEnd: nil)
                    } else if let end = change.nextRenewal.value {
                        _ = try entry.row.state.corrected(
                            nextRenewal: end, terms: terms, freeTrial: trial, lastEnd: nil)
                    }
                } catch {
                    throw KitError.invalid(
                        field: change.startDate.value == nil ? "nextRenewal" : "startDate", message: error.description)
                }
            }
            var fields = try LocalInput.fields(change)
            fields["madeOn"] = nil
            guard !fields.isEmpty else { return }
            let today = try today(in: database)
            try Store.enqueue(
                .subscription, id: change.id.lowercased, op: .update, fields: fields,
                today: min(change.madeOn ?? today, today), in: database)
        }
    }

    /// Ends the current period of a subscription and begins the next.
    /// - Throws: ``KitError/invalid(field:message:)`` when it was cancelled, when its next period would end too far away, and when
    ///   a renewal waits already that cannot be counted here, as the plan has not come yet; ``KitError/unknown(_:)``.
    public func renew(_ id: UUID) throws {
        try store.write { database in
            let (entry, today) = (try entry(id, in: database), try today(in: database))
            guard entry.row.cancelledOn == nil else {
                throw KitError.invalid(field: "", message: "it was cancelled; resume it first")
            }
            let overlay = try LocalReading.overlay(of: id.lowercased, in: database)
            let row = overlay.current(entry.row, today: today)
            if let terms = overlay.plans.terms(row.planId) {
                do throws(BillingError) {
                    _ = try row.state.renewed(terms)
                } catch {
                    throw KitError.invalid(field: "", message: error.description)
                }
            }
            // A renewal names the period that it ends, and the service takes two of the same period for one. Without its plan
            // a period that is ended here cannot be counted.
            let waiting = try Store.outbox(of: id.lowercased, in: database).map(\.mutation)
            let isNamed = waiting.contains {
                $0.op == PushChanges.Mutation.Op.renew.rawValue && $0.fields?["period"] == .integer(Int64(row.period))
            }
            guard !isNamed else {
                throw KitError.invalid(
                    field: "", message: "its plan is not on this device yet, and a renewal waits to be sent; sync first"
                )
            }
            try Store.enqueue(
                .subscription, id: id.lowercased, op: .renew, fields: ["period": .integer(Int64(row.period))],
                today: today, in: database)
        }
    }

    /// Lets a subscription run out.
    public func cancel(_ id: UUID) throws { try act(.cancel, on: id) { $0.row.cancelledOn == nil } }
    /// Lets a cancelled subscription go on.
    public func resume(_ id: UUID) throws { try act(.resume, on: id) { $0.row.cancelledOn != nil } }
    /// Deletes a subscription with its history; it can be restored for 30 days.
    public func delete(_ id: UUID) throws { try act(.delete, on: id) { _ in true } }

    private func act(
        _ op: PushChanges.Mutation.Op, on id: UUID, if isNeeded: (Overlay.Entry) -> Bool
    ) throws {
        try store.write { database in
            guard isNeeded(try entry(id, in: database)) else { return }
            try Store.enqueue(.subscription, id: id.lowercased, op: op, today: try today(in: database), in: database)
        }
    }

    /// Brings a deleted subscription back.
    public func restore(_ id: UUID) throws {
        try store.write { database in
            let overlay = try LocalReading.overlay(of: id.lowercased, in: database)
            if let entry = overlay.entries[id.lowercased], !entry.isDeleted { return }
            try Store.enqueue(
                .subscription, id: id.lowercased, op: .restore, today: try today(in: database), in: database)
        }
    }

    /// A subscription as it stands here.
    private func entry(_ id: UUID, in database: Database) throws -> Overlay.Entry {
        let overlay = try LocalReading.overlay(of: id.lowercased, in: database)
        guard let entry = overlay.entries[id.lowercased], !entry.isDeleted else {
            throw KitError.unknown("there is no such subscription on this device")
        }
        return entry
    }
}

/// Checks of what is typed, as the service makes them.
enum LocalInput {
    static func check(label: String?, note: String?, reminderDays: Int?) throws {
        try check(label, field: "label", maximum: 100, isMultiline: false)
        try check(note, field: "note", maximum: 1000, isMultiline: true)
        if let reminderDays, !(0...365).contains(reminderDays) {
            throw KitError.invalid(field: "reminderDays", message: "must be from 0 to 365")
        }
    }

    private static func check(_ text: String?, field: String, maximum: Int, isMultiline: Bool) throws {
        guard let text else { return }
        guard text.unicodeScalars.count <= maximum else {
            throw KitError.invalid(field: field, message: "may have \(maximum) characters")
        }
        let isClean = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0A, 0x0D, 0x09: isMultiline
            case 0..<0x20, 0x7F..<0xA0: false
            default: true
            }
        }
        guard isClean else { throw KitError.invalid(field: field, message: "must not have control characters") }
    }

    static func check(_ plan: PrivatePlan, in database: Database) throws {
        for (field, text, maximum) in [
            ("plan.provider", plan.provider, 100), ("plan.name", plan.name, 100),
            ("plan.type", plan.type ?? "Standard", 30),
        ] {
            try check(text, field: field, maximum: maximum, isMultiline: false)
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw KitError.invalid(field: field, message: "must not be empty")
            }
        }
        try check(plan.category, field: "plan.category", maximum: 50, isMultiline: false)
        guard BillingTerms.durationValues.contains(plan.duration.value) else {
            throw KitError.invalid(field: "plan.duration", message: "must be from 1 to 1200")
        }
        if let days = plan.noticeDays, !(0...1200).contains(days) {
            throw KitError.invalid(field: "plan.noticeDays", message: "must be from 0 to 1200")
        }
        try check(plan.fee, plan.currency, field: "plan.fee", in: database)
    }

    /// Checks an amount by the digits of its currency: those of the service, else those of ISO 4217.
    static func check(_ fee: Amount, _ currency: String, field: String, in database: Database) throws {
        let known = try database.firstRow("SELECT minorDigits FROM currency WHERE id = ?", [currency]) { try $0.int() }
        if known == nil {
            // Before the first pull the service's currencies are not known.
            let isEmpty = try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM currency)") ?? true
            guard isEmpty, currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                throw KitError.invalid(field: "plan.currency", message: "is no code such as EUR")
            }
        }
        do throws(FeeError) {
            _ = try Money.fee(
                fee, currency: currency, digits: known ?? ISO4217.digits[currency] ?? Amount.maximumDigits)
        } catch {
            throw KitError.invalid(field: field, message: error.description)
        }
    }

    /// The fields of an operation, without its id.
    static func fields(_ operation: some SubTrackAPI.Operation) throws -> [String: AnyJSON] {
        let encoded = try JSONDecoder().decode(AnyJSON.self, from: JSONEncoder().encode(operation))
        guard case .object(var fields) = encoded else { return [:] }
        fields["id"] = nil
        return fields
    }
}

extension UUID {
    /// A new id that sorts by time (UUIDv7, RFC 9562 §5.7).
    static func v7(at now: Instant) -> UUID {
        var bytes = [UInt8](repeating: 0, count: 16).map { _ in UInt8.random(in: 0...255) }
        let milliseconds = UInt64(clamping: now.secondsSince1970) &* 1000 &+ UInt64.random(in: 0..<1000)
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - 8 * index)) }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
