import Logging
import MariaDB
import SubTrackAPI

/// The needs of every transport for a call of an operation: readiness, tenants, time.
struct OperationDispatcher: Sendable {
    let tenants: TenantDirectory
    let readiness: Readiness
    let clock: WallClock
    let logger: Logger
    /// Reads large inputs.
    let inputs: LargeInputs

    /// The tenant of a request, once the service and the tenant can be used.
    /// - Parameters:
    ///   - slug: the tenant that is named, if one is.
    ///   - host: the HTTP request's authority, with or without port.
    /// - Throws: `unavailable`, `tenant_unknown`, `tenant_suspended` or `tenant_migrating`.
    func tenant(slug: String?, host: String?) async throws -> Tenant {
        try readiness.check()
        let tenant = try await tenants.tenant(slug: slug, host: host)
        do {
            try await tenant.opening.check()
        } catch let error as MariaDBError {
            throw TenantError(tenant: tenant.slug, error: error)
        }
        return tenant
    }

    /// The tenant of a call of an operation.
    /// - Throws: as ``tenant(slug:host:)``; `area_off` for an operation of an area that the tenant does not have.
    func tenant(slug: String?, host: String?, for entry: OperationRegistry.Entry) async throws -> Tenant {
        let tenant = try await tenant(slug: slug, host: host)
        try tenant.areas.check(entry.area)
        return tenant
    }

    /// The error to answer in place of one of the database. It has the tenant's name, or is the problem of a database that is gone.
    func error(_ error: MariaDBError, in tenant: Tenant) async -> any Error {
        if let problem = await tenant.opening.problem(after: error) { return problem }
        return TenantError(tenant: tenant.slug, error: error)
    }
}

/// The token of an `Authorization` header.
enum BearerToken {
    /// The token's text; nil when there is no header.
    /// - Throws: `token_invalid` when the header is of another form.
    static func text(of header: String?) throws(Problem) -> String? {
        guard let header else { return nil }
        // The scheme is compared without regard to case (RFC 9110 §11.1).
        let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, Substring(parts[0]).isASCIIWord("bearer") else {
            throw Problem(.tokenInvalid, "The Authorization header is not of the form \"Bearer <token>\".")
        }
        return String(Substring(parts[1])).trimmingSpaces()
    }
}
