import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Devices that are offline for months, while others look at their subscriptions: the history is what was done on each day.
/// A failure names its seed; `SUBTRACKIT_LATE_HISTORIES` says how many devices there are, `SUBTRACKIT_TEST_SEED` where
/// they begin.
@Suite("Histories that arrive late", .ownTime)
struct LateHistoryTests {
    /// A device with one subscription, and what that should be.
    private struct Late {
        let seed: UInt64
        let device: TestDevice
        let id: UUID
        var model: PaidModel
        var random: SeededGenerator
        var deletedOn: CalendarDate?
        /// What was done, for who has to find out.
        var log: [String] = []
        var faults: [String] = []
    }

    private static func number(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test("No operation, in whatever order and however late it arrives, invents or drops a paid period")
    func histories() async throws {
        let count = Self.number("SUBTRACKIT_LATE_HISTORIES", or: TestStage.faults ? 200 : 20)
        let first = TestSeed.first(of: "histories that arrive late")
        var changes = 0
        for start in stride(from: 0, to: count, by: 40) {
            try await TestService.runAlone(at: "2026-01-10") { service in
                try await service.withoutReference(but: ["US"])
                var plans: [PaidModel.Terms] = []
                for (duration, months, fee) in [
                    ("1 month", 1, "10.00"), ("3 month", 3, "25.00"), ("1 year", 12, "80.00"),
                ] {
                    let id = try await service.addPlan(fee: fee, duration: duration, trialDays: PaidModel.trialDays)
                    plans.append(.init(id: id, months: months, fee: amount(fee)))
                }
                changes += try await Self.play(
                    (start..<min(start + 40, count)).map { first &+ UInt64($0) }, plans, service)
            }
        }
        print("\(count) histories that arrive late from seed \(first) on, \(changes) changes")
        #expect(changes > count * 4)
    }

    /// - Returns: how many changes were made.
    private static func play(
        _ seeds: [UInt64], _ plans: [PaidModel.Terms], _ service: TestService
    ) async throws -> Int {
        var all: [Late] = []
        for seed in seeds { all.append(try await begin(seed, plans, service)) }
        var clock = SeededGenerator(seed: (seeds.first ?? 0) &+ 77)
        for _ in 0..<30 {
            service.clock.advance(days: Int.random(in: 1...17, using: &clock))
            for index in all.indices {
                try step(&all[index], plans)
                if all[index].random.next() % 4 == 0 { try await all[index].device.kit.sync() }
                if all[index].random.next() % 4 == 0 { try await look(&all[index], service) }
            }
        }
        for index in all.indices {
            try await all[index].device.kit.sync()
            try await compare(&all[index], service)
            #expect(all[index].faults == [], "seed \(all[index].seed): \(all[index].log.joined(separator: ", "))")
        }
        return all.map(\.log.count).reduce(0, +)
    }

    private static func begin(_ seed: UInt64, _ plans: [PaidModel.Terms], _ service: TestService) async throws -> Late {
        var random = SeededGenerator(seed: seed)
        let device = try service.device()
        try await device.kit.sync()
        let today = try device.kit.today()
        let terms = plans[Int.random(in: plans.indices, using: &random)]
        let (isTrial, autoRenew) = (random.next() % 4 == 0, random.next() % 4 != 0)
        let id = try device.kit.add(
            CreateSubscription(planId: terms.id, startDate: today, freeTrial: isTrial, autoRenew: autoRenew))
        return Late(
            seed: seed, device: device, id: id,
            model: PaidModel(terms, start: today, freeTrial: isTrial, autoRenew: autoRenew), random: random)
    }

    /// Something is done on the device, which does not send it.
    private static func step(_ late: inout Late, _ plans: [PaidModel.Terms]) throws {
        let (kit, id) = (late.device.kit, late.id)
        let today = try kit.today()
        late.model.advance(to: today)
        func note(_ text: String) { late.log.append("\(today) \(text)") }
        let choice = Int.random(in: 0..<24, using: &late.random)
        if let day = late.deletedOn {
            // What was deleted long ago stays so.
            guard choice < 8, day.days(to: today) < 25 else { return }
            note("restore")
            try kit.restore(id)
            late.model.restore(on: today)
            late.deletedOn = nil
        } else {
            switch choice {
            case 0, 1:
                note("cancel")
                try kit.cancel(id)
                late.model.cancel()
            case 2, 3:
                note("resume")
                try kit.resume(id)
                late.model.resume(on: today)
            case 4:
                guard !late.model.isCancelled, late.model.end <= today.adding(days: 60) else { break }
                note("renew")
                try kit.renew(id)
                late.model.renew()
                late.model.advance(to: today)
            case 5, 6:
                let on = late.random.next() % 3 != 0
                note("auto \(on)")
                try kit.change(UpdateSubscription(id: id, autoRenew: .set(on)))
                late.model.set(autoRenew: on, on: today)
            case 7:
                let terms = plans[Int.random(in: plans.indices, using: &late.random)]
                note("plan \(terms.months)")
                // A fee of one's own has to be given anew or taken away with another plan.
                try kit.change(UpdateSubscription(id: id, planId: .set(terms.id), fee: .remove))
                late.model.set(fee: nil)
                late.model.set(terms, on: today)
            case 8:
                let fee = late.random.next() % 3 == 0 ? nil : Amount(units: Int64(late.random.next() % 5000), digits: 2)
                note("fee \(fee?.description ?? "of the plan")")
                try kit.change(UpdateSubscription(id: id, fee: fee.map { .set($0) } ?? .remove))
                late.model.set(fee: fee)
            case 9:
                note("delete")
                try kit.delete(id)
                late.model.delete()
                late.deletedOn = today
            case 10:
                try kit.change(UpdateSubscription(id: id, note: .set("\(today)")))
            default: break
            }
        }
        // The periods of what was deleted come back with the answer.
        let isComing = try kit.pendingChanges().contains { $0.op == PushChanges.Mutation.Op.restore.rawValue }
        guard late.deletedOn == nil, late.faults.isEmpty, !isComing else { return }
        // The device shows what the service will say.
        let shown = try kit.details(of: id)?.periods.map(line) ?? []
        if shown != late.model.periods {
            late.faults.append("on \(today) the device shows \(shown), not \(late.model.periods)")
        }
    }

    private static func line(_ period: Period) -> String {
        "\(period.number) \(period.startDate) \(period.endDate) \(period.fee)\(period.freeTrial ? " trial" : "")"
    }

    /// Somebody looks, so that the service records what has renewed as far as it knows.
    private static func look(_ late: inout Late, _ service: TestService) async throws {
        let looker = try service.client(of: late.device)
        switch late.random.next() % 3 {
        case 0: _ = try await looker.call(PullChanges(scopes: .user))
        case 1: _ = try await looker.call(ListSubscriptions())
        default: _ = try await looker.call(GetDashboard())
        }
    }

    private static func compare(_ late: inout Late, _ service: TestService) async throws {
        if try !late.device.kit.reports().isEmpty { late.faults.append("reports: \(try late.device.kit.reports())") }
        guard late.deletedOn == nil else { return }
        late.model.advance(to: try late.device.kit.today())
        let client = try service.client(of: late.device)
        var periods: [Period] = []
        var cursor: String?
        repeat {
            let page = try await client.call(ListPeriods(id: late.id, limit: 200, cursor: cursor))
            periods += page.periods
            cursor = page.nextCursor
        } while cursor != nil
        if periods.map(line) != late.model.periods {
            late.faults.append("the service has \(periods.map(line)), not \(late.model.periods)")
        }
        let shown = try late.device.kit.details(of: late.id)?.periods.map(line) ?? []
        if shown != late.model.periods { late.faults.append("the device has \(shown) in the end") }
        let fresh = try service.device(tokens: MemoryTokenStore(try late.device.kit.client.tokens.token()))
        try await fresh.kit.sync()
        if try fresh.kit.rows() != late.device.kit.rows() { late.faults.append("another device has other rows") }
        for device in [fresh, late.device] { try? FileManager.default.removeItem(at: device.folder) }
    }
}
