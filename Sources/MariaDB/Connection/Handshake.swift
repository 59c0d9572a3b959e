internal import CMariaDB

/// Connects, by libmariadb's blocking calls, on a thread of its own: resolving a name has no other form, and a TLS
/// handshake wants more stack than libmariadb's coroutines have.
enum Handshake {
    /// A connection that nobody owns yet.
    ///
    /// `@unchecked Sendable`: it is handed from the thread that made it to the one session that will own it.
    struct Connected: @unchecked Sendable {
        let handle: UnsafeMutablePointer<MYSQL>
        /// A descriptor of the connection's socket that is not libmariadb's; the owner closes it.
        let descriptor: Int32
        let version: ServerVersion
    }

    /// Connects on a thread that ends with it.
    static func connect(_ configuration: MariaDBConfiguration) async throws -> Connected {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try Thread.start {
                    mysql_thread_init()
                    defer { mysql_thread_end() }
                    continuation.resume(with: Result { try connectBlocking(configuration) })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private static func connectBlocking(_ configuration: MariaDBConfiguration) throws -> Connected {
        guard let handle = mysql_init(nil) else {
            throw MariaDBError(kind: .connection, code: 2008, sqlState: "HY000", message: "out of memory")
        }
        do {
            try setOptions(of: handle, configuration)
            try open(handle, configuration)
            if case .required = configuration.tls { try requireCipher(handle) }
            let version = ServerVersion(mysql_get_server_info(handle).map { String(cString: $0) } ?? "")
            if let reason = configuration.refusal?(version) {
                var error = MariaDBError(
                    kind: .refused, message: "connecting to \(configuration.endpoint): \(reason)")
                error.wasNotSent = true
                throw error
            }
            for statement in configuration.session.statements(for: version) {
                guard mysql_real_query(handle, statement, UInt(statement.utf8.count)) == 0 else {
                    throw sessionError(MariaDBError(handle), version, configuration)
                }
            }
            // Non-blocking from here on: a coroutine for the calls, and a socket that never makes the loop wait.
            guard mysql_options(handle, MYSQL_OPT_NONBLOCK, nil) == 0 else { throw MariaDBError(handle) }
            let socket = mysql_get_socket(handle)
            Socket.makeNonBlocking(socket)
            let descriptor = Socket.duplicate(socket)
            guard descriptor >= 0 else {
                throw MariaDBError(kind: .connection, message: "no descriptor left for a connection")
            }
            return Connected(handle: handle, descriptor: descriptor, version: version)
        } catch {
            mysql_close(handle)
            throw error
        }
    }

    /// The error of a session that could not be set up. Where the server does not know a setting of its version, something else
    /// said that version: a proxy in front of it.
    private static func sessionError(
        _ error: MariaDBError, _ version: ServerVersion, _ configuration: MariaDBConfiguration
    ) -> MariaDBError {
        if error.code == ServerErrorCode.mustChangePassword { return error.whileConnecting(with: configuration) }
        guard error.code == ServerErrorCode.unknownVariable else { return error }
        var refused = error
        refused.kind = .refused
        refused.message =
            "connecting to \(configuration.endpoint): the server says that it is \(version) and does not know a setting "
            + "of that version (\(error.message)). Where a proxy answers for it, have the proxy say the server's version."
        refused.wasNotSent = true
        return refused
    }

    private static func open(_ handle: UnsafeMutablePointer<MYSQL>, _ configuration: MariaDBConfiguration) throws {
        let host: String?
        let path: String?
        var port: UInt32 = 0
        switch configuration.endpoint {
        case .tcp(let name, let number):
            // libmariadb takes “localhost” for a Unix socket unless told otherwise by MYSQL_OPT_PROTOCOL.
            (host, path, port) = (name, nil, UInt32(clamping: number))
        case .unix(let socket):
            (host, path) = (nil, socket)
        }
        let connected = mysql_real_connect(
            handle, host, configuration.user, configuration.password.value, nil, port, path, 0)
        guard connected != nil else { throw MariaDBError(handle).whileConnecting(with: configuration) }
        Socket.keepFromChildren(mysql_get_socket(handle))
    }

    private static func setOptions(
        of handle: UnsafeMutablePointer<MYSQL>, _ configuration: MariaDBConfiguration
    ) throws {
        try set(handle, MYSQL_OPT_CONNECT_TIMEOUT, UInt32(clamping: max(1, configuration.connectTimeout.wholeSeconds)))
        try set(handle, MYSQL_OPT_READ_TIMEOUT, UInt32(clamping: max(1, configuration.readTimeout.wholeSeconds)))
        try set(handle, MYSQL_OPT_WRITE_TIMEOUT, UInt32(clamping: max(1, configuration.writeTimeout.wholeSeconds)))
        // The server may not ask for this machine's files, and a lost session is never replaced behind our back.
        try set(handle, MYSQL_OPT_LOCAL_INFILE, UInt32(0))
        try set(handle, MYSQL_OPT_RECONNECT, Int8(0))
        try set(handle, MYSQL_REPORT_DATA_TRUNCATION, Int8(1))
        try set(handle, MYSQL_SET_CHARSET_NAME, text: "utf8mb4")
        let isTCP: Bool
        if case .tcp = configuration.endpoint { isTCP = true } else { isTCP = false }
        try set(handle, MYSQL_OPT_PROTOCOL, (isTCP ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET).rawValue)
        if case .required(let authority) = configuration.tls {
            // ENFORCE alone goes on in clear with a server that offers no TLS; VERIFY refuses before the password.
            try set(handle, MYSQL_OPT_SSL_ENFORCE, Int8(1))
            try set(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, Int8(1))
            if let authority { try set(handle, MYSQL_OPT_SSL_CA, text: authority) }
        }
    }

    private static func set<Value: BitwiseCopyable>(
        _ handle: UnsafeMutablePointer<MYSQL>, _ option: mysql_option, _ value: Value
    ) throws {
        var value = value
        guard mysql_options(handle, option, &value) == 0 else { throw MariaDBError(handle) }
    }

    private static func set(_ handle: UnsafeMutablePointer<MYSQL>, _ option: mysql_option, text: String) throws {
        guard mysql_options(handle, option, text) == 0 else { throw MariaDBError(handle) }
    }

    /// libmariadb has been seen to go on in clear: what counts is the cipher in use.
    private static func requireCipher(_ handle: UnsafeMutablePointer<MYSQL>) throws {
        guard let cipher = mysql_get_ssl_cipher(handle), cipher.pointee != 0 else {
            throw MariaDBError(
                kind: .refused, code: 2026, sqlState: "HY000", message: "TLS is required and is not in use")
        }
    }
}
