import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite(.ownTime) struct SubscriptionStandingTests {
    private func standing(on today: String, cancelled: Bool = false, notice: Int = 0) throws -> SubscriptionStanding {
        try SubscriptionStanding(
            endDate: day("2027-03-31"), cancelledOn: cancelled ? day("2027-03-02") : nil, noticeDays: notice,
            today: day(today))
    }

    @Test func remainingDays() throws {
        #expect(try standing(on: "2027-03-01").remaining == 30)
        #expect(try standing(on: "2027-03-31").remaining == 0)
        #expect(try standing(on: "2027-04-02").remaining == -2)
    }

    @Test func whatIsCancelledRunsOut() throws {
        #expect(try standing(on: "2027-04-02").status == .active)
        #expect(try standing(on: "2027-03-30", cancelled: true).status == .cancelled)
        #expect(try standing(on: "2027-03-31", cancelled: true).status == .cancelled)
        #expect(try standing(on: "2027-04-01", cancelled: true).status == .ended)
    }

    @Test func whatIsActiveAndPastItsEndIsOverdue() throws {
        #expect(try !standing(on: "2027-03-31").isOverdue)
        #expect(try standing(on: "2027-04-01").isOverdue)
        #expect(try !standing(on: "2027-04-01", cancelled: true).isOverdue)
    }

    @Test func renewalsDueWithinSomeDays() throws {
        #expect(try !standing(on: "2027-03-23").isDue())
        #expect(try standing(on: "2027-03-24").isDue())
        #expect(try standing(on: "2027-03-31").isDue(within: 0))
        #expect(try !standing(on: "2027-03-30").isDue(within: 0))
        #expect(try !standing(on: "2027-04-01").isDue(), "overdue, not due")
        #expect(try !standing(on: "2027-03-30", cancelled: true).isDue(), "does not renew")
        #expect(try !standing(on: "2027-03-31").isDue(within: -1))
    }

    @Test func noticeIsCountedBackFromTheEnd() throws {
        #expect(try standing(on: "2027-03-01", notice: 0).cancelBy.description == "2027-03-31")
        #expect(try standing(on: "2027-03-01", notice: 31).cancelBy.description == "2027-02-28")
        #expect(try standing(on: "2027-03-01", notice: 1200).cancelBy.description == "2023-12-17")
    }
}
