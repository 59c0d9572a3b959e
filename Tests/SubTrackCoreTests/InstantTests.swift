import Foundation
import SubTrackAPI
import TestTraits
import Testing

@Suite(.ownTime) struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-01-31T09:30:00Z", 1_769_851_800), ("1969-12-31T23:59:59Z", -1),
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func writingAndReading(text: String, seconds: Int64) throws {
        let instant = try #require(Instant(text))
        #expect(instant.secondsSince1970 == seconds)
        #expect(instant.description == text)
        #expect(try JSONEncoder().encode([instant]) == Data("[\"\(text)\"]".utf8))
        #expect(try JSONDecoder().decode([Instant].self, from: Data("[\"\(text)\"]".utf8)) == [instant])
    }

    @Test(arguments: [
        "", "2026-01-31", "2026-01-31T09:30:00", "2026-01-31T09:30:00+00:00", "2026-01-31T09:30:00.5Z",
        "2026-01-31T24:00:00Z", "2026-01-31T09:60:00Z", "2026-01-31T23:59:60Z", "2026-02-30T09:30:00Z",
        "2026-01-31t09:30:00z", "2026-01-31 09:30:00Z", "2026-01-31T9:30:000Z", "2026-01-31T-1:30:00Z",
        "2026-01-3éT9:30:00Z",
    ])
    func whatIsNoInstant(text: String) { #expect(Instant(text) == nil) }

    @Test func whatLiesOutsideIsClamped() {
        #expect(Instant(secondsSince1970: .max).description == "9999-12-31T23:59:59Z")
        #expect(Instant(secondsSince1970: .min).description == "0001-01-01T00:00:00Z")
    }

    @Test func theDayDependsOnTheOffset() throws {
        let instant = try #require(Instant("1969-12-31T23:59:59Z"))
        #expect(instant.date(secondsFromUTC: 0).description == "1969-12-31")
        #expect(instant.date(secondsFromUTC: 1).description == "1970-01-01")
        #expect(instant.date(secondsFromUTC: -86_399).description == "1969-12-31")
        #expect(instant.date(secondsFromUTC: -86_400).description == "1969-12-30")
    }
}
