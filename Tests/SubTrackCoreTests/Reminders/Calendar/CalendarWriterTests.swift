import Foundation
import SubTrackAPI
import Testing

@testable import SubTrackCore

/// The text of calendars, byte by byte.
@Suite("Calendars as text")
struct CalendarWriterTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

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

    private func event(_ summary: String, uid: String = "a.0.renewal@example.org") throws -> CalendarEvent {
        CalendarEvent(uid: uid, sequence: 4, day: try day("2027-03-31"), summary: summary)
    }

    @Test("A calendar is the golden file, with a renewal, an alarm and a birthday on 29 February")
    func golden() throws {
        let events = [
            CalendarEvent(
                uid: "0190a0b0-0000-7000-8000-000000000001.3.renewal@subs.example.org", sequence: 17,
                day: try day("2027-12-31"), summary: "Netflix renews, for 19.99 USD", alarms: [-9540, -900]),
            CalendarEvent(
                uid: "0190a0b0-0000-7000-8000-000000000001.3.cancel_by@subs.example.org", sequence: 5_000_000_000,
                day: try day("2027-03-02"),
                summary: "Zeitung; Probe, \\ und\nmehr: " + "der letzte Tag zum Kündigen des Abos"),
            CalendarEvent(
                uid: "c.d.date@subs.example.org", sequence: 1, day: try day("1996-02-29"), recurrence: .lastOfFebruary,
                summary: "李小明：生日"),
        ]
        let golden = try Data(contentsOf: Self.folder.appending(path: "calendar.ics"))
        #expect(try written(events) == Array(golden))
        #expect(try written(events) == written(events))
    }

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

    @Test(
        "Time spans are those of RFC 5545",
        arguments: [
            (0, "PT0M"), (540, "PT9H"), (-900, "-PT15H"), (-9540, "-P6DT15H"), (-1440, "-P1D"), (-1395, "-PT23H15M"),
        ])
    func durations(minutes: Int, text: String) {
        #expect(CalendarWriter.duration(minutes) == text)
    }
}
