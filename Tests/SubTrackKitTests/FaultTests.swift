import Foundation
import GRDB
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

/// What goes wrong around a kit, and what must be left of it.
@Suite("Kits and faults", .ownTime)
struct FaultTests {
    @Test("An answer that is lost is asked for again, and nothing is done twice")
    func losesAnswers() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(CreateSubscription(planId: plan))
            try device.kit.renew(id)
            device.transport.set { $0.method == "POST" ? .answerLost : .answered }
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            // The process ends here; its store has everything.
            let again = try device.reopened(service)
            #expect(try again.kit.pendingCount() == 2)
            again.transport.set { _ in .doubled }
            try await again.kit.sync()
            #expect(try again.kit.held().count == 1)
            #expect(try again.kit.held()[id]?.period == 1)
            #expect(try again.kit.reports().isEmpty)
        }
    }

    @Test("A kill in the middle of a pull: the next one goes on where the store stands")
    func isKilledInPulls() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let user = try await service.newUser()
            try await service.addSubscriptions(300, to: user.user.id, plan: plan)
            let token = MemoryTokenStore(user.client.token)
            let laptop = try service.device(tokens: token, pageSize: 100)
            // Four pages arrive, the fifth does not.
            let pages = Mutex(0)
            laptop.transport.set { request in
                guard request.method == "GET", request.url.contains("/v1/changes") else { return .answered }
                return pages.withLock { count in
                    count += 1
                    return count > 4 ? .lost : .answered
                }
            }
            await #expect(throws: KitError.self) { try await laptop.kit.sync() }
            let left = try #require(try laptop.kit.left())
            #expect(left > 0)
            let again = try laptop.reopened(service)
            let rest = try await again.kit.sync().received
            #expect(try again.kit.left() == nil)
            let fresh = try service.device(tokens: token)
            let whole = try await fresh.kit.sync().received
            // What came before it was killed does not come again.
            #expect(rest > 0 && rest <= whole - 400)
            #expect(try again.kit.held().count == 300)
            #expect(try again.kit.held() == fresh.kit.held())
        }
    }

    @Test("A device whose clock is a day off counts days as the service does, and loses nothing", arguments: [-1, 1])
    func hasAWrongClock(_ days: Int) async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let plan = try await service.addPlan()
            let clock = service.clock
            let device = try service.device(clock: {
                Instant(secondsSince1970: clock.now.secondsSince1970 + Int64(days) * 86_400)
            })
            #expect(try device.kit.today() == day("2026-01-31").adding(days: days))
            try await device.kit.sync()
            #expect(try device.kit.today() == day("2026-01-31"))
            device.transport.isOffline = true
            let id = try device.kit.add(CreateSubscription(planId: plan))
            device.transport.isOffline = false
            try await device.kit.sync()
            #expect(try device.kit.held()[id]?.startDate == day("2026-01-31"))
            #expect(try device.kit.held()[id]?.remaining == 28)
        }
    }

    @Test("A token that ended: what is on the device stays, and is sent after signing in again")
    func isSignedOut() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let id = try laptop.kit.add(CreateSubscription(planId: plan, note: "kept"))
            let sessions = try await phone.kit.client.call(ListSessions()).sessions
            let other = try #require(sessions.first { !$0.current })
            try await phone.kit.client.call(DeleteSession(id: other.id))
            await #expect(throws: KitError.signedOut) { try await laptop.kit.sync() }
            #expect(try laptop.kit.isSignedOut())
            #expect(try laptop.kit.held()[id]?.note == "kept")
            try laptop.kit.renew(id)
            let email = try #require(try phone.kit.user().accounts.first?.email)
            await #expect(throws: KitError.self) {
                try await laptop.kit.signIn(email: email, password: "wrong password")
            }
            #expect(try laptop.kit.pendingCount() == 2)
            try await laptop.kit.signIn(email: email, password: "correct horse battery")
            try await phone.kit.sync()
            #expect(try phone.kit.held()[id]?.period == 1)
            #expect(try phone.kit.held() == laptop.kit.held())
        }
    }

    @Test("A sign-in on a device that another user's lost sign-in has taken gets a device of its own")
    func isTakenDevice() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let (bob, _) = try await service.twoDevices()
            let email = try #require(try phone.kit.user().accounts.first?.email)
            let bobs = try #require(try bob.kit.user().accounts.first?.email)
            let other = try #require(try await phone.kit.client.call(ListSessions()).sessions.first { !$0.current })
            let id = try laptop.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.client.call(DeleteSession(id: other.id))
            await #expect(throws: KitError.signedOut) { try await laptop.kit.sync() }
            laptop.transport.set { $0.url.hasSuffix("/v1/sessions") ? .answerLost : .answered }
            await #expect(throws: KitError.self) {
                try await laptop.kit.signIn(email: bobs, password: "correct horse battery")
            }
            laptop.transport.set { _ in .answered }
            try await laptop.kit.signIn(email: email, password: "correct horse battery")
            try await phone.kit.sync()
            #expect(try phone.kit.held()[id] != nil && laptop.kit.reports().isEmpty)
            #expect(try phone.kit.held() == laptop.kit.held())
        }
    }

    @Test("Another user who signs in after a session ended does not get what waited, and it is told")
    func isSomebodyElse() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            let (bob, _) = try await service.twoDevices()
            let sessions = try await phone.kit.client.call(ListSessions()).sessions
            let other = try #require(sessions.first { !$0.current })
            try await phone.kit.client.call(DeleteSession(id: other.id))
            await #expect(throws: KitError.signedOut) { try await laptop.kit.sync() }
            try laptop.kit.add(CreateSubscription(planId: plan, note: "Ada's"))
            let email = try #require(try bob.kit.user().accounts.first?.email)
            try await laptop.kit.signIn(email: email, password: "correct horse battery")
            #expect(try laptop.kit.subscriptions().isEmpty)
            #expect(try laptop.kit.reports().map(\.mutation.op) == ["create"])
            try await bob.kit.sync()
            #expect(try bob.kit.subscriptions().isEmpty)
        }
    }

    @Test("A user who was deleted elsewhere: nothing is left on the device, and what was never sent is told")
    func isDeletedElsewhere() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let (phone, laptop) = try await service.twoDevices()
            try phone.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.sync()
            try await laptop.kit.sync()
            try laptop.kit.add(CreateSubscription(planId: plan))
            try await phone.kit.deleteUser(currentPassword: "correct horse battery")
            await #expect(throws: KitError.userDeleted) { try await laptop.kit.sync() }
            for device in [phone, laptop] {
                #expect(try device.kit.subscriptions().isEmpty)
                #expect(try device.kit.pendingCount() == 0)
                #expect(device.tokens.token() == nil)
            }
            #expect(try laptop.kit.reports().map(\.mutation.op) == ["create"])
            #expect(try laptop.kit.reports().map(\.problem?.code) == [.userDeleted])
            #expect(try phone.kit.reports().isEmpty)
            // The device can be used again, by whoever it is.
            try laptop.kit.add(
                CreateSubscription(
                    plan: PrivatePlan(
                        provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD",
                        duration: .init(value: 1, unit: .month))))
            try await laptop.kit.sync()
            #expect(try laptop.kit.held().count == 1)
        }
    }

    /// Answers that no service gives.
    static let nonsense: [(Int, String)] = [
        (200, ""), (200, "<html>Sign in to the Wi-Fi</html>"), (200, "null"), (200, "[]"), (200, "{}"),
        (200, #"{"results": []}"#), (200, #"{"dropped":[],"changes":[{}],"cursor":"x","more":false,"total":0}"#),
        (200, #"{"dropped":[],"changes":[],"cursor":"x","more":true,"total":9223372036854775807}"#),
        (
            200,
            #"{"results":[{"key":"00000000-0000-0000-0000-000000000000","outcome":"applied","replayed":false,"lost":[]}]}"#
        ),
        (302, ""), (404, "not here"), (410, "{}"), (418, #"{"code":"teapot","detail":"no coffee"}"#), (500, "oops"),
        (503, ""),
    ]

    @Test("A server that answers nonsense: nothing is lost, and the next right answer goes on", arguments: nonsense)
    func meetsNonsense(_ status: Int, _ body: String) async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let device = try service.device()
            try await device.kit.sync()
            try device.kit.add(CreateSubscription(planId: plan, note: "first"))
            try await device.kit.sync()
            let id = try device.kit.add(CreateSubscription(planId: plan, note: "second"))
            let before = try device.kit.held()
            device.transport.set { _ in .replaced(TransportResponse(status: status, body: Data(body.utf8))) }
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            #expect(try device.kit.held() == before)
            #expect(try device.kit.pendingCount() == 1)
            // In pulls alone too.
            device.transport.set { request in
                request.method == "GET"
                    ? .replaced(TransportResponse(status: status, body: Data(body.utf8))) : .answered
            }
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            #expect(try device.kit.held().keys.sorted { "\($0)" < "\($1)" } == before.keys.sorted { "\($0)" < "\($1)" })
            device.transport.isOffline = false
            try await device.kit.sync()
            #expect(try device.kit.held()[id]?.note == "second")
            #expect(try device.kit.held().count == 2)
        }
    }

    @Test("Kinds of rows and fields that a newer service has are left alone")
    func meetsTheFuture() async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            let before = try device.kit.user()
            device.transport.set { request in
                guard request.url.contains("/v1/changes") else { return .answered }
                let page = """
                    {"dropped":[],"changes":[{"scope":"household/1","version":1,"entity":"chore","id":"1","deleted":false,\
                    "data":{"what":"dishes"}},{"scope":"reference","version":999999,"entity":"country","id":"ZZ",\
                    "deleted":false,"data":{"name":"Nowhere","currency":"USD","anthem":"none"}}],"cursor":"next",\
                    "more":false,"total":0,"weather":"fine"}
                    """
                return .replaced(TransportResponse(status: 200, body: Data(page.utf8)))
            }
            #expect(try await device.kit.sync().received == 2)
            #expect(try device.kit.user() == before)
        }
    }

    @Test("A backup that was restored: what was acknowledged since is offered again and done once")
    func outlivesARestoredBackup() async throws {
        try await TestService.runAlone { service in
            let plan = try await service.addPlan()
            let device = try service.device()
            try await device.kit.sync()
            let old = try device.kit.add(CreateSubscription(planId: plan, note: "before"))
            try await device.kit.sync()
            let id = try device.kit.add(CreateSubscription(planId: plan, note: "since"))
            try device.kit.renew(old)
            try await device.kit.sync()
            // The service says so by 410; what the backup does not have is gone with its keys.
            _ = try await service.database.run(
                """
                DELETE FROM Subscription WHERE Note = 'since';
                UPDATE Subscription SET Note = 'restored';
                DELETE FROM Idempotency;
                """)
            let waiting = try device.kit.add(CreateSubscription(planId: plan, note: "waiting"))
            let told = Mutex(false)
            device.transport.set { request in
                let isFirst =
                    request.url.contains("/v1/changes")
                    && told.withLock { told in
                        defer { told = true }
                        return !told
                    }
                guard isFirst, let body = try? JSONEncoder().encode(Problem.resync(.epoch)) else { return .answered }
                return .replaced(TransportResponse(status: 410, body: body))
            }
            #expect(try await device.kit.sync().startedOver)
            let held = try device.kit.held()
            #expect(held[id]?.note == "since")
            #expect(held[waiting]?.note == "waiting")
            #expect(held[old]?.period == 1)
            #expect(held.count == 3)
        }
    }
}
