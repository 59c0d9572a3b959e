import Foundation
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

/// An event of a calendar as its lines say.
struct CalendarLines: Equatable {
    let uid: String
    let day: String
    let sequence: Int
    let title: String

    /// The events of a calendar.
    static func events(_ text: String) -> [CalendarLines] {
        let lines = text.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
        return lines.split(separator: "BEGIN:VEVENT").dropFirst().map { lines in
            func value(_ name: String) -> String {
                lines.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) } ?? ""
            }
            return CalendarLines(
                uid: value("UID"), day: value("DTSTART;VALUE=DATE"), sequence: Int(value("SEQUENCE")) ?? -1,
                title: value("SUMMARY"))
        }
    }
}

extension TestService {
    /// Reads a calendar as programs do, without a token of a device.
    func calendar(_ path: String, unless tag: String? = nil) async throws -> APIResponse {
        try await client.send("GET", path, headers: tag.map { [("If-None-Match", $0)] } ?? [])
    }
}
