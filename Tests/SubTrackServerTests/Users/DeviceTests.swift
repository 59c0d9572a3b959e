import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Devices and the user", .ownTime)
struct DeviceTests {
    @Test("A device is registered without anything but a name, and its token is the user's")
    func register() async throws {
        try await TestService.run { service in
            let made = try await service.client.call(RegisterDevice(name: "  Ada's phone 📱 "))
            #expect(made.device.name == "Ada's phone 📱")
            #expect(made.user.country == "US" && made.user.timeZone == "UTC")
            #expect(made.user.userName == nil && made.user.accounts.isEmpty)
            #expect(made.token.utf8.count >= 43, "256 bits")
            var client = service.client
            client.token = made.token
            #expect(try await client.call(GetMe()) == made.user)
            let other = try await service.client.call(
                RegisterDevice(name: "x", country: "JP", timeZone: "Asia/Tokyo"))
            #expect(other.user.country == "JP" && other.user.timeZone == "Asia/Tokyo")
            #expect(other.token != made.token && other.user.id != made.user.id)
        }
    }

    @Test("A device id of the client's is used once; the second time it is known, and makes no user")
    func knownDevice() async throws {
        try await TestService.runAlone { service in
            let id = UUID()
            let made = try await service.client.call(RegisterDevice(id: id, name: "phone"))
            #expect(made.device.id == id)
            let before = try await service.rowCounts()
            let problem = try await service.client.refusal(of: RegisterDevice(id: id, name: "phone"))
            #expect(problem.status == 409 && problem.code == .deviceKnown)
            #expect(try await service.rowCounts() == before)
        }
    }

    @Test("The token is stored as a hash alone")
    func hashed() async throws {
        try await TestService.runAlone { service in
            let made = try await service.client.call(RegisterDevice(name: "phone"))
            let dump = try await service.everything()
            #expect(dump.contains("phone"))
            #expect(!dump.contains(made.token))
            let raw = Data(made.token.utf8).map { String(format: "%02X", $0) }.joined()
            #expect(!dump.contains(raw))
        }
    }

    @Test("Names, countries and time zones that are none are refused, with the field")
    func refusals() async throws {
        try await TestService.runAlone { service in
            let before = try await service.rowCounts()
            for (operation, field, code) in [
                (RegisterDevice(name: ""), "name", FieldProblem.Code.range),
                (RegisterDevice(name: " \t "), "name", .range),
                (RegisterDevice(name: String(repeating: "x", count: 101)), "name", .range),
                (RegisterDevice(name: "a\u{0}"), "name", .malformed),
                (RegisterDevice(name: "x", country: "XX"), "country", .missing),
                (RegisterDevice(name: "x", country: "us"), "country", .malformed),
                (RegisterDevice(name: "x", country: ""), "country", .malformed),
                (RegisterDevice(name: "x", country: "US' OR 1=1 -- "), "country", .malformed),
                (RegisterDevice(name: "x", timeZone: "Mars/Olympus"), "timeZone", .missing),
                (RegisterDevice(name: "x", timeZone: "../../etc/passwd"), "timeZone", .missing),
                (RegisterDevice(name: "x", timeZone: ""), "timeZone", .missing),
                (RegisterDevice(name: "x", timeZone: String(repeating: "A", count: 70_000)), "timeZone", .missing),
            ] {
                expectRefused(try await service.client.refusal(of: operation), field, code)
            }
            #expect(try await service.rowCounts() == before)
        }
    }

    @Test(
        "Name, country and time zone are changed by a merge patch, and the user's today changes with the zone at once")
    func updateMe() async throws {
        try await TestService.run(at: "2026-01-31T10:30:00Z") { service in
            let ada = try await service.newUser()
            #expect(try await ada.call(GetDashboard()).today == day("2026-01-31"))
            let named = try await ada.call(UpdateMe(userName: .set("Ada"), timeZone: .set("Pacific/Kiritimati")))
            #expect(named.userName == "Ada" && named.timeZone == "Pacific/Kiritimati" && named.country == "US")
            #expect(named.version > ada.user.version)
            #expect(try await ada.call(GetDashboard()).today == day("2026-02-01"))
            let moved = try await ada.call(UpdateMe(country: .set("DE"), timeZone: .set("America/Los_Angeles")))
            #expect(moved.userName == "Ada" && moved.country == "DE")
            #expect(try await ada.call(GetDashboard()).today == day("2026-01-31"))
            let same = try await ada.call(UpdateMe())
            #expect(same == moved)
            #expect(try await ada.call(UpdateMe(userName: .remove)).userName == nil)
            for (operation, field, code) in [
                (UpdateMe(country: .remove), "country", FieldProblem.Code.required),
                (UpdateMe(timeZone: .remove), "timeZone", .required),
                (UpdateMe(country: .set("XX")), "country", .missing),
                (UpdateMe(timeZone: .set("Nowhere")), "timeZone", .missing),
                (UpdateMe(userName: .set(String(repeating: "é", count: 101))), "userName", .range),
            ] {
                expectRefused(try await ada.refusal(of: operation), field, code)
            }
        }
    }

    @Test("Plans are those of the user's country unless another is asked for")
    func country() async throws {
        try await TestService.runAlone { service in
            let german = try await service.addPlan(country: "DE")
            let american = try await service.addPlan(country: "US")
            let ada = try await service.newUser(country: "DE")
            #expect(try await ada.call(ListPlans()).plans.map(\.id) == [german])
            try await ada.call(UpdateMe(country: .set("US")))
            #expect(try await ada.call(ListPlans()).plans.map(\.id) == [american])
            #expect(try await ada.call(ListPlans(country: "DE")).plans.map(\.id) == [german])
        }
    }
}
