import Foundation

/// The parts of a moment in UTC, to the microsecond, by arithmetic alone (no calendar, no locale).
struct UTCDateTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
    var microsecond: Int

    /// Days from 1970-01-01 to 2001-01-01, Foundation's reference date.
    private static let referenceDays = 11_323

    init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, microsecond: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    /// Rounds to the nearest microsecond.
    init(_ date: Date) {
        // Split before rounding: a Double holds microseconds of this century, their product would lose some.
        let seconds = date.timeIntervalSinceReferenceDate
        // What the column cannot hold is sent as a year that the server refuses, never as another date.
        guard seconds > -63_114_076_801, seconds < 252_423_993_600 else {
            self.init(year: 0xFFFF, month: 0, day: 0, hour: 0, minute: 0, second: 0, microsecond: 0)
            return
        }
        var whole = Int(seconds.rounded(.down))
        var micros = Int(((seconds - seconds.rounded(.down)) * 1_000_000).rounded())
        if micros == 1_000_000 {
            micros = 0
            whole += 1
        }
        let days = Int((Double(whole) / 86_400).rounded(.down))
        let rest = whole - days * 86_400
        let (year, month, day) = UTCDateTime.civil(fromDays: days + UTCDateTime.referenceDays)
        self.init(
            year: year, month: month, day: day, hour: rest / 3_600, minute: rest / 60 % 60, second: rest % 60,
            microsecond: micros)
    }

    var date: Date {
        let days = UTCDateTime.days(fromYear: year, month: month, day: day) - UTCDateTime.referenceDays
        let whole = days * 86_400 + hour * 3_600 + minute * 60 + second
        return Date(timeIntervalSinceReferenceDate: Double(whole) + Double(microsecond) / 1_000_000)
    }

    /// Days since 1970-01-01 of a date in the proleptic Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day comes last, in eras of 400 years (146,097 days).
    static func days(fromYear year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The inverse of ``days(fromYear:month:day:)``.
    static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
