import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Calendars at secret addresses", .ownTime)
struct CalendarTests {
    @Test("Renewals, last days to cancel, trials and dates of contacts stand in a calendar, in the user's language")
    func content() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            try await service.enableAll()
            let ada = try await service.newUser(country: "DE", timeZone: "Europe/Berlin")
            let monthly = try await service.addPlan(fee: "17.99", country: "DE", noticeDays: 3)
            let trial = try await service.addPlan(provider: "Sport", fee: "9.90", country: "DE", trialDays: 14)
            let held = try await ada.call(
                CreateSubscription(
                    planId: monthly, startDate: day("2026-01-31"), autoRenew: true, label: "Filme; alle", muted: true))
            try await ada.call(
                CreateSubscription(
                    planId: trial, startDate: day("2026-01-30"), freeTrial: true, autoRenew: false))
            try await ada.call(
                CreateContact(
                    firstName: "Grace", lastName: "Hopper",
                    dates: [ContactDate(date: "1906-12-09"), ContactDate(date: "--02-29", type: "anniversary")]))
            let made = try await ada.call(CreateCalendar(name: "Mein Telefon"))
            let answer = try await service.calendar(made.path)
            #expect(answer.status == 200)
            #expect(answer.header("content-type") == "text/calendar; charset=utf-8")
            #expect(answer.header("cache-control") == "private, no-cache")
            #expect(answer.text.contains("X-WR-CALNAME:Mein Telefon\r\n"))
            #expect(answer.text.contains("DTSTAMP:20260131T000000Z\r\n"))
            let events = CalendarLines.events(answer.text)
            #expect(Set(events.map(\.uid)).count == events.count)
            let own = events.filter { $0.uid.hasPrefix(held.id.uuidString.lowercased()) }
            #expect(
                own.prefix(4).map { "\($0.day) \($0.title)" } == [
                    "20260225 Filme\\; alle: letzter Tag zum Kündigen",
                    "20260228 Filme\\; alle verlängert sich (17\\,99 EUR)",
                    "20260328 Filme\\; alle: letzter Tag zum Kündigen",
                    "20260331 Filme\\; alle verlängert sich (17\\,99 EUR)",
                ])
            #expect(own.first?.uid == "\(held.id.uuidString.lowercased()).0.cancelBy")
            let sport = events.filter { $0.title.contains("Sport") }
            #expect(
                sport.prefix(2).map { "\($0.day) \($0.title)" } == [
                    "20260213 Sport: die Probezeit endet\\, danach 9\\,90 EUR",
                    "20260313 Sport verlängern (9\\,90 EUR)",
                ])
            let dates = events.filter { $0.title.hasPrefix("Grace") }.map { "\($0.day) \($0.title)" }
            #expect(dates.sorted() == ["19061209 Grace Hopper: Geburtstag", "20250228 Grace Hopper: Jahrestag"])
            #expect(answer.text.contains("RRULE:FREQ=YEARLY\r\n"))

            #expect(try await ada.call(ListCalendars()).calendars == [made.calendar])
            #expect(try await service.client.send("HEAD", made.path).header("etag") == answer.header("etag"))
            try await ada.call(CancelSubscription(id: held.id))
            let rest = CalendarLines.events(try await service.calendar(made.path).text)
            let end = rest.filter { $0.uid.hasPrefix(held.id.uuidString.lowercased()) }
            #expect(end.map { "\($0.day) \($0.title)" } == ["20260228 Filme\\; alle endet"])
        }
    }

    @Test("An unchanged calendar is 304; a change and the next day make another; a correction moves the same event")
    func unchanged() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            try await service.enableAll()
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let held = try await ada.call(CreateSubscription(planId: plan, startDate: day("2026-01-20")))
            let path = try await ada.call(CreateCalendar()).path
            let first = try await service.calendar(path)
            let tag = try #require(first.header("etag"))
            let again = try await service.calendar(path, unless: tag)
            #expect(again.status == 304 && again.body.isEmpty && again.header("etag") == tag)
            #expect(try await service.calendar(path).body == first.body)

            try await ada.call(UpdateSubscription(id: held.id, startDate: .set(day("2026-01-22"))))
            let moved = try await service.calendar(path, unless: tag)
            #expect(moved.status == 200)
            let (before, after) = (CalendarLines.events(first.text), CalendarLines.events(moved.text))
            #expect(before.first?.day == "20260220" && after.first?.day == "20260222")
            #expect(before.map(\.uid) == after.map(\.uid))
            #expect(zip(before, after).allSatisfy { $0.sequence < $1.sequence })

            // A price of the catalogue, which is in no row of the user.
            let known = try #require(moved.header("etag"))
            try await service.database.run("UPDATE Plan SET Fee = 21, Fee_since = '2026-02-10' WHERE Plan_ID = \(plan)")
            let priced = try await service.calendar(path, unless: known)
            #expect(priced.status == 200 && priced.text.contains("(21.00 USD)"))
            service.clock.set("2026-02-01T00:00:00Z")
            #expect(try await service.calendar(path, unless: priced.header("etag")).status == 200)
        }
    }

    @Test("Unknown, revoked and malformed addresses, those of another tenant and of a deleted user are 404 alike")
    func unknown() async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            let (ada, eve) = (try await service.newUser(), try await service.newUser())
            let made = try await ada.call(CreateCalendar())
            let gone = try await eve.call(CreateCalendar()).path
            #expect(try await service.calendar(made.path).status == 200)
            #expect(try await service.calendar("/t/default" + made.path).status == 200)
            #expect(try await eve.refusal(of: DeleteCalendar(id: made.calendar.id)).code == .notFound)
            try await ada.call(DeleteCalendar(id: made.calendar.id))
            try await eve.call(DeleteMe())
            try await service.withTenants { try await $0.create("acme") }
            try await service.enableAll(in: "acme")
            let unknown = CalendarFiles.path(of: try Token.generate())
            var answers: Set<String> = []
            for path in [
                made.path, gone, unknown, "/t/acme" + made.path, "/calendar/x.ics", "/calendar/.ics",
                made.path.replacing("sub_", with: "sub_x"), "\(made.path.dropLast(5)).ics", "\(made.path.dropLast(4))",
                "\(made.path.dropLast(9))", "/calendar/sub_",
            ] {
                let answer = try await service.calendar(path)
                let problem = try answer.problem()
                #expect(answer.status == 404, "\(path)")
                answers.insert("\(problem.code) \(problem.detail) \(problem.type)")
            }
            #expect(answers.count == 1, "\(answers)")
            let post = try await service.client.send("POST", unknown)
            #expect(post.status == 405 && post.header("allow") == "GET, HEAD")
        }
    }

    @Test("An address ends with the password, and none of before a sign-in shows the account's days")
    func ended() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            try await service.enableAll()
            let ada = try await service.newUser()
            let early = try await ada.call(CreateCalendar()).path
            let email = service.newEmail()
            try await ada.register(email)
            #expect(try await service.calendar(early).status == 200)

            let phone = try await service.newUser()
            let former = try await phone.call(CreateCalendar()).path
            _ = try await phone.signIn(email)
            #expect(try await service.calendar(former).status == 404)

            try await ada.call(ChangePassword(currentPassword: goodPassword, newPassword: "violet tram nineteen"))
            #expect(try await service.calendar(early).status == 404)
            #expect(try await ada.call(ListCalendars()).calendars.isEmpty)
            let late = try await ada.call(CreateCalendar()).path
            #expect(try await service.calendar(late).status == 200)
        }
    }

    @Test("A session that ends while it waits for the user's lock makes no calendar")
    func ending() async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            let ada = try await service.newUser()
            try await service.withAdmin { connection in
                try await connection.simpleQuery("START TRANSACTION")
                try await connection.simpleQuery(
                    SQL(unsafeText: "SELECT Ver FROM Scope WHERE Scope_ID = \(hex(ada.user.id)) FOR UPDATE"))
                async let answer = ada.client.response(to: CreateCalendar())
                try await eventually("it waits") { try await service.waitingForScopes() == 1 }
                // As a new password does.
                try await connection.simpleQuery("DELETE FROM Session")
                try await connection.simpleQuery("COMMIT")
                #expect(try await answer.status == 401)
            }
            #expect(try await service.database.run("SELECT COUNT(*) FROM Calendar_feed") == "0\n")
        }
    }

    @Test("A renewal of today stays in the calendar when somebody reads the subscription")
    func today() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            try await service.enableAll()
            let ada = try await service.newUser()
            try await ada.call(
                CreateSubscription(
                    planId: try await service.addPlan(), startDate: day("2026-01-10"), autoRenew: true))
            let path = try await ada.call(CreateCalendar()).path
            service.clock.set("2026-02-10T12:00:00Z")
            let before = CalendarLines.events(try await service.calendar(path).text)
            #expect(before.first?.day == "20260210")
            try await ada.call(ListSubscriptions())
            let after = CalendarLines.events(try await service.calendar(path).text)
            #expect(before.map { "\($0.uid) \($0.day) \($0.title)" } == after.map { "\($0.uid) \($0.day) \($0.title)" })
        }
    }

    @Test("A calendar is read ten times a minute, and an unknown address is told the same")
    func rate() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            try await service.enableAll()
            let path = try await service.newUser().call(CreateCalendar()).path
            for (path, status) in [(path, 200), (CalendarFiles.path(of: try Token.generate()), 404)] {
                for _ in 0..<10 { #expect(try await service.calendar(path).status == status) }
                let answer = try await service.calendar(path)
                #expect(answer.status == 429 && answer.header("retry-after") == "6")
            }
            service.clock.set("2026-01-31T12:00:06Z")
            #expect(try await service.calendar(path).status == 200)
            #expect(try await service.calendar(path).status == 429)
        }
    }

    @Test("A user has ten calendars; a name is checked; neither the database nor a log line has a token")
    func secrets() async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            let ada = try await service.newUser()
            var paths: [String] = []
            for number in 0..<10 { paths.append(try await ada.call(CreateCalendar(name: "c\(number)")).path) }
            #expect(try await ada.refusal(of: CreateCalendar()).code == .tooMany)
            let calendars = try await ada.call(ListCalendars()).calendars
            #expect(Set(calendars.map(\.name)) == Set((0..<10).map { "c\($0)" }))
            try await ada.call(DeleteCalendar(id: calendars[0].id))
            expectRefused(try await ada.refusal(of: CreateCalendar(name: "a\nb")), "name", .malformed)
            let key = [("Idempotency-Key", UUID().uuidString)]
            #expect(try await ada.refusal(of: CreateCalendar(), headers: key).status == 400)

            for _ in 0..<12 { _ = try await service.calendar(paths[1]) }
            let dump = try await service.database.run("SELECT * FROM Calendar_feed; SELECT * FROM Idempotency")
            for path in paths {
                let token = try #require(path.split(separator: "/").last).dropLast(4)
                #expect(!dump.contains(token))
                #expect(!service.log.lines.contains { "\($0)".contains(token) })
            }
        }
    }

    @Test("Many subscriptions are the same bytes twice, and 304 afterwards")
    func large() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            try await service.enableAll()
            let ada = try await service.newUser()
            let count = TestStage.full ? 5000 : 500
            let plan = try await service.addPlan()
            try await service.database.run(
                """
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Label)
                SELECT \(hex(ada.user.id)), \(plan), '2026-01-31', CONCAT('s', seq) FROM seq_1_to_\(count)
                """)
            let path = try await ada.call(CreateCalendar()).path
            let first = try await service.calendar(path)
            let events = CalendarLines.events(first.text)
            #expect(first.status == 200 && events.count == count * 13, "\(events.count)")
            #expect(Set(events.map(\.uid)).count == events.count)
            #expect(try await service.calendar(path).body == first.body)
            #expect(try await service.calendar(path, unless: first.header("etag")).status == 304)
        }
    }

    @Test("Where the area is off, there is no calendar")
    func off() async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            let ada = try await service.newUser()
            let path = try await ada.call(CreateCalendar()).path
            try await service.withTenants { _ = try await $0.setAreas("default", disabling: ["reminders"]) }
            try await eventually("the area is off") {
                try await ada.client.response(to: ListCalendars()).status == 404
            }
            #expect(try await service.calendar(path).status == 404)
            #expect(try await ada.refusal(of: ListCalendars()).code == .areaOff)
        }
    }
}
