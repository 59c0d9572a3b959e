/// The rows of a file of comma-separated values (RFC 4180), read as they are asked for.
///
/// Lines may end with CR LF, LF or CR; a byte order mark is left out. Fields are bytes: whether they are text is the reader's
/// to say, which names the row and the column.
package struct CSVRows: Sequence, IteratorProtocol {
    /// A row and the line on which it begins, the first line being 1.
    package struct Row: Equatable {
        package var line: Int
        package var fields: [[UInt8]]
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private var index: Int
    private var line = 1
    /// The line of a quote that is never closed, once that is known.
    package private(set) var openQuote: Int?
    /// The row with that quote, whose last field has the rest of the file.
    package private(set) var openRow: Row?

    /// The rows in some bytes.
    /// - Parameter separator: the byte between fields.
    package init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
        self.bytes = bytes
        self.separator = separator
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next row that is not empty; nil at the end, or where a quote is never closed (``openQuote``).
    package mutating func next() -> Row? {
        while index < bytes.count {
            let row = Row(line: line, fields: fields())
            if openQuote != nil {
                openRow = row
                return nil
            }
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
            if end == separator { continue }
            if end == UInt8(ascii: "\r"), index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
            line += 1
            return fields
        }
    }

    /// Reads one field and stops before the separator or the end of the line behind it.
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
                    // The text between the quote and the separator belongs to the field, so that the check refuses it.
                    return field + plainField()
                }
                index += 1
            }
            let isFollowed = index < bytes.count && bytes[index] == UInt8(ascii: "\n")
            if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && !isFollowed) { line += 1 }
            field.append(byte)
        }
        openQuote = start
        return field
    }

    private mutating func plainField() -> [UInt8] {
        let start = index
        while index < bytes.count, bytes[index] != separator, bytes[index] != UInt8(ascii: "\n"),
            bytes[index] != UInt8(ascii: "\r")
        {
            index += 1
        }
        return Array(bytes[start..<index])
    }
}
