import SubTrackAPI
import SubTrackCore

/// Rates of the euro as the European Central Bank publishes them: `eurofxref-daily.xml`, or the CSV of the same name; files
/// of several days are read too.
public struct RateFile: Sendable, Equatable {
    /// A rate of a day.
    public struct Rate: Sendable, Equatable {
        /// ISO 4217.
        public let currency: String
        /// The day.
        public let on: CalendarDate
        /// Units of the currency for one euro.
        public let perEuro: Amount
    }

    /// The largest file that is read, in bytes: one of all days since 1999 has fewer.
    public static let maximumBytes = 16 << 20

    /// The rates, in the order of the file.
    public let rates: [Rate]

    /// Reads a file.
    /// - Throws: ``RevisionFileFault`` for a file that is no such one; nothing of it is taken.
    public init(name: String, bytes: some Sequence<UInt8>) throws {
        let bytes = Array(bytes)
        func fault(_ line: Int?, _ reason: String) -> RevisionFileFault {
            RevisionFileFault(file: name, line: line, reason: reason)
        }
        guard bytes.count <= Self.maximumBytes else {
            throw fault(nil, "the file has more than \(Self.maximumBytes) bytes")
        }
        let first = bytes.first { $0 > UInt8(ascii: " ") && $0 < 0x80 }
        rates = first == UInt8(ascii: "<") ? try Self.xml(bytes, fault) : try Self.csv(bytes, fault)
        guard !rates.isEmpty else { throw fault(nil, "there is no rate in it") }
    }

    private static func rate(
        _ currency: String, _ text: String, on day: CalendarDate, fault: (String) -> RevisionFileFault
    ) throws -> Rate {
        let isCode = currency.utf8.count == 3 && currency.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        guard isCode else { throw fault("no code of a currency: \(SnapshotFault.shown(currency))") }
        guard let rate = Amount(text), rate > Amount(units: 0, digits: 0) else {
            throw fault("\(currency): no rate above 0: \(SnapshotFault.shown(text))")
        }
        return Rate(currency: currency, on: day, perEuro: rate)
    }

    /// `<Cube time='2026-01-30'><Cube currency='USD' rate='1.0812'/>…</Cube>`: of the tags only `Cube` is looked at.
    private static func xml(
        _ bytes: [UInt8], _ fault: (Int?, String) -> RevisionFileFault
    ) throws -> [Rate] {
        var rates: [Rate] = []
        var day: CalendarDate?
        var line = 1
        for (number, part) in bytes.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).enumerated() {
            defer { line += part.count { $0 == UInt8(ascii: "\n") } }
            guard number > 0, part.starts(with: "Cube".utf8), let end = part.firstIndex(of: UInt8(ascii: ">")) else {
                continue
            }
            let attributes = attributes(String(decoding: part[..<end].dropFirst(4), as: UTF8.self))
            if let time = attributes["time"] {
                guard let known = CalendarDate(time) else { throw fault(line, "no day: \(SnapshotFault.shown(time))") }
                day = known
            } else if let currency = attributes["currency"], let text = attributes["rate"] {
                guard let day else { throw fault(line, "a rate stands before its day") }
                rates.append(try rate(currency, text, on: day) { fault(line, $0) })
            }
        }
        return rates
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
    private static func csv(
        _ bytes: [UInt8], _ fault: (Int?, String) -> RevisionFileFault
    ) throws -> [Rate] {
        func texts(_ row: CSVRows.Row) -> [String] {
            row.fields.map { field in
                let text = String(decoding: field, as: UTF8.self)
                return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            }
        }
        var rows = CSVRows(bytes)
        guard let head = rows.next().map(texts), head.first == "Date" else {
            throw fault(1, "neither XML nor a table that begins with Date")
        }
        var rates: [Rate] = []
        while let row = rows.next() {
            let fields = texts(row)
            guard let first = fields.first, let day = CalendarDate(first) ?? written(first) else {
                throw fault(row.line, "no day: \(SnapshotFault.shown(fields.first ?? ""))")
            }
            for (currency, text) in zip(head, fields).dropFirst()
            where !currency.isEmpty && !["", "N/A"].contains(text) {
                rates.append(try rate(currency, text, on: day) { fault(row.line, $0) })
            }
        }
        return rates
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
