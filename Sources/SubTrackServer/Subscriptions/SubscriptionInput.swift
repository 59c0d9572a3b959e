import Foundation
import SubTrackAPI
import SubTrackCore

/// Checks of people's input for their subscriptions. The triggers check it all again; here a fault gets a field and
/// words.
enum SubscriptionInput {
    /// A start date that a subscription may have.
    static func start(_ day: CalendarDate, field: String = "startDate") throws -> CalendarDate {
        guard BillingCalendar.starts.contains(day) else {
            throw Problem.input(
                field, .range,
                "must be from \(BillingCalendar.starts.lowerBound) to \(BillingCalendar.starts.upperBound)")
        }
        return day
    }

    /// A fee with exactly the digits of its currency.
    static func fee(_ fee: Amount, currency: String, digits: Int, field: String = "fee") throws -> Amount {
        do throws(FeeError) {
            return try Money.fee(fee, currency: currency, digits: digits)
        } catch {
            throw Problem.input(field, error.code, error.description)
        }
    }

    /// A number of days before the end to remind.
    static func reminderDays(_ days: Int?) throws -> Int? {
        guard let days else { return nil }
        guard (0...365).contains(days) else { throw Problem.input("reminderDays", .range, "must be from 0 to 365") }
        return days
    }

    /// A label.
    static func label(_ text: String?) throws -> String? {
        try InputText.optional(text, field: "label", maximum: 100)
    }

    /// A note.
    static func note(_ text: String?) throws -> String? {
        try InputText.optional(text, field: "note", maximum: 1000, multiline: true)
    }

    /// A duration that a plan may have.
    static func duration(_ duration: PlanDuration) throws -> PlanDuration {
        guard BillingTerms.durationValues.contains(duration.value) else {
            throw Problem.input("plan.duration.value", .range, "must be from 1 to 1200, is \(duration.value)")
        }
        return duration
    }

    /// A number of days of a trial or of notice.
    static func planDays(_ days: Int?, field: String, from minimum: Int) throws -> Int? {
        guard let days else { return nil }
        guard (minimum...1200).contains(days) else {
            throw Problem.input(field, .range, "must be from \(minimum) to 1200, is \(days)")
        }
        return days
    }

    /// A plan's terms for the billing calendar.
    static func terms(_ plan: PlanRow) throws -> BillingTerms {
        do throws(BillingError) {
            return try BillingTerms(duration: plan.duration, trialDays: plan.trialDays)
        } catch {
            throw Problem(.inputInvalid, error.description)
        }
    }

    /// The first period that ends on a wanted day.
    static func period(
        endingOn day: CalendarDate, plan: PlanRow, freeTrial: Bool
    ) throws -> BillingState {
        do throws(BillingError) {
            return try .begin(
                nextRenewal: day, terms: try BillingTerms(duration: plan.duration, trialDays: plan.trialDays),
                freeTrial: freeTrial)
        } catch {
            throw Problem.input("nextRenewal", .range, error.description)
        }
    }

    /// The first period that begins on a day.
    static func period(startingOn day: CalendarDate, plan: PlanRow, freeTrial: Bool) throws -> BillingState {
        do throws(BillingError) {
            return try .begin(
                on: day, terms: try BillingTerms(duration: plan.duration, trialDays: plan.trialDays),
                freeTrial: freeTrial)
        } catch {
            throw Problem.input("startDate", .range, error.description)
        }
    }
}
