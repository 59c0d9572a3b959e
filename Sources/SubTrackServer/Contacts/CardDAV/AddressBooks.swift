import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// Contacts for address books by CardDAV (RFC 6352), whose programs sign in by name and password.
struct AddressBooks: PathResponder {
    let name = "carddav"
    let dispatcher: OperationDispatcher
    let proxies: TrustedProxies
    private let area = ContactsArea().name

    /// Contacts of the tenants that a dispatcher finds.
    init(dispatcher: OperationDispatcher, proxies: TrustedProxies) {
        self.dispatcher = dispatcher
        self.proxies = proxies
    }

    func has(_ target: RequestTarget) -> Bool {
        target.segments.first == "dav" || target.segments == DAVResponder.wellKnown
    }

    func respond(to request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse {
        let tenant = try await tenant(of: request, target)
        if let response = DAVResponder.open(request, target) { return response }
        do {
            guard let session = try await session(of: request, in: tenant) else { return DAVResponder.unauthorized() }
            var call = Call(
                tenant: tenant, session: session, now: dispatcher.clock.now(), ifMatch: .any, ifNoneMatch: .none,
                idempotencyKey: nil, requestID: request.id, logger: dispatcher.logger)
            call.origin = proxies.origin(of: request)
            return try await DAVResponder(
                tenant: tenant, request: request, target: target, call: call, inputs: dispatcher.inputs
            ).respond()
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    func refusal(of request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse? {
        let tenant = try await tenant(of: request, target)
        if let response = DAVResponder.open(request, target) { return response }
        do {
            return try await session(of: request, in: tenant) == nil ? DAVResponder.unauthorized() : nil
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    /// The tenant of a request.
    /// - Throws: `not_found` where that has no contacts, and as ``OperationDispatcher/tenant(slug:host:)``.
    private func tenant(of request: ServerRequest, _ target: RequestTarget) async throws -> Tenant {
        let tenant = try await dispatcher.tenant(slug: target.slug, host: proxies.host(of: request))
        guard tenant.areas.has(area) else { throw DAVResponder.nothing }
        return tenant
    }

    /// The session whose token is the password of a request; nil where there is none, or where the name is another user's.
    private func session(of request: ServerRequest, in tenant: Tenant) async throws -> Session? {
        guard let (name, password) = DAVResponder.credentials(request.headers), let token = Token(password) else {
            return nil
        }
        let hash = try token.hash
        do {
            let session = try await tenant.lookUp(hash, from: proxies.origin(of: request)) {
                try await tenant.sessions.session(hash: hash)
            }
            return try await isName(name, of: session.user, in: tenant) ? session : nil
        } catch let problem as Problem where [.tokenInvalid, .tokenEnded, .userDeleted].contains(problem.code) {
            return nil
        }
    }

    /// Whether a name is a user's: the id, or the e-mail address of an account.
    private func isName(_ name: String, of user: UserID, in tenant: Tenant) async throws -> Bool {
        if UUID(uuidString: name) == user.uuid { return true }
        guard let email = try? EmailAddress(name) else { return false }
        return try await tenant.read { try await AccountQueries.account(email, on: $0)?.user == user }
    }
}
