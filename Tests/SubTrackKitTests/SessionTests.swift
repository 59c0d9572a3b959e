import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackKit

/// Whose device it is: tokens and rows belong to one service and one user.
@Suite("Sessions of kits", .ownTime)
struct SessionTests {
    private let gym = CreateSubscription(
        plan: PrivatePlan(
            provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD",
            duration: .init(value: 1, unit: .month)))

    @Test("Rows and token of one service are given to no other, and go along when it has moved")
    func otherServers() async throws {
        try await TestService.run { service in
            let device = try service.device()
            let id = try device.kit.add(gym)
            try await device.kit.sync()
            let asked = Mutex(0)
            func open(_ server: String, _ folder: URL, hasMoved: Bool = false) throws -> Kit {
                var settings = Kit.Settings(
                    server: server, folder: folder, deviceName: "x", tokens: device.tokens,
                    transport: TestTransport { _ in
                        asked.withLock { $0 += 1 }
                        return .lost
                    })
                settings.hasMoved = hasMoved
                return try Kit(settings)
            }
            let here = service.client.baseURL
            let fresh = device.folder.appendingPathComponent("fresh")
            for server in ["http://127.0.0.1:9", here + "/t/other", here.replacing("http:", with: "https:")] {
                #expect(throws: KitError.otherServer(here)) { try open(server, device.folder) }
                // Also where the store was moved away, and the token alone is left.
                #expect(throws: KitError.otherServer(here)) { try open(server, fresh) }
            }
            #expect(asked.withLock { $0 } == 0)
            _ = try open(here + "/", device.folder)
            _ = try open(here.uppercased().replacing("HTTP:", with: "http:"), device.folder)
            #expect(try !device.kit.isSignedOut())

            try await service.runReplica { replica in
                let moved = try replica.device(folder: device.folder, tokens: device.tokens, hasMoved: true)
                let other = try moved.kit.add(gym)
                try await moved.kit.sync()
                #expect(Set(try moved.kit.held().keys) == [id, other])
                #expect(throws: KitError.otherServer(replica.client.baseURL)) { try open(here, device.folder) }
                _ = try open(here, device.folder, hasMoved: true)
            }
        }
    }

    @Test("Kits that register at once on a fresh store make one user, and all that they acknowledged is there")
    func registerAtOnce() async throws {
        try await TestService.run { service in
            for _ in 0..<10 {
                let folder = try PrivateServer.temporaryFolder()
                defer { try? FileManager.default.removeItem(at: folder) }
                // Each has its own view of the token's file and the store, as processes have.
                let transports = (0..<3).map { _ in TestTransport() }
                let kits = try transports.map { transport in
                    try Kit(
                        .init(
                            server: service.client.baseURL, folder: folder, deviceName: "x", country: "US",
                            timeZone: "UTC", transport: transport))
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for kit in kits {
                        group.addTask {
                            try kit.add(gym)
                            try await kit.sync()
                        }
                    }
                    try await group.waitForAll()
                }
                let registered = transports.flatMap(\.answered).filter { $0.request.url.hasSuffix("/v1/devices") }
                #expect(registered.map(\.response.status) == [201])
                let fresh = try service.device(tokens: MemoryTokenStore(try kits[0].client.tokens.token()))
                try await fresh.kit.sync()
                #expect(try fresh.kit.held().count == 3)
                #expect(try kits[0].pendingCount() == 0)
            }
        }
    }

    @Test(
        "A process that ends between a new user's token and rows, or rows and token, leaves nothing of one to the other"
    )
    func endsInBetween() async throws {
        try await TestService.run { service in
            let (one, other) = (try service.device(), try service.device())
            try one.kit.add(gym)
            for device in [one, other] { try await device.kit.sync() }
            let stranger = try #require(other.tokens.token())
            // Rows of one user, token of another: it is not sent.
            one.tokens.set(stranger)
            await #expect(throws: KitError.signedOut) { try await one.kit.sync() }
            #expect(try one.kit.held().count == 1)
            // A token without rows: the user's are pulled.
            let fresh = try service.device(tokens: MemoryTokenStore(stranger))
            try other.kit.add(gym)
            try await other.kit.sync()
            try await fresh.kit.sync()
            #expect(try fresh.kit.held() == other.kit.held())
        }
    }

    @Test("What is changed while a sign-in is under way is kept and sent", arguments: [false, true])
    func changesWhileSigningIn(_ hadAccount: Bool) async throws {
        try await TestService.run { service in
            let (phone, _) = try await service.twoDevices()
            let email = try #require(try phone.kit.user().accounts.first?.email)
            let (laptop, _) = hadAccount ? try await service.twoDevices() : (try service.device(), phone)
            let old = try laptop.kit.add(gym)
            try await laptop.kit.sync()
            let made = Mutex<[UUID]>([])
            let (kit, new) = (laptop.kit, gym)
            laptop.transport.set { request in
                if request.url.hasSuffix("/v1/sessions") {
                    made.withLock { made in
                        if let id = try? kit.add(new) { made.append(id) }
                    }
                    // It is the same row afterwards where it is moved along.
                    try? kit.change(UpdateSubscription(id: old, note: .set("meanwhile")))
                }
                return .answered
            }
            try await laptop.kit.signIn(email: email, password: "correct horse battery")
            try await phone.kit.sync()
            let held = try phone.kit.held()
            #expect(held == (try laptop.kit.held()))
            #expect(try laptop.kit.pendingCount() == 0)
            let id = try #require(made.withLock { $0.first })
            #expect(held[id] != nil)
            if hadAccount {
                // What another user has is not this one's to change, and that is told.
                #expect(held.count == 1)
                #expect(try laptop.kit.reports().map(\.mutation.op) == ["update"])
            } else {
                #expect(held.count == 2 && held[old]?.note == "meanwhile")
                #expect(try laptop.kit.reports().isEmpty)
            }
        }
    }

    @Test(
        "Signing out of a session that has ended elsewhere leaves nothing; what was never sent is forgotten only when told so"
    )
    func signsOutOfEnded() async throws {
        try await TestService.run { service in
            let (phone, laptop) = try await service.twoDevices()
            let sessions = try await phone.kit.client.call(ListSessions()).sessions
            let other = try #require(sessions.first { !$0.current })
            try await phone.kit.client.call(DeleteSession(id: other.id))
            try laptop.kit.add(gym)
            await #expect(throws: KitError.unsent(1)) { try await laptop.kit.signOut() }
            #expect(try laptop.kit.held().count == 1)
            try await laptop.kit.signOut(discardingUnsent: true)
            #expect(try laptop.kit.held().isEmpty && laptop.kit.pendingCount() == 0)
            #expect(laptop.tokens.token() == nil)
            // The device begins anew.
            try laptop.kit.add(gym)
            try await laptop.kit.sync()
            #expect(try laptop.kit.held().count == 1)
            #expect(try laptop.kit.user().accounts.isEmpty)
            try await phone.kit.sync()
            #expect(try phone.kit.held().isEmpty)
        }
    }

    @Test("A lock that another process holds is waited for, and not for ever")
    func waitsForLocks() async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("lock").path
        let lock = SessionLock(path: path, patience: .milliseconds(100))
        try await lock.held(for: .change) {
            await #expect(throws: KitError.self) { try await lock.held(for: .exchange) {} }
        }
        try await lock.held(for: .exchange) {
            try await lock.held(for: .exchange) {}
            await #expect(throws: KitError.self) { try await lock.held(for: .change) {} }
        }
        try await lock.held(for: .change) {}
    }
}
