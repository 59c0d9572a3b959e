import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Devices whose user the service does not know any more: what was never sent is not lost.
@Suite("Kits whose user is gone", .ownTime)
struct IdleUserTests {
    private let gym = CreateSubscription(
        plan: PrivatePlan(
            provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD",
            duration: .init(value: 1, unit: .month)), note: "offline")

    /// What the service's upkeep does of a user who was idle for a month.
    private func remove(_ device: TestDevice, _ service: TestService) async throws {
        let user = try #require(try device.kit.store.state(.user)).replacing("-", with: "")
        try await service.database.run(
            """
            DELETE s FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID WHERE d.User_ID = UNHEX('\(user)');
            DELETE FROM `User` WHERE User_ID = UNHEX('\(user)')
            """)
        // The token is remembered for some seconds.
        try await eventually("the token has ended") {
            let problem = try? await service.client(of: device).refusal(of: GetMe())
            return problem?.code == .tokenEnded
        }
    }

    @Test("A month offline after the first start: the device registers again, and all that was done is sent")
    func registersAgain() async throws {
        try await TestService.run { service in
            let device = try service.device(timeZone: "Europe/Berlin")
            try await device.kit.sync()
            try device.kit.change(UpdateMe(userName: .set("Ada"), country: .set("DE")))
            try await device.kit.sync()
            let former = try device.kit.store.state(.user)
            let (id, id2) = (try device.kit.add(gym), try device.kit.add(gym))
            try device.kit.cancel(id)
            try await remove(device, service)
            try await device.kit.sync()
            #expect(try device.kit.store.state(.user) != former)
            #expect(try !device.kit.isSignedOut() && device.kit.pendingCount() == 0 && device.kit.reports().isEmpty)
            #expect(try Set(device.kit.held().keys) == [id, id2] && device.kit.held()[id]?.status == .cancelled)
            let user = try device.kit.user()
            #expect(user.userName == "Ada" && user.country == "DE" && user.timeZone == "Europe/Berlin")
            let fresh = try service.device(tokens: MemoryTokenStore(try device.kit.client.tokens.token()))
            try await fresh.kit.sync()
            #expect(try fresh.kit.held() == device.kit.held())
        }
    }

    @Test("An older kit had noticed that its session ended: this one goes on from there, also at a sign-in")
    func wasSignedOut() async throws {
        try await TestService.run { service in
            let (phone, _) = try await service.twoDevices()
            let email = try #require(try phone.kit.user().accounts.first?.email)
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(gym)
            try await remove(device, service)
            try device.kit.store.set(.signedOut, "1")
            try await device.kit.signIn(email: email, password: "correct horse battery")
            #expect(try device.kit.held()[id] != nil && device.kit.reports().isEmpty)
            try await phone.kit.sync()
            #expect(try phone.kit.held()[id] != nil)
        }
    }

    @Test("Answers that are lost while it registers again lose nothing")
    func answersLost() async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(gym)
            try await remove(device, service)
            device.transport.set { $0.url.hasSuffix("/v1/devices") ? .answerLost : .answered }
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            #expect(try device.kit.pendingCount() == 1)
            device.transport.set { $0.url.hasSuffix("/v1/changes") && $0.method == "POST" ? .answerLost : .answered }
            await #expect(throws: KitError.self) { try await device.kit.sync() }
            device.transport.set { _ in .answered }
            let again = try device.reopened(service)
            try await again.kit.sync()
            #expect(try again.kit.pendingCount() == 0 && again.kit.held()[id] != nil)
        }
    }

    @Test("A service that says user_deleted of a user whom it removed by itself, as older ones do")
    func olderService() async throws {
        try await TestService.run { service in
            let device = try service.device()
            try await device.kit.sync()
            let id = try device.kit.add(gym)
            let token = try device.kit.client.tokens.token() ?? ""
            let gone = try JSONEncoder().encode(Problem(.userDeleted, "This user was deleted."))
            device.transport.set { request in
                request.headers.contains { $0.value.contains(token) }
                    ? .replaced(TransportResponse(status: 401, body: gone)) : .answered
            }
            try await device.kit.sync()
            #expect(try device.kit.pendingCount() == 0 && device.kit.held()[id] != nil)
            #expect(try device.kit.reports().isEmpty)
        }
    }

    @Test("A user with an account, or with rows on the service, is not begun again: its owner signs in")
    func signsIn() async throws {
        try await TestService.run { service in
            let (phone, laptop) = try await service.twoDevices()
            let other = try #require(try await phone.kit.client.call(ListSessions()).sessions.first { !$0.current })
            try laptop.kit.add(gym)
            try await phone.kit.client.call(DeleteSession(id: other.id))
            await #expect(throws: KitError.signedOut) { try await laptop.kit.sync() }
            #expect(try laptop.kit.isSignedOut() && laptop.kit.pendingCount() == 1)

            let nobody = try service.device()
            try nobody.kit.add(gym)
            try await nobody.kit.sync()
            try nobody.kit.add(gym)
            try nobody.kit.session.tokens.set(String(repeating: "a", count: 43))
            await #expect(throws: KitError.signedOut) { try await nobody.kit.sync() }
            #expect(try nobody.kit.pendingCount() == 1 && nobody.kit.held().count == 2)
        }
    }

    @Test("More than a thousand changes that were never sent are all told when their user was deleted")
    func manyReports() async throws {
        try await TestService.run { service in
            let (phone, laptop) = try await service.twoDevices()
            _ = try laptop.kit.add((0..<1200).map { _ in gym })
            try await phone.kit.deleteUser(currentPassword: "correct horse battery")
            await #expect(throws: KitError.userDeleted) { try await laptop.kit.sync() }
            #expect(try laptop.kit.reports().count == 1200 && laptop.kit.pendingCount() == 0)
            // What is sent and told later pushes none of them out.
            try laptop.kit.add(gym)
            try await laptop.kit.sync()
            #expect(try laptop.kit.reports().count == 1200)
        }
    }

    @Test("What the last push before a sign-out came to is told after it")
    func reportsAfterSignOut() async throws {
        try await TestService.run { service in
            let (phone, laptop) = try await service.twoDevices()
            let id = try laptop.kit.add(gym)
            try await laptop.kit.sync()
            try await phone.kit.sync()
            try phone.kit.delete(id)
            try await phone.kit.sync()
            try laptop.kit.change(UpdateSubscription(id: id, note: .set("too late")))
            try await laptop.kit.signOut()
            #expect(try laptop.kit.reports().map { $0.mutation.fields?["note"] } == ["too late"])
        }
    }
}
