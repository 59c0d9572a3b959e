import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

/// An event of a calendar as its lines say.
struct CalendarLines: Equatable {
    let uid: String
    let day: String
    let sequence: Int
    let title: String
    let alarms: [String]

    /// The events of a calendar.
    static func events(_ text: String) -> [CalendarLines] {
        let lines = text.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
        return lines.split(separator: "BEGIN:VEVENT").dropFirst().map { lines in
            func values(_ name: String) -> [String] {
                lines.filter { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) }
            }
            return CalendarLines(
                uid: values("UID").first ?? "", day: values("DTSTART;VALUE=DATE").first ?? "",
                sequence: values("SEQUENCE").first.flatMap { Int($0) } ?? -1, title: values("SUMMARY").first ?? "",
                alarms: values("TRIGGER"))
        }
    }
}

extension TestService {
    /// Makes a calendar of a user.
    /// - Returns: the calendar, and the path of its address.
    func newCalendar(of user: TestUser, name: String? = nil) async throws -> (calendar: CalendarFeed, path: String) {
        let made = try await user.call(CreateCalendar(name: name))
        return (made.calendar, try #require(URLComponents(string: made.url)).path)
    }

    /// Reads a calendar as programs do, without a token of a device.
    func calendar(_ path: String, unless tag: String? = nil) async throws -> APIResponse {
        try await client.send("GET", path, headers: tag.map { [("If-None-Match", $0)] } ?? [])
    }
}
