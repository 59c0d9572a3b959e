import SubTrackAPI

/// What a revision does to the catalogue, or did.
public struct RevisionReport: Sendable, Equatable, Encodable {
    /// A row that changes something, was rejected, or leaves a plan withdrawn.
    public struct Row: Sendable, Equatable, Encodable {
        /// The line of the file; nil for a plan that is not in it.
        public let line: Int?
        /// The number of the row below the line of names, or of the entry of a list, from 1; nil for a plan that is not in the file.
        public internal(set) var row: Int?
        /// ISO 3166-1 alpha-2; empty where it could not be read.
        public let country: String
        /// Who sells it.
        public let provider: String?
        /// The plan's name.
        public let plan: String?
        /// `rejected`, `new`, `price`, `terms`, `price, terms`, `withdrawn`, or `unchanged` where the plan stays withdrawn.
        public let outcome: String
        /// Why it was rejected, or what changes.
        public let explanation: String?
    }

    /// The file's name.
    public let file: String
    /// The day from which prices hold that name none.
    public let effectiveOn: CalendarDate
    /// Countries in the file.
    public let countries: Int
    /// Countries that were applied.
    public internal(set) var applied = 0
    /// Plans that are not in the catalogue.
    public let new: Int
    /// Days of price lines that are added or corrected.
    public let changedPrice: Int
    /// Plans whose terms change, or that are sold again.
    public let changedTerms: Int
    /// Plans that are withdrawn.
    public let withdrawn: Int
    /// Rows that say what the catalogue has.
    public let unchanged: Int
    /// Rows that cannot be taken, and lines that cannot be read. With any of them nothing is applied.
    public internal(set) var rejected: Int
    /// The first of the rows that have something to tell; the rejected ones come first.
    public internal(set) var rows: [Row]
    /// The faults of the file, by line: of the rejected ones among the rows, and of lines that cannot be read.
    public internal(set) var faults: [RevisionFileFault] = []
    /// Whether the file has more faults than these.
    public var isCut: Bool { faults.count < rejected }
}

extension RevisionReport {
    /// The same report with the faults of all lines and rows.
    /// - Parameters:
    ///   - unread: the faults of lines that were not staged.
    ///   - numbers: the number in the file of each row that was staged.
    func with(_ unread: RevisionFileFaults, numbers: [Int]) -> RevisionReport {
        var report = self
        for index in report.rows.indices {
            guard let staged = report.rows[index].row, numbers.indices.contains(staged - 1) else { continue }
            report.rows[index].row = numbers[staged - 1]
        }
        report.rejected += unread.faults.count
        let rejected = report.rows.filter { $0.outcome == Row.rejected }
        let faults = unread.faults + rejected.map { RevisionFileFault(file: file, rejected: $0) }
        // Swift's sort keeps the order of faults on one line.
        report.faults = faults.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
        report.rows =
            unread.faults.map { fault in
                let remedy = fault.remedy.map { "; \($0)" } ?? ""
                return Row(
                    line: fault.line, row: fault.row, country: "", provider: nil, plan: nil, outcome: Row.rejected,
                    explanation: fault.reason + remedy)
            } + report.rows
        return report
    }
}

extension RevisionReport.Row {
    /// The outcome of a row that cannot be taken.
    static let rejected = "rejected"

    /// Whether the row prices a plan that is withdrawn, and leaves it so. The trigger of `Revision_country` says it in these words.
    public var staysWithdrawn: Bool {
        outcome != Self.rejected && explanation?.contains("it stays withdrawn on ") == true
    }

    /// The country, the provider and the name, as far as they could be read.
    var place: String {
        [country, provider, plan].compactMap(\.self).filter { !$0.isEmpty }
            .map { ShownText.of($0) }.joined(separator: ", ")
    }
}

extension RevisionFileFault {
    /// The fault of a rejected row. The check explains it as `column: reason; remedy`.
    init(file: String, rejected row: RevisionReport.Row) {
        var reason = (row.explanation ?? "it is rejected")[...]
        var (column, remedy): (String?, String?) = (nil, nil)
        let known = StagedRow.columns + ["Surplus"]
        if let end = reason.firstRange(of: ": "), known.contains(String(reason[..<end.lowerBound])) {
            column = String(reason[..<end.lowerBound])
            reason = reason[end.upperBound...]
        }
        if let end = reason.ranges(of: "; ").last {
            remedy = String(reason[end.upperBound...])
            reason = reason[..<end.lowerBound]
        }
        self.init(
            file: file, line: row.line, row: row.row, plan: row.place.isEmpty ? nil : row.place, column: column,
            reason: String(reason), remedy: remedy)
    }
}

extension RevisionReport: CustomStringConvertible {
    /// A line of counts.
    public var description: String {
        """
        \(file): \(countries.counted("country", "countries")), prices from \(effectiveOn): \(new) new, \
        \(changedPrice.counted("changed price", "changed prices")), \(changedTerms) changed terms, \
        \(withdrawn) withdrawn, \(unchanged) unchanged, \(rejected) rejected
        """
    }

    /// A line for each fault, then for each other row.
    public var details: [String] {
        faults.map(\.description)
            + rows.filter { $0.outcome != Row.rejected }.map { row in
                let line = row.line.map { "\(file):\($0): " } ?? "\(file): "
                let explanation = row.explanation.map { ": \(ShownText.of($0, limit: 255))" } ?? ""
                return "\(line)\(row.outcome): \(row.place)\(explanation)"
            }
    }
}
