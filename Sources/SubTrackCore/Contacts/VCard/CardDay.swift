import SubTrackAPI

/// A day of a card: `1995-06-25`, `19950625`, `--0229`, `--02-29`, each with or without a time behind it.
struct CardDay {
    /// As a contact holds it: `1995-06-25` or `--06-25`.
    var date: String
    /// Whether a time stands behind it that a contact has no field for.
    var hasTime: Bool

    /// Nil for other texts, and for days that no contact can have: none of the calendar, years before 1000 or after 2999.
    /// - Parameter omittedYear: the year that stands for none (`X-APPLE-OMIT-YEAR`).
    init?(_ text: String, omittedYear: String? = nil) {
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "t") || $0 == 0x20 } ?? bytes.count
        guard end <= 10 else { return nil }
        let day = bytes[..<end]
        let digits = day.filter { $0 != UInt8(ascii: "-") }
        guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        let form = String(decoding: day.map { (48...57).contains($0) ? UInt8(ascii: "0") : $0 }, as: UTF8.self)
        switch form {
        case "0000-00-00", "00000000":
            guard let date = CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100) else {
                return nil
            }
            if let omittedYear, Int(omittedYear) == number / 10_000 {
                self.date = "--" + date.description.suffix(5)
            } else {
                guard (1000...2999).contains(number / 10_000) else { return nil }
                self.date = date.description
            }
        case "--0000", "--00-00":
            // 29 February is a day of some years.
            guard let date = CalendarDate(year: 2000, month: number / 100, day: number % 100) else { return nil }
            self.date = "--" + date.description.suffix(5)
        default: return nil
        }
        hasTime = bytes[end...].contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }

    /// The parameter and the value of a property for a contact's day.
    static func written(_ date: String, version: VCardVersion) -> (parameters: String, value: String) {
        switch (version, date.hasPrefix("--")) {
        // Programs of 3.0 know no day without year. Those of Apple write one of a leap year, and say so.
        case (.v3, true): (";X-APPLE-OMIT-YEAR=1604", "1604-" + date.dropFirst(2))
        case (.v3, false): ("", date)
        case (.v4, true): ("", "--" + date.dropFirst(2).filter { $0 != "-" })
        case (.v4, false): ("", date.filter { $0 != "-" })
        }
    }
}
