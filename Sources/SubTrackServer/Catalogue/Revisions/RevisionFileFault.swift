/// A reason for which a file cannot be staged.
public struct RevisionFileFault: Error, CustomStringConvertible, Encodable {
    /// The file's name.
    public let file: String
    /// The line, where it is known.
    public let line: Int?
    /// The fault, in words.
    public let reason: String

    public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(reason)" }
}

/// All faults for which a file cannot be staged, up to a limit. Nothing of it is staged.
public struct RevisionFileFaults: Error, CustomStringConvertible {
    /// The largest number of faults that are collected.
    static let limit = 20

    /// The faults, in the order of the file.
    public private(set) var faults: [RevisionFileFault] = []
    /// Whether reading ended at the limit, so that there may be more.
    public var isCut: Bool { faults.count >= Self.limit }

    /// The faults, a line for each.
    public var description: String { faults.map(\.description).joined(separator: "\n") }

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
