/// The rows of a statement, read as they are asked for.
///
/// ```swift
/// for try await row in connection.stream("SELECT Plan_ID FROM Plan") { … }
/// ```
public struct RowStream: AsyncSequence, Sendable {
    /// A row.
    public typealias Element = Row
    /// ``MariaDBError`` or `CancellationError`.
    public typealias Failure = any Error

    let connection: Connection
    let sql: SQL

    /// Nothing is sent before the first row is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection, sql: sql) }

    /// Reads the rows. When it is dropped early, the rest is read away before the connection's next statement.
    public struct Iterator: AsyncIteratorProtocol {
        private final class Owner {
            let token = StreamState.Token()
            deinit { token.abandon() }
        }

        private let connection: Connection
        private let sql: SQL
        private let owner = Owner()
        private var batch = Rows.none
        private var position = 0
        private var session: Session?
        private var isAtEnd = false

        init(connection: Connection, sql: SQL) {
            self.connection = connection
            self.sql = sql
        }

        /// The next row; nil after the last.
        public mutating func next() async throws -> Row? {
            if position == batch.count {
                guard !isAtEnd, let next = try await nextBatch() else {
                    isAtEnd = true
                    return nil
                }
                batch = next
                position = 0
            }
            defer { position += 1 }
            return batch[position]
        }

        private mutating func nextBatch() async throws -> Rows? {
            guard let session else {
                let opened = try await connection.open(sql, token: owner.token)
                session = opened
                return try await opened.nextBatch(of: owner.token)
            }
            // Throws when the lease is over: the session may be somebody else's by now.
            _ = try connection.session()
            return try await session.nextBatch(of: owner.token)
        }
    }
}
