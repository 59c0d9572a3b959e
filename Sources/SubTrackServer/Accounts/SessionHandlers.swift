import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// Seeing where one is signed in, and signing out.
enum SessionHandlers {
    /// Registers the handlers.
    static func register(
        in registry: inout OperationRegistry, services: AccountServices, users: UserDataRegistry
    ) {
        registry.register(ListSessions.self, handler: list)
        registry.register(DeleteSession.self, handler: delete)
        registry.register(EndSession.self) { try await end($1, services, users) }
    }

    @Sendable private static func list(_ input: ListSessions, _ call: Call) async throws -> Reply<ListSessions.Output> {
        let session = try call.requireSession()
        let page = try PageRequest(limit: input.limit, cursor: input.cursor, kind: "sessions", fields: 2)
        let after = try page.after.map { fields -> (time: Instant, id: UUID) in
            guard let time = Instant(fields[0]), let id = UUID(uuidString: fields[1]) else {
                throw Problem.input("cursor", .malformed, "is not one that this list gave")
            }
            return (time, id)
        }
        let rows = try await call.tenant.read { connection in
            try await SessionQueries.list(of: session.user, after: after, limit: page.limit + 1, on: connection)
        }
        let found = Page(rows, request: page, kind: "sessions") { [$0.lastUsedAt.description, $0.id.uuidString] }
        return Reply(
            .init(
                sessions: found.elements.map { row in
                    .init(
                        id: row.id, device: row.device, createdAt: row.createdAt, lastUsedAt: row.lastUsedAt,
                        current: row.id == session.id)
                }, nextCursor: found.nextCursor)
        ).taggedByContent()
    }

    @Sendable private static func delete(_ input: DeleteSession, _ call: Call) async throws -> Reply<Empty> {
        let session = try call.requireSession()
        let reply = try await call.write(input) { connection in
            // A user that ends a session from afar may have lost the device.
            try await SessionQueries.forgetDevice(ofSession: input.id, user: session.user, on: connection)
            guard try await SessionQueries.delete(input.id, of: session.user, on: connection) else {
                throw Problem(.notFound, "There is no such session.")
            }
            return Reply(Empty())
        }
        call.tenant.sessions.forget(session.user)
        return reply
    }

    /// Signs out. The device stays and gets a fresh user, so that it can be used at once, as after its first start.
    private static func end(
        _ call: Call, _ services: AccountServices, _ users: UserDataRegistry
    ) async throws -> Reply<EndSession.Output> {
        let session = try call.requireSession()
        // Each makes a user.
        try services.limits.countKnown(call)
        let fresh = UserID(uuid: try UUIDv7.make(now: call.now))
        let id = try UUIDv7.make(now: call.now)
        let token = try Token.generate()
        let hash = try token.hash
        let (user, device) = try await call.tenant.write(scope: session.user) { connection in
            guard try await SessionQueries.isOpen(session, on: connection),
                let former = try await UserQueries.user(session.user, on: connection),
                let device = try await SessionQueries.device(session.device, on: connection)
            else { throw Problem(.tokenEnded, "This session has ended; sign in again.") }
            let hasData = try await users.hasData(session.user, in: call.tenant, on: connection)
            guard !former.accounts.isEmpty || !hasData else {
                throw Problem(
                    .statusConflict,
                    "Nobody could come back to these data: this user has no account. Register one first, or delete the user."
                )
            }
            try await UserQueries.insert(fresh, country: former.country, timeZone: former.timeZone, on: connection)
            try await SessionQueries.update(device: session.device, name: device.name, user: fresh, on: connection)
            try await SessionQueries.replace(
                session: id, device: session.device, tokenHash: hash.bytes, on: connection)
            // Another device of that user has signed out of nothing.
            if former.accounts.isEmpty { try await UserQueries.deleteUnasked(session.user, on: connection) }
            return (
                try await UserQueries.user(fresh, on: connection), Device(id: session.device, name: device.name)
            )
        }
        call.tenant.sessions.forget(session.user)
        guard let user else { throw AccountHandlers.userGone }
        return Reply(.init(user: user, device: device, token: token.text))
    }
}
