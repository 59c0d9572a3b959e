import MariaDB
import SubTrackAPI

/// Taking an address from a user who has others.
enum AccountRemoval {
    /// Registers the handler.
    static func register(in registry: inout OperationRegistry, services: AccountServices) {
        registry.register(DeleteAccount.self) { try await remove($0, $1, services) }
    }

    private static func remove(
        _ input: DeleteAccount, _ call: Call, _ services: AccountServices
    ) async throws -> Reply<Empty> {
        let session = try call.requireSession()
        let address = try EmailAddress(input.email)
        let confirmed = try await AccountHandlers.confirm(input.currentPassword, call, services)
        let notices = AccountNotices(call, services, country: session.country)
        try await call.tenant.write(scope: session.user) { connection in
            let accounts = try await confirmed.check(on: connection, user: session.user)
            guard let stored = try await AccountQueries.account(address, on: connection),
                stored.user == session.user
            else { throw Problem.input("email", .missing, "is not the address of an account of yours") }
            guard let known = confirmed.matched else { throw AccountHandlers.userGone }
            if let refusal = AccountRank(oldestFirst: accounts).refusal(removing: stored.email, knowing: known.email) {
                throw problem(of: refusal)
            }
            try await AccountQueries.delete(stored.email, of: session.user, on: connection)
            // Sessions know no address: a device that signed in by the removed one would stay.
            try await SessionQueries.deleteAll(of: session.user, but: session.id, on: connection)
            try await SessionQueries.forgetDevices(of: session.user, but: session.device, on: connection)
            if stored.isVerified { try await notices.send(.addressGone, to: stored.email, on: connection) }
            try await notices.tell(accounts, but: stored.email, .addressRemoved, stored.email.text, on: connection)
        }
        call.tenant.sessions.forget(session.user)
        services.mailer.wake(call.tenant)
        return Reply(Empty())
    }

    private static func problem(of refusal: AccountRank.RemovalRefusal) -> Problem {
        switch refusal {
        case .isLast:
            Problem(
                .statusConflict,
                "This is the user's only account; register another one first, or delete the user (DELETE /v1/me).")
        case .isBelow:
            Problem(
                .statusConflict,
                "This account comes before the one whose password was given: it was confirmed, or came, earlier. Give its own password, or that of one before it."
            )
        case .isLastConfirmed:
            Problem(.statusConflict, "No other address of the user is confirmed; confirm another one first.")
        }
    }
}
