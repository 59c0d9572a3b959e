import SubTrackAPI
import SubTrackCore

/// Turns a file of rates into rates and faults.
struct RateReader {
    /// A currency on a day.
    private struct Key: Hashable {
        let currency: String
        let on: CalendarDate
    }

    /// The largest rate that the database takes.
    private static let maximum = Amount(units: 99_999_999_999, digits: 0)

    /// The file's name, for messages.
    let file: String
    /// The rates, in the order of the file.
    private(set) var rates: [RateFile.Rate] = []
    /// The line of the first rate of each currency, a faulty one included.
    private(set) var lines: [String: Int] = [:]
    /// The faults, in the order of the file.
    private(set) var faults = RevisionFileFaults()
    private var known: [Key: Amount] = [:]

    /// The last day that may have rates.
    private let latest: CalendarDate

    /// A reader that has read nothing.
    /// - Parameter today: the day in UTC; the next one has begun elsewhere.
    init(file: String, today: CalendarDate) {
        self.file = file
        latest = today.adding(days: 1)
    }

    private mutating func note(_ line: Int, column: String? = nil, _ reason: String, remedy: String) throws {
        try faults.add(RevisionFileFault(file: file, line: line, column: column, reason: reason, remedy: remedy))
    }

    /// Whether a text may be a code of ISO 4217; notes the fault of one that is none.
    private mutating func isCode(_ text: String, line: Int) throws -> Bool {
        if text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) { return true }
        try note(line, "no code of a currency: \(ShownText.of(text))", remedy: "write a code such as USD")
        return false
    }

    /// Takes a rate, or notes its fault.
    /// - Parameter day: nil where the day is faulty; then the rate is read and not taken.
    private mutating func take(_ currency: String, _ text: String, on day: CalendarDate?, line: Int) throws {
        if currency != "EUR", lines[currency] == nil { lines[currency] = line }
        guard !Self.isTooLarge(text) else {
            return try note(
                line, column: currency, "larger than \(Self.maximum): \(ShownText.of(text))",
                remedy: "write the units of the currency for one euro")
        }
        guard let rate = Amount(text), rate > Amount(units: 0, digits: 0) else {
            return try note(
                line, column: currency, "no rate above 0 such as 1.0812: \(ShownText.of(text))",
                remedy: "write digits and at most one point")
        }
        // The euro's own rate says nothing, and there is no row for it.
        if currency == "EUR" {
            guard rate == Amount(units: 1, digits: 0) else {
                return try note(line, column: currency, "rates are for one euro, which costs 1", remedy: "remove it")
            }
            return
        }
        guard let day else { return }
        let key = Key(currency: currency, on: day)
        if let other = known.updateValue(rate, forKey: key) {
            guard other != rate else { return }
            return try note(
                line, column: currency, "\(day) has two rates: \(other) and \(rate)", remedy: "remove one of them")
        }
        rates.append(RateFile.Rate(currency: currency, on: day, perEuro: rate))
    }

    /// Whether a text is a number above the largest rate, also one with more digits than an amount has.
    private static func isTooLarge(_ text: String) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return false }
        if whole.drop(while: { $0 == "0" }).count > 11 { return true }
        return Amount(text).map { $0 > maximum } ?? false
    }

    /// The day that a text names, or its fault.
    private mutating func day(_ text: String, line: Int) throws -> CalendarDate? {
        if let day = CalendarDate(text) ?? Self.written(text), CalendarDate.ofCatalogue.contains(day) {
            if day <= latest { return day }
            try note(line, "the day is in the future: \(day)", remedy: "write the day of the rates")
            return nil
        }
        let days = CalendarDate.ofCatalogue
        try note(
            line, "no day from \(days.lowerBound) to \(days.upperBound): \(ShownText.of(text))",
            remedy: "write a day such as 2026-01-30")
        return nil
    }

    /// `<Cube time='2026-01-30'><Cube currency='USD' rate='1.0812'/>…</Cube>`: of the tags only `Cube` is looked at.
    mutating func readXML(_ bytes: [UInt8]) throws {
        var current: CalendarDate?
        var hasDay = false
        var line = 1
        var tags = OpenTags()
        let parts = bytes.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            defer { line += part.count { $0 == UInt8(ascii: "\n") } }
            guard number > 0, let tag = tags.read(part, line: line), tag.hasPrefix("Cube") else { continue }
            let attributes = Self.attributes(String(tag.dropFirst(4)))
            if let time = attributes["time"] {
                hasDay = true
                current = try day(time, line: line)
            } else if let currency = attributes["currency"], let text = attributes["rate"] {
                if !hasDay {
                    try note(
                        line, "a rate stands before its day", remedy: "put it into a Cube with the attribute time")
                }
                if try isCode(currency, line: line) { try take(currency, text, on: current, line: line) }
            }
        }
        // A line feed at the end begins no line.
        if bytes.last == UInt8(ascii: "\n") { line -= 1 }
        if let fault = tags.faultAtEnd(line: line) {
            try note(fault.line, fault.reason, remedy: "download the file from the bank again")
        }
    }

    /// `a='1' b="2"` by name.
    private static func attributes(_ text: String) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = text[...]
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
            rest = rest[equals...].dropFirst().drop(while: \.isWhitespace)
            guard let quote = rest.first, quote == "'" || quote == "\"" else { return attributes }
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: quote) else { return attributes }
            attributes[name] = String(rest[..<end])
            rest = rest[end...].dropFirst()
        }
        return attributes
    }

    /// A line of codes behind `Date`, and a line of rates for each day; `N/A` where there is none.
    mutating func readCSV(_ bytes: [UInt8]) throws {
        func texts(_ row: CSVRows.Row) -> [String] {
            row.fields.map { field in
                let text = String(decoding: field, as: UTF8.self)
                return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            }
        }
        var rows = CSVRows(bytes)
        guard let head = rows.next().map(texts), head.first == "Date" else {
            return try note(
                1, "neither XML nor a table whose first column is Date",
                remedy: "take eurofxref-daily.xml, or its CSV with commas between the columns")
        }
        var columns: [(place: Int, currency: String)] = []
        for (place, currency) in head.enumerated().dropFirst() where !currency.isEmpty {
            if try isCode(currency, line: 1) { columns.append((place, currency)) }
        }
        // The bank's lines end with a comma, which names no column and may be left out.
        let needed = (head.lastIndex { !$0.isEmpty } ?? 0) + 1
        let isEnded = bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "\r")
        var next = rows.next()
        while let row = next {
            next = rows.next()
            let fields = texts(row)
            // A last line without its end is taken only with all fields: its last number may be cut off as well.
            let isCut = next == nil && rows.openQuote == nil && !isEnded && fields.count < head.count
            let on = try day(fields.first ?? "", line: row.line)
            if isCut || fields.count < needed {
                try note(
                    row.line,
                    "\(isCut ? "it ends in the middle: " : "")\(fields.count) \(fields.count == 1 ? "field" : "fields") "
                        + "where the first line names \(head.count)",
                    remedy: isCut ? "download the file from the bank again" : "write N/A where there is no rate")
                continue
            }
            if fields.dropFirst(head.count).contains(where: { !$0.isEmpty }) {
                try note(
                    row.line, "\(fields.count) fields where the first line names \(head.count)",
                    remedy: "remove the commas too many; decimals have a point")
                continue
            }
            for (place, currency) in columns
            where fields.indices.contains(place) && !["", "N/A"].contains(fields[place]) {
                try take(currency, fields[place], on: on, line: row.line)
            }
        }
        if let line = rows.openQuote {
            try note(
                line, "a quote is opened here and never closed", remedy: "close it; the rest of the file was not read")
        }
    }

    /// A day such as `30 January 2026`.
    private static func written(_ text: String) -> CalendarDate? {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
        let parts = text.split(separator: " ")
        guard parts.count == 3, let day = Int(parts[0]), let month = months.firstIndex(of: String(parts[1])),
            let year = Int(parts[2]), (1...31).contains(day), (1970...2999).contains(year)
        else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return CalendarDate("\(year)-\(two(month + 1))-\(two(day))")
    }
}
