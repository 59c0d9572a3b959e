extension ErrorCode {
    /// The meaning of the code, and the client's next step, for a person who builds or operates a client.
    public var advice: String {
        switch self {
        case .inputInvalid:
            "The input breaks a rule. `errors` names each field and its fault. Mend them and send the request again."
        case .tokenMissing:
            "The operation needs a token. Register a device or sign in, and send the token as `Authorization: Bearer`."
        case .tokenInvalid:
            "The service does not know the token, or the token belongs to another tenant. Check the server's address, "
                + "then sign in again. Keep the data of the device."
        case .tokenEnded:
            "The session has ended: it was signed out, unused for 400 days, or the password was changed. Keep the data "
                + "of the device and ask the person to sign in."
        case .userDeleted:
            "The person deleted this user and all data. The device drops its copy."
        case .credentialsInvalid:
            "The address is unknown or the password is wrong: the answer is the same. A password can be reset by mail."
        case .tenantSuspended:
            "The operator has suspended the tenant. The data are kept. Ask the operator."
        case .originRefused:
            "A browser's session works from the service's own pages alone. `detail` names the origin that was expected and "
                + "the one that came. A proxy has to pass on the host and scheme of the request."
        case .notFound:
            "Nothing with this id is there, or it belongs to somebody else: the answer is the same."
        case .tenantUnknown:
            "No tenant has this name or host. Check the address; an operator lists tenants with `subtrackd tenant list`."
        case .areaOff:
            "The operator has switched this part of the service off for the tenant. Its data are kept. `areas` of `GET /v1` "
                + "lists the parts that are on; show no others. An operator switches it on with `subtrackd tenant areas`."
        case .methodNotAllowed:
            "The path exists, but not with this method. The header `Allow` lists the methods that it takes."
        case .emailTaken:
            "An account has this address. Sign in instead, or reset the password."
        case .idTaken:
            "The id is in use by another row. Make a new UUID for the new row."
        case .deviceKnown:
            "Another user is signed in on this device id. Leave the id out to register as a new device."
        case .statusConflict:
            "The operation does not fit the present status, such as a renewal of an ended subscription. Read the row, "
                + "then decide."
        case .keyInUse:
            "A request with the same `Idempotency-Key` is still running. Wait for `Retry-After` and send the same again."
        case .resync:
            "The cursor leads nowhere any more; `reason` says why. Drop the copy, keep unsent changes, and pull "
                + "without a cursor."
        case .stale:
            "The row has another version than `If-Match` names. `current` is the row as it is now. Merge, then try again."
        case .tooLarge:
            "The request or one of its headers is larger than the service takes. Send less at a time."
        case .tooMany:
            "The request has too many parts, or the user has as many rows as there may be. `detail` names the limit."
        case .keyReused:
            "The `Idempotency-Key` was used for another request. Use a new key for a new request."
        case .upgradeRequired:
            "This path is for WebSockets (RFC 6455). Send `Connection: Upgrade` and `Upgrade: websocket`."
        case .rateLimited:
            "Too many requests came from this user or network. Wait for `Retry-After`, in seconds."
        case .internalError:
            "The service met a fault that it did not foresee. Give the request id to the operator, who finds it in the log."
        case .unavailable:
            "The service or its database cannot answer at the moment. Wait for `Retry-After` and send the same again."
        case .outcomeUnknown:
            "The connection to the database broke during the commit. Send the same request with the same "
                + "`Idempotency-Key`: it is done once."
        case .tenantMigrating:
            "The tenant's data are being upgraded or moved. Wait for `Retry-After` and send the same again."
        }
    }
}
