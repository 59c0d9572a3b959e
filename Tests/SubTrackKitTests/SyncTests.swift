import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

/// Devices that work offline and come back into step.
@Suite("Kits in step", .ownTime)
struct SyncTests {
    @Test("What one adds offline is there at once with its end date, and on the other device after both have synced")
    func addsOffline() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let plan = try await service.addPlan(fee: "9.99")
            let (phone, laptop) = try await service.twoDevices()
            phone.transport.isOffline = true
            let id = try phone.kit.add(CreateSubscription(planId: plan, label: "Films"))
            let here = try #require(try phone.kit.subscriptions().first)
            #expect(here.subscription.endDate == day("2026-02-28"))
            #expect(here.subscription.fee == amount("9.99"))
            #expect(here.subscription.remaining == 28)
            #expect(here.isPending)
            await #expect(throws: KitError.self) { try await phone.kit.sync() }
            #expect(try phone.kit.pendingCount() == 1)

            phone.transport.isOffline = false
            #expect(try await phone.kit.sync().sent == 1)
            #expect(try phone.kit.subscriptions().first?.isPending == false)
            try await laptop.kit.sync()
            #expect(try laptop.kit.held()[id]?.label == "Films")
            #expect(try laptop.kit.held() == phone.kit.held())
        }
    }

    @Test("What is computed offline is what the service makes of it")
    func predicts() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let plan = try await service.addPlan(fee: "9.99", trialDays: 7)
            let yearly = try await service.addPlan(fee: "80.00", duration: "1 year")
            let device = try service.device()
            try await device.kit.sync()
            device.transport.isOffline = true
            let trial = try device.kit.add(CreateSubscription(planId: plan, freeTrial: true))
            let leap = try device.kit.add(
                CreateSubscription(planId: yearly, startDate: day("2024-02-29"), autoRenew: true))
            let renewal = try device.kit.add(CreateSubscription(planId: plan, nextRenewal: day("2026-03-31")))
            let own = try device.kit.add(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: "Standard", fee: amount("29.9"), currency: "EUR",
                        duration: .init(value: 2, unit: .week)), startDate: day("2026-01-20")))
            try device.kit.renew(renewal)
            try device.kit.renew(own)
            try device.kit.cancel(own)
            try device.kit.change(UpdateSubscription(id: trial, freeTrial: .set(false), fee: .set(amount("5.00"))))
            let before = try device.kit.held()
            #expect(before[leap]?.startDate == day("2025-02-28"))
            #expect(before[leap]?.period == 1)
            #expect(before[renewal]?.endDate == day("2026-04-30"))

            device.transport.isOffline = false
            try await device.kit.sync()
            let after = try device.kit.held()
            #expect(try device.kit.reports().isEmpty)
            for id in [trial, leap, renewal, own] {
                var (one, other) = (try #require(before[id]), try #require(after[id]))
                (one.version, other.version) = (0, 0)
                // A plan of one's own gets its number from the service.
                (one.plan.id, other.plan.id) = (0, 0)
                #expect(one == other)
            }
        }
    }

    @Test("Two devices change the same field: the server's order decides, and the loser is told")
    func tellsWhatIsLost() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let id = try phone.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.sync()
            try await laptop.kit.sync()
            try phone.kit.change(UpdateSubscription(id: id, note: .set("the phone's")))
            try laptop.kit.change(UpdateSubscription(id: id, reminderDays: .set(3), note: .set("the laptop's")))
            try await phone.kit.sync()
            try await laptop.kit.sync()
            try await phone.kit.sync()
            for device in [phone, laptop] {
                #expect(try device.kit.held()[id]?.note == "the phone's")
                #expect(try device.kit.held()[id]?.reminderDays == 3)
            }
            let reports = try laptop.kit.reports()
            #expect(reports.map(\.lost) == [[LostField(field: "note", kept: "the phone's", yours: "the laptop's")]])
            #expect(try phone.kit.reports().isEmpty)
            try laptop.kit.dismissReports(through: try #require(reports.last).id)
            #expect(try laptop.kit.reports().isEmpty)
        }
    }

    @Test("A label and a note that two devices change are both kept, and only what was overwritten is told")
    func mergesSingleFields() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let ids = try (0..<4).map { _ in try phone.kit.add(CreateSubscription(planId: plan)) }
            try await phone.kit.sync()
            try await laptop.kit.sync()
            for id in ids { try phone.kit.change(UpdateSubscription(id: id, note: .set("theirs"))) }
            try phone.kit.change(UpdateSubscription(id: ids[2], autoRenew: .set(true)))
            try phone.kit.cancel(ids[3])
            try laptop.kit.change(UpdateSubscription(id: ids[0], label: .set("mine")))
            try laptop.kit.change(UpdateSubscription(id: ids[1], label: .set("mine"), note: .set("mine")))
            try laptop.kit.change(UpdateSubscription(id: ids[1], label: .set("mine too")))
            try laptop.kit.change(UpdateSubscription(id: ids[2], reminderDays: .set(3)))
            try laptop.kit.change(UpdateSubscription(id: ids[3], autoRenew: .set(true)))
            try await phone.kit.sync()
            let summary = try await laptop.kit.sync()
            try await phone.kit.sync()
            for device in [phone, laptop] {
                let held = try device.kit.held()
                #expect(ids.map { held[$0]?.note } == Array(repeating: "theirs", count: 4))
                #expect(ids.map { held[$0]?.label } == ["mine", "mine too", nil, nil])
                #expect(held[ids[2]]?.reminderDays == 3 && held[ids[2]]?.autoRenew == true)
            }
            // Whether it renews and whether it was cancelled depend on each other.
            let reports = try laptop.kit.reports()
            #expect(
                Set(reports.map(\.lost)) == [
                    [LostField(field: "note", kept: "theirs", yours: "mine")],
                    [LostField(field: "autoRenew", kept: false, yours: true)],
                ])
            #expect(summary.reported == 2 && reports.count == 2)
            #expect(try laptop.kit.pendingCount() == 0 && phone.kit.reports().isEmpty)
        }
    }

    @Test("One device mutes offline, another changes renewal and note meanwhile: all of it is kept on both")
    func mutes() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let id = try phone.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.sync()
            try await laptop.kit.sync()
            laptop.transport.isOffline = true
            try laptop.kit.change(UpdateSubscription(id: id, muted: .set(true)))
            #expect(try laptop.kit.held()[id]?.muted == true)
            try phone.kit.change(UpdateSubscription(id: id, autoRenew: .set(true), note: .set("theirs")))
            try await phone.kit.sync()
            laptop.transport.isOffline = false
            try await laptop.kit.sync()
            try await phone.kit.sync()
            for device in [phone, laptop] {
                let held = try #require(try device.kit.held()[id])
                #expect(held.muted && held.autoRenew && held.note == "theirs")
                #expect(try device.kit.reports().isEmpty)
            }
        }
    }

    @Test("A service that loses a field for ever is asked once more, and then it is told")
    func losesForEver() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(CreateSubscription(planId: plan))
            try await device.kit.sync()
            try device.kit.change(UpdateSubscription(id: id, label: .set("mine")))
            let count = Mutex(0)
            device.transport.set { request in
                guard request.method == "POST", let body = request.body,
                    let sent = try? JSONDecoder().decode(PushChanges.self, from: body)
                else { return .answered }
                let results = sent.mutations.map { mutation in
                    let number = count.withLock { count in
                        count += 1
                        return Int64(count)
                    }
                    let row = StoredSubscription(
                        planId: plan, label: nil, startDate: day("2026-01-01"), endDate: day("2026-02-01"),
                        freeTrial: false, anchorDate: day("2026-01-01"), anchorCount: 1, period: 0, fee: amount("1.00"),
                        currency: "USD", ownFee: nil, autoRenew: false, cancelledOn: nil, reminderDays: nil, note: "x")
                    return PushChanges.Result(
                        key: mutation.key, outcome: .merged,
                        row: Change(
                            scope: "user", version: (mutation.baseVersion ?? 0) + number, entity: .subscription,
                            id: mutation.id, data: .subscription(row)),
                        lost: [LostField(field: "label", kept: .null, yours: "mine")])
                }
                let answer = try? JSONEncoder().encode(PushChanges.Output(results: results))
                return .replaced(TransportResponse(status: 200, body: answer ?? Data()))
            }
            try await device.kit.sync()
            #expect(count.withLock { $0 } == 2)
            #expect(try device.kit.reports().map { $0.lost.map(\.field) } == [["label"]])
        }
    }

    @Test("A service of the first version, which tells neither areas nor whether somebody is signed in, is synced with")
    func olderService() async throws {
        try await TestService.run { service in
            let device = try service.device()
            let info = #"{"name":"SubTrackIt","version":"0.1.0","tenant":"default","now":"2026-02-10T08:00:00Z"}"#
            device.transport.set { request in
                request.url.hasSuffix("/v1")
                    ? .replaced(TransportResponse(status: 200, body: Data(info.utf8))) : .answered
            }
            try await device.kit.sync()
            #expect(try device.kit.hasPulled())
            let output = try await device.kit.client.call(GetServerInfo())
            #expect(output.areas == ["subscriptions"] && !output.signedIn && output.version == "0.1.0")
        }
    }

    @Test("A device remembers the areas of its tenant since its last sync, and can ask for them at once")
    func areas() async throws {
        try await TestService.run { service in
            let device = try service.device()
            #expect(try device.kit.areas() == nil)
            try await device.kit.sync()
            #expect(try device.kit.areas()?.isSuperset(of: ["subscriptions", "catalog"]) == true)
            let info =
                #"{"name":"SubTrackIt","version":"9","tenant":"default","now":"2026-02-10T08:00:00Z","areas":["games","subscriptions"]}"#
            device.transport.set { request in
                request.url.hasSuffix("/v1")
                    ? .replaced(TransportResponse(status: 200, body: Data(info.utf8))) : .answered
            }
            #expect(try await device.kit.refreshAreas() == ["games", "subscriptions"])
            #expect(try device.kit.areas() == ["games", "subscriptions"])
        }
    }

    @Test("Two devices renew the same period: it is renewed once")
    func renewsOnce() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let id = try phone.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.sync()
            try await laptop.kit.sync()
            try phone.kit.renew(id)
            try laptop.kit.renew(id)
            #expect(try laptop.kit.details(of: id)?.periods.map(\.number) == [0, 1])
            try await phone.kit.sync()
            try await laptop.kit.sync()
            try await phone.kit.sync()
            #expect(try phone.kit.held()[id]?.period == 1)
            #expect(try laptop.kit.details(of: id) == phone.kit.details(of: id))
        }
    }

    @Test("What is deleted can be restored, also on a device that is offline")
    func restores() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let id = try phone.kit.add(CreateSubscription(planId: plan, note: "mine"))
            try await phone.kit.sync()
            try await laptop.kit.sync()
            try phone.kit.delete(id)
            #expect(try phone.kit.subscriptions().isEmpty)
            #expect(try phone.kit.deletedSubscriptions().map(\.id) == [id])
            try await phone.kit.sync()
            try await laptop.kit.sync()
            #expect(try laptop.kit.subscriptions().isEmpty)
            laptop.transport.isOffline = true
            #expect(try laptop.kit.deletedSubscriptions().map(\.id) == [id])
            try laptop.kit.restore(id)
            #expect(try laptop.kit.held()[id]?.note == "mine")
            laptop.transport.isOffline = false
            try await laptop.kit.sync()
            try await phone.kit.sync()
            #expect(try phone.kit.held()[id]?.note == "mine")
            #expect(try phone.kit.held() == laptop.kit.held())
        }
    }

    @Test("A price that an admin types reaches devices")
    func followsTheCatalogue() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let plan = try await service.addPlan(fee: "9.99")
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(CreateSubscription(planId: plan))
            try await device.kit.sync()
            _ = try await service.database.run(
                "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-02-15', 12.99)")
            try await device.kit.sync()
            #expect(try device.kit.held()[id]?.next?.fee == amount("12.99"))
            #expect(try device.kit.details(of: id)?.prices.last?.effectiveOn == day("2026-02-15"))
        }
    }

    @Test("A few letters lead to a plan, the best one first")
    func findsPlans() async throws {
        try await TestService.run { service in
            let marker = UUID().uuidString.prefix(8)
            let basic = try await service.addPlan("Basic \(marker)", provider: "Musicbox")
            let family = try await service.addPlan("Family \(marker)", provider: "Musicbox", type: "Family")
            let device = try service.device()
            try await device.kit.sync()
            #expect(try device.kit.plans(matching: "mus fam \(marker)").map(\.id) == [family])
            #expect(Set(try device.kit.plans(matching: "MUSICBOX \(marker)").map(\.id)) == [basic, family])
            #expect(try device.kit.plans(matching: "musicbox nothing \(marker)").isEmpty)
            // What SQL takes for any letter is a letter like others.
            let odd = try await service.addPlan("100%_off \(marker)", provider: "Musicbox")
            try await device.kit.sync()
            #expect(try device.kit.plans(matching: "100%_off \(marker)").map(\.id) == [odd])
            #expect(try device.kit.plans(matching: "100_%off \(marker)").isEmpty)
        }
    }

    @Test("Who signs in on a device that was used takes its subscriptions along, and signing out leaves nothing")
    func changesUsers() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, _) = try await service.twoDevices()
            let (tablet, fresh) = (try service.device(), try service.device())
            let gym = CreateSubscription(
                plan: PrivatePlan(
                    provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD",
                    duration: .init(value: 1, unit: .month)))
            let id = try tablet.kit.add(gym)
            try await tablet.kit.sync()
            try phone.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.sync()
            let email = try #require(try phone.kit.user().accounts.first?.email)
            let made = try await tablet.kit.signIn(email: email, password: "correct horse battery")
            #expect(made.merged.moved == 1)
            try await phone.kit.sync()
            #expect(try tablet.kit.held().count == 2)
            #expect(try phone.kit.held()[id] != nil)
            #expect(try phone.kit.held() == tablet.kit.held())
            // Also from a device that never had a user.
            let other = try fresh.kit.add(gym)
            try await fresh.kit.signIn(email: email, password: "correct horse battery")
            try await phone.kit.sync()
            #expect(try phone.kit.held()[other] != nil)
            try await tablet.kit.signOut()
            #expect(try tablet.kit.subscriptions().isEmpty)
            #expect(try tablet.kit.user().accounts.isEmpty)
            #expect(try phone.kit.held().count == 3)
        }
    }
}
