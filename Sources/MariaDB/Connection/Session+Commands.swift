internal import CMariaDB

extension Session {
    /// Runs text as it is, without values, and takes in its rows as text.
    func simpleQuery(_ sql: SQL, on database: String?) async throws -> SimpleResult {
        guard sql.bindCount == 0 else {
            throw MariaDBError.invalidStatement("a simple query takes no values")
        }
        return try await perform(isShielded: false) {
            try await move(to: database)
            set(.needsReset, true)
            try await send(CText(sql.text), isShielded: false)
            let result = try await takeText()
            try await skipResults(isShielded: false)
            return result
        }
    }

    /// Runs a statement of this client's own that has no rows, such as COMMIT.
    func command(_ text: String, isShielded: Bool = false) async throws {
        try await perform(isShielded: isShielded) { try await send(CText(text), isShielded: isShielded) }
    }

    /// Asks the server for a sign of life.
    func ping(until limit: Moment) async throws {
        try await perform(isShielded: false) {
            try await limited(to: limit) { try await ping() }
        }
    }

    /// Makes `database` the default one unless it is. There is no way back to none; the pool sees to that.
    func move(to wanted: String?) async throws {
        guard wanted != database || isAstray && wanted != nil else { return }
        guard let wanted else { throw MariaDBError.invalidStatement("the session is on \(database ?? "a database")") }
        do {
            try await select(wanted, isShielded: false)
        } catch var error as MariaDBError {
            if error.kind == .connection { error.wasNotSent = true }
            throw error
        }
    }

    private func select(_ name: String, isShielded: Bool) async throws {
        var result: Int32 = 0
        let text = CText(name)
        var status = mysql_select_db_start(&result, handle, text.pointer)
        while status != 0 {
            let events = await wait(status, isShielded: isShielded)
            status = mysql_select_db_cont(&result, handle, events)
        }
        withExtendedLifetime(text) {}
        guard result == 0 else { throw failure() }
        database = name
        isAstray = false
    }

    private func ping() async throws {
        var result: Int32 = 0
        var status = mysql_ping_start(&result, handle)
        while status != 0 {
            let events = await wait(status, isShielded: false)
            status = mysql_ping_cont(&result, handle, events)
        }
        guard result == 0 else { throw failure() }
    }

    /// Makes the session clean for its next borrower: no open transaction, and nothing left of what it was told.
    ///
    /// - Throws: when it cannot be made clean; it is to be closed then.
    func cleanUp() async throws {
        if flags.contains(.inTransaction) { try await command("ROLLBACK", isShielded: true) }
        if flags.contains(.needsReset) { try await reset() }
        guard flags.isDisjoint(with: [.inTransaction, .needsReset, .streaming]) else {
            throw MariaDBError(kind: .connection, message: "the session could not be made clean")
        }
    }

    /// Gives up variables, locks, temporary tables and prepared statements, and tells the session again what it is.
    private func reset() async throws {
        try await perform(isShielded: true) {
            for statement in statements.removeAll() { await closeStatement(statement.handle) }
            var result: Int32 = 0
            var status = mysql_reset_connection_start(&result, handle)
            while status != 0 {
                let events = await wait(status, isShielded: true)
                status = mysql_reset_connection_cont(&result, handle, events)
            }
            guard result == 0 else { throw failure() }
            for text in configuration.session.statements(for: version) {
                try await send(CText(text), isShielded: true)
            }
            // A USE may have moved it. To no database there is no way back but a new connection.
            guard let database else { return }
            try await select(database, isShielded: true)
            set(.needsReset, false)
        }
    }

    private func send(_ text: CText, isShielded: Bool) async throws {
        var result: Int32 = 0
        var status = mysql_real_query_start(&result, handle, text.pointer, text.count)
        while status != 0 {
            let events = await wait(status, isShielded: isShielded)
            status = mysql_real_query_cont(&result, handle, events)
        }
        withExtendedLifetime(text) {}
        guard result == 0 else { throw failure() }
    }

    private func takeText() async throws -> SimpleResult {
        var execution = ExecutionResult(
            affectedRows: mysql_affected_rows(handle), lastInsertID: mysql_insert_id(handle),
            warnings: Int(mysql_warning_count(handle)))
        guard mysql_field_count(handle) > 0 else {
            return SimpleResult(execution: execution, columns: [], rows: [])
        }
        var result: UnsafeMutablePointer<MYSQL_RES>?
        var status = mysql_store_result_start(&result, handle)
        while status != 0 {
            let events = await wait(status, isShielded: false)
            status = mysql_store_result_cont(&result, handle, events)
        }
        guard let result else { throw failure() }
        defer { mysql_free_result(result) }
        let count = Int(mysql_num_fields(result))
        let fields = mysql_fetch_fields(result)
        let columns = (0..<count).map { column in fields.map { String(cString: $0[column].name) } ?? "" }
        var rows: [[String?]] = []
        while let row = mysql_fetch_row(result), let lengths = mysql_fetch_lengths(result) {
            rows.append(
                (0..<count).map { column in
                    row[column].map { cell in
                        String(
                            decoding: UnsafeRawBufferPointer(start: cell, count: Int(lengths[column])), as: UTF8.self)
                    }
                })
        }
        execution = ExecutionResult(affectedRows: 0, lastInsertID: 0, warnings: Int(mysql_warning_count(handle)))
        return SimpleResult(execution: execution, columns: columns, rows: rows)
    }

    private func skipResults(isShielded: Bool) async throws {
        while mysql_more_results(handle) != 0 {
            var result: Int32 = 0
            var status = mysql_next_result_start(&result, handle)
            while status != 0 {
                let events = await wait(status, isShielded: isShielded)
                status = mysql_next_result_cont(&result, handle, events)
            }
            guard result <= 0 else { throw failure() }
            if mysql_field_count(handle) > 0 { _ = try await takeText() }
        }
    }
}
