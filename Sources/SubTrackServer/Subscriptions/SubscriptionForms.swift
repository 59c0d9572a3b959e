import SubTrackAPI
import SubTrackCore

// The forms of a subscription on the wire, side by side: a field is in all of them.

extension SubscriptionRow {
    /// The subscription as its user sees it.
    func subscription(digits: [String: Int], today: CalendarDate) -> Subscription {
        let standing = standing(today: today)
        return Subscription(
            id: id, plan: plan.plan(digits: digits, today: today), label: label, startDate: state.start,
            endDate: state.end, remaining: standing.remaining, period: state.number,
            fee: current.fee.written(in: current.currency, digits: digits), currency: current.currency,
            next: cancelledOn != nil
                ? nil
                : Subscription.Next(
                    fee: (ownFee ?? next.fee).written(in: next.currency, digits: digits), currency: next.currency,
                    on: state.end),
            freeTrial: state.freeTrial, autoRenew: autoRenew, status: standing.status, cancelBy: standing.cancelBy,
            reminderDays: reminderDays, muted: muted, note: note, version: version)
    }

    /// The subscription as clients hold it.
    func stored(digits: [String: Int]) -> StoredSubscription {
        StoredSubscription(
            planId: plan.id, label: label, startDate: state.start, endDate: state.end, freeTrial: state.freeTrial,
            anchorDate: state.anchor, anchorCount: state.anchorCount, period: state.number,
            fee: current.fee.written(in: current.currency, digits: digits), currency: current.currency,
            ownFee: ownFee?.written(in: current.currency, digits: digits), autoRenew: autoRenew,
            cancelledOn: cancelledOn, reminderDays: reminderDays, muted: muted, note: note)
    }
}

extension SubscriptionEntity {
    /// The columns of a row as a pull has it.
    static let form = RowForm(
        .integer("planId", "Plan_ID"), .text("label", "Label"), .day("startDate", "Start_date"),
        .day("endDate", "End_date"), .flag("freeTrial", "Free_trial"), .day("anchorDate", "Anchor_date"),
        .integer("anchorCount", "Anchor_count"), .integer("period", "Period"),
        .amount("fee", "Period_fee", currencyAt: 1), .text("currency", "Period_currency"),
        .amount("ownFee", "Own_fee", currencyAt: -1), .flag("autoRenew", "Auto_renew"),
        .day("cancelledOn", "Cancelled_on"), .integer("reminderDays", "Reminder_days"), .flag("muted", "Muted"),
        .text("note", "Note"))
}

extension StoredSubscription {
    /// The stored values of the fields of `subscriptions.update`, `plan` left out.
    var values: [String: AnyJSON] {
        [
            "planId": .integer(planId), "startDate": .string(startDate.description),
            "nextRenewal": .string(endDate.description), "freeTrial": .bool(freeTrial),
            "fee": ownFee.map { .string($0.description) } ?? .null, "autoRenew": .bool(autoRenew),
            "reminderDays": reminderDays.map { .integer(Int64($0)) } ?? .null, "muted": .bool(muted),
            "label": label.map { .string($0) } ?? .null, "note": note.map { .string($0) } ?? .null,
        ]
    }
}

extension Subscription: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("id")
        json.write(id)
        json.key("plan")
        plan.write(to: &json)
        json.key("label")
        json.write(optional: label)
        json.key("startDate")
        json.write(startDate)
        json.key("endDate")
        json.write(endDate)
        json.key("remaining")
        json.write(remaining)
        json.key("period")
        json.write(period)
        json.key("fee")
        json.write(fee)
        json.key("currency")
        json.write(currency)
        json.key("next")
        if let next { next.write(to: &json) } else { json.writeNull() }
        json.key("freeTrial")
        json.write(freeTrial)
        json.key("autoRenew")
        json.write(autoRenew)
        json.key("status")
        json.write(status.rawValue)
        json.key("cancelBy")
        json.write(cancelBy)
        json.key("reminderDays")
        json.write(optional: reminderDays)
        json.key("muted")
        json.write(muted)
        json.key("note")
        json.write(optional: note)
        json.key("version")
        json.write(version)
        json.endObject()
    }
}

extension Subscription.Next: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("fee")
        json.write(fee)
        json.key("currency")
        json.write(currency)
        json.key("on")
        json.write(on)
        json.endObject()
    }
}
