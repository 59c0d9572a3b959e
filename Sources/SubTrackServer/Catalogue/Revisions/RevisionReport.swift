import SubTrackAPI

/// What a revision does to the catalogue, or did.
public struct RevisionReport: Sendable, Equatable, Encodable {
    /// A row that changes something, or was rejected.
    public struct Row: Sendable, Equatable, Encodable {
        /// The line of the file; nil for a plan that is not in it.
        public let line: Int?
        /// ISO 3166-1 alpha-2; empty where it could not be read.
        public let country: String
        /// Who sells it.
        public let provider: String?
        /// The plan's name.
        public let plan: String?
        /// `rejected`, `new`, `price`, `terms`, `price, terms` or `withdrawn`.
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
    /// Rows that cannot be taken. With any of them nothing is applied.
    public let rejected: Int
    /// The first of the rows that change something or were rejected; the rejected ones come first.
    public let rows: [Row]
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

    /// A line for each row.
    public var details: [String] {
        rows.map { row in
            let place = [row.country, row.provider, row.plan].compactMap(\.self).filter { !$0.isEmpty }
                .map { ShownText.of($0) }.joined(separator: ", ")
            let line = row.line.map { "\(file):\($0): " } ?? "\(file): "
            return
                "\(line)\(row.outcome): \(place)\(row.explanation.map { ": \(ShownText.of($0, limit: 255))" } ?? "")"
        }
    }
}
