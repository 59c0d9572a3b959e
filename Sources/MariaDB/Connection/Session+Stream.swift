internal import CMariaDB
import Synchronization

/// A result that is read batch by batch. While it is open its connection does nothing else.
///
/// Not Sendable but for `token`: the session's actor alone touches it.
final class StreamState {
    /// Shared with the iterator: says that nobody reads on.
    final class Token: Sendable {
        private let isDropped = Atomic<Bool>(false)
        var isAbandoned: Bool { isDropped.load(ordering: .acquiring) }
        func abandon() { isDropped.store(true, ordering: .releasing) }
    }

    let statement: PreparedStatement
    let token: Token

    init(statement: PreparedStatement, token: Token) {
        self.statement = statement
        self.token = token
    }
}

extension Session {
    /// Runs a statement whose rows are then read by ``nextBatch(of:)``.
    func open(_ sql: SQL, on database: String?, token: StreamState.Token) async throws {
        try await perform(isShielded: false) {
            let statement = try await run(sql, on: database)
            guard statement.hasRows else { return }
            activeStream = StreamState(statement: statement, token: token)
            set(.streaming, true)
        }
    }

    /// The next rows, about 64 KiB of them; nil at the end.
    func nextBatch(of token: StreamState.Token) async throws -> Rows? {
        await enter()
        defer { leave() }
        try Task.checkCancellation()
        guard let stream = activeStream, stream.token === token else { return nil }
        try requireOpen()
        do {
            let rows = try await fetchBatch(stream.statement)
            noteStatus()
            return rows
        } catch {
            endStream()
            noteStatus()
            if flags.contains(.broken), Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    private func fetchBatch(_ statement: PreparedStatement) async throws -> Rows? {
        let builder = RowStorage.Builder(columns: statement.columns, rows: 64, bytes: 65_536)
        let reader = RowReader(statement: statement)
        try reader.install()
        defer { reader.uninstall() }
        while builder.byteCount < 65_536 {
            var result: Int32 = 0
            reader.begin()
            var status = mysql_stmt_fetch_start(&result, statement.handle)
            while status != 0 {
                let events = await wait(status, isShielded: false)
                status = mysql_stmt_fetch_cont(&result, statement.handle, events)
            }
            if result == MYSQL_NO_DATA {
                mysql_stmt_free_result(statement.handle)
                endStream()
                break
            }
            guard result == 0 || result == MYSQL_DATA_TRUNCATED else { throw failure(statement.handle) }
            do {
                try builder.append(packet: try reader.packet())
            } catch {
                throw noted(error)
            }
        }
        return builder.rowCount == 0 ? nil : Rows(builder.finish())
    }

    private func endStream() {
        activeStream = nil
        set(.streaming, false)
    }

    /// Before another statement: reads what is left of a stream that nobody reads on.
    func endAbandonedStream() async throws {
        guard let stream = activeStream else { return }
        guard stream.token.isAbandoned else {
            throw MariaDBError.invalidStatement("a stream is being read on this connection")
        }
        var result: my_bool = 0
        var status = mysql_stmt_free_result_start(&result, stream.statement.handle)
        while status != 0 {
            let events = await wait(status, isShielded: false)
            status = mysql_stmt_free_result_cont(&result, stream.statement.handle, events)
        }
        endStream()
        guard result == 0 else { throw failure(stream.statement.handle) }
    }
}

/// Reads a row's packet where it lies in libmariadb's receive buffer, by the callback that libmariadb has for languages
/// that convert values themselves (`STMT_ATTR_CB_RESULT`): it is called for each value and finds the packet's end.
private final class RowReader {
    private let statement: PreparedStatement
    private let widths: [Int]
    /// Where the value after the last one seen begins.
    private var end: UnsafeMutablePointer<UInt8>?
    private var isOutOfBounds = false
    private var limit: UnsafeMutablePointer<UInt8>?

    init(statement: PreparedStatement) {
        self.statement = statement
        widths = statement.columns.formats.map(\.width)
    }

    func install() throws(MariaDBError) {
        let callback: ps_result_callback = { data, column, row in
            guard let data else { return }
            Unmanaged<RowReader>.fromOpaque(data).takeUnretainedValue().pass(Int(column), row)
        }
        let handle = statement.handle
        guard mysql_stmt_attr_set(handle, STMT_ATTR_CB_USER_DATA, Unmanaged.passUnretained(self).toOpaque()) == 0,
            mysql_stmt_attr_set(handle, STMT_ATTR_CB_RESULT, unsafeBitCast(callback, to: UnsafeRawPointer.self)) == 0
        else { throw MariaDBError(statement: handle) }
    }

    func uninstall() {
        mysql_stmt_attr_set(statement.handle, STMT_ATTR_CB_RESULT, nil)
        mysql_stmt_attr_set(statement.handle, STMT_ATTR_CB_USER_DATA, nil)
    }

    func begin() {
        end = nil
        isOutOfBounds = false
    }

    /// Moves past one value. NULLs come with no pointer. Lengths are held to the receive buffer's end.
    private func pass(_ column: Int, _ row: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) {
        guard let row, let start = row.pointee, !isOutOfBounds else { return }
        let limit = statement.handle.pointee.mysql.pointee.net.buff_end
        let left = limit.map { $0 - start } ?? 0
        let width = widths[column]
        let length =
            width >= 0 ? width : RowStorage.lengthOfValue(UnsafeRawBufferPointer(start: start, count: max(0, left)))
        guard let length, length <= left else {
            isOutOfBounds = true
            return
        }
        row.pointee = start + length
        end = start + length
    }

    /// The packet of the row that was just fetched; valid until the next call on the connection.
    func packet() throws(MariaDBError) -> UnsafeRawBufferPointer {
        let start = statement.handle.pointee.mysql.pointee.net.read_pos
        guard let start, !isOutOfBounds else { throw MariaDBError.malformedPacket }
        let shortest = 1 + (widths.count + 9) / 8
        return UnsafeRawBufferPointer(start: start, count: end.map { max(shortest, $0 - start) } ?? shortest)
    }
}
