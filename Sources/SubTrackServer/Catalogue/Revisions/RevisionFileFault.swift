import SubTrackAPI

/// A fault of a file with plans or rates: its place, the reason and the remedy.
public struct RevisionFileFault: Error, CustomStringConvertible, Encodable, Equatable {
    /// The file's name.
    public let file: String
    /// The line, where it is known.
    public let line: Int?
    /// The number of the row below the line of names, or of the entry of a list, from 1.
    public let row: Int?
    /// The country, the provider and the name of the plan, as far as they could be read.
    public let plan: String?
    /// The column.
    public let column: String?
    /// The fault, in words.
    public let reason: String
    /// The way to mend it, in words.
    public let remedy: String?

    /// A fault at a place of a file.
    public init(
        file: String, line: Int? = nil, row: Int? = nil, plan: String? = nil, column: String? = nil, reason: String,
        remedy: String? = nil
    ) {
        self.file = file
        self.line = line
        self.row = row
        self.plan = plan
        self.column = column
        self.reason = reason
        self.remedy = remedy
    }

    /// `plans.csv:3: row 2: US, Acme, Basic: Fee: it is empty; fill it in`.
    public var description: String {
        let place = [row.map { "row \($0)" }, plan, column].compactMap(\.self).map { "\($0): " }.joined()
        let text = "\(place)\(reason)\(remedy.map { "; \($0)" } ?? "")"
        return "\(file):\(line.map { "\($0):" } ?? "") \(ShownText.of(text, limit: 1000))"
    }
}

/// All faults of a file, up to a limit.
public struct RevisionFileFaults: Error, CustomStringConvertible {
    /// The largest number of faults that are collected.
    static let limit = 1000

    /// The faults, in the order of the file.
    public private(set) var faults: [RevisionFileFault]
    /// Whether reading ended at the limit, so that there may be more.
    public var isCut: Bool { faults.count >= Self.limit }

    /// The faults, a line for each.
    public var description: String { faults.map(\.description).joined(separator: "\n") }

    /// Some faults, or none yet.
    public init(_ faults: [RevisionFileFault] = []) { self.faults = faults }

    /// Notes a fault.
    /// - Throws: itself at the limit.
    mutating func add(_ fault: RevisionFileFault) throws {
        faults.append(fault)
        if isCut { throw self }
    }

    /// Reads something, and notes its fault.
    /// - Returns: nil after a fault.
    /// - Throws: itself at the limit; each error that is no ``RevisionFileFault``.
    mutating func collect<Value>(_ read: () throws -> Value) throws -> Value? {
        do {
            return try read()
        } catch let fault as RevisionFileFault {
            try add(fault)
            return nil
        }
    }

    /// - Throws: itself where there are faults.
    func check() throws { if !faults.isEmpty { throw self } }
}
