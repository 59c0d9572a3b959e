/// A day of the proleptic Gregorian calendar, without time or zone: `2026-01-31`.
///
/// It is held as days since 1970-01-01, so that comparing, ordering and counting days are integer operations.
public struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before it.
    public let daysSince1970: Int32

    /// The days that can be written with four digits of year: 0001-01-01 to 9999-12-31.
    public static let range = CalendarDate(daysSince1970: -719_162)...CalendarDate(daysSince1970: 2_932_896)

    /// Takes days since 1970-01-01, anywhere in ``range``; other days are clamped to it.
    public init(daysSince1970 days: Int32) {
        daysSince1970 = min(max(days, -719_162), 2_932_896)
    }

    /// Takes year (1…9999), month (1…12) and day; nil when there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysInMonth(year: year, month: month)
        else { return nil }
        self.init(daysSince1970: Self.days(year: year, month: month, day: day))
    }

    /// Year, month and day of this date.
    public var components: (year: Int, month: Int, day: Int) {
        // Days counted from 0000-03-01, in eras of 400 years: a leap day is then the last day of its year.
        let shifted = Int(daysSince1970) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    public static func < (left: Self, right: Self) -> Bool { left.daysSince1970 < right.daysSince1970 }

    /// The number of days from this date to another; negative when the other is earlier.
    public func days(to other: CalendarDate) -> Int { Int(other.daysSince1970) - Int(daysSince1970) }

    /// This date moved by a number of days, clamped to ``range``.
    public func adding(days: Int) -> CalendarDate {
        let moved = Int(daysSince1970).addingReportingOverflow(days)
        guard !moved.overflow else { return days < 0 ? Self.range.lowerBound : Self.range.upperBound }
        return CalendarDate(daysSince1970: Int32(clamping: moved.partialValue))
    }

    /// The number of days of a month.
    /// - Parameters:
    ///   - year: the year, 1…9999.
    ///   - month: the month, 1…12.
    public static func daysInMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether a year has a 29 February.
    public static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(year: Int, month: Int, day: Int) -> Int32 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int32(era * 146_097 + dayOfEra - 719_468)
    }
}

extension CalendarDate: LosslessStringConvertible {
    /// Takes `YYYY-MM-DD` (RFC 3339 `full-date`) and nothing else; nil when it is not a day of the calendar.
    public init?(_ text: String) {
        var text = text
        let parsed: CalendarDate? = text.withUTF8 { bytes in
            guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
            func number(_ range: Range<Int>) -> Int? {
                var value = 0
                for index in range {
                    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
                    value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
                }
                return value
            }
            guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
            return CalendarDate(year: year, month: month, day: day)
        }
        guard let parsed else { return nil }
        self = parsed
    }

    /// `YYYY-MM-DD`.
    public var description: String {
        String(unsafeUninitializedCapacity: 10) { buffer in
            writeASCII(to: buffer)
            return 10
        }
    }

    /// Writes `YYYY-MM-DD` into the first ten bytes of a buffer that has at least ten.
    public func writeASCII(to buffer: UnsafeMutableBufferPointer<UInt8>) {
        let (year, month, day) = components
        func digit(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: 48 + value % 10) }
        buffer[0] = digit(year / 1000)
        buffer[1] = digit(year / 100)
        buffer[2] = digit(year / 10)
        buffer[3] = digit(year)
        buffer[4] = UInt8(ascii: "-")
        buffer[5] = digit(month / 10)
        buffer[6] = digit(month)
        buffer[7] = UInt8(ascii: "-")
        buffer[8] = digit(day / 10)
        buffer[9] = digit(day)
    }
}

extension CalendarDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = CalendarDate(text) else {
            let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(40)))
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(shown)\" is not a day such as 2026-01-31")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
