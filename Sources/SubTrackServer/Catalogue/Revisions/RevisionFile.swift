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
                file: name, line: nil, reason: "the name must end with .csv, .json or .sql, or --format must say which")
        }
        self.name = name
        self.format = format
        self.bytes = Array(bytes)
        let limit = format == .csv ? Self.maximumBytes : Self.maximumJSONBytes
        guard self.bytes.count <= limit else {
            throw RevisionFileFault(file: name, line: nil, reason: "the file has more than \(limit) bytes")
        }
    }

    /// Reads the rows one after the other.
    /// - Parameters:
    ///   - provider: whose plans they are, where the file is a list of countries that does not say so.
    ///   - category: the category of that provider.
    ///   - day: the day on which plans are not sold any more that the file says are not.
    ///   - body: gets each row before the first fault.
    /// - Throws: ``RevisionFileFaults`` for what is no table of plans at all, and what `body` throws.
    func forEachRow(
        provider: String?, category: String, day: CalendarDate, _ body: (StagedRow) async throws -> Void
    ) async throws {
        switch format {
        case .csv: try await forEachCSVRow(body)
        case .json:
            for row in try jsonRows(provider: provider, category: category, day: day) { try await body(row) }
        case .sql: try await forEachSQLRow(body)
        }
    }

    private func forEachSQLRow(_ body: (StagedRow) async throws -> Void) async throws {
        var rows = SQLRows(self)
        var faults = RevisionFileFaults()
        while true {
            do {
                guard let row = try rows.next() else { return try faults.check() }
                if faults.faults.isEmpty { try await body(row) }
            } catch let fault as RevisionFileFault {
                try faults.add(fault)
                guard rows.skipsFault() else { return try faults.check() }
            }
        }
    }

    private func forEachCSVRow(_ body: (StagedRow) async throws -> Void) async throws {
        var rows = CSVRows(bytes)
        var faults = RevisionFileFaults()
        guard let head = rows.next() else {
            try faults.add(fault(nil, "there is nothing in it"))
            return try faults.check()
        }
        let places = try places(of: head, &faults)
        while let row = rows.next() {
            guard row.fields.count == head.fields.count else {
                let count = row.fields.count
                try faults.add(
                    fault(
                        row.line,
                        "\(count) \(count == 1 ? "field" : "fields") where the first line names \(head.fields.count); put a text "
                            + "with commas in quotes, and write a comma for each field that is empty"))
                continue
            }
            guard faults.faults.isEmpty else { continue }
            var values = [[UInt8]?](repeating: nil, count: StagedRow.columns.count)
            for (place, field) in zip(places, row.fields) { values[place] = field }
            try await body(StagedRow(line: row.line, values: values))
        }
        if let line = rows.openQuote {
            try faults.add(fault(line, "a quote is opened here and never closed; double a quote within a text"))
        }
        try faults.check()
    }

    /// The places of the columns that the first line names.
    private func places(of head: CSVRows.Row, _ faults: inout RevisionFileFaults) throws -> [Int] {
        var places: [Int] = []
        for field in head.fields {
            let name = String(decoding: field, as: UTF8.self).filter { !$0.isWhitespace }
            guard let place = StagedRow.place(of: name) else {
                let meant = Setting.nearest(to: name, of: StagedRow.columns).map { " (did you mean \($0)?)" } ?? ""
                try faults.add(
                    fault(
                        head.line,
                        "the first line must name columns out of \(StagedRow.columns.joined(separator: ", ")); "
                            + "this is none: \(SnapshotFault.shown(name))\(meant)"))
                continue
            }
            if places.contains(place) {
                try faults.add(
                    fault(
                        head.line,
                        "the first line names a column twice; remove one of them: \(SnapshotFault.shown(name))"))
            }
            places.append(place)
        }
        return places
    }

    func fault(_ line: Int?, _ reason: String) -> RevisionFileFault {
        RevisionFileFault(file: name, line: line, reason: reason)
    }
}
