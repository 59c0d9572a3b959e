import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// The hour of a day on the clocks of zones.
@Suite("Hour of a day in a zone", .ownTime)
struct LocalHourTests {
    private func instant(_ day: String, _ time: String, _ zone: String) throws -> String? {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        return LocalDay.instant(
            of: try #require(CalendarDate(day)), minute: parts[0] * 60 + parts[1], timeZone: zone)?.description
    }

    @Test("A time in the gap of a change of clocks is the gap's end, and one that comes twice is the first")
    func changesOfClocks() throws {
        #expect(try instant("2027-03-28", "02:30", "Europe/Berlin") == "2027-03-28T01:00:00Z")
        #expect(try instant("2027-10-31", "02:30", "Europe/Berlin") == "2027-10-31T00:30:00Z")
        #expect(try instant("2027-10-31", "03:00", "Europe/Berlin") == "2027-10-31T02:00:00Z")
        #expect(try instant("2027-01-01", "09:00", "Asia/Kathmandu") == "2027-01-01T03:15:00Z")
    }

    @Test(
        "Half past two and a quarter to two, at both changes of clocks in four zones",
        arguments: [
            ("Europe/Berlin", "2026-03-29", "2026-03-29T01:00:00Z", "2026-03-29T00:45:00Z"),
            ("Europe/Berlin", "2026-10-25", "2026-10-25T00:30:00Z", "2026-10-24T23:45:00Z"),
            ("America/New_York", "2026-03-08", "2026-03-08T07:00:00Z", "2026-03-08T06:45:00Z"),
            ("America/New_York", "2026-11-01", "2026-11-01T07:30:00Z", "2026-11-01T05:45:00Z"),
            ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T16:00:00Z", "2026-04-04T14:45:00Z"),
            ("Australia/Lord_Howe", "2026-10-04", "2026-10-03T15:30:00Z", "2026-10-03T15:15:00Z"),
            ("Africa/Casablanca", "2026-02-15", "2026-02-15T01:30:00Z", "2026-02-15T00:45:00Z"),
            ("Africa/Casablanca", "2026-03-22", "2026-03-22T02:00:00Z", "2026-03-22T01:45:00Z"),
        ])
    func changes(zone: String, day: String, later: String, earlier: String) throws {
        #expect(try instant(day, "02:30", zone) == later)
        #expect(try instant(day, "01:45", zone) == earlier)
    }

    @Test("A day that a zone leaves out has the hour of the next day")
    func daysLeftOut() throws {
        #expect(try instant("2011-12-30", "09:00", "Pacific/Apia") == "2011-12-30T19:00:00Z")
        #expect(try instant("2011-12-31", "09:00", "Pacific/Apia") == "2011-12-30T19:00:00Z")
    }

    @Test("Where a gap takes the last hour of a day, it is the last minute before")
    func gapAtMidnight() throws {
        #expect(try instant("2026-03-28", "23:30", "America/Nuuk") == "2026-03-29T00:59:00Z")
        #expect(try instant("2026-03-29", "00:30", "America/Nuuk") == "2026-03-29T01:30:00Z")
    }

    @Test("No zone, no hour")
    func unknownZone() throws {
        #expect(try instant("2027-01-01", "09:00", "Gone/Away") == nil)
    }

    /// The clock is read minute by minute through days around some changes of each zone, from 2026 to 2036.
    @Test("In every zone, over ten years, the hour is the first minute of the day that reads so late")
    func everyZone() throws {
        var random = SeededGenerator(seed: 23)
        let span: Range<Int64> = 20_454..<24_107
        for identifier in TimeZone.knownTimeZoneIdentifiers.sorted() {
            let zone = try #require(TimeZone(identifier: identifier))
            func offset(_ seconds: Int64) -> Int64 {
                Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
            }
            let changes = span.filter { offset($0 * 86_400) != offset(($0 + 1) * 86_400) }
            let some = changes.shuffled(using: &random).prefix(3).flatMap { [$0, $0 + 1] }
            for day in some + [Int64.random(in: span, using: &random)] {
                let firsts = firstReadings(of: day, offset: offset)
                for _ in 0..<20 {
                    let minute = Int.random(in: 0..<1440, using: &random)
                    let found = LocalDay.instant(
                        of: CalendarDate(daysSince1970: Int32(day)), minute: minute, timeZone: identifier)
                    try #require(
                        found?.secondsSince1970 == firsts[minute], "\(identifier), day \(day), minute \(minute)")
                }
            }
        }
    }

    /// For each minute of a day, the first instant at which the clock reads it or more; without one, the day's last instant.
    private func firstReadings(of day: Int64, offset: (Int64) -> Int64) -> [Int64] {
        var firsts: [Int64] = []
        var last: Int64 = 0
        let midnight = day * 86_400
        let start = midnight - offset(midnight) - 4 * 3600
        for seconds in stride(from: start, to: start + 34 * 3600, by: 60) {
            let reading = seconds + offset(seconds) - midnight
            guard (0..<86_400).contains(reading) else { continue }
            last = seconds
            while firsts.count <= Int(reading / 60) { firsts.append(seconds) }
        }
        return firsts + Array(repeating: last, count: 1440 - firsts.count)
    }
}
