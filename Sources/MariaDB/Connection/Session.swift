internal import CMariaDB
import DequeModule
import Synchronization

/// One connection to the server: an actor that runs on the event loop, the only owner of libmariadb's structures.
///
/// Its methods suspend while the server is silent; meanwhile the loop's thread does other work. Callers take turns
/// (``enter()``), because libmariadb does one thing at a time on a connection.
actor Session {
    /// What has to be known at the end of a lease without a change of thread.
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let broken = Flags(rawValue: 1)
        static let inTransaction = Flags(rawValue: 2)
        static let needsReset = Flags(rawValue: 4)
        static let streaming = Flags(rawValue: 8)
    }

    nonisolated let loop: DatabaseLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated let version: ServerVersion
    /// The server's number for this connection, for KILL and for logs.
    nonisolated let connectionID: UInt
    nonisolated let configuration: MariaDBConfiguration
    private nonisolated let sharedFlags = Atomic<UInt8>(0)

    let handle: UnsafeMutablePointer<MYSQL>
    let source: SocketSource
    var statements: StatementCache
    var database: String?
    /// Whether a statement of another database ran since `database` was chosen. To run it the server goes there and comes
    /// back; where the database is gone by then it stays without one, and does not say so.
    var isAstray = false
    var activeStream: StreamState?
    /// When the call that is under way has to be over, if that is sooner than libmariadb's own limit.
    private var limit = Moment.never
    private var isClosed = false
    private var isBusy = false
    private var turns = Deque<UnsafeContinuation<Void, Never>>()

    init(_ connected: Handshake.Connected, configuration: MariaDBConfiguration, loop: DatabaseLoop) {
        handle = connected.handle
        version = connected.version
        connectionID = mysql_thread_id(connected.handle)
        self.configuration = configuration
        self.loop = loop
        source = SocketSource(descriptor: connected.descriptor, loop: loop)
        statements = StatementCache(capacity: configuration.statementCacheSize)
    }

    /// Has the loop watch the socket; `onDeath` is called when the server closes it while nobody waits.
    func start(onDeath: @escaping @Sendable () -> Void) {
        guard !isClosed else { return }
        source.onUnexpectedEvent = { [weak self] in
            self?.set(.broken, true)
            onDeath()
        }
        loop.add(source)
    }

    nonisolated var flags: Flags { Flags(rawValue: sharedFlags.load(ordering: .acquiring)) }

    nonisolated func set(_ flag: Flags, _ isOn: Bool) {
        if isOn {
            sharedFlags.bitwiseOr(flag.rawValue, ordering: .acquiringAndReleasing)
        } else {
            sharedFlags.bitwiseAnd(~flag.rawValue, ordering: .acquiringAndReleasing)
        }
    }

    // MARK: Turns

    /// Waits for this caller's turn. Each turn ends with ``leave()``.
    func enter() async {
        if isBusy {
            await withUnsafeContinuation { turns.append($0) }
        } else {
            isBusy = true
            source.isQuiet = false
        }
    }

    func leave() {
        if source.isClosedByPeer { set(.broken, true) }
        if let next = turns.popFirst() {
            next.resume()
        } else {
            isBusy = false
            source.isQuiet = activeStream == nil
        }
    }

    // MARK: Waiting

    /// Suspends until the socket is ready or the time is over; returns what to give to libmariadb's `…_cont`.
    ///
    /// When the task is cancelled the answer is awaited for the configured grace only: most answers arrive within it,
    /// and the connection stays good. `isShielded` waits as long as it takes.
    func wait(_ events: Int32, isShielded: Bool) async -> Int32 {
        source.wait &+= 1
        let wait = source.wait
        if isShielded { return await suspend(events) }
        return await withTaskCancellationHandler {
            await suspend(events)
        } onCancel: { [loop, source, grace = configuration.cancellationGrace] in
            loop.call { loop.shorten(source, wait: wait, to: .now + grace) }
        }
    }

    private func suspend(_ events: Int32) async -> Int32 {
        guard !isClosed else { return WaitEvents.timeout }
        let hasLimit = events & WaitEvents.timeout != 0
        let timeout = Duration.milliseconds(Int(mysql_get_timeout_value_ms(handle)))
        return await source.wait(
            forWriting: events & WaitEvents.write != 0, until: min(limit, hasLimit ? .now + timeout : .never))
    }

    /// Runs `body` so that no wait in it lasts beyond `limit`.
    func limited<Result>(to limit: Moment, _ body: () async throws -> Result) async throws -> Result {
        self.limit = limit
        defer { self.limit = .never }
        return try await body()
    }

    // MARK: Ends

    /// The error of the connection, after which it may be unusable.
    func failure() -> MariaDBError { noted(MariaDBError(handle)) }

    /// The error of a statement; of the connection where libmariadb leaves it there (an error between two rows).
    func failure(_ statement: UnsafeMutablePointer<MYSQL_STMT>) -> MariaDBError {
        mysql_stmt_errno(statement) == 0 ? failure() : noted(MariaDBError(statement: statement))
    }

    /// Marks the session broken when the error says so.
    func noted(_ error: MariaDBError) -> MariaDBError {
        if error.kind == .connection || error.isReadOnlyServer { set(.broken, true) }
        guard error.code == ServerErrorCode.mustChangePassword else { return error }
        // The server lets the account in, and nothing else.
        var named = error
        named.user = configuration.user
        return named
    }

    /// Follows what the server said of the transaction with its last answer.
    func noteStatus() {
        let isInTransaction = handle.pointee.server_status & UInt32(SERVER_STATUS_IN_TRANS) != 0
        if isInTransaction != flags.contains(.inTransaction) { set(.inTransaction, isInTransaction) }
    }

    /// The server hung up: nothing can be sent. Said before sending, so that the work can go elsewhere.
    func requireOpen() throws(MariaDBError) {
        guard !isClosed, !flags.contains(.broken), !source.isClosedByPeer else {
            set(.broken, true)
            var error = MariaDBError(
                kind: .connection, code: 2006, sqlState: "HY000", message: "the server has closed the connection")
            error.wasNotSent = true
            throw error
        }
    }

    /// Closes without waiting for the server. Who waits for an answer gets an error.
    func close() async {
        guard !isClosed else { return }
        isClosed = true
        set(.broken, true)
        loop.remove(source)
        source.close()
        // The handle must outlive the call that was just told that its time is over.
        await enter()
        let closing = statements.removeAll()
        mysql_close(handle)
        // After mysql_close these no longer speak to the server.
        for statement in closing { mysql_stmt_close(statement.handle) }
        leave()
    }
}
