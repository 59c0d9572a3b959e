import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Giving a user an account.
enum AccountHandlers {
    /// How many accounts may lead to one user.
    static let maximumAccounts = 10

    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry, services: AccountServices) {
        registry.register(RegisterAccount.self) { try await registerAccount($0, $1, services) }
    }

    private static func registerAccount(
        _ input: RegisterAccount, _ call: Call, _ services: AccountServices
    ) async throws -> Reply<RegisterAccount.Output> {
        let session = try call.requireSession()
        let name = try InputText.optional(input.userName, field: "userName", maximum: 100)
        let email = try EmailAddress(input.email)
        let password = try InputPassword.chosen(input.password, email: email, userName: name, field: "password")
        let confirmed = try await confirm(input.currentPassword, call, services)
        try services.limits.countRegistration(call)
        guard try await call.tenant.read({ try await AccountQueries.account(email, on: $0) }) == nil else {
            throw AccountQueries.taken
        }
        let hash = try await services.hash(password, call)
        let user = try await call.tenant.write(scope: session.user) { connection in
            guard let user = try await UserQueries.user(session.user, on: connection) else { throw Self.userGone }
            let others = try await confirmed.check(on: connection, user: session.user)
            guard user.accounts.count < maximumAccounts else {
                throw Problem(.tooMany, "A user may have \(maximumAccounts) accounts.")
            }
            try await AccountQueries.insert(email, hash: hash, user: session.user, on: connection)
            try await AccountQueries.nameUser(session.user, name, on: connection)
            try await AccountQueries.knowDevices(of: session.user, on: connection)
            let notices = AccountNotices(call, services, country: user.country)
            try await notices.send(.verify, to: email, on: connection)
            try await notices.tell(others, but: email, .addressAdded, email.text, on: connection)
            return try await UserQueries.user(session.user, on: connection)
        }
        call.tenant.sessions.forget(session.user)
        services.mailer.wake(call.tenant)
        guard let user, let account = user.accounts.first(where: { $0.email == email.text }) else { throw userGone }
        return Reply(.init(user: user, account: account))
    }

    /// The account whose password the caller has proved to know.
    struct Confirmation {
        /// The user's accounts at that moment.
        let accounts: [AccountQueries.Row]
        /// The one whose password it is; nil where there was none.
        let matched: AccountQueries.Row?

        /// Sees in a transaction that has the user's scope locked that it holds still: no account has come since, and
        /// none has got another password.
        /// - Returns: the accounts as they are now.
        /// - Throws: `status_conflict`.
        @discardableResult
        func check(on connection: Connection, user: UserID) async throws -> [AccountQueries.Row] {
            let now = try await AccountQueries.accounts(of: user, on: connection)
            let isMatchThere = matched.map { matched in now.contains { $0.isStill(matched) } } ?? true
            guard isMatchThere, now.allSatisfy({ row in accounts.contains { $0.isStill(row) } }) else {
                throw Problem(
                    .statusConflict, "The user's accounts were changed meanwhile; look at them and try again.")
            }
            return now
        }
    }

    /// Checks that the caller knows a password of the user, if an account leads to the user.
    /// - Throws: `credentials_invalid`, `rate_limited`, and `input_invalid` when it was left out.
    static func confirm(
        _ typed: String?, _ call: Call, _ services: AccountServices
    ) async throws -> Confirmation {
        let session = try call.requireSession()
        let accounts = try await call.tenant.read { connection in
            try await AccountQueries.accounts(of: session.user, on: connection)
        }
        guard !accounts.isEmpty else { return Confirmation(accounts: [], matched: nil) }
        guard let typed else { throw needsPassword }
        let password = try InputPassword.presented(typed, field: "currentPassword")
        try services.limits.countKnown(call)
        // Of several with this password the first in rank counts: it may do most.
        let ranked = AccountRank(oldestFirst: accounts).accounts
        guard let matched = try await services.check(password, against: ranked, key: session.user.limitKey, call)
        else {
            throw Problem(.credentialsInvalid, "The current password is wrong.")
        }
        return Confirmation(accounts: accounts, matched: matched)
    }

    private static let needsPassword = Problem.input(
        "currentPassword", .required, "is needed: the password of an account that the user has")

    /// The problem of a user who is no more.
    static let userGone = Problem(.userDeleted, "This user was deleted.")
}
