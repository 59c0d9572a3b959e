import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("A rule that only the database knows names the caller's field", .ownTime)
struct ColumnFieldTests {
    private let fields = ColumnFields(SubTrackService.areas())

    @Test("A column is named by the field of its own table, and one that no input gives by none")
    func named() {
        let fault = ProblemMapping.refusal("Plan.Fee: JPY has 0 digits: 1.50", fields)
        #expect(fault.errors == [FieldProblem(field: "plan.fee", code: .range, message: "JPY has 0 digits: 1.50")])
        let start = ProblemMapping.refusal("Subscription.Start_date: it is later: much", fields)
        #expect(start.errors?.map(\.field) == ["startDate"] && start.errors?.map(\.message) == ["it is later: much"])
        for message in ["Meal.Fee: not between 0 and 1", "Plan.Ver: not by hand", "Plan", ""] {
            let other = ProblemMapping.refusal(message, fields)
            #expect(other.code == .inputInvalid && other.errors == nil && !other.detail.contains("Fee"))
        }
    }

    @Test("A start that follows from the day of the next renewal is named by that day")
    func renewal() {
        let fields = ColumnFields(SubscriptionsArea.fields(startingBy: "nextRenewal"))
        let fault = ProblemMapping.refusal("Subscription.End_date: it is too late", fields)
        #expect(fault.errors?.map(\.field) == ["nextRenewal"])
    }
}
