import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// A Python with icalendar and vobject, in the environment that `script/lib/python.sh` makes.
private enum CalendarJudge {
    /// The program; nil where there is none.
    static let python: String? = {
        let environment = root.appending(path: ".build-python/env")
        let path = environment.appending(path: "bin/python").path
        let library = environment.appending(path: "lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        let isThere = versions.contains { version in
            ["vobject", "icalendar"].allSatisfy {
                FileManager.default.fileExists(atPath: "\(library)/\(version)/site-packages/\($0)")
            }
        }
        return isThere && FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardized
}

/// Calendars in the eyes of public libraries.
@Suite(
    "Calendars, judged by Python's libraries",
    .enabled(if: CalendarJudge.python != nil, "wants icalendar in .build-python (script/test makes it)"), .ownTime)
struct CalendarPythonTests {
    private struct ParsedEvent: Decodable {
        var uid, start, end, summary: String
        var sequence: Int64
        var days: [String]
    }

    private func parse(_ calendar: [UInt8], by library: String) throws -> [ParsedEvent] {
        let process = Process()
        process.executableURL = URL(filePath: try #require(CalendarJudge.python))
        process.arguments = [CalendarJudge.root.appending(path: "Tests/Python/calendars.py").path, library]
        // By a file: a pipe that nobody empties would stop the program.
        let file = FileManager.default.temporaryDirectory.appending(path: "calendar-\(UUID().uuidString)")
        try Data(calendar).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        process.standardInput = try FileHandle(forReadingFrom: file)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try output.split(separator: 0x0A).map { try JSONDecoder().decode(ParsedEvent.self, from: Data($0)) }
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
