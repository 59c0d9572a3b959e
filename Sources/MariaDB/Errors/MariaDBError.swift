internal import CMariaDB

/// What went wrong between this client and the server.
///
/// Its description holds code, SQLSTATE and the server's message. It never holds a bound value or a password; a server's
/// message may quote a value of its own accord (a duplicate key, 1062), which ``description`` leaves out.
public struct MariaDBError: Error, Sendable {
    /// The kind of failure, which tells what to do.
    public enum Kind: String, Sendable, Hashable {
        /// The server cannot be reached, or went away. What was sent may have happened.
        case connection
        /// The server refused user, password, database or certificate: trying again does not help.
        case refused
        /// The server answered with an error.
        case server
        /// No connection was free in time.
        case poolTimeout
        /// The client was shut down.
        case shutDown
        /// COMMIT was sent and its answer was lost: the transaction may or may not have happened.
        case outcomeUnknown
        /// A column does not hold what was asked for.
        case decoding
        /// The statement is not usable: a bad name, a wrong number of values, a connection that was given back.
        case invalidStatement
    }

    /// The kind of failure.
    public var kind: Kind
    /// The server's or libmariadb's error number; 0 when the error is this client's own.
    public var code: UInt32
    /// The five characters of SQLSTATE; empty when the error is this client's own.
    public var sqlState: String
    /// The server's message in full. It may quote a stored or bound value: do not log it, see ``description``.
    public var message: String
    /// The account with which a connection was to be made; nil for an error of another kind.
    public var user: String?
    /// Whether a connection was to be made over a network without TLS.
    public var wasInClear = false
    /// Where decoding failed.
    public var decodingFailure: DecodingFailure?
    /// Whether the statement certainly had no effect although the connection was lost or refuses writes: it never
    /// reached the server, or was only prepared. It can be run again elsewhere.
    public var wasNotSent = false
    /// Whether the client's log says it already, at growing intervals: a server to which no connection can be made.
    public internal(set) var isReported = false

    init(kind: Kind, code: UInt32 = 0, sqlState: String = "", message: String) {
        self.kind = kind
        self.code = code
        self.sqlState = sqlState
        self.message = message
    }

    /// Whether the same work may succeed when it is done again from the start: a deadlock, a lock that was not had
    /// in time, a changed snapshot, a lost connection, a full pool. Not ``Kind/outcomeUnknown``: that may have happened.
    public var isTransient: Bool {
        switch kind {
        case .connection, .poolTimeout: true
        case .server: ServerErrorCode.transient.contains(code)
        default: false
        }
    }

    /// Whether the transaction has to be run again from its start (1213, 1020, and 1205 after a ROLLBACK).
    var endsTransaction: Bool {
        kind == .server
            && [ServerErrorCode.deadlock, ServerErrorCode.snapshotChanged, ServerErrorCode.lockWaitTimeout]
                .contains(code)
    }

    /// Whether the server refuses writes: it was the primary and is so no more (1290, 1836).
    ///
    /// 1290 also names other options (`--secure-file-priv`, `NO_ENGINE_SUBSTITUTION`), and a trigger may signal it. Those are
    /// refusals of one statement. The option stands in the message whatever its language.
    public var isReadOnlyServer: Bool {
        guard kind == .server, ServerErrorCode.readOnly.contains(code) else { return false }
        guard code == ServerErrorCode.optionPreventsStatement else { return true }
        return message.contains("read-only") || message.contains("read_only")
    }

    /// Whether the server takes connections with TLS or by a Unix socket alone, and this was none (`require_secure_transport`).
    public static func isInsecureTransport(_ code: UInt32, _ message: String) -> Bool {
        code == ServerErrorCode.insecureTransport
            || message.contains("Connections using insecure transport are prohibited")
    }

    /// Whether a unique key refused the row (1062, 1586, 1859).
    public var isDuplicate: Bool { kind == .server && [1062, 1586, 1859].contains(code) }

    /// Whether a trigger or procedure refused by SIGNAL (1644, SQLSTATE 45000); the message is the signal's own.
    public var isSignal: Bool { kind == .server && (code == 1644 || sqlState.hasPrefix("45")) }

    /// Whether a foreign key refused (1451, 1452).
    public var isForeignKeyViolation: Bool { kind == .server && [1216, 1217, 1451, 1452].contains(code) }

    /// Whether a CHECK refused (4025 on MariaDB, 3819 on MySQL).
    public var isCheckViolation: Bool { kind == .server && [4025, 3819].contains(code) }
}

/// Where and why a column did not decode.
public struct DecodingFailure: Sendable, Hashable {
    /// The column's name; nil when the row as a whole does not fit.
    public let column: String?
    /// The column's place, counted from 0; nil when there is no such column.
    public let index: Int?
    /// The type that was asked for.
    public let wanted: String
    /// What stood in the way. Never the value.
    public let reason: String
}

extension MariaDBError {
    /// The statement or its use is wrong.
    static func invalidStatement(_ message: String) -> MariaDBError {
        MariaDBError(kind: .invalidStatement, message: message)
    }

    @usableFromInline
    static func decoding(_ failure: DecodingFailure) -> MariaDBError {
        let place =
            failure.index.map { "column \($0) (\(failure.column ?? "?"))" } ?? failure.column.map { "column \($0)" }
            ?? "row"
        var error = MariaDBError(
            kind: .decoding, message: "\(place) as \(failure.wanted): \(failure.reason)")
        error.decodingFailure = failure
        return error
    }

    static var malformedPacket: MariaDBError {
        MariaDBError(kind: .connection, code: 2027, sqlState: "HY000", message: "the server sent a malformed packet")
    }
}

extension MariaDBError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Kind, code, SQLSTATE and message; values that the message quotes are left out.
    public var description: String {
        guard code != 0 else { return "MariaDB \(kind.rawValue): \(message)" }
        return "MariaDB \(kind.rawValue) \(code) (\(sqlState)): \(safeMessage)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows no more than ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    /// The message without what it may quote: text between quotes, and all of a syntax error's excerpt. Names of databases, tables,
    /// columns and accounts stay: an operator needs them, and they are no user's values.
    ///
    /// SIGNALs speak with the schema's own words and stay whole, up to their quotes.
    private var safeMessage: String {
        guard kind == .server, !ServerErrorCode.quotesNames.contains(code) else { return message }
        var result = ""
        var isQuoted = false
        for character in message {
            if character == "'" {
                result += isQuoted ? "…'" : "'"
                isQuoted.toggle()
            } else if !isQuoted {
                result.append(character)
            }
        }
        return isQuoted ? result + "…" : result
    }
}

/// Numbers of errors (MariaDB manual, “MariaDB Error Codes”; MySQL manual, “Server Error Message Reference”).
enum ServerErrorCode {
    static let deadlock: UInt32 = 1213
    static let lockWaitTimeout: UInt32 = 1205
    static let snapshotChanged: UInt32 = 1020
    /// An option of the server forbids the statement, such as `--read-only`.
    static let optionPreventsStatement: UInt32 = 1290
    /// The server is read-only: it was a primary and is one no more.
    static let readOnly: Set<UInt32> = [optionPreventsStatement, 1836]
    /// 1040 too many connections; 1203 and 1226 the same per user; 1614 and 1637 like a deadlock; 1969 and 3024 a
    /// statement that ran too long.
    static let transient: Set<UInt32> = [
        deadlock, lockWaitTimeout, snapshotChanged, 1040, 1203, 1226, 1290, 1614, 1836, 1969, 3024, 3572,
    ]
    /// The session is gone: libmariadb's own codes, a kill (1927, 3169), a shutdown (1053, 1079), idle too long (4031),
    /// a packet that the server could not read.
    static let connectionLost: Set<UInt32> = [
        2002, 2003, 2005, 2006, 2012, 2013, 2014, 2027, 2055, 1053, 1077, 1079, 1080, 1153, 1154, 1155, 1156, 1157,
        1158, 1159, 1160, 1161, 1927, 3169, 4031,
    ]
    /// Whoever asks again gets the same answer: access denied, unknown database, TLS, authentication plugin.
    static let refusedConnect: Set<UInt32> = [
        1044, 1045, 1049, 1129, 1130, 1251, 1275, 1698, 1820, 1862, 2026, 2059, 3118, 3159, 4151,
    ]
    /// Errors that quote names alone: 1007, 1008 and 1049 of a database, 1050, 1051 and 1146 of a table, 1054 and 1060 of a column, 1305
    /// of a function, 1360 of a trigger; 1044, 1045, 1130, 1142, 1143, 1227, 1370 and 1698 of an account and its rights.
    static let quotesNames: Set<UInt32> = [
        1007, 1008, 1044, 1045, 1049, 1050, 1051, 1054, 1060, 1130, 1142, 1143, 1146, 1227, 1305, 1360, 1370, 1698,
    ]
    /// MySQL's error where only TLS and Unix sockets are taken. MariaDB says the same words with the code of any other error.
    static let insecureTransport: UInt32 = 3159
    /// The account has an expired password; a server with `disconnect_on_expired_password = 0` says it after the sign-in.
    static let mustChangePassword: UInt32 = 1820
    static let unknownVariable: UInt32 = 1193
    /// Errors after which a statement is prepared once more: 1243 of one that is unknown, 1615 of a table that has changed, 1146
    /// of a table that a newer trigger needs; and the client's for columns that have changed.
    static let preparedAnew: Set<UInt32> = [1146, 1243, 1615, UInt32(CR_NEW_STMT_METADATA)]
    static let tooManyStatements: UInt32 = 1461
}
