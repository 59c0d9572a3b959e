import Logging
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Turns any error into a problem that the caller may see.
enum ProblemMapping {
    /// The problem for an error of a call. A database that turns out to be gone is looked at again.
    static func problem(for error: any Error, of call: Call) async -> Problem {
        if let error = error as? MariaDBError, let problem = await call.tenant.opening.problem(after: error) {
            return problem
        }
        return problem(
            for: error, logger: call.logger, requestID: call.requestID, tenant: call.tenant.slug, fields: call.fields)
    }

    /// The problem for an error. Any other error is logged here, for it will not show anywhere else.
    /// - Parameters:
    ///   - tenant: the tenant's name, for the log.
    ///   - fields: the input fields of columns.
    static func problem(
        for error: any Error, logger: Logger, requestID: String, tenant: String? = nil,
        fields: ColumnFields = ColumnFields()
    ) -> Problem {
        switch error {
        case let problem as Problem:
            return problem
        case let error as TenantError:
            return problem(
                for: error.error, logger: logger, requestID: requestID, tenant: error.tenant, fields: fields)
        case let error as MariaDBError:
            return problem(ofDatabase: error, logger: logger, requestID: requestID, tenant: tenant, fields: fields)
        case is ScopeInUse:
            return Problem(
                .unavailable, "Another change of this user's data is still under way; try again in a moment.")
        case is TurnMissed:
            var problem = Problem(
                .unavailable,
                "Too many requests of this user or network are under way; send fewer at a time, and try again.")
            problem.retryAfter = 1
            return problem
        case let error as TotalTooLarge:
            // Fees of billions each day, which somebody typed.
            return Problem(
                .tooMany, "\(error.description.prefix(1).uppercased())\(error.description.dropFirst()); correct a fee.")
        case is CancellationError:
            return Problem(.unavailable, "The service is stopping; try again.")
        default:
            logger.error(
                "A request failed", metadata: ["request_id": "\(requestID)", "error": "\(String(reflecting: error))"])
            return unexpected
        }
    }

    /// The problem of an error that nobody foresaw.
    private static let unexpected = Problem(
        .internalError, "Something went wrong on the server; the operator finds it by the request id.")

    /// The problem of a database error for a caller. Its text is for the log alone.
    private static func problem(
        ofDatabase error: MariaDBError, logger: Logger, requestID: String, tenant: String?, fields: ColumnFields
    ) -> Problem {
        var metadata: Logger.Metadata = ["request_id": "\(requestID)", "error": "\(error)"]
        metadata["tenant"] = tenant.map { "\($0)" }
        // The pool of connections says that the server is away, and goes on to say so: not each request as well.
        // A trigger's refusal is the fault of a value, and the answer says it.
        logger.log(
            level: error.isReported || error.isSignal ? .debug : .warning, "The database refused or failed",
            metadata: metadata)
        switch error.kind {
        case .outcomeUnknown:
            return Problem(
                .outcomeUnknown,
                "The database went away before it said whether the change is kept. Look before you send it again."
            )
        case .server where error.isSignal:
            return refusal(error.message, fields)
        // No input of a caller names a database.
        case .server where error.code == MariaDBError.unknownDatabase:
            return Problem(.unavailable, "The data of this tenant cannot be reached at the moment; try again later.")
        // The session was remembered for some seconds longer than its user lived.
        case .server where error.isOfMissingUser:
            return Problem(.userDeleted, "This user was deleted.")
        case .server where error.isOfUnreadableTrigger:
            logger.warning(
                "The database server has failed to read a table's triggers, and keeps that: run FLUSH TABLES there",
                metadata: ["request_id": "\(requestID)"])
            return Problem(.unavailable, "The database cannot take this at the moment; try again later.")
        case .server where !error.isTransient:
            return unexpected
        default:
            return Problem(.unavailable, "The database cannot be reached or is too busy; try again in a moment.")
        }
    }

    /// A refusal of a trigger: `Table.Column: fault`. The service checks its input first, so that this is a rule which
    /// only the database can know. The texts are ours and speak of the caller's own values.
    static func refusal(_ message: String, _ fields: ColumnFields) -> Problem {
        guard let (field, fault) = fields.fault(in: message) else {
            return Problem(.inputInvalid, "The values do not fit together; the database refused them.")
        }
        return .input(field, .range, fault)
    }

    /// The JSON of a problem.
    static func encode(_ problem: Problem) throws -> [UInt8] { try OutputEncoder.encode(problem, capacity: 512) }
}

/// An error of the database in a request to a tenant, which the log is to name.
struct TenantError: Error {
    let tenant: String
    let error: MariaDBError
}

extension MariaDBError {
    /// Whether the server could not read a trigger of a table that is written to. MariaDB (10.11 and before) reads
    /// triggers when it opens a table. Where the connection is killed in that moment, it takes them for malformed for
    /// as long as the table stays in its cache. There is no other way to a syntax error: the service's statements are
    /// the same each time.
    fileprivate var isOfUnreadableTrigger: Bool { kind == .server && code == 1064 && message.hasPrefix("Trigger ") }

    /// Whether a row was to be written for a user who is no more.
    var isOfMissingUser: Bool {
        isForeignKeyViolation && message.lowercased().contains("references `user`")
    }
}
