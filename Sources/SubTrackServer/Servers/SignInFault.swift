import MariaDB

/// The reason for which a server takes no connection of an account, in plain words, and its remedy.
///
/// The numbers are those of MariaDB's and MySQL's lists of errors. A wrong password (1045) is not among them: the server
/// says it for several causes, which the doctor lists.
struct SignInFault: Sendable, Equatable {
    /// The fault, to be read after the name of the server.
    let text: String
    /// The statement or setting that mends it.
    let remedy: String
    /// Whether another account may be let in all the same.
    private(set) var isOfAccount = true

    /// The fault that an error tells of; nil for other errors.
    init?(_ error: MariaDBError) { self.init(code: error.code, message: error.message, user: error.user) }

    /// - Parameters:
    ///   - message: the message of the server.
    ///   - user: the name of the account; nil where it is not known.
    init?(code: UInt32, message: String, user: String?) {
        let name = (user ?? "…").replacing("'", with: "''")
        // The host of the account is not known to a client that is not let in.
        let account = "'\(name)'@'%'"
        let others =
            "   -- by an administrator; SELECT Host FROM mysql.user WHERE User = '\(name)' shows another host than %"
        switch code {
        case 3118, 4151:
            text = "the account '\(name)' is locked"
            remedy = "ALTER USER \(account) ACCOUNT UNLOCK;" + others
        case 1820, 1862:
            text = "the password of the account '\(name)' has expired"
            remedy = "ALTER USER \(account) IDENTIFIED BY 'the password' PASSWORD EXPIRE NEVER;" + others
        case 1203, 1226:
            text = "the account '\(name)' has all connections that it may have at a time"
            remedy =
                "ALTER USER \(account) WITH MAX_USER_CONNECTIONS 40;" + others
                + "\n-- or, where the limit is that of all accounts: SET GLOBAL max_user_connections = 0;"
        case 1040:
            isOfAccount = false
            text = "all its connections are taken (max_connections)"
            remedy =
                "SHOW PROCESSLIST;   -- shows the holders\nSET GLOBAL max_connections = 500;   -- and in the server's configuration"
        case 1129:
            isOfAccount = false
            text = "it has blocked this machine after too many connections that failed"
            remedy = "FLUSH HOSTS;   -- MySQL: TRUNCATE TABLE performance_schema.host_cache;"
        case 1130:
            isOfAccount = false
            text = "it has no account for this machine's address"
            remedy =
                "CREATE USER \(account) IDENTIFIED BY 'the password';   -- by an administrator; % stands for any address"
        default:
            guard MariaDBError.isInsecureTransport(code, message) else { return nil }
            isOfAccount = false
            text = "it takes connections with TLS alone (require_secure_transport is ON), and no TLS is set here"
            remedy = "--database-ca-file FILE   -- the authority that made the server's certificate"
        }
    }
}
