import Foundation
import SubTrackAPI
import Synchronization

/// The present time as HTTP writes it (IMF-fixdate, RFC 9110 §5.6.7): `Sat, 31 Jan 2026 23:59:59 GMT`.
enum HTTPDate {
    private static let last = Mutex<(second: Int, text: String)>((-1, ""))

    /// The text of this second, which is made once.
    static var now: String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let second = time.tv_sec
        return last.withLock { last in
            if last.second != second { last = (second, text(of: Instant(secondsSince1970: Int64(second)))) }
            return last.text
        }
    }

    /// An instant's text.
    static func text(of instant: Instant) -> String {
        let date = instant.date(secondsFromUTC: 0)
        let (year, month, day) = date.components
        let second = Int(instant.secondsSince1970 - Int64(date.daysSince1970) * 86_400)
        // 1970-01-01 was a Thursday.
        let weekday = (Int(date.daysSince1970) % 7 + 11) % 7
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let years = String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
        return "\(weekdays[weekday]), \(digits(day)) \(months[month - 1]) \(years) "
            + "\(digits(second / 3600)):\(digits(second / 60 % 60)):\(digits(second % 60)) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
