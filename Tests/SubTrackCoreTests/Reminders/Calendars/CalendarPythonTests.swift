import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

private let python = PythonTools.python(with: "vobject", "icalendar")

/// Calendars in the eyes of public libraries.
@Suite(
    "Calendars, judged by Python's libraries",
    .enabled(if: python != nil, "wants icalendar in .build-python (script/test makes it)"), .ownTime)
struct CalendarPythonTests {
    private struct ParsedEvent: Decodable {
        var uid, start, end, summary: String
        var sequence: Int64
        var days: [String]
    }

    private func parse(_ calendar: [UInt8], by library: String) throws -> [ParsedEvent] {
        try PythonTools.values(of: "calendars.py", library, input: calendar, by: try #require(python))
    }

    private func written(_ events: [CalendarEvent]) throws -> [UInt8] {
        var writer = CalendarWriter(name: "Abos; \"privat\", \\", day: try #require(CalendarDate("2027-03-01")))
        for event in events { writer.append(event) }
        writer.finish()
        return writer.take()
    }

    private func random() -> [CalendarEvent] {
        var generator = SeededGenerator(seed: 5545)
        let letters = Array("aé明🎉 ,;:\\\"\n=^'%x")
        return (0..<300).map { number in
            let length = Int.random(in: 1...120, using: &generator)
            // Readers take away white space at the ends of lines.
            let middle = (0..<length).map { _ in letters.randomElement(using: &generator) ?? "a" }
            return CalendarEvent(
                uid: "\(number).0.renewal", sequence: Int64.random(in: 0...100_000, using: &generator),
                day: CalendarDate(daysSince1970: Int32.random(in: 18_000...25_000, using: &generator)),
                summary: "x" + String(middle) + "x")
        }
    }

    @Test("Random events say the same to both libraries", arguments: ["icalendar", "vobject"])
    func events(library: String) throws {
        let events = random()
        let parsed = try parse(written(events), by: library)
        #expect(parsed.count == events.count)
        for (found, event) in zip(parsed, events) {
            #expect(found.uid == event.uid && found.sequence == event.sequence)
            #expect(found.start == event.day.description && found.end == event.day.adding(days: 1).description)
            #expect(found.summary == event.summary)
        }
    }

    @Test(
        "29 February comes on the last of each February, and other days each year", arguments: ["icalendar", "vobject"])
    func recurrences(library: String) throws {
        let today = try #require(CalendarDate("2027-01-01"))
        let events = try ["1996-02-29", "--02-29", "1995-06-25"].map { text in
            let day = try #require(
                ContactDates.calendarDay(of: .init(date: text), from: today))
            return CalendarEvent(uid: text, sequence: 1, day: day.day, recurrence: day.recurrence, summary: "x")
        }
        let parsed = try parse(written(events), by: library)
        let february = ["2027-02-28", "2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28"]
        #expect(parsed.map(\.days).prefix(2) == [february, february])
        #expect(parsed.last?.days == (2027...2031).map { "\($0)-06-25" })
    }
}
