import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackKit

/// Devices that stay in step by their live sockets.
@Suite("Live kits", .ownTime)
struct LiveTests {
    /// What happened on a live connection.
    private final class Events: Sendable {
        let all = Mutex<[LiveEvent]>([])
    }

    /// Lets a device stay in step while something is done.
    private func watching(_ devices: [TestDevice], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices {
                let (connected, isConnected) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    for try await event in device.kit.live() where event == .connected { isConnected.yield(()) }
                }
                _ = await connected.first { _ in true }
            }
            try await body()
            group.cancelAll()
        }
    }

    @Test("What is changed on one device shows on the other by itself, also by SQL and through another replica")
    func showsChanges() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan(fee: "9.99")
            let (phone, laptop) = try await service.twoDevices()
            try await service.runReplica { replica in
                let email = try #require(try phone.kit.user().accounts.first?.email)
                let tablet = try replica.device()
                try await tablet.kit.signIn(email: email, password: "correct horse battery")
                try await watching([phone, laptop, tablet]) {
                    let id = try phone.kit.add(CreateSubscription(planId: plan, note: "films"))
                    try await eventually("it shows everywhere") {
                        try laptop.kit.held()[id]?.note == "films" && tablet.kit.held()[id]?.note == "films"
                    }
                    try tablet.kit.renew(id)
                    try await eventually("the renewal shows") {
                        try laptop.kit.held()[id]?.period == 1 && phone.kit.held()[id]?.period == 1
                    }
                    // By its key: other tests' rows are looked at and locked else.
                    let key = id.uuidString.replacing("-", with: "")
                    _ = try await service.database.run(
                        "UPDATE Subscription SET Note = 'by SQL' WHERE Subscription_ID = UNHEX('\(key)')")
                    _ = try await service.database.run(
                        "INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES (\(plan), '2026-02-10', 12.99)")
                    try await eventually("what the admin typed shows") {
                        try [phone, laptop, tablet].allSatisfy { device in
                            let one = try device.kit.held()[id]
                            return one?.note == "by SQL" && one?.next?.fee == amount("12.99")
                        }
                    }
                }
            }
        }
    }

    @Test("A list that is followed tells what is there, and each change")
    func followsLists() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (device, other) = try await service.twoDevices()
            let seen = Mutex<[[String?]]>([])
            let following = Task {
                for try await list in device.kit.subscriptionUpdates() {
                    seen.withLock { $0.append(list.map(\.subscription.note)) }
                }
            }
            try await eventually("the empty list shows") { seen.withLock { $0 == [[]] } }
            let id = try device.kit.add(CreateSubscription(planId: plan, note: "one"))
            try await eventually("it shows") { seen.withLock { $0.last == ["one"] } }
            try device.kit.delete(id)
            try await eventually("it is gone") { seen.withLock { $0.last == [] } }
            // What a sync brings, too.
            try await device.kit.sync()
            try other.kit.add(CreateSubscription(planId: plan, note: "from elsewhere"))
            try await other.kit.sync()
            try await device.kit.sync()
            try await eventually("it shows") { seen.withLock { $0.last == ["from elsewhere"] } }
            following.cancel()
        }
    }

    @Test("A list that is followed shows what another program of the same person changes, also without network")
    func followsOtherPrograms() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let device = try service.device()
            try await device.kit.sync()
            device.transport.isOffline = true
            let other = try device.reopened(service)
            let seen = Mutex<[[String?]]>([])
            let following = Task {
                for try await list in device.kit.subscriptionUpdates() {
                    seen.withLock { $0.append(list.map(\.subscription.note)) }
                }
            }
            try await eventually("the empty list shows") { seen.withLock { $0 == [[]] } }
            try other.kit.add(CreateSubscription(planId: plan, note: "one"))
            try await eventually("it shows") { seen.withLock { $0 == [[], ["one"]] } }
            following.cancel()
        }
    }

    @Test("A first sync of many rows tells how far it is")
    func tellsProgress() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let user = try await service.newUser()
            try await service.addSubscriptions(400, to: user.user.id, plan: plan)
            let laptop = try service.device(tokens: MemoryTokenStore(user.client.token), pageSize: 100)
            let seen = Mutex<[Double]>([])
            let following = Task {
                for try await progress in laptop.kit.progressUpdates() {
                    seen.withLock { $0.append(progress.fraction) }
                }
            }
            try await laptop.kit.sync()
            try await eventually("all is here") { seen.withLock { $0.last == 1 } }
            following.cancel()
            #expect(seen.withLock { $0.contains { $0 > 0 && $0 < 1 } })
            #expect(try laptop.kit.held().count == 400)
        }
    }

    @Test("A service that is away is tried again; a kit at its new address is in step")
    func comesBack() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let events = Events()
            // A server that is not there: the first replica has gone, another one comes.
            let gone = try await service.runReplica { replica in
                let kit = try replica.device(folder: laptop.folder, tokens: laptop.tokens, hasMoved: true).kit
                let following = Task {
                    for try await event in kit.live() { events.all.withLock { $0.append(event) } }
                }
                try await eventually("it connects") {
                    events.all.withLock { $0.contains(.connected) }
                }
                return following
            }
            try await eventually("it tries again") {
                events.all.withLock { all in
                    all.count { if case .disconnected = $0 { true } else { false } } >= 2
                }
            }
            gone.cancel()
            let id = try phone.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.sync()
            #expect(try laptop.kit.held()[id] == nil)
            // The same process hears of another address, as where a proxy leads to another replica.
            let back = try service.device(folder: laptop.folder, tokens: laptop.tokens, hasMoved: true)
            try await watching([back]) {
                try await eventually("it is in step") { try back.kit.held()[id] != nil }
            }
        }
    }

    @Test("A session that is ended elsewhere ends the live connection, for it will not come back by itself")
    func endsWithTheSession() async throws {
        try await TestService.run { service in
            let (phone, laptop) = try await service.twoDevices()
            let live = Task { for try await _ in laptop.kit.live() {} }
            let sessions = try await phone.kit.client.call(ListSessions()).sessions
            let other = try #require(sessions.first { !$0.current })
            try await phone.kit.client.call(DeleteSession(id: other.id))
            await #expect(throws: KitError.signedOut) { try await live.value }
        }
    }

    @Test("A user who is deleted elsewhere is heard of, and nothing is left on the device")
    func endsWithTheUser() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            try laptop.kit.add(CreateSubscription(planId: plan))
            let (connected, isConnected) = AsyncStream.makeStream(of: Void.self)
            let live = Task {
                for try await event in laptop.kit.live() where event == .connected { isConnected.yield(()) }
            }
            _ = await connected.first { _ in true }
            #expect(try laptop.kit.held().count == 1)
            try await phone.kit.deleteUser(currentPassword: "correct horse battery")
            await #expect(throws: KitError.userDeleted) { try await live.value }
            #expect(try laptop.kit.held().isEmpty)
            #expect(laptop.tokens.token() == nil)
        }
    }

    @Test("What passes by itself ends no live connection: it is told, waited for, and in step again")
    func outlivesPassingErrors() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let id = try phone.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.sync()
            let suspended = try JSONEncoder().encode(Problem(.tenantSuspended, "This service is suspended."))
            laptop.transport.set { _ in .replaced(TransportResponse(status: 403, body: suspended)) }
            let events = Events()
            let live = Task {
                for try await event in laptop.kit.live() { events.all.withLock { $0.append(event) } }
            }
            try await eventually("it is told") {
                events.all.withLock { all in
                    all.contains {
                        if case .disconnected("This service is suspended", _) = $0 { true } else { false }
                    }
                }
            }
            laptop.transport.set { _ in .answered }
            try await eventually("it is in step") {
                try events.all.withLock { $0.contains(.connected) } && laptop.kit.held()[id] != nil
            }
            live.cancel()
        }
    }

    @Test(
        "Who accepts a connection and then is silent is not waited for: by time, or when nobody asks any more",
        .timeLimit(.minutes(10)))
    func givesUpOpening() async throws {
        try await TestService.run { service in
            let user = try await service.newUser()
            let token = try #require(user.client.token)
            try await Door.run(to: service.client.baseURL) { door in
                let done = DispatchSemaphore(value: 0)
                defer { for _ in 0..<2 { done.signal() } }
                door.atOnce(.answer, of: "GET /v1/live") { done.wait() }
                await #expect(throws: LiveSocket.End.silent) {
                    try await LiveSocket.run(
                        server: door.url, token: token, patience: .milliseconds(200), onOpen: {}, onMessage: { _ in })
                }
                door.atOnce(.answer, of: "GET /v1/live") { done.wait() }
                let url = door.url
                let opening = Task {
                    try await LiveSocket.run(server: url, token: token, onOpen: {}, onMessage: { _ in })
                }
                try await eventually("it is asked") { !door.waits }
                opening.cancel()
                await #expect(throws: CancellationError.self) { try await opening.value }
            }
        }
    }

    @Test("A connection that ends at once is tried again after waits that grow, and as late as the service asks for")
    func waitsAsAsked() {
        var random = SeededGenerator(seed: 1)
        var backoff = Backoff(first: .seconds(1), limit: .seconds(60), stable: .seconds(30))
        var longest = Duration.zero
        for _ in 0..<50 {
            longest = max(longest, backoff.next(afterOpen: .seconds(1), retryAfter: nil, using: &random))
        }
        #expect(longest > .seconds(10))
        #expect(backoff.next(afterOpen: .seconds(31), retryAfter: nil, using: &random) <= .seconds(1))
        let asked = backoff.next(afterOpen: nil, retryAfter: 100, using: &random)
        #expect(asked >= .seconds(100) && asked <= .seconds(110))
        #expect(backoff.next(afterOpen: nil, retryAfter: .max, using: &random) <= .seconds(100_000))
        #expect(backoff.next(afterOpen: nil, retryAfter: .min, using: &random) > .zero)
    }

    @Test("A list that is followed is another one after midnight, though nobody wrote anything")
    func followsMidnight() async throws {
        try await TestService.runAlone(at: "2026-01-31T23:59:30Z") { service in
            let plan = try await service.addPlan()
            let device = try service.device()
            try await device.kit.sync()
            try device.kit.add(CreateSubscription(planId: plan))
            let seen = Mutex<[Int]>([])
            let following = Task {
                for try await list in device.kit.subscriptionUpdates() {
                    seen.withLock { $0.append(contentsOf: list.map(\.subscription.remaining)) }
                }
            }
            try await eventually("it shows") { seen.withLock { $0 == [28] } }
            service.clock.set("2026-02-01T00:00:10Z")
            try await eventually("a day less is left") { seen.withLock { $0 == [28, 27] } }
            following.cancel()
        }
    }

    @Test("Waits double up to their limit, and are never the same for all")
    func backsOff() {
        var backoff = Backoff(first: .seconds(1), limit: .seconds(60))
        var random = SeededGenerator(seed: 1)
        for attempt in 0..<100 {
            let wait = backoff.next(using: &random)
            let longest = Duration.seconds(min(60, 1 << min(attempt, 10)))
            #expect(wait <= longest && wait >= longest / 11)
        }
        backoff.reset()
        #expect(backoff.next(using: &random) <= .seconds(1))
    }
}
