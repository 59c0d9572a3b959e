import SubTrackAPI
import SubTrackCore

/// A file with plans: CSV with a line of column names, JSON, or SQL that inserts into `Staged_plan`.
public struct RevisionFile: Sendable {
    /// How a file is written.
    public enum Format: String, Sendable, CaseIterable {
        case csv, json, sql
    }

    /// The largest file that is read, in bytes: room for a million rows.
    public static let maximumBytes = 256 << 20
    /// The largest file that is read as a whole before its first row is known.
    public static let maximumJSONBytes = 64 << 20

    /// The file's name, for messages.
    public let name: String
    /// How it is written.
    public let format: Format
    let bytes: [UInt8]

    /// A file's bytes.
    /// - Parameters:
    ///   - name: its name; what stands behind the last point says how it is written.
    ///   - format: how it is written, where its name does not say so.
    /// - Throws: ``RevisionFileFault`` when the name says nothing, or it is too large.
    public init(name: String, format: Format? = nil, bytes: some Sequence<UInt8>) throws {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let format = format ?? Format(rawValue: ending) else {
            throw RevisionFileFault(
                file: name, reason: "the name ends with none of .csv, .json and .sql",
                remedy: "rename it, or give --format")
        }
        self.name = name
        self.format = format
        self.bytes = Array(bytes)
        let limit = format == .csv ? Self.maximumBytes : Self.maximumJSONBytes
        guard self.bytes.count <= limit else {
            throw RevisionFileFault(
                file: name, reason: "the file has more than \(limit) bytes", remedy: "split it into several")
        }
    }

    /// Reads the rows one after the other, those behind a fault too.
    /// - Parameters:
    ///   - provider: the provider, where the file is a list of countries that does not name it.
    ///   - category: the category of that provider.
    ///   - day: the day from which plans are not sold that the file calls not sold.
    ///   - body: gets each row that can be read. It gets none where the line of names is faulty.
    /// - Throws: ``RevisionFileFaults`` at the end, or at the limit of faults; errors of `body`.
    func forEachRow(
        provider: String?, category: String, day: CalendarDate, _ body: (StagedRow) async throws -> Void
    ) async throws {
        if let fault = ForeignFile.fault(of: bytes, file: name) { throw RevisionFileFaults([fault]) }
        var faults = RevisionFileFaults()
        switch format {
        case .csv: try await forEachCSVRow(&faults, body)
        case .json:
            let rows = try jsonRows(provider: provider, category: category, day: day, &faults)
            for row in rows { try await body(row) }
        case .sql: try await forEachSQLRow(&faults, body)
        }
        try faults.check()
    }

    private func forEachSQLRow(
        _ faults: inout RevisionFileFaults, _ body: (StagedRow) async throws -> Void
    ) async throws {
        var rows = SQLRows(self)
        while true {
            do {
                guard let row = try rows.next() else { return }
                try await body(row)
            } catch let fault as RevisionFileFault {
                try faults.add(fault)
                guard rows.skipsFault() else { return }
            }
        }
    }

    private func forEachCSVRow(
        _ faults: inout RevisionFileFaults, _ body: (StagedRow) async throws -> Void
    ) async throws {
        var rows = CSVRows(bytes)
        guard let head = rows.next() else {
            throw RevisionFileFaults([
                rows.openQuote.map { Self.openQuote($0, in: name) }
                    ?? fault(nil, "there is nothing in it", remedy: "name the columns in the first line")
            ])
        }
        let places = try places(of: head, &faults)
        let isReadable = faults.faults.isEmpty
        var number = 0
        while let row = rows.next() {
            number += 1
            guard row.fields.count == head.fields.count else {
                let fields = row.fields.count.counted("field", "fields")
                try faults.add(
                    RevisionFileFault(
                        file: name, line: row.line, row: number,
                        reason: "\(fields) where the first line names \(head.fields.count)",
                        remedy: "put a text with commas in quotes, and write a comma for each field that is empty"))
                continue
            }
            guard isReadable else { continue }
            var values = [[UInt8]?](repeating: nil, count: StagedRow.columns.count)
            for (place, field) in zip(places, row.fields) { values[place] = field }
            try await body(StagedRow(line: row.line, row: number, values: values))
        }
        if let line = rows.openQuote { try faults.add(Self.openQuote(line, in: name)) }
    }

    private static func openQuote(_ line: Int, in file: String) -> RevisionFileFault {
        RevisionFileFault(
            file: file, line: line, reason: "a quote is opened here and never closed",
            remedy: "double a quote within a text; the rest of the file was not read")
    }

    /// The places of the columns that the first line names.
    private func places(of head: CSVRows.Row, _ faults: inout RevisionFileFaults) throws -> [Int] {
        let names = head.fields.map { String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace } }
        for (separator, name) in [(UInt8(ascii: ";"), "semicolons"), (UInt8(ascii: "\t"), "tabs")]
        where head.fields.count == 1 && head.fields[0].contains(separator) {
            throw RevisionFileFaults([
                fault(head.line, "the columns are separated by \(name)", remedy: "save the file with commas")
            ])
        }
        var places: [Int] = []
        // A column that is misspelled is not missing as well.
        var named: Set<String> = []
        for name in names {
            guard let place = StagedRow.place(of: name) else {
                let meant = Setting.nearest(to: name, of: StagedRow.columns)
                if let meant { named.insert(meant) }
                try faults.add(
                    fault(
                        head.line, "the first line must name columns; this is none: \(ShownText.of(name))",
                        remedy: meant.map { "did you mean \($0)?" }
                            ?? "there are \(StagedRow.columns.joined(separator: ", "))"))
                continue
            }
            named.insert(StagedRow.columns[place])
            if places.contains(place) {
                try faults.add(
                    fault(
                        head.line, "the first line names a column twice: \(ShownText.of(name))",
                        remedy: "remove one of them"))
            }
            places.append(place)
        }
        let isWithdrawal = named.contains("Withdrawn_on")
        for column in StagedRow.neededColumns
        where !named.contains(column) && !(column == "Fee" && isWithdrawal) {
            try faults.add(fault(head.line, "the first line does not name \(column)", remedy: "add that column"))
        }
        return places
    }

    func fault(_ line: Int?, _ reason: String, remedy: String? = nil) -> RevisionFileFault {
        RevisionFileFault(file: name, line: line, reason: reason, remedy: remedy)
    }
}
