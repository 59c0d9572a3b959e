import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackCore

/// The days on which dates of contacts come round.
@Suite("Dates of contacts", .ownTime)
struct ContactDatesTests {
    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    private func next(_ date: String, yearly: Bool = true, from today: String) throws -> String? {
        let next = ContactDates.next(of: StoredContact.Occasion(date: date, yearly: yearly), from: try day(today))
        return next.map { next in "\(next.day)" + (next.years.map { " \($0)" } ?? "") }
    }

    @Test(
        "A yearly date comes on its day of this year, or of the next one; its years are counted where the year is known"
    )
    func yearly() throws {
        #expect(try next("1995-06-25", from: "2026-06-24") == "2026-06-25 31")
        #expect(try next("1995-06-25", from: "2026-06-25") == "2026-06-25 31")
        #expect(try next("1995-06-25", from: "2026-06-26") == "2027-06-25 32")
        #expect(try next("--12-31", from: "2026-12-31") == "2026-12-31")
        #expect(try next("--01-01", from: "2026-12-31") == "2027-01-01")
    }

    @Test("29 February is on 28 February in a year without one", arguments: [2025, 2026, 2027, 2100])
    func leapDay(year: Int) throws {
        #expect(try next("--02-29", from: "\(year)-01-01") == "\(year)-02-28")
        #expect(try next("--02-29", from: "\(year)-03-01") == (year == 2027 ? "2028-02-29" : "\(year + 1)-02-28"))
        #expect(try next("2024-02-29", from: "\(year)-02-28") == "\(year)-02-28 \(year - 2024)")
    }

    @Test("In a leap year it is on its day")
    func leapYear() throws {
        #expect(try next("--02-29", from: "2028-02-28") == "2028-02-29")
        #expect(try next("2092-02-29", from: "2026-01-01") == "2092-02-29 0")
        #expect(try next("2000-02-29", from: "2400-01-01") == "2400-02-29 400")
    }

    @Test("A date that is once comes once; one that lies ahead begins there")
    func once() throws {
        #expect(try next("2027-05-01", yearly: false, from: "2026-01-01") == "2027-05-01 0")
        #expect(try next("2027-05-01", yearly: false, from: "2027-05-01") == "2027-05-01 0")
        #expect(try next("2027-05-01", yearly: false, from: "2027-05-02") == nil)
        #expect(try next("2030-05-01", from: "2026-01-01") == "2030-05-01 0")
        // Without a year it cannot be once.
        #expect(try next("--05-01", yearly: false, from: "2026-05-02") == "2027-05-01")
    }

    @Test("The calendar has the years 1000 to 2999")
    func range() throws {
        #expect(ContactDay("1000-01-01")?.year == 1000 && ContactDay("2999-12-31")?.year == 2999)
        for text in [
            "0999-12-31", "3000-01-01", "--02-30", "2027-02-29", "1995-6-25", "--6-25", "", "1995-06-25 ", "--",
        ] {
            #expect(ContactDay(text) == nil, "\(text)")
        }
        #expect(try next("--12-31", from: "2999-12-31") == "2999-12-31")
        #expect(try next("--12-30", from: "2999-12-31") == nil)
    }

    @Test("Dates of many contacts are in the order of their days, and a reminder comes before its day")
    func upcoming() throws {
        let today = try day("2026-12-30")
        let contacts = [
            (id: 1, contact: StoredContact(firstName: "A", lastName: "A", dates: [.init(date: "--01-02")])),
            (
                id: 2,
                contact: StoredContact(
                    firstName: "B", lastName: "B", dates: [.init(date: "1990-12-31"), .init(date: "--02-20")])
            ),
        ]
        let found = ContactDates.upcoming(contacts, from: today, within: 7)
        #expect(found.map { "\($0.contact) \($0.occurrence.day)" } == ["2 2026-12-31", "1 2027-01-02"])
        let date = StoredContact.Occasion(date: "--01-02", reminderDays: 3)
        #expect(ContactDates.reminder(of: date, from: today, standard: 7) == (try day("2026-12-30")))
        #expect(
            ContactDates.reminder(of: .init(date: "--01-02"), from: today, standard: 1) == (try day("2027-01-01")))
    }
}
