import MariaDB
import Passwords
import SubTrackAPI

// Address books by CardDAV, whose programs sign in by name and password.
extension APIResponder {
    /// Answers a request below `/dav/`.
    func addressBook(_ request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse {
        if let response = DAVResponder.open(request, target) { return response }
        let tenant = try await addressBookTenant(request, target)
        do {
            guard let session = try await addressBookSession(request, in: tenant) else {
                return DAVResponder.unauthorized()
            }
            var call = Call(
                tenant: tenant, session: session, now: dispatcher.clock.now(), ifMatch: .any, ifNoneMatch: .none,
                idempotencyKey: nil, requestID: request.id, logger: logger)
            call.origin = origin(of: request)
            return try await DAVResponder(tenant: tenant, request: request, target: target, call: call).respond()
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    /// Looks at a request below `/dav/` whose body is still to come.
    /// - Returns: the answer to a caller that is not signed in, or whose request needs no sign-in.
    func addressBookRefusal(_ request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse? {
        if let response = DAVResponder.open(request, target) { return response }
        let tenant = try await addressBookTenant(request, target)
        do {
            return try await addressBookSession(request, in: tenant) == nil ? DAVResponder.unauthorized() : nil
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    /// The tenant of a request, where that has contacts.
    private func addressBookTenant(_ request: ServerRequest, _ target: RequestTarget) async throws -> Tenant {
        guard case .operation(let entry, _) = routes.match(.get, ["v1", "contacts"]) else {
            throw Problem(.notFound, "There is nothing at this path.")
        }
        return try await dispatcher.tenant(slug: target.slug, host: host(of: request), for: entry)
    }

    /// The session whose token is the password of a request; nil where there is none, or where the name is another user's.
    private func addressBookSession(_ request: ServerRequest, in tenant: Tenant) async throws -> Session? {
        guard let (name, password) = DAVResponder.credentials(request.headers), let token = Token(password) else {
            return nil
        }
        let hash = try token.hash
        do {
            let session = try await tenant.lookUp(hash, from: origin(of: request)) {
                try await tenant.sessions.session(hash: hash)
            }
            let email = try await tenant.read { try await CardQueries.email(of: session.user, on: $0) }
            return name.lowercased() == email ?? session.user.uuid.uuidString.lowercased() ? session : nil
        } catch let problem as Problem where [.tokenInvalid, .tokenEnded, .userDeleted].contains(problem.code) {
            return nil
        }
    }
}
