import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite(.ownTime) struct LocalDayTests {
    private func today(_ instant: String, _ zone: String) throws -> String? {
        LocalDay.today(at: try #require(Instant(instant)), timeZone: zone)?.description
    }

    /// UTC+14, the first place to have a new day.
    @Test func kiritimati() throws {
        #expect(try today("2026-12-31T09:59:59Z", "Pacific/Kiritimati") == "2026-12-31")
        #expect(try today("2026-12-31T10:00:00Z", "Pacific/Kiritimati") == "2027-01-01")
    }

    /// Clocks go forward on 2027-03-14 and back on 2027-11-07, at two in the morning.
    @Test func losAngeles() throws {
        let zone = "America/Los_Angeles"
        #expect(try today("2027-03-14T07:59:59Z", zone) == "2027-03-13")
        #expect(try today("2027-03-14T08:00:00Z", zone) == "2027-03-14")
        #expect(try today("2027-03-15T06:59:59Z", zone) == "2027-03-14", "a day of 23 hours")
        #expect(try today("2027-03-15T07:00:00Z", zone) == "2027-03-15")
        #expect(try today("2027-11-07T06:59:59Z", zone) == "2027-11-06")
        #expect(try today("2027-11-08T07:59:59Z", zone) == "2027-11-07", "a day of 25 hours")
        #expect(try today("2027-11-08T08:00:00Z", zone) == "2027-11-08")
    }

    /// Half and quarter hours, and the other side of the date line.
    @Test func otherOffsets() throws {
        #expect(try today("2027-01-01T18:29:59Z", "Asia/Kolkata") == "2027-01-01")
        #expect(try today("2027-01-01T18:30:00Z", "Asia/Kolkata") == "2027-01-02")
        #expect(try today("2027-06-01T18:15:00Z", "Asia/Kathmandu") == "2027-06-02")
        #expect(try today("2027-01-01T10:59:59Z", "Pacific/Pago_Pago") == "2026-12-31")
        #expect(try today("2027-01-01T11:00:00Z", "Pacific/Pago_Pago") == "2027-01-01")
        #expect(try today("1969-12-31T23:59:59Z", "UTC") == "1969-12-31")
    }

    /// A zone's days do not come back: Samoa left out 2011-12-30.
    @Test func samoaLeftOutADay() throws {
        #expect(try today("2011-12-30T09:59:59Z", "Pacific/Apia") == "2011-12-29")
        #expect(try today("2011-12-30T10:00:00Z", "Pacific/Apia") == "2011-12-31")
    }

    @Test(arguments: [
        "UTC", "GMT", "Etc/UTC", "Etc/GMT+5", "EST", "EST5EDT", "Europe/Berlin", "Europe/Kyiv", "Europe/Kiev",
        "Asia/Kolkata", "Asia/Calcutta", "US/Pacific", "America/Argentina/ComodRivadavia", "America/Ciudad_Juarez",
        "Africa/El_Aaiun", "Antarctica/Troll", "America/Port-au-Prince", "W-SU", "Zulu",
    ])
    func namesOfTheDatabase(identifier: String) { #expect(LocalDay.isTimeZone(identifier)) }

    @Test(arguments: [
        "", "Z", "GMT+5", "GMT+05:00", "GMT-0330", "UTC+3", "+02:00", "PST", "BST", "IST", "JST", "SystemV/PST8",
        "europe/berlin", "EUROPE/BERLIN", "Europe/Berlin ", " Europe/Berlin", "Europe/Berlin\0", "Europe/Berlin\0x",
        "Europe/Nowhere", "Europe", "Europe/", "/Europe/Berlin", "posix/Europe/Berlin", "right/Europe/Berlin",
        "../../../etc/passwd", "/usr/share/zoneinfo/Europe/Berlin", "Europe/B\u{e9}rlin", "utc",
    ])
    func whatIsNoTimeZone(identifier: String) {
        #expect(!LocalDay.isTimeZone(identifier))
        #expect(LocalDay.today(at: Instant(secondsSince1970: 0), timeZone: identifier) == nil)
    }

    @Test func zonesThatFoundationKnows() throws {
        let identifiers = TimeZone.knownTimeZoneIdentifiers
        #expect(identifiers.count > 300)
        #expect(identifiers.filter { !LocalDay.isTimeZone($0) } == [])
    }

    @Test func daysAsFoundationCountsThem() throws {
        var random = SeededGenerator(seed: 3)
        let identifiers = TimeZone.knownTimeZoneIdentifiers.sorted()
        var calendar = Calendar(identifier: .gregorian)
        for _ in 0..<3000 {
            let identifier = try #require(identifiers.randomElement(using: &random))
            let zone = try #require(TimeZone(identifier: identifier))
            let instant = Instant(secondsSince1970: Int64.random(in: 0...4_000_000_000, using: &random))
            calendar.timeZone = zone
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(instant.secondsSince1970)))
            let expected = CalendarDate(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
            try #require(
                LocalDay.today(at: instant, timeZone: identifier) == expected, "\(identifier) \(instant)")
        }
    }

    @Test func manyTasksAtOnce() async {
        let now = Instant(secondsSince1970: 1_800_000_000)
        let expected = CalendarDate(year: 2027, month: 1, day: 15)
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { index in
                        let known = TimeZone.knownTimeZoneIdentifiers
                        let identifier = known[(index + task * 31) % known.count]
                        return LocalDay.today(at: now, timeZone: identifier) != nil
                    } && LocalDay.today(at: now, timeZone: "Europe/Berlin") == expected
                }
            }
            for await allRight in group { #expect(allRight) }
        }
    }
}
