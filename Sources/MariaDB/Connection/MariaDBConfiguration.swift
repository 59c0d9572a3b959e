/// How to reach a server, and how to behave towards it.
public struct MariaDBConfiguration: Sendable {
    /// Where the server listens.
    public enum Endpoint: Sendable, Hashable, CustomStringConvertible {
        /// A host's name or address, and a port (3306 by default). The name is resolved for each new connection.
        case tcp(host: String, port: Int = 3306)
        /// The path of a Unix socket.
        case unix(path: String)

        /// For messages: `db.example:3306` or the socket's path.
        public var description: String {
            switch self {
            case .tcp(let host, let port): "\(host):\(port)"
            case .unix(let path): path
            }
        }
    }

    /// Whether the connection is encrypted.
    public enum TLS: Sendable, Hashable {
        /// Never. For Unix sockets, and for networks that are trusted as much as the machine itself.
        case disabled
        /// Always, and with a server whose certificate this authority signed for the endpoint's host. The certificate
        /// is verified before the password is sent; a server without TLS never gets it.
        ///
        /// `ca` is the path of a PEM file; nil trusts the system's authorities.
        case required(ca: String? = nil)
    }

    /// A secret that no description, log, dump or reflection shows.
    public struct Password: Sendable, ExpressibleByStringLiteral, CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        let value: String
        /// Takes the secret.
        public init(_ value: String) { self.value = value }
        /// For tests and examples.
        public init(stringLiteral value: String) { self.value = value }
        /// Stars.
        public var description: String { "***" }
        /// Stars.
        public var debugDescription: String { "***" }
        /// Nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// How transactions see each other (SQL standard levels that both servers have and that are of use).
    public enum Isolation: String, Sendable, Hashable {
        /// Each statement sees what was committed before it began. For writing.
        case readCommitted = "READ COMMITTED"
        /// All statements see one snapshot, that of the first read. For reading several things that belong together.
        case repeatableRead = "REPEATABLE READ"
        /// As repeatable read, and each read locks.
        case serializable = "SERIALIZABLE"
    }

    /// What each session is told when it connects, and again after it was reset.
    public struct Session: Sendable {
        /// Strict by default: a value that does not fit is an error.
        public var sqlMode = [
            "STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "NO_ZERO_DATE", "NO_ZERO_IN_DATE",
            "ERROR_FOR_DIVISION_BY_ZERO", "NO_ENGINE_SUBSTITUTION",
        ]
        /// The session's zone. `Date` is read and written as UTC: leave it at that.
        public var timeZone = "+00:00"
        /// The collation of literals and parameters; its character set is utf8mb4. Known to MariaDB and to MySQL.
        public var collation = "utf8mb4_unicode_ci"
        /// How long a statement waits for a row lock, in whole seconds.
        public var lockWaitTimeout: Duration = .seconds(2)
        /// After how long the server ends a statement (MariaDB: any; MySQL: a SELECT); nil: never.
        public var statementTimeout: Duration? = .seconds(30)
        /// The isolation of transactions that do not say.
        public var isolation = Isolation.readCommitted

        /// The defaults.
        public init() {}
    }

    /// Where the server listens.
    public var endpoint: Endpoint
    /// The account.
    public var user: String
    /// Its password.
    public var password: Password
    /// Whether the connection is encrypted.
    public var tls: TLS
    /// The database of leases that name none; nil: such leases have no database selected.
    public var database: String?

    /// How long connecting may take: name, TCP, TLS and sign-in. Rounded up to whole seconds.
    public var connectTimeout: Duration = .seconds(5)
    /// How long the server may be silent while an answer is awaited. Rounded up to whole seconds.
    public var readTimeout: Duration = .seconds(35)
    /// How long a packet may take to be sent. Rounded up to whole seconds.
    public var writeTimeout: Duration = .seconds(10)

    /// The most connections at a time.
    public var maximumConnections = 16
    /// Connections that are kept although they are idle.
    public var minimumIdleConnections = 0
    /// The part of the connections, 0 to 1, that a database may hold however many others are in use. While fewer are, it
    /// leaves one for each of them, and one in any case.
    public var databaseShare = 0.75
    /// How long a lease waits for a connection.
    public var leaseTimeout: Duration = .seconds(2)
    /// How long a connection may be idle before it is closed.
    public var idleTimeout: Duration = .seconds(60)
    /// How old a connection may become. Each gets up to a tenth less, so that they do not all go at once.
    public var maximumLifetime: Duration = .seconds(1_800)
    /// How long a connection may rest without being asked whether it is alive before it is lent.
    public var checkAfter: Duration = .seconds(10)
    /// Prepared statements that a connection keeps, all databases together. The server's `max_prepared_stmt_count`
    /// (16,382) is for all connections of all clients.
    public var statementCacheSize = 400
    /// How long an answer is awaited after its task was cancelled, before the connection is given up.
    public var cancellationGrace: Duration = .milliseconds(250)

    /// What each session is told.
    public var session = Session()
    /// Says why a server of a version is not to be used; nil: it is. A server that is refused gets no statement.
    public var refusal: (@Sendable (ServerVersion) -> String?)?
    /// Is told of each statement with its database before it is sent, to watch what is asked. It is called on whatever
    /// thread asks, and must be quick.
    public var onStatement: (@Sendable (SQL, String?) -> Void)?
    /// The loops that run the connections.
    public var loops = DatabaseLoopGroup.shared
    /// Whether the log says that no connection can be made, at growing intervals. Where the caller of each lease says so, it need not.
    public var reportsFailures = true
    /// Goes into the labels of metrics, where a process has several clients.
    public var name = "default"

    /// With the defaults of this type for all that is not given.
    public init(
        endpoint: Endpoint, user: String, password: Password = "", tls: TLS = .disabled, database: String? = nil
    ) {
        self.endpoint = endpoint
        self.user = user
        self.password = password
        self.tls = tls
        self.database = database
    }
}
