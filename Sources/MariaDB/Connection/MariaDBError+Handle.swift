internal import CMariaDB

extension MariaDBError {
    /// The last error of a connection.
    init(_ handle: UnsafeMutablePointer<MYSQL>) {
        self.init(
            code: mysql_errno(handle), sqlState: mysql_sqlstate(handle).map { String(cString: $0) } ?? "",
            message: mysql_error(handle).map { String(cString: $0) } ?? "")
    }

    /// The last error of a statement.
    init(statement: UnsafeMutablePointer<MYSQL_STMT>) {
        self.init(
            code: mysql_stmt_errno(statement),
            sqlState: mysql_stmt_sqlstate(statement).map { String(cString: $0) } ?? "",
            message: mysql_stmt_error(statement).map { String(cString: $0) } ?? "")
    }

    private init(code: UInt32, sqlState: String, message: String) {
        let isLost = ServerErrorCode.connectionLost.contains(code) || code == 0
        self.init(kind: isLost ? .connection : .server, code: code, sqlState: sqlState, message: message)
        // 2006 is said when a command could not be written, and part of a command is none. Read-only servers refuse.
        wasNotSent = code == 2006 || isReadOnlyServer
    }

    /// The error as it reads when a connection could not be made.
    func whileConnecting(with configuration: MariaDBConfiguration) -> MariaDBError {
        var error = self
        error.kind =
            ServerErrorCode.refusedConnect.contains(code) || Self.isInsecureTransport(code, message)
            ? .refused : .connection
        error.message = "connecting to \(configuration.endpoint): \(message)"
        error.user = configuration.user
        if case .tcp = configuration.endpoint, case .disabled = configuration.tls { error.wasInClear = true }
        error.wasNotSent = true
        return error
    }
}
