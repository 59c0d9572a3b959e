import Foundation
import MariaDB
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Two devices of one person", .ownTime)
struct TwoDevicesTests {
    /// A device with the copy that it keeps.
    private struct Device {
        var user: TestUser
        var copy = SyncCopy()

        /// Brings the copy into step, and starts over where it is told to.
        mutating func pull() async throws {
            if try await copy.pullPage(user) == nil { try await copy.pullPage(user) }
            try await copy.pull(user)
        }
    }

    @Test("Used apart for weeks, they sign in to one account and show the same: lists, dashboards, copies, periods")
    func apart() async throws {
        // On a database of its own: what other tests add to the catalogue comes between two pulls.
        try await TestService.runAlone(at: "2026-01-10") { service in
            let netflix = try await service.addPlan(fee: "17.99")
            let music = try await service.addPlan(fee: "9.99")
            let gym = PrivatePlan(
                provider: "Gym", name: "Off-peak", category: "Sport", fee: amount("19.90"), currency: "EUR",
                duration: .init(value: 1, unit: .month))
            var laptop = Device(user: try await service.newUser())
            var phone = Device(user: try await service.newUser())
            // The same subscription on both, told twice; one of each device's own; a plan of one's own on each.
            let both = try await laptop.user.call(
                CreateSubscription(planId: netflix, startDate: day("2026-01-05"), autoRenew: true, label: "family"))
            try await laptop.user.call(CreateSubscription(planId: music, startDate: day("2026-01-02")))
            try await laptop.user.call(CreateSubscription(plan: gym, startDate: day("2026-01-03")))
            try await laptop.pull()

            try await phone.pull()
            let offline = UUID()
            let pushed = try await phone.user.call(
                PushChanges(mutations: [
                    .init(
                        entity: .subscription, id: offline.uuidString, op: .create,
                        fields: [
                            "planId": .integer(netflix), "startDate": "2026-01-05", "autoRenew": true,
                            "note": "shared with Bob",
                        ])
                ]))
            #expect(pushed.results.map(\.outcome) == [.applied])
            let alone = try await phone.user.call(
                CreateSubscription(planId: music, startDate: day("2026-01-08"), label: "mine alone"))
            try await phone.user.call(RenewSubscription(id: alone.id))
            try await phone.user.call(UpdateMe(userName: .set("Ada")))
            try await phone.pull()
            #expect(laptop.copy.data(.subscription).count == 3 && phone.copy.data(.subscription).count == 2)

            // Weeks later. The subscription that renews by itself has done so, wherever it was looked at.
            service.clock.set("2026-03-20")
            _ = try await laptop.user.call(ListSubscriptions())
            let email = service.newEmail()
            let first = try await laptop.user.signIn(email, createIfMissing: true)
            #expect(first.created)
            laptop.user = TestUser(first, service.client)
            let second = try await phone.user.signIn(email)
            #expect(!second.created && second.merged == .init(moved: 1, same: [.init(from: offline, to: both.id)]))
            phone.user = TestUser(second, service.client)
            try await expectSame(&laptop, &phone)
            #expect(laptop.copy.data(.subscription).count == 4)
            #expect(phone.copy.resyncs == [.user], "the phone's copy was another user's")
            #expect(laptop.copy.resyncs.isEmpty, "the laptop's was not")
            let merged = try await laptop.user.call(GetSubscription(id: both.id))
            #expect(merged.label == "family" && merged.note == "shared with Bob" && merged.period == 2)
            #expect(try await laptop.user.call(GetMe()).userName == "Ada")

            // And goes on so.
            try await phone.user.call(CancelSubscription(id: both.id))
            try await laptop.user.call(DeleteSubscription(id: alone.id))
            try await expectSame(&laptop, &phone)
            #expect(laptop.copy.data(.subscription).count == 3)
        }
    }

    @Test(
        "On MySQL too, with all that can become of an account",
        .enabled(if: MySQLServer.tree != nil, "\(MySQLServer.skipped)"),
        .tags(.ownServer),
        .enabled(if: ServicesServer.kind == .own, "the accounts of the other server are not MySQL's"))
    func onMySQL() async throws {
        try await TestServer.mySQL.lease { control in
            let url = DatabaseURL(
                endpoint: .unix(path: control.socketPath), user: control.user, controlDatabase: control.name)
            let tenant = TestDatabase(name: control.name + "_default", socketPath: control.socketPath)
            try await TestService.run(at: "2026-01-10", configure: { $0.database = url }) { service in
                let gym = PrivatePlan(
                    provider: "Gym", name: "Off-peak", fee: amount("19.90"), currency: "EUR",
                    duration: .init(value: 1, unit: .month))
                let laptop = try await service.newUser()
                let phone = try await service.newUser()
                var kept: [UUID] = []
                for (user, note) in [(laptop, nil), (phone, "shared")] {
                    let made = try await user.call(
                        CreateSubscription(plan: gym, startDate: day("2025-11-05"), note: note))
                    try await user.call(RenewSubscription(id: made.id))
                    kept.append(made.id)
                }
                let other = try await phone.call(CreateSubscription(plan: gym, startDate: day("2026-01-02")))
                let deleted = try await phone.call(CreateSubscription(plan: gym, startDate: day("2026-01-03")))
                try await phone.call(DeleteSubscription(id: deleted.id))
                let email = service.newEmail()
                try await laptop.register(email)
                try await tenant.run(
                    """
                    INSERT INTO Device (Device_ID, User_ID, Device_name)
                    SELECT RANDOM_BYTES(16), User_ID, 'old' FROM Account, information_schema.COLUMNS LIMIT 120;
                    INSERT INTO Known_device (User_ID, Device_ID)
                    SELECT User_ID, RANDOM_BYTES(16) FROM Account, information_schema.COLUMNS LIMIT 250
                    """)
                let signed = try await phone.signIn(email)
                #expect(signed.merged == .init(moved: 1, same: [.init(from: kept[1], to: kept[0])]))
                let now = TestUser(signed, service.client)
                let list = try await now.call(ListSubscriptions()).subscriptions
                #expect(Set(list.map(\.id)) == [kept[0], other.id] && list.compactMap(\.note) == ["shared"])
                #expect(try await now.call(ExportMe()).deleted.map(\.subscription.id) == [deleted.id])
                let counts = try await tenant.run("SELECT COUNT(*) FROM Device; SELECT COUNT(*) FROM Known_device")
                #expect(counts == "100\n200\n")
                let session = try #require(
                    try await now.call(ListSessions()).sessions.first { $0.device.id == laptop.device.id })
                try await now.call(DeleteSession(id: session.id))
                #expect(try await laptop.refusal(of: GetMe()).code == .tokenEnded)
                try await now.call(ChangePassword(currentPassword: goodPassword, newPassword: "another good one"))
                let new = service.newEmail("lovelace")
                try await now.call(ChangeEmail(email: email, newEmail: new, currentPassword: "another good one"))
                let back = try await service.signIn(new, "another good one")
                try await back.call(DeleteMe(currentPassword: "another good one"))
                #expect(try await now.refusal(of: GetMe()).code == .userDeleted)
            }
            try await tenant.drop()
        }
    }

    /// Expects that nobody can tell the devices from one another by what they show.
    private func expectSame(_ one: inout Device, _ other: inout Device) async throws {
        try await one.pull()
        try await other.pull()
        #expect(one.copy.differences(from: other.copy) == [])
        #expect(try await one.user.call(GetMe()) == other.user.call(GetMe()))
        let list = try await one.user.call(ListSubscriptions()).subscriptions
        #expect(try await other.user.call(ListSubscriptions()).subscriptions == list)
        #expect(try await one.user.call(GetDashboard(within: 400)) == other.user.call(GetDashboard(within: 400)))
        #expect(try await one.user.call(ListPlans()) == other.user.call(ListPlans()))
        for subscription in list {
            #expect(
                try await one.user.call(ListPeriods(id: subscription.id))
                    == other.user.call(ListPeriods(id: subscription.id)))
        }
        let (mine, theirs) = (try await one.user.call(ExportMe()), try await other.user.call(ExportMe()))
        #expect(mine.subscriptions == theirs.subscriptions && mine.plans == theirs.plans && mine.user == theirs.user)
    }
}
