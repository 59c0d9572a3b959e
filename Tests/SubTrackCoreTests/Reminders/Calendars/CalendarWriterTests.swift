import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// The text of calendars, byte by byte.
@Suite("Calendars as text", .ownTime)
struct CalendarWriterTests {
    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    private func written(_ events: [CalendarEvent], name: String = "SubTrackIt") throws -> [UInt8] {
        var writer = CalendarWriter(name: name, day: try day("2027-03-01"))
        var bytes: [UInt8] = []
        for event in events {
            writer.append(event)
            bytes += writer.take()
        }
        writer.finish()
        return bytes + writer.take()
    }

    private func event(_ summary: String, uid: String = "a.0.renewal") throws -> CalendarEvent {
        CalendarEvent(uid: uid, sequence: 4, day: try day("2027-03-31"), summary: summary)
    }

    @Test("A calendar has a renewal, a last day to cancel and a birthday on 29 February, byte by byte")
    func golden() throws {
        let events = [
            CalendarEvent(
                uid: "0190a0b0-0000-7000-8000-000000000001.3.renewal", sequence: 17, day: try day("2027-12-31"),
                summary: "Netflix renews, (19.99 USD)"),
            CalendarEvent(
                uid: "0190a0b0-0000-7000-8000-000000000001.3.cancelBy", sequence: 5_000_000_000,
                day: try day("2027-03-02"),
                summary: "Zeitung; Probe, \\ und\nmehr: " + "der letzte Tag zum Kündigen des Abos"),
            CalendarEvent(
                uid: "c.d.date", sequence: 1, day: try day("1996-02-29"), recurrence: .lastOfFebruary,
                summary: "李小明：生日"),
        ]
        #expect(try written(events) == Array(Self.text.replacing("\n", with: "\r\n").utf8))
    }

    private static let text = #"""
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//SubTrackIt//SubTrackIt//EN
        CALSCALE:GREGORIAN
        METHOD:PUBLISH
        X-WR-CALNAME:SubTrackIt
        REFRESH-INTERVAL;VALUE=DURATION:PT6H
        X-PUBLISHED-TTL:PT6H
        BEGIN:VEVENT
        UID:0190a0b0-0000-7000-8000-000000000001.3.renewal
        DTSTAMP:20270301T000000Z
        SEQUENCE:17
        DTSTART;VALUE=DATE:20271231
        DTEND;VALUE=DATE:20280101
        SUMMARY:Netflix renews\, (19.99 USD)
        TRANSP:TRANSPARENT
        END:VEVENT
        BEGIN:VEVENT
        UID:0190a0b0-0000-7000-8000-000000000001.3.cancelBy
        DTSTAMP:20270301T000000Z
        SEQUENCE:2147483647
        DTSTART;VALUE=DATE:20270302
        DTEND;VALUE=DATE:20270303
        SUMMARY:Zeitung\; Probe\, \\ und\nmehr: der letzte Tag zum Kündigen des Ab
         os
        TRANSP:TRANSPARENT
        END:VEVENT
        BEGIN:VEVENT
        UID:c.d.date
        DTSTAMP:20270301T000000Z
        SEQUENCE:1
        DTSTART;VALUE=DATE:19960229
        DTEND;VALUE=DATE:19960301
        RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1
        SUMMARY:李小明：生日
        TRANSP:TRANSPARENT
        END:VEVENT
        END:VCALENDAR

        """#

    @Test(
        "A line has at most 75 bytes and is cut between characters; joined lines are the text",
        arguments: 0..<90)
    func folding(shift: Int) throws {
        for filling in ["é", "明", "🎉", "a"] {
            let summary = String(repeating: "x", count: shift) + String(repeating: filling, count: 120)
            let lines = String(decoding: try written([event(summary)]), as: UTF8.self).components(separatedBy: "\r\n")
            #expect(lines.allSatisfy { $0.utf8.count <= 75 })
            // A character that was cut would be two replacement characters.
            #expect(!lines.joined().contains("\u{FFFD}"))
            #expect(lines.joined(separator: "\n").replacing("\n ", with: "").contains("SUMMARY:\(summary)\n"))
        }
    }

    @Test("A name with line ends and control characters makes no property of its own")
    func injection() throws {
        let hostile = "x\r\nATTACH:https://example.org\u{2028}\u{85}\u{0}\u{B}y"
        let text = String(decoding: try written([event(hostile)], name: hostile), as: UTF8.self)
        #expect(!text.contains("\r\nATTACH"))
        #expect(text.contains("SUMMARY:x\\nATTACH:https://example.orgy\r\n"))
        #expect(text.contains("X-WR-CALNAME:x\\nATTACH:https://example.orgy\r\n"))
    }

    @Test("A calendar without events has a component all the same")
    func empty() throws {
        var writer = CalendarWriter(name: "x", day: try day("2027-01-01"))
        writer.finish()
        let text = String(decoding: writer.take(), as: UTF8.self)
        #expect(
            text.contains("BEGIN:VTIMEZONE\r\nTZID:UTC\r\n") && text.hasSuffix("END:VTIMEZONE\r\nEND:VCALENDAR\r\n"))
    }
}
