/// A time on a clock, to the minute: `09:00`.
public struct ClockTime: Hashable, Comparable, Sendable {
    /// Minutes from midnight, 0…1439.
    public let minute: Int

    /// Takes minutes from midnight; others are clamped to a day.
    public init(minute: Int) { self.minute = min(max(minute, 0), 1439) }

    public static func < (left: Self, right: Self) -> Bool { left.minute < right.minute }
}

extension ClockTime: LosslessStringConvertible {
    /// Takes `HH:MM` from 00:00 to 23:59 and nothing else; nil for any other text.
    public init?(_ text: String) {
        let digits = text.utf8.map { Int($0) - 48 }
        guard digits.count == 5, digits[2] == 10, [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) }) else {
            return nil
        }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[3] * 10 + digits[4])
        guard hour < 24, minute < 60 else { return nil }
        self.init(minute: hour * 60 + minute)
    }

    /// `HH:MM`.
    public var description: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}
