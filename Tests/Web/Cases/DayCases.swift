import SubTrackAPI
import SubTrackCore

/// Days of the calendar and of time zones.
enum DayCases {
    static func day(_ random: inout CaseRandom) -> RuleCase {
        if random.once(in: 3) { return written(random.text()) }
        let day = random.day(anywhere: true), days = random.pick([0, 1, -1, 28, 365, -400, 2_000_000, -2_000_000])
        return arithmetic(day, days)
    }

    /// What a text says.
    static func written(_ text: String) -> RuleCase {
        RuleCase(kind: "parseDay", input: ["text": .string(text)], expected: .day(CalendarDate(text)))
    }

    static func arithmetic(_ day: CalendarDate, _ days: Int) -> RuleCase {
        let (year, month, date) = day.components
        return RuleCase(
            kind: "day", input: ["day": .day(day), "days": .int(days)],
            expected: .object([
                "text": .string(day.description), "year": .int(year), "month": .int(month), "day": .int(date),
                "length": .int(CalendarDate.daysInMonth(year: year, month: month)),
                "moved": .day(day.adding(days: days)),
            ]))
    }

    /// Zones whose rules are settled: both sides have an edition of the IANA database of their own.
    static let zones = [
        "Europe/Berlin", "Pacific/Auckland", "America/New_York", "Asia/Kolkata", "UTC", "Pacific/Kiritimati",
        "America/St_Johns",
        "Australia/Lord_Howe", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Pago_Pago",
    ]

    /// Near midnight wherever that is, in years whose rules are settled.
    static func localDay(_ random: inout CaseRandom) -> RuleCase {
        let half = random.int(1_262_304_000 / 1800...1_735_689_600 / 1800)
        return local(Int64(half * 1800 + random.pick([-1, 0, 0, 1])), random.pick(zones))
    }

    static func local(_ seconds: Int64, _ zone: String) -> RuleCase {
        RuleCase(
            kind: "localDay", input: ["seconds": .integer(seconds), "zone": .string(zone)],
            expected: .day(LocalDay.today(at: Instant(secondsSince1970: seconds), timeZone: zone)))
    }
}

extension CaseRandom {
    /// A day: mostly of these years and near the ends of months, now and then any.
    mutating func day(anywhere: Bool = false) -> CalendarDate {
        if anywhere || once(in: 12) {
            return CalendarDate(daysSince1970: Int32(int(-719_162...2_932_896)))
        }
        let (year, month) = (int(2019...2033), int(1...12))
        let last = CalendarDate.daysInMonth(year: year, month: month)
        let day = once(in: 2) ? int(1...last) : last - int(0...2)
        return CalendarDate(year: year, month: month, day: day) ?? CalendarDate(daysSince1970: 20_000)
    }

    /// What may be a day, and mostly is.
    mutating func text() -> String {
        let day = day(anywhere: once(in: 3)).description
        switch int(0...9) {
        case 0: return day + pick([" ", "T00:00:00Z", "0", "\u{0}"])
        case 1: return String(day.dropLast())
        case 2: return day.replacing("-", with: pick(["/", "", "−", "."]))
        case 3: return "\(int(0...3000))-\(int(0...13))-\(int(0...32))"
        case 4:
            func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
            return "\(int(1000...9999))-\(two(int(0...13)))-\(two(int(0...32)))"
        case 5:
            return pick([
                "", "2026-02-29", "2024-02-29", "0000-01-01", "0001-01-01", "9999-12-31", "٢٠٢٦-٠١-٠١", "2026-1-1",
            ])
        default: return day
        }
    }
}
