import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

/// The billing calendar as clients see it: over HTTP, through the service and the database's triggers.
@Suite("Periods over HTTP")
struct PeriodTests {
    @Test("31 January monthly ends on the last of February and then on 31 March")
    func monthEnds() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "17.99")
            let made = try await ada.call(CreateSubscription(planId: plan))
            #expect(made.startDate == day("2026-01-31"))
            #expect(made.endDate == day("2026-02-28"))
            #expect(made.remaining == 28)
            #expect(made.fee.description == "17.99" && made.currency == "USD")
            var ends: [String] = []
            for _ in 0..<4 { ends.append(try await ada.call(RenewSubscription(id: made.id)).endDate.description) }
            #expect(ends == ["2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"])
        }
    }
}
