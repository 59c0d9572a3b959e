import MariaDB

extension Rows {
    /// Returns the value of each row, by the bytes of the row's first column.
    func byID<Value>(_ body: (Row) throws -> Value) throws -> [[UInt8]: Value] {
        var found: [[UInt8]: Value] = [:]
        found.reserveCapacity(count)
        for row in self { found[try row.decode([UInt8].self, at: 0)] = try body(row) }
        return found
    }
}
