import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Devices that the service does not know since a backup was restored that is older than they are.
@Suite("Kits that a restored backup does not know", .ownTime)
struct RestoredBackupTests {
    private let password = "correct horse battery"

    private static func newEmail() -> String { "\(UUID().uuidString.lowercased())@example.org" }

    private func gym(_ note: String) -> CreateSubscription {
        CreateSubscription(
            plan: PrivatePlan(
                provider: "Gym", name: "Standard", fee: amount("20"), currency: "USD",
                duration: .init(value: 1, unit: .month)), note: note)
    }

    /// Takes a device's user out of the database with all rows, as a backup from before its first start does.
    private func restore(without devices: [TestDevice], _ service: TestService) async throws {
        let user = try #require(try devices.first?.kit.store.state(.user)).replacing("-", with: "")
        try await service.database.run(
            """
            DELETE s FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID WHERE d.User_ID = UNHEX('\(user)');
            DELETE FROM Subscription WHERE User_ID = UNHEX('\(user)');
            \(Self.contactTables.map { "DELETE FROM \($0) WHERE User_ID = UNHEX('\(user)');" }.joined(separator: " "))
            DELETE FROM `User` WHERE User_ID = UNHEX('\(user)')
            """)
        for device in devices {
            try await eventually("the token has ended") {
                let problem = try? await service.client(of: device).refusal(of: GetMe())
                return problem?.code == .tokenEnded || problem?.code == .tokenInvalid
            }
        }
    }

    private static let contactTables = [
        "Contact_phone", "Contact_address", "Contact_email", "Contact_date", "Former_card", "Contact",
    ]

    /// Has a device forget what it did, as thirty days later.
    private func age(_ device: TestDevice) throws {
        try device.kit.store.write { try $0.execute(sql: "DELETE FROM acknowledged") }
    }

    /// The notes of all subscriptions that the service has of a device's user.
    private func notes(_ device: TestDevice, _ service: TestService) async throws -> Set<String> {
        let fresh = try service.device(tokens: MemoryTokenStore(try device.kit.client.tokens.token()))
        try await fresh.kit.sync()
        return Set(try fresh.kit.held().values.compactMap(\.note))
    }

    @Test(
        "Without account: a sign-out keeps the only copy, unless it is told to give that up", arguments: [false, true])
    func keepsTheOnlyCopy(_ isNoticed: Bool) async throws {
        try await TestService.run { service in
            let device = try service.device()
            let id = try device.kit.add(gym("acknowledged"))
            try await device.kit.sync()
            try await restore(without: [device], service)
            if isNoticed { await #expect(throws: KitError.signedOut) { try await device.kit.sync() } }
            await #expect(throws: KitError.onlyCopy) { try await device.kit.signOut() }
            #expect(try device.kit.held()[id]?.note == "acknowledged")
            try await device.kit.signOut(discardingUnsent: true)
            #expect(try device.kit.held().isEmpty)
        }
    }

    @Test("Contacts alone are an only copy, too: they are not given up unasked, and are sent at a sign-in")
    func contactsAlone() async throws {
        try await TestService.run { service in
            let device = try service.device()
            let id = try device.kit.add(StoredContact(firstName: "Ada", lastName: "Lovelace"))
            try await device.kit.sync()
            try await restore(without: [device], service)
            await #expect(throws: KitError.signedOut) { try await device.kit.sync() }
            await #expect(throws: KitError.onlyCopy) { try await device.kit.signOut() }
            #expect(try device.kit.rows(StoredContact.self).map(\.id) == [id])
            try await device.kit.signIn(email: Self.newEmail(), password: password, createIfMissing: true)
            try await device.kit.sync()
            let fresh = try service.device(tokens: MemoryTokenStore(try device.kit.client.tokens.token()))
            try await fresh.kit.sync()
            #expect(try fresh.kit.rows(StoredContact.self).map(\.row.lastName) == ["Lovelace"])
            #expect(try device.kit.rows(StoredContact.self).map(\.row.lastName) == ["Lovelace"])
        }
    }

    @Test(
        "Without account: what was acknowledged and what waits is sent at the next sign-in", arguments: [false, true])
    func withoutAccount(_ isNoticed: Bool) async throws {
        try await TestService.run { service in
            let device = try service.device()
            try device.kit.add(gym("acknowledged"))
            try await device.kit.sync()
            try await restore(without: [device], service)
            try device.kit.add(gym("waits"))
            if isNoticed { await #expect(throws: KitError.signedOut) { try await device.kit.sync() } }
            let made = try await device.kit.signIn(
                email: Self.newEmail(), password: password, createIfMissing: true)
            #expect(made.created)
            try await device.kit.sync()
            #expect(Set(try device.kit.held().values.compactMap(\.note)) == ["acknowledged", "waits"])
            #expect(try device.kit.reports().isEmpty && device.kit.pendingCount() == 0)
            #expect(try await notes(device, service) == ["acknowledged", "waits"])
        }
    }

    @Test(
        "Rows of every kind that were sent too long ago to be sent again are the next user's, with the changes that wait",
        arguments: [false, true], [false, true])
    func olderThanAcknowledged(_ hasAccount: Bool, _ isNoticed: Bool) async throws {
        try await TestService.run { service in
            let device = try service.device()
            let email = Self.newEmail()
            let id = try device.kit.add(gym("old"))
            let ada = StoredContact(
                firstName: "Ada", lastName: "Lovelace", note: "Met at a fair",
                phones: [.init(area: "788", number: "6788768")], emails: [.init(email: "ada@example.org")])
            let contact = try device.kit.add(ada)
            if hasAccount { try await device.kit.register(email: email, password: password) }
            try await device.kit.sync()
            let held = try #require(try device.kit.held()[id])
            try age(device)
            try device.kit.add(gym("new"))
            try await device.kit.sync()
            try await restore(without: [device], service)
            if isNoticed {
                await #expect(throws: KitError.signedOut) { try await device.kit.sync() }
                try device.kit.change(.init(id: id, note: .set("edited")))
            }
            try await device.kit.signIn(email: email, password: password, createIfMissing: true)
            #expect(try await notes(device, service) == [isNoticed ? "edited" : "old", "new"])
            let fresh = try service.device(tokens: MemoryTokenStore(try device.kit.client.tokens.token()))
            try await fresh.kit.sync()
            let now = try #require(try fresh.kit.held()[id])
            #expect(now.startDate == held.startDate && now.endDate == held.endDate && now.fee == held.fee)
            #expect(try fresh.kit.row(StoredContact.self, contact)?.row == ada)
            #expect(try device.kit.reports().isEmpty && device.kit.pendingCount() == 0)
            #expect(try device.kit.store.state(.formerRows) == nil)
        }
    }

    @Test("Of two devices the first gives what is lost, and the second gives nothing twice and reports nothing")
    func twoDevicesGiveOnce() async throws {
        try await TestService.run { service in
            let (phone, laptop) = try await service.twoDevices()
            let email = try #require(try phone.kit.user().accounts.first?.email)
            try phone.kit.add(gym("phone"))
            try phone.kit.add(StoredContact(firstName: "Ada", lastName: "Lovelace"))
            for device in [phone, laptop] { try await device.kit.sync() }
            for device in [phone, laptop] { try age(device) }
            try await restore(without: [phone, laptop], service)
            for device in [laptop, phone] {
                try await device.kit.signIn(email: email, password: password, createIfMissing: true)
                #expect(try device.kit.rows(StoredContact.self).count == 1 && device.kit.held().count == 1)
                #expect(try device.kit.reports().isEmpty)
            }
            #expect(try await notes(phone, service) == ["phone"])
        }
    }

    @Test("Periods that have ended cannot be given: the report names how many, once")
    func endedPeriods() async throws {
        try await TestService.run { service in
            let device = try service.device()
            let id = try device.kit.add(gym("old"))
            try device.kit.renew(id)
            try await device.kit.sync()
            try age(device)
            let held = try #require(try device.kit.held()[id])
            try await restore(without: [device], service)
            try await device.kit.signIn(email: Self.newEmail(), password: password, createIfMissing: true)
            let reports = try device.kit.reports()
            #expect(reports.map(\.mutation.id) == [id.uuidString.lowercased()])
            #expect(reports.first?.problem?.detail.contains("periods that have ended: 1") == true)
            #expect(try device.kit.held()[id]?.startDate == held.startDate)
            try await device.kit.sync()
            #expect(try device.kit.reports().count == 1)
        }
    }

    @Test("Contacts that one person deleted cannot be restored by the next on the device")
    func deletedContactsOfAnother() async throws {
        try await TestService.run { service in
            let (phone, _) = try await service.twoDevices()
            let contact = try phone.kit.add(StoredContact(firstName: "Ada", lastName: "Lovelace"))
            try await phone.kit.sync()
            try phone.kit.delete(StoredContact.self, contact)
            try await phone.kit.sync()
            #expect(try phone.kit.deletedRows(StoredContact.self).count == 1)
            try await phone.kit.signOut()
            #expect(try phone.kit.deletedRows(StoredContact.self).isEmpty)
        }
    }

    @Test("With an account that is gone as well: its owner makes it anew, and each device sends what it did")
    func withAccount() async throws {
        try await TestService.run { service in
            let (phone, laptop) = try await service.twoDevices()
            let email = try #require(try phone.kit.user().accounts.first?.email)
            try phone.kit.add(gym("phone"))
            try laptop.kit.add(gym("laptop"))
            for device in [phone, laptop] { try await device.kit.sync() }
            try await restore(without: [phone, laptop], service)
            for device in [phone, laptop] {
                await #expect(throws: KitError.signedOut) { try await device.kit.sync() }
                let made = try await device.kit.signIn(email: email, password: password, createIfMissing: true)
                #expect(made.created == (device.kit === phone.kit))
            }
            #expect(try await notes(phone, service) == ["phone", "laptop"])
        }
    }

    @Test("Another person who signs in on the device gets nothing of it, and what waits is told")
    func anotherPerson() async throws {
        try await TestService.run { service in
            let (phone, _) = try await service.twoDevices()
            try phone.kit.add(gym("acknowledged"))
            try await phone.kit.sync()
            try await restore(without: [phone], service)
            await #expect(throws: KitError.signedOut) { try await phone.kit.sync() }
            try phone.kit.add(gym("waits"))
            try await phone.kit.signIn(email: Self.newEmail(), password: password, createIfMissing: true)
            #expect(try phone.kit.held().isEmpty && phone.kit.reports().count == 1)
            #expect(try await notes(phone, service).isEmpty)
        }
    }
}
