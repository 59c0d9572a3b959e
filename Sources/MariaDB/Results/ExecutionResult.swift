/// What a statement without rows did.
public struct ExecutionResult: Sendable, Hashable {
    /// Rows inserted, deleted or changed. An UPDATE counts rows that it *changed*; `ON DUPLICATE KEY UPDATE` counts 1
    /// for an insert and 2 for a change.
    public let affectedRows: UInt64
    /// The first AUTO_INCREMENT value that was given; 0 when none was.
    public let lastInsertID: UInt64
    /// The number of warnings.
    public let warnings: Int
}

/// What a text statement gave: its rows as text.
public struct SimpleResult: Sendable {
    /// What the statement did.
    public let execution: ExecutionResult
    /// The names of the columns; empty when the statement has no rows.
    public let columns: [String]
    /// The rows; nil is NULL. Bytes that are not UTF-8 are repaired: this is for reading by people.
    public let rows: [[String?]]
}
