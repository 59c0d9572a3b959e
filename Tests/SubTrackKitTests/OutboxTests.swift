import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackKit

/// What waits to be sent, and what becomes of it.
@Suite("Outboxes of kits", .ownTime)
struct OutboxTests {
    private func gym(_ note: String? = nil, autoRenew: Bool? = nil, start: String? = nil) -> CreateSubscription {
        CreateSubscription(
            plan: PrivatePlan(
                provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD",
                duration: .init(value: 1, unit: .month)), startDate: start.map(day), autoRenew: autoRenew, note: note)
    }

    @Test("A refusal of a kind that is not known yet is one of its class, and does not hold up those behind it")
    func meetsUnknownCodes() async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            try device.kit.add(gym("first"))
            device.transport.set { request in
                guard request.method == "POST", let body = request.body,
                    let sent = try? JSONDecoder().decode(PushChanges.self, from: body),
                    let key = sent.mutations.first?.key.uuidString
                else { return .answered }
                let answer = """
                    {"results":[{"key":"\(key)","outcome":"refused","replayed":false,"lost":[],"error":{"type":"/problems/quota",
                    "title":"Enough","status":402,"code":"quota_exceeded","detail":"You have enough."}}]}
                    """
                return .replaced(TransportResponse(status: 200, body: Data(answer.utf8)))
            }
            #expect(try await device.kit.sync().reported == 1)
            #expect(try device.kit.pendingCount() == 0)
            #expect(try device.kit.reports().map(\.problem?.detail) == ["You have enough."])
            device.transport.set { _ in .answered }
            try device.kit.add(gym("second"))
            try await device.kit.sync()
            #expect(try device.kit.held().values.map(\.note) == ["second"])
        }
    }

    @Test("A change that the service does not even read is reported, and all others are sent")
    func meetsRefusedRequests() async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            for note in ["a", "b", "poison", "c", "d"] { try device.kit.add(gym(note)) }
            let problem = try JSONEncoder().encode(Problem.input("mutations", .unknown, "is of no known kind"))
            device.transport.set { request in
                let text = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
                return request.method == "POST" && text.contains("poison")
                    ? .replaced(TransportResponse(status: 400, body: problem)) : .answered
            }
            try await device.kit.sync()
            #expect(try device.kit.pendingCount() == 0)
            #expect(Set(try device.kit.held().values.map(\.note)) == ["a", "b", "c", "d"])
            #expect(try device.kit.reports().map { $0.mutation.fields?["note"] } == ["poison"])
        }
    }

    @Test("A plan of one's own keeps its name and fee between push and pull, and can be changed then")
    func ownPlansBetween() async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(gym())
            let before = try #require(try device.kit.held()[id])
            device.transport.set(Self.noPulls)
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            #expect(try device.kit.pendingCount() == 0)
            let between = try #require(try device.kit.held()[id])
            #expect(between.plan.provider == "Gym" && between.plan.private && between.plan.fee == amount("20"))
            #expect(between.endDate == before.endDate && between.plan.duration == before.plan.duration)
            try device.kit.change(
                UpdateSubscription(
                    id: id, plan: .set(PrivatePlanPatch(provider: .set("Pool"), fee: .set(amount("30"))))))
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            #expect(try device.kit.pendingCount() == 0)
            #expect(try device.kit.reports().isEmpty)
            let changed = try #require(try device.kit.held()[id])
            #expect(changed.plan.provider == "Pool" && changed.plan.fee == amount("30"))
            device.transport.set { _ in .answered }
            try await device.kit.sync()
            let fresh = try service.device(tokens: MemoryTokenStore(try device.kit.client.tokens.token()))
            try await fresh.kit.sync()
            #expect(try device.kit.held() == fresh.kit.held())
            #expect(try device.kit.usersRows() == fresh.kit.usersRows())
            #expect(try device.kit.held()[id]?.plan.provider == "Pool")
        }
    }

    @Test("A plan of one's own that is changed twice between two pulls keeps both changes, also by an older service")
    func ownPlanTwice() async throws {
        for isOld in [false, true] {
            try await TestService.run { service in
                let device = try service.device()
                try await device.kit.sync()
                let id = try device.kit.add(gym())
                try await device.kit.sync()
                device.transport.set { request in
                    Self.noPulls(request)
                }
                if isOld { device.transport.hidesPlans = true }
                for patch in [
                    PrivatePlanPatch(provider: .set("Pool")), PrivatePlanPatch(name: .set("All day")),
                    PrivatePlanPatch(provider: .set("Sauna")),
                ] {
                    try device.kit.change(UpdateSubscription(id: id, plan: .set(patch)))
                    await #expect(throws: KitError.self) { try await device.kit.sync() }
                    #expect(try device.kit.pendingCount() == 0)
                }
                #expect(try device.kit.reports().isEmpty)
                device.transport.set { _ in .answered }
                try await device.kit.sync()
                let plan = try device.kit.held()[id]?.plan
                #expect(plan?.provider == "Sauna" && plan?.name == "All day")
            }
        }
    }

    @Test("Of two devices that change a plan of their own, one without pulls, the later is told that it lost")
    func ownPlanOnTwoDevices() async throws {
        try await TestService.run { service in
            let (phone, laptop) = try await service.twoDevices()
            let id = try laptop.kit.add(gym())
            laptop.transport.set(Self.noPulls)
            await #expect(throws: KitError.self) { try await laptop.kit.sync() }
            try await phone.kit.sync()
            try phone.kit.change(UpdateSubscription(id: id, plan: .set(PrivatePlanPatch(provider: .set("Pool")))))
            try await phone.kit.sync()
            // The laptop hears of the subscription's newer version, and of nothing else.
            try laptop.kit.change(UpdateSubscription(id: id, label: .set("Sports")))
            await #expect(throws: KitError.self) { try await laptop.kit.sync() }
            try laptop.kit.change(UpdateSubscription(id: id, plan: .set(PrivatePlanPatch(provider: .set("Sauna")))))
            await #expect(throws: KitError.self) { try await laptop.kit.sync() }
            #expect(try laptop.kit.reports().map { $0.lost.map(\.field) } == [["plan"]])
            #expect(try laptop.kit.held()[id]?.plan.provider == "Pool", "what was kept came with the answer")
            laptop.transport.set { _ in .answered }
            try await laptop.kit.sync()
            #expect(try laptop.kit.held() == phone.kit.held() || laptop.kit.held()[id]?.plan.provider == "Pool")
        }
    }

    private static let noPulls: @Sendable (TransportRequest) -> TestTransport.Fate = {
        $0.method == "GET" && $0.url.contains("/v1/changes") ? .lost : .answered
    }

    @Test("A plan of one's own is known when only the second answer came, and each renewal counts")
    func ownPlansAfterLostAnswers() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(gym())
            let before = try #require(try device.kit.held()[id])
            device.transport.set { $0.method == "POST" ? .answerLost : .answered }
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            device.transport.set(Self.noPulls)
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            #expect(try device.kit.pendingCount() == 0)
            let between = try #require(try device.kit.held()[id])
            #expect(between.plan.provider == "Gym" && between.endDate == before.endDate)
            for period in 1...2 {
                try device.kit.renew(id)
                #expect(try device.kit.held()[id]?.period == period)
            }
            let change = UpdateSubscription(id: id, plan: .set(PrivatePlanPatch(provider: .set("Pool"))))
            device.transport.set { _ in .answered }
            try await device.kit.sync()
            #expect(try device.kit.held()[id]?.period == 2)
            try device.kit.change(change)
            device.transport.set { $0.method == "POST" ? .answerLost : .answered }
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            device.transport.set(Self.noPulls)
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            #expect(try device.kit.pendingCount() == 0)
            #expect(try device.kit.held()[id]?.plan.provider == "Pool")
            device.transport.set { _ in .answered }
            try await device.kit.sync()
            #expect(try device.kit.held()[id]?.period == 2 && device.kit.held()[id]?.plan.provider == "Pool")
            let fresh = try service.device(tokens: MemoryTokenStore(try device.kit.client.tokens.token()))
            try await fresh.kit.sync()
            #expect(try device.kit.usersRows() == fresh.kit.usersRows())
        }
    }

    @Test(
        "A plan that another device has replaced meanwhile is not taken for the one that was made here",
        arguments: [("1 year", "80"), ("1 month", "30"), ("1 month", "20")])
    func ownPlansReplaced(_ duration: String, _ fee: String) async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let (phone, laptop) = try await service.twoDevices()
            let id = try laptop.kit.add(gym())
            laptop.transport.set { $0.method == "POST" ? .answerLost : .answered }
            await #expect(throws: KitError.self) { try await laptop.kit.sync() }
            let other = try await service.addPlan(fee: fee, duration: duration)
            try await phone.kit.sync()
            try phone.kit.change(UpdateSubscription(id: id, planId: .set(other)))
            try await phone.kit.sync()
            laptop.transport.set(Self.noPulls)
            await #expect(throws: KitError.self) { try await laptop.kit.sync() }
            // One that costs the same for as long looks the same, until it is pulled.
            let looksTheSame = (duration, fee) == ("1 month", "20")
            let seen = try #require(try laptop.kit.held()[id]?.plan)
            #expect((seen.provider == "Gym") == looksTheSame)
            // But nothing else is made of it.
            #expect(try laptop.kit.plans(matching: "gym").isEmpty)
            #expect(throws: KitError.self) { try laptop.kit.add(CreateSubscription(planId: seen.id)) }
            try laptop.kit.renew(id)
            laptop.transport.set { _ in .answered }
            try await laptop.kit.sync()
            try laptop.kit.renew(id)
            try await laptop.kit.sync()
            try await phone.kit.sync()
            #expect(try phone.kit.held()[id]?.period == 2 && phone.kit.held() == laptop.kit.held())
            #expect(try laptop.kit.held()[id]?.plan.provider == "Testflix")
            let fresh = try service.device(tokens: MemoryTokenStore(try laptop.kit.client.tokens.token()))
            try await fresh.kit.sync()
            // Nothing of its own stands before the plan of the catalogue, which is other tests' as well.
            #expect(try laptop.kit.usersRows() == fresh.kit.usersRows())
        }
    }

    @Test("A plan of one's own, made and changed in one push, is known as changed when only the second answer came")
    func ownPlansChangedAtOnce() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(gym())
            try device.kit.change(
                UpdateSubscription(
                    id: id, plan: .set(PrivatePlanPatch(provider: .set("Pool"), fee: .set(amount("30"))))))
            device.transport.set { $0.method == "POST" ? .answerLost : .answered }
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            device.transport.set(Self.noPulls)
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            let plan = try #require(try device.kit.held()[id]?.plan)
            #expect(plan.provider == "Pool" && plan.fee == amount("30"))
            try device.kit.renew(id)
            #expect(try device.kit.held()[id]?.period == 1)
        }
    }

    @Test("A renewal whose period would end too far away is refused at once")
    func renewsTooFar() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(gym(start: "2999-11-15"))
            try device.kit.renew(id)
            #expect(throws: KitError.self) { try device.kit.renew(id) }
            try await device.kit.sync()
            #expect(try device.kit.held()[id]?.period == 1 && device.kit.reports().isEmpty)
        }
    }

    @Test("A subscription that comes before its plan shows what is known of it, and costs what the service said")
    func comesBeforeItsPlan() async throws {
        try await TestService.run(at: "2026-02-10") { service in
            let device = try service.device()
            try await device.kit.sync()
            let id = UUID()
            let row = StoredSubscription(
                planId: 999_999_999, label: nil, startDate: day("2026-01-31"), endDate: day("2026-02-28"),
                freeTrial: false, anchorDate: day("2026-01-31"), anchorCount: 1, period: 0, fee: amount("9.99"),
                currency: "USD", ownFee: nil, autoRenew: true, cancelledOn: nil, reminderDays: nil, note: nil)
            let data = String(decoding: try JSONEncoder().encode(row), as: UTF8.self)
            let page = """
                {"dropped":[],"changes":[{"scope":"user","version":999999,"entity":"subscription",\
                "id":"\(id.uuidString.lowercased())","deleted":false,"data":\(data)}],"cursor":"next","more":false,"total":0}
                """
            device.transport.set { request in
                request.url.contains("/v1/changes")
                    ? .replaced(TransportResponse(status: 200, body: Data(page.utf8))) : .answered
            }
            #expect(try await device.kit.sync().received == 1)
            device.transport.isOffline = true
            try device.kit.change(UpdateSubscription(id: id, fee: .set(amount("7.50")), label: .set("Songs")))
            try device.kit.renew(id)
            // Another one could not be counted: it would name the same period, and both be one.
            #expect(throws: KitError.self) { try device.kit.renew(id) }
            #expect(try device.kit.pendingCount() == 2)
            let shown = try #require(try device.kit.details(of: id))
            let one = shown.tracked.subscription
            #expect(one.label == "Songs" && one.endDate == day("2026-02-28") && one.remaining == 18)
            #expect(one.fee == amount("9.99") && one.currency == "USD" && one.next == nil)
            #expect(one.plan.id == 999_999_999 && shown.prices.isEmpty)
            // How long its period is nobody knows here, so that it is no part of a month's costs.
            #expect(try device.kit.spending().isEmpty)
        }
    }

    @Test("What renews by itself is in its present period before anything is changed offline")
    func renewsBeforeChanges() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            let device = try service.device()
            try await device.kit.sync()
            let renewed = try device.kit.add(gym("renewed", autoRenew: true))
            let cancelled = try device.kit.add(gym("cancelled", autoRenew: true))
            let changed = try device.kit.add(gym("changed", autoRenew: true))
            try await device.kit.sync()
            service.clock.set("2026-04-10")
            device.transport.isOffline = true
            try device.kit.renew(renewed)
            try device.kit.cancel(cancelled)
            try device.kit.change(UpdateSubscription(id: changed, autoRenew: .set(false)))
            let before = try device.kit.held()
            #expect(before[renewed]?.period == 3 && before[renewed]?.endDate == day("2026-05-31"))
            #expect(try device.kit.details(of: renewed)?.periods.map(\.number) == [0, 1, 2, 3])
            #expect(before[cancelled]?.endDate == day("2026-04-30") && before[cancelled]?.status == .cancelled)
            #expect(before[changed]?.endDate == day("2026-04-30") && before[changed]?.period == 2)
            let periods = try [renewed, cancelled, changed].map { try device.kit.details(of: $0)?.periods }
            device.transport.isOffline = false
            try await device.kit.sync()
            for (id, one) in before {
                var (one, other) = (one, try #require(try device.kit.held()[id]))
                (one.version, other.version) = (0, 0)
                #expect(one == other)
            }
            #expect(try [renewed, cancelled, changed].map { try device.kit.details(of: $0)?.periods } == periods)
        }
    }

    /// The largest and smallest numbers that a page can hold.
    static let extremes = [Int64.max, Int64.min, Int64(Int32.max), -1]

    @Test("The largest and smallest numbers that a server can give end no process", arguments: extremes)
    func meetsExtremes(_ number: Int64) async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            let id = UUID()
            let page = """
                {"dropped":[],"changes":[
                {"scope":"x","version":\(number),"entity":"plan","id":"7","deleted":false,"data":{"provider":"P","name":"N",
                "type":"Standard","category":null,"country":"US","fee":"999999999999.999999","currency":"USD",
                "feeSince":"0001-01-01","duration":{"value":1,"unit":"month"},"trialDays":null,"noticeDays":\(number),
                "formerTerms":null,"withdrawnOn":null,"private":false}},
                {"scope":"x","version":1,"entity":"plan","id":"8","deleted":false,"data":{"provider":"P","name":"N",
                "type":"Standard","category":null,"country":"US","fee":"1.00","currency":"USD",
                "feeSince":"9999-12-31","duration":{"value":\(number),"unit":"year"},"trialDays":\(number),"noticeDays":0,
                "formerTerms":null,"withdrawnOn":null,"private":false}},
                {"scope":"x","version":1,"entity":"currency","id":"USD","deleted":false,"data":{"name":"D","minorDigits":\(number)}},
                \([7, 8].map { plan in """
                    {"scope":"x","version":1,"entity":"subscription","id":"\(plan == 7 ? id : UUID())","deleted":false,"data":{
                    "planId":\(plan),"label":null,"startDate":"2026-01-01","endDate":"2026-01-31","freeTrial":false,
                    "anchorDate":"2026-01-01","anchorCount":\(number),"period":\(number),"fee":"1.00","currency":"USD",
                    "ownFee":null,"autoRenew":true,"cancelledOn":null,"reminderDays":\(number),"note":null}}
                    """ }.joined(separator: ","))
                ],"cursor":"next","more":false,"total":\(number)}
                """
            device.transport.set { request in
                request.url.contains("/v1/changes")
                    ? .replaced(TransportResponse(status: 200, body: Data(page.utf8), retryAfter: .max)) : .answered
            }
            #expect(try await device.kit.sync().received == 5)
            #expect(try device.kit.subscriptions().count == 2)
            _ = try device.kit.details(of: id)
            _ = try? device.kit.spending()
            _ = try device.kit.plans(matching: "p")
            device.transport.isOffline = true
            try? device.kit.renew(id)
            try? device.kit.change(
                UpdateSubscription(id: id, startDate: .set(day("2026-03-01")), freeTrial: .set(true)))
            try? device.kit.change(UpdateSubscription(id: id, planId: .set(8), nextRenewal: .set(day("2026-05-31"))))
            try device.kit.cancel(id)
            #expect(try device.kit.subscriptions().count == 2)
            _ = try device.kit.details(of: id)
            _ = try device.kit.export().csv
        }
    }
}

extension Kit {
    /// The rows that are the user's alone, each as a text.
    fileprivate func usersRows() throws -> [String: String] { try rows().filter { $0.key.contains(" user ") } }
}
