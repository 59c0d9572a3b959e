import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Taking one's data along, and leaving.
enum OwnDataHandlers {
    /// Registers the handlers.
    static func register(
        in registry: inout OperationRegistry, services: AccountServices, users: UserDataRegistry
    ) {
        let desk = ExportDesk()
        registry.register(DeleteMe.self) { try await delete($0, $1, services, users) }
        registry.register(ExportMe.self) { try await export($1, desk, users) }
    }

    private static func delete(
        _ input: DeleteMe, _ call: Call, _ services: AccountServices, _ users: UserDataRegistry
    ) async throws -> Reply<Empty> {
        let session = try call.requireSession()
        let confirmed = try await AccountHandlers.confirm(input.currentPassword, call, services)
        try await call.tenant.write(scope: session.user) { connection in
            for account in try await confirmed.check(on: connection, user: session.user) {
                try await MailQueries.deleteAll(to: account.email, on: connection)
                try await MailQueries.deleteSecrets(of: account.email, purpose: nil, on: connection)
            }
            try await UserQueries.erase(session.user, on: connection)
        }
        call.tenant.sessions.forget(session.user)
        do {
            // Most users have no rows left when they are answered; the job removes the rest.
            _ = try await UserErasure(users: users).removeSome(of: session.user, in: call.tenant, turns: 1)
        } catch {
            call.logger.notice(
                "The rows of a deleted user are removed later",
                metadata: ["request_id": "\(call.requestID)", "error": "\(error)"])
        }
        return Reply(Empty())
    }

    /// Writes the export out of one snapshot, and gives the database's connection back before the first byte is sent. A
    /// slow reader holds a file.
    private static func export(
        _ call: Call, _ desk: ExportDesk, _ users: UserDataRegistry
    ) async throws -> Reply<ExportMe.Output> {
        let session = try call.requireSession()
        let ticket = try desk.begin(call)
        let today = session.today(at: call.now)
        try await users.prepare(session.user, in: call.tenant, today: today)
        let spool = try await call.tenant.client.withTransaction(
            call.tenant.database, isolation: .repeatableRead, isReadOnly: true
        ) { connection in
            // The snapshot begins with the first read.
            var export = UserExport(
                tenant: call.tenant, session: session, now: call.now, today: today, connection: connection,
                spool: AnswerSpool(budget: desk.budget, ticket: ticket))
            try await export.write(users.data(in: call.tenant).flatMap(\.export))
            return export.spool
        }
        ticket.made()
        return Reply(spooled: try await spool.finished())
    }
}
