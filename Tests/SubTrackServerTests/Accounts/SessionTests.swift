import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Sessions", .ownTime)
struct SessionTests {
    @Test("An account that is missing is made in the same call, for the device's user; the second time it is a sign-in")
    func createIfMissing() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser(country: "FR")
            let plan = try await service.addPlan(country: "FR")
            let kept = try await ada.call(CreateSubscription(planId: plan))
            let email = service.newEmail()
            let unknown = try await ada.refusal(of: CreateSession(email: email, password: goodPassword))
            #expect(unknown.code == .credentialsInvalid)
            let made = try await ada.signIn(email, createIfMissing: true)
            #expect(made.created && made.user.id == ada.user.id && made.device.id == ada.device.id)
            #expect(made.user.accounts == [.init(email: email, verified: false)] && made.token != ada.client.token)
            let again = TestUser(made, service.client)
            #expect(try await again.call(ListSubscriptions()).subscriptions.map(\.id) == [kept.id])
            let second = try await again.signIn(email, createIfMissing: true)
            #expect(!second.created && second.user == made.user)
            let wrong = try await TestUser(second, service.client).refusal(
                of: CreateSession(email: email, password: "not that one", createIfMissing: true))
            #expect(wrong.code == .credentialsInvalid)
        }
    }

    @Test("Without a token a device is made; with its id, it is that one, and its former token has ended")
    func devices() async throws {
        try await TestService.run { service in
            let email = service.newEmail()
            let first = try await service.client.call(
                CreateSession(
                    email: email, password: goodPassword, userName: "Ada", createIfMissing: true,
                    device: .init(name: "Phone", country: "JP", timeZone: "Asia/Tokyo")))
            #expect(first.created && first.user.userName == "Ada" && first.user.country == "JP")
            #expect(first.user.timeZone == "Asia/Tokyo" && first.device.name == "Phone")
            let again = try await service.client.call(
                CreateSession(email: email, password: goodPassword, device: .init(id: first.device.id)))
            #expect(again.device == first.device && again.token != first.token && again.user == first.user)
            let ended = try await service.client(first.token).refusal(of: GetMe())
            #expect(ended.status == 401 && ended.code == .tokenEnded)

            let eve = try await service.newUser()
            try await eve.register(service.newEmail("eve"))
            let stolen = try await service.client.refusal(
                of: CreateSession(email: email, password: goodPassword, device: .init(id: eve.device.id)))
            #expect(stolen.status == 409 && stolen.code == .deviceKnown, "somebody is signed in on it")
            #expect(try await eve.call(GetMe()).id == eve.user.id)
            let other = try await eve.refusal(
                of: CreateSession(email: email, password: goodPassword, device: .init(id: UUID())))
            expectRefused(other, "device.id", .conflict)
            for (device, field) in [
                (CreateSession.NewDevice(timeZone: "Mars/Olympus"), "device.timeZone"),
                (.init(name: String(repeating: "x", count: 101)), "device.name"),
            ] {
                let problem = try await service.client.refusal(
                    of: CreateSession(email: email, password: goodPassword, device: device))
                #expect(problem.errors?.map(\.field) == [field])
            }
        }
    }

    @Test("Sessions are listed and ended from afar; another user's are not there")
    func listAndDelete() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let tablet = try await service.signIn(email, device: .init(name: "Tablet"))
            let list = try await ada.call(ListSessions()).sessions
            #expect(list.count == 2 && list.filter(\.current).map(\.device.id) == [ada.device.id])
            let theirs = try #require(list.first { $0.device.id == tablet.device.id })
            #expect(theirs.device.name == "Tablet" && !theirs.current)
            var seen: [UUID] = []
            try await forEachPage { cursor in
                let page = try await ada.call(ListSessions(limit: 1, cursor: cursor))
                seen += page.sessions.map(\.id)
                return page.nextCursor
            }
            #expect(Set(seen) == Set(list.map(\.id)) && seen.count == 2)

            let eve = try await service.newUser()
            #expect(try await eve.refusal(of: DeleteSession(id: theirs.id)).code == .notFound)
            #expect(try await tablet.call(GetMe()).id == ada.user.id)
            try await ada.call(DeleteSession(id: theirs.id))
            #expect(try await tablet.refusal(of: GetMe()).code == .tokenEnded)
            #expect(try await ada.refusal(of: DeleteSession(id: theirs.id)).code == .notFound)
            #expect(try await ada.call(ListSessions()).sessions.count == 1)
        }
    }

    @Test("Sign-out leaves a fresh user on the device; the account keeps everything")
    func signOut() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser(country: "DE", timeZone: "Europe/Berlin")
            let plan = try await service.addPlan(country: "DE")
            let kept = try await ada.call(CreateSubscription(planId: plan))
            let lost = try await ada.refusal(of: EndSession())
            #expect(lost.code == .statusConflict, "nobody could come back to it")
            let email = service.newEmail()
            try await ada.register(email)
            let out = try await ada.call(EndSession())
            #expect(out.user.id != ada.user.id && out.user.accounts.isEmpty && out.device == ada.device)
            #expect(out.user.country == "DE" && out.user.timeZone == "Europe/Berlin")
            #expect(try await ada.refusal(of: GetMe()).code == .tokenEnded)
            let fresh = service.client(out.token)
            #expect(try await fresh.call(ListSubscriptions()).subscriptions.isEmpty)
            let back = try await fresh.call(CreateSession(email: email, password: goodPassword))
            #expect(back.user.id == ada.user.id && back.device == ada.device)
            #expect(
                try await service.client(back.token).call(ListSubscriptions()).subscriptions.map(\.id) == [kept.id])

            // Without account and without data nothing is lost, and nothing is left.
            let nobody = try await service.newUser()
            let next = try await nobody.call(EndSession())
            #expect(next.user.id != nobody.user.id)
            #expect(
                try await service.database.run(
                    "SELECT COUNT(*) FROM User_text WHERE User_ID = '\(nobody.user.id.uuidString)'") == "0\n")
        }
    }

    @Test("A device changes accounts, and neither account sees the other's data")
    func switchAccount() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            let bob = try await service.newUser()
            let (adas, bobs) = (service.newEmail("ada"), service.newEmail("bob"))
            try await ada.register(adas)
            try await bob.register(bobs)
            let hers = try await ada.call(CreateSubscription(planId: plan, label: "hers"))
            let his = try await bob.call(CreateSubscription(planId: plan, label: "his"))
            let switched = try await ada.signIn(bobs)
            #expect(switched.user.id == bob.user.id && switched.merged == .init() && switched.device == ada.device)
            let now = TestUser(switched, service.client)
            #expect(try await now.call(ListSubscriptions()).subscriptions.map(\.id) == [his.id])
            #expect(try await ada.refusal(of: GetMe()).code == .tokenEnded)
            #expect(try await bob.call(GetMe()).id == bob.user.id, "his own device stays signed in")
            let made = try await now.signIn(service.newEmail("carol"), createIfMissing: true)
            #expect(made.created && ![ada.user.id, bob.user.id].contains(made.user.id))
            let back = try await TestUser(made, service.client).signIn(adas)
            #expect(
                try await service.client(back.token).call(ListSubscriptions()).subscriptions.map(\.id) == [hers.id])
        }
    }

    @Test("A token unused for 400 days has ended, but never that of a user without account; use is noted")
    func unused() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            try await ada.register(service.newEmail())
            let nobody = try await service.newUser()
            try await service.database.run("UPDATE Session SET Last_used_at = UTC_TIMESTAMP() - INTERVAL 399 DAY")
            // A second replica remembers nothing of the tokens.
            try await service.runReplica { (replica: TestService) async throws in
                var client = replica.client
                client.token = ada.client.token
                #expect(try await client.call(GetMe()).id == ada.user.id)
            }
            #expect(
                try await service.database.run(
                    "SELECT COUNT(*) FROM Session WHERE Last_used_at > UTC_TIMESTAMP() - INTERVAL 1 HOUR") == "1\n")
            try await service.database.run("UPDATE Session SET Last_used_at = UTC_TIMESTAMP() - INTERVAL 401 DAY")
            try await service.runReplica { (replica: TestService) async throws in
                var client = replica.client
                client.token = ada.client.token
                #expect(try await client.refusal(of: GetMe()).code == .tokenEnded)
                client.token = nobody.client.token
                #expect(try await client.call(GetMe()).id == nobody.user.id)
            }
        }
    }

    @Test("The tokens of a user whom an admin deletes say so; one that never was is invalid")
    func deletedUser() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            try await service.database.run(
                "DELETE FROM `User` WHERE User_ID = UNHEX(REPLACE('\(ada.user.id.uuidString)', '-', ''))")
            try await service.runReplica { (replica: TestService) async throws in
                var client = replica.client
                client.token = ada.client.token
                let problem = try await client.refusal(of: GetMe())
                #expect(problem.status == 401 && problem.code == .userDeleted)
            }
        }
    }

    @Test("A user has a hundred devices at the most: the one that was not used for the longest time is signed out")
    func tooManyDevices() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            let oldest = try await service.signIn("ada@example.org")
            try await service.database.run("UPDATE Session SET Last_used_at = UTC_TIMESTAMP() - INTERVAL 2 DAY")
            let old = try await service.signIn("ada@example.org")
            try await service.database.run(
                "UPDATE Session SET Last_used_at = UTC_TIMESTAMP() - INTERVAL 1 DAY WHERE Last_used_at > UTC_TIMESTAMP() - INTERVAL 1 DAY; UPDATE Session s JOIN Device d ON d.Device_ID = s.Device_ID SET s.Last_used_at = UTC_TIMESTAMP() WHERE d.Device_name = 'a test''s device'"
            )
            for _ in 0..<97 { _ = try await service.signIn("ada@example.org") }
            #expect(try await oldest.call(GetMe()).id == ada.user.id, "a hundred")
            try await service.database.run(
                "UPDATE Session s JOIN Device d ON d.Device_ID = s.Device_ID SET s.Last_used_at = UTC_TIMESTAMP() - INTERVAL 2 DAY WHERE d.Device_ID = UNHEX(REPLACE('\(oldest.device.id.uuidString)', '-', ''))"
            )
            let last = try await service.signIn("ada@example.org")
            #expect(try await oldest.refusal(of: GetMe()).code == .tokenEnded)
            for user in [ada, old, last] { #expect(try await user.call(GetMe()).id == ada.user.id) }
            let rows = try await service.database.run(
                "SELECT COUNT(*) FROM Session; SELECT COUNT(*) FROM Device; SELECT COUNT(*) FROM Known_device")
            #expect(rows == "100\n100\n100\n")
        }
    }

    @Test("Devices that were signed out stay known, two hundred of them; signing out is counted as an attempt")
    func signedOut() async throws {
        try await TestService.runAlone(configure: { $0.accountLimits.signInsPerMinute = 300 }) { service in
            try await service.newUser().register("ada@example.org")
            try await service.database.run(
                """
                INSERT INTO Known_device (User_ID, Device_ID, Since)
                SELECT User_ID, RANDOM_BYTES(16), UTC_TIMESTAMP() - INTERVAL 1 DAY FROM Account, seq_1_to_300
                """)
            let user = try await service.signIn("ada@example.org")
            #expect(try await service.database.run("SELECT COUNT(*) FROM Known_device") == "200\n")
            let known = try await service.database.run(
                "SELECT COUNT(*) FROM Known_device WHERE Device_ID = UNHEX(REPLACE('\(user.device.id.uuidString)', '-', ''))"
            )
            #expect(known == "1\n")
            var device = try await service.client(user.client.token ?? "").call(EndSession())
            var ended = 1
            while ended < 400 {
                let answer = try await service.client(device.token).response(to: EndSession())
                guard answer.status == 200 else {
                    #expect(answer.status == 429)
                    break
                }
                device = try answer.decode(EndSession.Output.self)
                ended += 1
            }
            #expect((250...300).contains(ended), "\(ended) sign-outs")
        }
    }

    @Test("Two accounts that sign in at the same moment with one new device: one has it, the other is told")
    func sameNewDevice() async throws {
        try await TestService.run { service in
            let emails = [service.newEmail("ada"), service.newEmail("bob")]
            for email in emails { try await service.newUser().register(email) }
            var statuses: [Int] = []
            for _ in 0..<20 {
                let id = UUID()
                statuses += try await withThrowingTaskGroup(of: Int.self) { group in
                    for email in emails {
                        group.addTask {
                            try await service.client.response(
                                to: CreateSession(email: email, password: goodPassword, device: .init(id: id))
                            ).status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(Set(statuses).isSubset(of: [200, 409]) && statuses.contains(200), "\(statuses)")
        }
    }

    @Test("A device that makes two accounts at the same moment is one of them's; the other gets a device of its own")
    func twoAtOnce() async throws {
        try await TestService.run { service in
            for _ in 0..<10 {
                let phone = try await service.newUser()
                let answers = try await withThrowingTaskGroup(of: APIResponse.self) { group in
                    for name in ["ada", "bob"] {
                        group.addTask {
                            try await phone.client.response(
                                to: CreateSession(
                                    email: service.newEmail(name), password: goodPassword, createIfMissing: true))
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(answers.map(\.status) == [200, 200], "\(answers.map(\.text))")
                let made = try answers.map { try $0.decode(CreateSession.Output.self) }
                #expect(made.filter { $0.user.id == phone.user.id && $0.device.id == phone.device.id }.count == 1)
                #expect(Set(made.map(\.user.id)).count == 2 && Set(made.map(\.device.id)).count == 2)
            }
        }
    }
}
