import Foundation
import SubTrackAPI
import TestTraits
import Testing

@Suite(.ownTime) struct CalendarDateTests {
    /// Every day that can be written, counted up by hand from 0001-01-01.
    @Test func everyDayOfTheCalendar() {
        var (year, month, dayOfMonth) = (1, 1, 1)
        var wrong: [CalendarDate] = []
        for number in CalendarDate.range.lowerBound.daysSince1970...CalendarDate.range.upperBound.daysSince1970 {
            let date = CalendarDate(daysSince1970: number)
            if date.components != (year, month, dayOfMonth)
                || CalendarDate(year: year, month: month, day: dayOfMonth) != date
            {
                wrong.append(date)
            }
            let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            dayOfMonth += 1
            if dayOfMonth > lengths[month - 1] { (month, dayOfMonth) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(wrong.prefix(3) == [])
        #expect((year, month, dayOfMonth) == (10_000, 1, 1), "the last day is 9999-12-31")
    }

    @Test func knownDays() throws {
        #expect(try day("1970-01-01").daysSince1970 == 0)
        #expect(try day("2000-02-29").daysSince1970 == 11_016)
        #expect(try day("0001-01-01") == CalendarDate.range.lowerBound)
        #expect(try day("9999-12-31") == CalendarDate.range.upperBound)
        #expect(try day("2027-01-31").days(to: day("2027-03-01")) == 29)
        #expect(try day("2027-03-01").days(to: day("2027-01-31")) == -29)
    }

    @Test func movingByDaysStaysInTheCalendar() throws {
        #expect(try day("2028-02-28").adding(days: 2).description == "2028-03-01")
        #expect(try day("2027-01-01").adding(days: .max) == CalendarDate.range.upperBound)
        #expect(try day("2027-01-01").adding(days: .min) == CalendarDate.range.lowerBound)
        #expect(CalendarDate(daysSince1970: .max) == CalendarDate.range.upperBound)
        #expect(CalendarDate(daysSince1970: .min) == CalendarDate.range.lowerBound)
    }

    @Test(arguments: ["0001-01-01", "0999-12-31", "1969-12-31", "2026-01-31", "2028-02-29", "9999-12-31"])
    func writingAndReading(text: String) throws {
        #expect(try day(text).description == text)
        #expect(try JSONEncoder().encode([day(text)]) == Data("[\"\(text)\"]".utf8))
        #expect(try JSONDecoder().decode([CalendarDate].self, from: Data("[\"\(text)\"]".utf8)) == [day(text)])
    }

    @Test(arguments: [
        "", "2026", "2026-1-31", "2026-01-1", "2026-02-30", "2027-02-29", "1900-02-29", "2026-00-10", "2026-13-10",
        "2026-04-31", "2026-01-00", "2026-01-32", "0000-00-00", "0000-01-01", "10000-01-01", "-001-01-01",
        "2026/01/31", "20260131", "2026-01-31T00:00:00Z", " 2026-01-31", "2026-01-31 ", "+026-01-31",
        "2026-01-3\u{661}", "２０２６-01-31", "2026-01-3\0",
    ])
    func whatIsNoDay(text: String) throws {
        #expect(CalendarDate(text) == nil)
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([CalendarDate].self, from: json) }
    }

    @Test func anErrorNamesTheValueShortened() throws {
        let json = try JSONEncoder().encode([String(repeating: "9", count: 10_000)])
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode([CalendarDate].self, from: json)
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(
            context.debugDescription == "\"\(String(repeating: "9", count: 40))\" is not a day such as 2026-01-31")
    }
}
