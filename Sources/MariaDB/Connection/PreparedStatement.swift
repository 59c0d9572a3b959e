internal import CMariaDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A statement that the server has prepared on one connection, with room for its values.
///
/// Not Sendable: it belongs to its session's actor.
final class PreparedStatement {
    let handle: UnsafeMutablePointer<MYSQL_STMT>
    private let parameters: UnsafeMutableBufferPointer<MYSQL_BIND>
    private let lengths: UnsafeMutableBufferPointer<UInt>
    /// Of its rows; renewed when the table behind it was altered.
    private(set) var columns = ResultColumns.none
    private var knownNames: [[UInt8]] = []
    /// What running it leaves behind in the session.
    let effect: StatementEffect

    init(handle: UnsafeMutablePointer<MYSQL_STMT>, effect: StatementEffect) {
        self.handle = handle
        self.effect = effect
        let count = Int(mysql_stmt_param_count(handle))
        parameters = .allocate(capacity: count)
        parameters.initialize(repeating: MYSQL_BIND())
        // One more than needed: its address stands for the bytes of an empty value, which must not be nil.
        lengths = .allocate(capacity: count + 1)
        lengths.initialize(repeating: 0)
        takeColumns()
    }

    deinit {
        parameters.deallocate()
        lengths.deallocate()
    }

    var parameterCount: Int { parameters.count }
    var hasRows: Bool { columns.count > 0 }

    /// Points the statement's parameters at `bytes`, which must stay in place until the execution has begun.
    func bind(_ binds: SQLBinds, bytes: UnsafeRawBufferPointer) throws(MariaDBError) {
        for (index, entry) in binds.entries.enumerated() {
            lengths[index] = UInt(entry.length)
            var parameter = MYSQL_BIND()
            parameter.length = lengths.baseAddress.map { $0 + index }
            parameter.buffer = address(of: entry, in: bytes)
            parameter.buffer_length = UInt(entry.length)
            switch entry.kind {
            case .null: parameter.buffer_type = MYSQL_TYPE_NULL
            case .int64: parameter.buffer_type = MYSQL_TYPE_LONGLONG
            case .uint64:
                parameter.buffer_type = MYSQL_TYPE_LONGLONG
                parameter.is_unsigned = 1
            case .double: parameter.buffer_type = MYSQL_TYPE_DOUBLE
            case .text: parameter.buffer_type = MYSQL_TYPE_STRING
            case .binary: parameter.buffer_type = MYSQL_TYPE_BLOB
            case .decimal: parameter.buffer_type = MYSQL_TYPE_NEWDECIMAL
            case .date: parameter.buffer_type = MYSQL_TYPE_DATE
            case .dateTime: parameter.buffer_type = MYSQL_TYPE_DATETIME
            case .time: parameter.buffer_type = MYSQL_TYPE_TIME
            }
            parameters[index] = parameter
        }
        guard parameters.isEmpty || mysql_stmt_bind_param(handle, parameters.baseAddress) == 0 else {
            throw MariaDBError(statement: handle)
        }
    }

    private func address(of entry: SQLBinds.Entry, in bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
        guard entry.length > 0, let base = bytes.baseAddress else {
            return lengths.baseAddress.map { UnsafeMutableRawPointer($0 + parameters.count) }
        }
        return UnsafeMutableRawPointer(mutating: base + entry.offset)
    }

    /// Reads the columns again if they differ from those known: a type follows the parameters, a name the table.
    func takeColumns() {
        let count = Int(mysql_stmt_field_count(handle))
        guard count > 0, let fields = mariadb_stmt_fetch_fields(handle) else {
            if columns.count > 0 { columns = .none }
            return
        }
        // After an execution libmariadb renews the types in the statement, the names only in the connection.
        var names = fields
        if let connection = handle.pointee.mysql, connection.pointee.field_count == UInt32(count),
            let fresh = connection.pointee.fields
        {
            names = fresh
        }
        if columns.count == count, areKnown(fields, names: names) { return }
        columns = ResultColumns((0..<count).map { PreparedStatement.column(fields[$0], name: names[$0]) })
        knownNames = columns.columns.map { Array($0.name.utf8) }
    }

    /// Whether the columns are those that are known. Asked at each execution, so it allocates nothing.
    private func areKnown(_ fields: UnsafeMutablePointer<MYSQL_FIELD>, names: UnsafeMutablePointer<MYSQL_FIELD>) -> Bool
    {
        for column in 0..<columns.count {
            let field = fields + column
            let name = names + column
            let known = columns.formats[column]
            let length = Int(name.pointee.name_length)
            guard known.type.rawValue == UInt8(truncatingIfNeeded: field.pointee.type.rawValue),
                known.isUnsigned == (field.pointee.flags & UInt32(UNSIGNED_FLAG) != 0),
                known.isBinary == (field.pointee.charsetnr == 63),
                knownNames[column].count == length,
                length == 0 || memcmp(knownNames[column], name.pointee.name, length) == 0
            else { return false }
        }
        return true
    }

    private static func column(_ field: MYSQL_FIELD, name: MYSQL_FIELD) -> SQLColumn {
        let bytes = UnsafeRawBufferPointer(start: name.name, count: Int(name.name_length))
        return SQLColumn(
            name: String(decoding: bytes, as: UTF8.self),
            type: SQLType(rawValue: UInt8(truncatingIfNeeded: field.type.rawValue)),
            isUnsigned: field.flags & UInt32(UNSIGNED_FLAG) != 0, isBinary: field.charsetnr == 63)
    }
}

/// What a statement may leave behind in its session, told by its first word.
enum StatementEffect {
    /// Rows read or written; a transaction's state is followed otherwise.
    case none
    /// Variables, locks, temporary tables or another database: the session is reset before the next borrower.
    case session

    init(text: String) {
        let letters = text.utf8.drop { $0 <= 0x20 || $0 == UInt8(ascii: "(") }.prefix {
            ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
        }
        switch String(decoding: letters, as: UTF8.self).uppercased() {
        case "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "SHOW", "EXPLAIN", "DESCRIBE", "VALUES",
            "COMMIT", "ROLLBACK", "START", "BEGIN", "SAVEPOINT", "RELEASE", "KILL", "ALTER", "DROP", "ANALYZE":
            self = StatementEffect.touchesVariables(text) ? .session : .none
        default: self = .session
        }
    }

    /// Whether a user variable (`@x`, unlike `@@x`) or a named lock may be set.
    private static func touchesVariables(_ text: String) -> Bool {
        var before: UInt8 = 0
        var isAt = false
        for byte in text.utf8 {
            if isAt, byte != UInt8(ascii: "@") { return true }
            isAt = byte == UInt8(ascii: "@") && before != UInt8(ascii: "@")
            before = byte
        }
        return isAt || text.uppercased().contains("GET_LOCK")
    }
}
