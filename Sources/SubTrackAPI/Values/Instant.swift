/// A point in time in UTC, whole seconds: `2026-01-31T09:30:00Z` (RFC 3339).
public struct Instant: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX).
    public let secondsSince1970: Int64

    /// Takes seconds since 1970-01-01T00:00:00Z; values outside the years 1 to 9999 are clamped.
    public init(secondsSince1970 seconds: Int64) {
        secondsSince1970 = min(max(seconds, -62_135_596_800), 253_402_300_799)
    }

    public static func < (left: Self, right: Self) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    /// The day on which this instant falls where clocks are so many seconds ahead of UTC.
    public func date(secondsFromUTC offset: Int) -> CalendarDate {
        let shifted = secondsSince1970 + Int64(offset)
        let day = shifted >= 0 ? shifted / 86_400 : (shifted - 86_399) / 86_400
        return CalendarDate(daysSince1970: Int32(clamping: day))
    }
}

extension Instant: LosslessStringConvertible {
    /// Takes `YYYY-MM-DDThh:mm:ssZ`; nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 20, let date = CalendarDate(String(text.prefix(10))) else { return nil }
        let bytes = Array(text.utf8)
        guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes[19] == UInt8(ascii: "Z")
        else { return nil }
        func number(at index: Int) -> Int64? {
            let high = bytes[index] &- 48
            let low = bytes[index + 1] &- 48
            return high <= 9 && low <= 9 ? Int64(high) * 10 + Int64(low) : nil
        }
        guard let hour = number(at: 11), hour < 24, let minute = number(at: 14), minute < 60,
            let second = number(at: 17), second < 60
        else { return nil }
        self.init(secondsSince1970: Int64(date.daysSince1970) * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// `YYYY-MM-DDThh:mm:ssZ`.
    public var description: String {
        let date = date(secondsFromUTC: 0)
        let second = Int(secondsSince1970 - Int64(date.daysSince1970) * 86_400)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(date)T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
    }
}

extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let instant = Instant(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not an instant such as 2026-01-31T09:30:00Z")
        }
        self = instant
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
