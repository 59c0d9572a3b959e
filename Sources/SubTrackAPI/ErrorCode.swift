/// The stable codes of problems. A client decides by these; it treats one that it does not know by its status.
public enum ErrorCode: String, Codable, Sendable, CaseIterable {
    case inputInvalid = "input_invalid"
    case tokenMissing = "token_missing"
    case tokenInvalid = "token_invalid"
    case tokenEnded = "token_ended"
    case userDeleted = "user_deleted"
    case credentialsInvalid = "credentials_invalid"
    case tenantSuspended = "tenant_suspended"
    case originRefused = "origin_refused"
    case notFound = "not_found"
    case tenantUnknown = "tenant_unknown"
    case areaOff = "area_off"
    case methodNotAllowed = "method_not_allowed"
    case emailTaken = "email_taken"
    case idTaken = "id_taken"
    case deviceKnown = "device_known"
    case statusConflict = "status_conflict"
    case keyInUse = "key_in_use"
    case resync = "resync"
    case stale = "stale"
    case tooLarge = "too_large"
    case tooMany = "too_many"
    case keyReused = "key_reused"
    case upgradeRequired = "upgrade_required"
    case rateLimited = "rate_limited"
    case internalError = "internal"
    case unavailable = "unavailable"
    case outcomeUnknown = "outcome_unknown"
    case tenantMigrating = "tenant_migrating"

    /// The meaning of an unknown code by its status: sign in, wait, or never.
    public init(status: Int) {
        self =
            switch status {
            case 401: .tokenInvalid
            case 403, 404: .notFound
            case 409: .statusConflict
            case 429: .rateLimited
            case 500...: .unavailable
            default: .inputInvalid
            }
    }

    /// The HTTP status (RFC 9110 §15) of problems with this code.
    public var status: Int {
        switch self {
        case .inputInvalid: 400
        case .tokenMissing, .tokenInvalid, .tokenEnded, .userDeleted, .credentialsInvalid: 401
        case .tenantSuspended, .originRefused: 403
        case .notFound, .tenantUnknown, .areaOff: 404
        case .methodNotAllowed: 405
        case .emailTaken, .idTaken, .deviceKnown, .statusConflict, .keyInUse: 409
        case .resync: 410
        case .stale: 412
        case .tooLarge, .tooMany: 413
        case .keyReused: 422
        case .upgradeRequired: 426
        case .rateLimited: 429
        case .internalError: 500
        case .unavailable, .outcomeUnknown, .tenantMigrating: 503
        }
    }

    /// A short text that is the same for every problem of this code.
    public var title: String {
        switch self {
        case .inputInvalid: "The input was refused"
        case .tokenMissing: "A token is needed"
        case .tokenInvalid: "The token is not valid"
        case .tokenEnded: "The session has ended"
        case .userDeleted: "The user was deleted"
        case .credentialsInvalid: "E-mail or password is wrong"
        case .tenantSuspended: "This service is suspended"
        case .originRefused: "The request comes from another site"
        case .notFound: "There is no such thing"
        case .tenantUnknown: "There is no such tenant"
        case .areaOff: "This part is switched off"
        case .methodNotAllowed: "The method is not allowed here"
        case .emailTaken: "The e-mail is in use"
        case .idTaken: "The id is in use"
        case .deviceKnown: "The device is registered already"
        case .statusConflict: "The status does not allow it"
        case .keyInUse: "The same request is still running"
        case .resync: "Start the sync over"
        case .stale: "Somebody changed it meanwhile"
        case .tooLarge: "The request is too large"
        case .tooMany: "Too many at once"
        case .keyReused: "The idempotency key was used for something else"
        case .upgradeRequired: "This is a WebSocket's path"
        case .rateLimited: "Too many requests"
        case .internalError: "Something went wrong here"
        case .unavailable: "Not available at the moment"
        case .outcomeUnknown: "It is not known whether it was done"
        case .tenantMigrating: "The data are being upgraded"
        }
    }
}
