import TestTraits
import Testing

@testable import SubTrackServer

@Suite("How descriptors are shared", .ownTime)
struct DescriptorPlanTests {
    @Test(
        "The database, operators and files keep theirs, whatever the limit is; too few for clients are said",
        arguments: [
            (65_536, 10_000, 20_000, false), (20_000, 9_904, 9_904, false), (1_024, 416, 416, true), (100, 8, 8, true),
        ])
    func shares(_ limit: Int, _ http: Int, _ sockets: Int, _ isSaid: Bool) {
        let plan = DescriptorPlan(limit: limit, http: 10_000, sockets: 20_000, databaseConnections: 32)
        #expect(plan.http == http && plan.sockets == sockets && (plan.warning != nil) == isSaid)
        if limit >= 512 { #expect(plan.http + plan.sockets + 32 + DescriptorPlan.reserve <= limit) }
        if isSaid { #expect(plan.warning?.contains("\(limit)") == true && plan.warning?.contains("\(http)") == true) }
    }

    @Test("What one kind does not want is the other's")
    func leftOver() {
        #expect(DescriptorPlan(limit: 1_192, http: 100, sockets: 20_000, databaseConnections: 32).sockets == 900)
        #expect(DescriptorPlan(limit: 1_192, http: 10_000, sockets: 100, databaseConnections: 32).http == 900)
    }
}
