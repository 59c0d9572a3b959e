/// The rows of a file of comma-separated values (RFC 4180), read as they are asked for.
///
/// Lines may end with CR LF or LF; a byte order mark is left out. Fields are bytes: whether they are text is the database's
/// to say, which names the row and the column.
struct CSVRows: Sequence, IteratorProtocol {
    /// A row and the line on which it begins, the first line being 1.
    struct Row: Equatable {
        var line: Int
        var fields: [[UInt8]]
    }

    private let bytes: [UInt8]
    private var index: Int
    private var line = 1
    /// The line of a quote that is never closed, once that is known.
    private(set) var openQuote: Int?

    /// The rows in some bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next row that is not empty; nil at the end, or where a quote is never closed (``openQuote``).
    mutating func next() -> Row? {
        while index < bytes.count {
            let row = Row(line: line, fields: fields())
            if openQuote != nil { return nil }
            if row.fields != [[]] { return row }
        }
        return nil
    }

    /// Reads the fields up to the end of the row, and the end.
    private mutating func fields() -> [[UInt8]] {
        var fields: [[UInt8]] = []
        while true {
            fields.append(field())
            guard openQuote == nil, index < bytes.count else { return fields }
            let end = bytes[index]
            index += 1
            if end == UInt8(ascii: ",") { continue }
            line += 1
            return fields
        }
    }

    /// Reads one field and stops before the comma or the line feed behind it.
    private mutating func field() -> [UInt8] {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return plainField() }
        let start = line
        index += 1
        var field: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                    // What stands between the quote and the comma belongs to the field, so that the check refuses it.
                    return field + plainField()
                }
                index += 1
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            field.append(byte)
        }
        openQuote = start
        return field
    }

    private mutating func plainField() -> [UInt8] {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: ","), bytes[index] != UInt8(ascii: "\n") { index += 1 }
        var end = index
        let isAtLineEnd = index == bytes.count || bytes[index] == UInt8(ascii: "\n")
        if isAtLineEnd, end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return Array(bytes[start..<end])
    }
}
