internal import CMariaDB

extension Session {
    /// Runs a statement, whose unqualified names mean `database`, and takes in all its rows.
    func query(_ sql: SQL, on database: String?) async throws -> Rows {
        try await perform(isShielded: false) {
            let statement = try await run(sql, on: database)
            guard statement.hasRows else {
                try await finish(statement)
                return .none
            }
            return try await takeRows(of: statement)
        }
    }

    /// Runs a statement and drops its rows, if it has any.
    func execute(_ sql: SQL, on database: String?) async throws -> ExecutionResult {
        try await perform(isShielded: false) {
            let statement = try await run(sql, on: database)
            if statement.hasRows { _ = try await takeRows(of: statement) }
            let result = ExecutionResult(
                affectedRows: statement.hasRows ? 0 : mysql_stmt_affected_rows(statement.handle),
                lastInsertID: mysql_stmt_insert_id(statement.handle),
                warnings: Int(mysql_stmt_warning_count(statement.handle)))
            try await finish(statement)
            return result
        }
    }

    /// Takes a turn, and does nothing when the task is cancelled or the connection is known to be gone.
    func perform<Result>(isShielded: Bool, _ body: () async throws -> Result) async throws -> Result {
        await enter()
        defer { leave() }
        if !isShielded { try Task.checkCancellation() }
        try requireOpen()
        try await endAbandonedStream()
        do {
            let result = try await body()
            noteStatus()
            return result
        } catch {
            noteStatus()
            // A cancelled wait ends the connection; what was cancelled is the task.
            if !isShielded, flags.contains(.broken), Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    /// Prepares (or finds) a statement and runs it, up to the first row.
    ///
    /// A statement that the server no longer knows, or whose table changed its shape, is prepared once more. So is one whose
    /// table got a trigger after it was prepared: MariaDB does not open the tables that the trigger needs, and calls them
    /// unknown. In all cases the server has done nothing.
    func run(_ sql: SQL, on database: String?) async throws -> PreparedStatement {
        guard !sql.binds.hasMiscount else {
            throw MariaDBError.invalidStatement("an SQLEncodable must bind exactly one value")
        }
        let statement = try await prepared(sql, on: database)
        do {
            try await run(statement, sql.binds)
            return statement
        } catch let error as MariaDBError
            where ServerErrorCode.preparedAnew.contains(error.code)
        {
            statements.remove(text: sql.text, database: database)
            await closeStatement(statement.handle)
            let again = try await prepared(sql, on: database)
            try await run(again, sql.binds)
            return again
        }
    }

    private func run(_ statement: PreparedStatement, _ binds: SQLBinds) async throws {
        var result: Int32 = 0
        // libmariadb copies the values into its packet before it waits for the first time.
        var status = try binds.bytes.withUnsafeBytes { bytes throws in
            try statement.bind(binds, bytes: bytes)
            return mysql_stmt_execute_start(&result, statement.handle)
        }
        while status != 0 {
            let events = await wait(status, isShielded: false)
            status = mysql_stmt_execute_cont(&result, statement.handle, events)
        }
        guard result == 0 else { throw failure(statement.handle) }
        if statement.effect == .session { set(.needsReset, true) }
        statement.takeColumns()
    }

    /// The statement, prepared on that database.
    ///
    /// A prepared statement runs on the database on which it was prepared, whichever is the default one now (in both
    /// servers): only preparing needs the right default.
    private func prepared(_ sql: SQL, on database: String?) async throws -> PreparedStatement {
        if let known = statements.statement(sql.text, database: database) {
            if database != self.database { isAstray = true }
            try requireCount(sql, known)
            return known
        }
        try await move(to: database)
        let handle: UnsafeMutablePointer<MYSQL_STMT>
        do {
            handle = try await prepare(sql.text)
        } catch let error as MariaDBError where error.code == ServerErrorCode.tooManyStatements {
            // All connections share the server's max_prepared_stmt_count: give back what this one needs least.
            for statement in statements.removeOldest(statements.count / 2 + 1) {
                await closeStatement(statement.handle)
            }
            handle = try await prepare(sql.text)
        }
        let statement = PreparedStatement(handle: handle, effect: StatementEffect(text: sql.text))
        do {
            try requireCount(sql, statement)
        } catch {
            await closeStatement(handle)
            throw error
        }
        for evicted in statements.insert(statement, text: sql.text, database: database) {
            await closeStatement(evicted.handle)
        }
        return statement
    }

    private func prepare(_ text: String) async throws -> UnsafeMutablePointer<MYSQL_STMT> {
        guard let handle = mysql_stmt_init(handle) else { throw failure() }
        var result: Int32 = 0
        let text = CText(text)
        var status = mysql_stmt_prepare_start(&result, handle, text.pointer, text.count)
        while status != 0 {
            let events = await wait(status, isShielded: false)
            status = mysql_stmt_prepare_cont(&result, handle, events)
        }
        withExtendedLifetime(text) {}
        guard result == 0 else {
            var error = failure(handle)
            // Preparing changes nothing: even if the server got it, the statement did not run.
            if error.kind == .connection { error.wasNotSent = true }
            await closeStatement(handle)
            throw error
        }
        return handle
    }

    private func requireCount(_ sql: SQL, _ statement: PreparedStatement) throws(MariaDBError) {
        guard statement.parameterCount == sql.bindCount else {
            throw .invalidStatement(
                "the statement has \(statement.parameterCount) places for values and \(sql.bindCount) values")
        }
    }

    /// Takes in all rows of a statement that has just run.
    private func takeRows(of statement: PreparedStatement) async throws -> Rows {
        var result: Int32 = 0
        var status = mysql_stmt_store_result_start(&result, statement.handle)
        while status != 0 {
            let events = await wait(status, isShielded: false)
            status = mysql_stmt_store_result_cont(&result, statement.handle, events)
        }
        guard result == 0 else { throw failure(statement.handle) }
        let rows = try copyRows(of: statement)
        try await finish(statement)
        return rows
    }

    /// Copies libmariadb's row packets into one buffer.
    private func copyRows(of statement: PreparedStatement) throws -> Rows {
        var total = 0
        var next = mysql_stmt_row_tell(statement.handle)
        while let row = next {
            total += Int(row.pointee.length)
            next = row.pointee.next
        }
        let builder = RowStorage.Builder(
            columns: statement.columns, rows: Int(mysql_stmt_num_rows(statement.handle)), bytes: total)
        next = mysql_stmt_row_tell(statement.handle)
        do {
            while let row = next {
                try builder.append(
                    packet: UnsafeRawBufferPointer(start: row.pointee.data, count: Int(row.pointee.length)))
                next = row.pointee.next
            }
        } catch {
            throw noted(error)
        }
        return Rows(builder.finish())
    }

    /// Reads what follows the first result (a CALL's further results), and frees large results early.
    private func finish(_ statement: PreparedStatement) async throws {
        var result: Int32 = 0
        while mysql_stmt_more_results(statement.handle) != 0 {
            var status = mysql_stmt_next_result_start(&result, statement.handle)
            while status != 0 {
                let events = await wait(status, isShielded: false)
                status = mysql_stmt_next_result_cont(&result, statement.handle, events)
            }
            guard result <= 0 else { throw failure(statement.handle) }
        }
        if statement.hasRows { mysql_stmt_free_result(statement.handle) }
    }

    /// Tells the server to forget a statement. There is no answer to wait for.
    func closeStatement(_ statement: UnsafeMutablePointer<MYSQL_STMT>) async {
        var result: my_bool = 0
        var status = mysql_stmt_close_start(&result, statement)
        while status != 0 {
            let events = await wait(status, isShielded: true)
            status = mysql_stmt_close_cont(&result, statement, events)
        }
    }
}

/// Text that stays in place while libmariadb sends it.
final class CText {
    let pointer: UnsafeMutablePointer<CChar>
    let count: UInt

    init(_ text: String) {
        count = UInt(text.utf8.count)
        pointer = .allocate(capacity: text.utf8.count + 1)
        var end = pointer
        for byte in text.utf8 {
            end.initialize(to: CChar(bitPattern: byte))
            end += 1
        }
        end.initialize(to: 0)
    }

    deinit { pointer.deallocate() }
}
