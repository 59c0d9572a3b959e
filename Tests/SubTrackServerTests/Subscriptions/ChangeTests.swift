import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Changing a subscription", .tags(.everyDay), .ownTime)
struct ChangeTests {
    @Test("A merge patch changes what it names, removes what is null, and leaves the rest")
    func mergePatch() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "17.99")
            let made = try await ada.call(
                CreateSubscription(
                    planId: plan, autoRenew: true, fee: amount("12"), label: "Films", reminderDays: 3, note: "a\nb"))
            #expect(made.fee.description == "12.00" && made.next?.fee.description == "12.00")
            #expect(made.label == "Films" && made.reminderDays == 3 && made.note == "a\nb" && made.autoRenew)

            let same = try await ada.call(UpdateSubscription(id: made.id))
            #expect(same == made, "an empty patch changes nothing, not even the version")

            let changed = try await ada.call(
                UpdateSubscription(id: made.id, autoRenew: .set(false), label: .set("  Movies "), note: .remove))
            #expect(changed.label == "Movies" && changed.note == nil && !changed.autoRenew)
            #expect(changed.reminderDays == 3 && changed.fee.description == "12.00")
            #expect(changed.version > made.version)

            let removed = try await ada.call(
                UpdateSubscription(id: made.id, fee: .remove, label: .remove, reminderDays: .remove))
            #expect(removed.label == nil && removed.reminderDays == nil)
            #expect(removed.fee.description == "17.99" && removed.next?.fee.description == "17.99")
        }
    }

    @Test(
        "What cannot be removed is refused when it is null",
        arguments: ["planId", "plan", "startDate", "nextRenewal", "freeTrial", "autoRenew"])
    func notRemovable(field: String) async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let answer = try await ada.client.send("PATCH", "/v1/subscriptions/\(made.id)", json: "{\"\(field)\":null}")
            expectRefused(try answer.problem(), field, .required)
            #expect(try await ada.call(GetSubscription(id: made.id)) == made)
        }
    }

    @Test("A corrected start moves the current period, and sets a new calendar")
    func correctedStart() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-02-01")))
            let corrected = try await ada.call(
                UpdateSubscription(id: made.id, startDate: .set(day("2026-01-31"))))
            #expect(corrected.startDate == day("2026-01-31") && corrected.endDate == day("2026-02-28"))
            #expect(corrected.period == 0)
            #expect(try await ada.call(RenewSubscription(id: made.id)).endDate == day("2026-03-31"))
            #expect(try await ada.call(ListPeriods(id: made.id)).periods.map(\.number) == [0, 1])
        }
    }

    @Test("A correction that falls on the end date is a correction and not a renewal")
    func correctionOnTheEndDate() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(duration: "7 day", trialDays: 7)
            let made = try await ada.call(
                CreateSubscription(planId: plan, startDate: day("2026-02-07"), freeTrial: true))
            #expect(made.endDate == day("2026-02-14"))
            let corrected = try await ada.call(
                UpdateSubscription(id: made.id, startDate: .set(day("2026-02-14"))))
            #expect(corrected.startDate == day("2026-02-14") && corrected.endDate == day("2026-02-21"))
            #expect(corrected.period == 0 && corrected.freeTrial)
            #expect(try await ada.call(ListPeriods(id: made.id)).periods.map(\.number) == [0])
        }
    }

    @Test("A correction into a period that has ended is refused, with the field")
    func correctionIntoTheHistory() async throws {
        try await TestService.run(at: "2026-03-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-31")))
            let renewed = try await ada.call(RenewSubscription(id: made.id))
            let problem = try await ada.refusal(
                of: UpdateSubscription(id: made.id, startDate: .set(day("2026-02-27"))))
            expectRefused(problem, "startDate", .range)
            #expect(problem.errors?.first?.message.contains("2026-02-28") == true, "\(problem)")
            expectRefused(
                try await ada.refusal(of: UpdateSubscription(id: made.id, nextRenewal: .set(day("2026-02-20")))),
                "nextRenewal", .range)
            #expect(try await ada.call(GetSubscription(id: made.id)) == renewed)
            // It is the caller's fault, and the answer says so.
            #expect(!service.log.lines.contains { $0.metadata["error"]?.contains("1644") == true })
        }
    }

    @Test("A corrected day of renewal moves the start to fit it")
    func correctedRenewal() async throws {
        try await TestService.run(at: "2026-03-10") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-03-01")))
            let corrected = try await ada.call(
                UpdateSubscription(id: made.id, nextRenewal: .set(day("2026-03-31"))))
            #expect(corrected.startDate == day("2026-02-28") && corrected.endDate == day("2026-03-31"))
            #expect(try await ada.call(RenewSubscription(id: made.id)).endDate == day("2026-04-30"))
            expectRefused(
                try await ada.refusal(
                    of: UpdateSubscription(
                        id: made.id, startDate: .set(day("2026-03-01")), nextRenewal: .set(day("2026-04-01")))),
                "nextRenewal", .conflict)
        }
    }

    @Test("Another plan prices the running period, and counts it anew from its start where the duration differs")
    func anotherPlan() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let ada = try await service.newUser()
            let monthly = try await service.addPlan(fee: "10.00", duration: "1 month")
            let yearly = try await service.addPlan(fee: "100.00", duration: "1 year")
            let made = try await ada.call(CreateSubscription(planId: monthly, startDate: day("2026-01-31")))
            let changed = try await ada.call(UpdateSubscription(id: made.id, planId: .set(yearly)))
            #expect(changed.plan.id == yearly && changed.startDate == day("2026-01-31"))
            #expect(changed.endDate == day("2027-01-31") && changed.fee.description == "100.00")
            expectRefused(
                try await ada.refusal(of: UpdateSubscription(id: made.id, planId: .set(4_000_000_000))), "planId",
                .missing)
        }
    }

    @Test("A plan in whose currency the own fee cannot be is refused, unless the fee goes with it")
    func currencyOfOwnFee() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let dollars = try await service.addPlan(fee: "17.99", currency: "USD")
            let yen = try await service.addPlan(fee: "990", currency: "JPY")
            let made = try await ada.call(CreateSubscription(planId: dollars, fee: amount("1.25")))
            expectRefused(
                try await ada.refusal(of: UpdateSubscription(id: made.id, planId: .set(yen))), "fee", .range)
            #expect(try await ada.call(GetSubscription(id: made.id)) == made)
            let changed = try await ada.call(UpdateSubscription(id: made.id, planId: .set(yen), fee: .remove))
            #expect(changed.fee.description == "990" && changed.currency == "JPY")
            let own = try await ada.call(UpdateSubscription(id: made.id, fee: .set(amount("500"))))
            #expect(own.fee.description == "500" && own.next?.fee.description == "500")
        }
    }

    @Test("An own fee has the plan's currency and its digits")
    func ownFee() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let dollars = try await service.addPlan(fee: "17.99", currency: "USD")
            let yen = try await service.addPlan(fee: "990", currency: "JPY")
            let dinars = try await service.addPlan(fee: "1.500", currency: "KWD")
            let cases: [(Int64, String, String?)] = [
                (dollars, "1.5", "1.50"), (dollars, "1.230", "1.23"), (dollars, "1.234", nil), (dollars, "0", "0.00"),
                (yen, "500", "500"), (yen, "500.0", "500"), (yen, "500.5", nil), (dinars, "1.234", "1.234"),
                (dinars, "1.2345", nil), (dollars, "-1", nil), (dollars, "-0.01", nil),
                (dollars, "99999999999", "99999999999.00"), (dollars, "100000000000", nil),
            ]
            for (plan, fee, expected) in cases {
                let operation = CreateSubscription(planId: plan, fee: amount(fee))
                if let expected {
                    let made = try await ada.call(operation)
                    #expect(made.fee.description == expected && made.next?.fee.description == expected)
                    #expect(try await ada.call(ListPeriods(id: made.id)).periods.map(\.fee.description) == [expected])
                } else {
                    expectRefused(try await ada.refusal(of: operation), "fee", .range)
                }
            }
        }
    }

    @Test("Limits of label, note and reminder, counted in characters as the database counts them")
    func limits() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let emoji = String(repeating: "👩‍🚀", count: 33)  // three scalars each
            let made = try await ada.call(
                CreateSubscription(
                    planId: plan, label: emoji, reminderDays: 365, note: String(repeating: "𝄞", count: 1000)))
            #expect(made.label == emoji && made.note?.count == 1000)
            let id = made.id
            expectRefused(
                try await ada.refusal(of: UpdateSubscription(id: id, label: .set(emoji + "👩‍🚀"))), "label", .range)
            expectRefused(
                try await ada.refusal(of: UpdateSubscription(id: id, note: .set(String(repeating: "x", count: 1001)))),
                "note", .range)
            for days in [-1, 366, Int.max] {
                let answer = try await ada.client.send(
                    "PATCH", "/v1/subscriptions/\(id)", json: "{\"reminderDays\":\(min(days, 1 << 53))}")
                #expect(answer.status == 400)
                #expect(try answer.problem().errors?.first?.field == "reminderDays")
            }
            for text in ["a\u{0}b", "a\u{7}b", "a\nb", "a\u{85}b", "a\u{7F}"] {
                expectRefused(
                    try await ada.refusal(of: UpdateSubscription(id: id, label: .set(text))), "label", .malformed)
            }
            let blank = try await ada.call(UpdateSubscription(id: id, label: .set("  "), note: .set("")))
            #expect(blank.label == nil && blank.note == nil)
        }
    }
}
