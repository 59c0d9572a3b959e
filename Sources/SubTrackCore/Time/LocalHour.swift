import Foundation
import SubTrackAPI

extension LocalDay {
    /// The instant at which a zone's clock shows a time of a day.
    ///
    /// A time in the gap of a change of clocks is the gap's end, and one that comes twice is the first. Where the gap takes
    /// the day's last hour, it is the last minute before. A day that the zone leaves out has the hour of the next one.
    /// - Parameter minute: minutes from midnight, 0…1439.
    /// - Returns: nil when there is no such zone.
    public static func instant(of day: CalendarDate, minute: Int, timeZone identifier: String) -> Instant? {
        guard let zone = zone(identifier) else { return nil }
        return Clock(zone: zone).instant(of: day, minute: minute)
    }
}

/// The clock of a zone. Readings are seconds, as if the clock were at UTC.
private struct Clock {
    private static let secondsOfDay: Int64 = 86_400

    let zone: TimeZone

    func instant(of day: CalendarDate, minute: Int) -> Instant {
        let wanted = Int64(day.daysSince1970) * Self.secondsOfDay + Int64(minute) * 60
        // No clock is a day away from UTC, so these two offsets hold before and after.
        let exact = [wanted - Self.secondsOfDay, wanted + Self.secondsOfDay].map { wanted - offset(at: $0) }
            .filter { reading(at: $0) == wanted }
        if let first = exact.min() { return Instant(secondsSince1970: first) }
        let end = endOfGap(over: wanted)
        if self.day(at: end) == day { return Instant(secondsSince1970: end) }
        if self.day(at: end - 60) == day { return Instant(secondsSince1970: end - 60) }
        return instant(of: day.adding(days: 1), minute: minute)
    }

    /// The first instant of which the clock reads more than a reading that it passes over.
    private func endOfGap(over wanted: Int64) -> Int64 {
        var (before, after) = (wanted - Self.secondsOfDay, wanted + Self.secondsOfDay)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if reading(at: middle) > wanted { after = middle } else { before = middle }
        }
        return after
    }

    private func reading(at seconds: Int64) -> Int64 { seconds + offset(at: seconds) }

    private func day(at seconds: Int64) -> CalendarDate {
        Instant(secondsSince1970: seconds).date(secondsFromUTC: Int(offset(at: seconds)))
    }

    private func offset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
}
