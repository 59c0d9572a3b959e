import Foundation
import SubTrackAPI
import Synchronization

/// Days in people's time zones. A zone is named by its identifier in the IANA Time Zone Database: `Europe/Berlin`.
public enum LocalDay {
    /// The day on which an instant falls in a time zone.
    /// - Returns: nil when there is no such zone.
    public static func today(at now: Instant, timeZone identifier: String) -> CalendarDate? {
        guard let zone = zone(identifier) else { return nil }
        let date = Date(timeIntervalSince1970: Double(now.secondsSince1970))
        return now.date(secondsFromUTC: zone.secondsFromGMT(for: date))
    }

    /// Whether this names a time zone: an identifier of the IANA database, its older names included, written as there.
    /// Abbreviations (`PST`) and offsets (`GMT+5`) are none, though `EST` and `Etc/GMT+5` are.
    public static func isTimeZone(_ identifier: String) -> Bool { zone(identifier) != nil }

    /// Zones that were asked for. Only valid ones are kept, so there are never more than the database has names.
    private static let zones = Mutex<[String: TimeZone]>([:])

    static func zone(_ identifier: String) -> TimeZone? {
        // No name is longer, and to hash a text takes time in proportion to it.
        guard identifier.utf8.count <= 64 else { return nil }
        if let known = zones.withLock({ $0[identifier] }) { return known }
        guard isWritten(identifier), let zone = TimeZone(identifier: identifier) else { return nil }
        zones.withLock { $0[identifier] = zone }
        return zone
    }

    /// Foundation also takes offsets, the abbreviations of ICU and names with a NUL in them. An identifier of IANA is
    /// an area and a place, or one of the old names without an area.
    private static func isWritten(_ identifier: String) -> Bool {
        guard identifier.contains("/") else { return namesWithoutArea.contains(identifier) }
        return !identifier.hasPrefix("SystemV/")
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "+"):
                    true
                default: false
                }
            }
    }

    /// The names without an area in the IANA database (2025b). There will be no new ones: its theory file names new
    /// zones by area and place.
    private static let namesWithoutArea: Set<String> = [
        "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "GB", "GB-Eire", "GMT", "GMT+0", "GMT-0",
        "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya",
        "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK",
        "Singapore", "Turkey", "UCT", "UTC", "Universal", "W-SU", "WET", "Zulu",
    ]
}
