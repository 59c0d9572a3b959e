import Foundation
import MariaDB
import SubTrackAPI

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
        _ = try await confirm(input.currentPassword, call, services)
        try services.limits.countRegistration(call)
        guard try await call.tenant.read({ try await AccountQueries.account(email, on: $0) }) == nil else {
            throw AccountQueries.taken
        }
        let hash = try await services.hash(password, call)
        let mail = try UUIDv7.make(now: call.now)
        let user = try await call.tenant.write(scope: session.user) { connection in
            guard let user = try await UserQueries.user(session.user, on: connection) else { throw Self.userGone }
            // Somebody may have registered the first one meanwhile, without a password to confirm.
            guard user.accounts.isEmpty || input.currentPassword != nil else { throw Self.needsPassword }
            guard user.accounts.count < maximumAccounts else {
                throw Problem(.tooMany, "A user may have \(maximumAccounts) accounts.")
            }
            try await AccountQueries.insert(email, hash: hash, user: session.user, on: connection)
            try await AccountQueries.nameUser(session.user, name, on: connection)
            try await AccountQueries.knowDevices(of: session.user, on: connection)
            let language = MailLanguage(accepted: call.origin.languages, country: user.country)
            try await MailQueries.insert(.verify, to: email, language: language, id: mail, on: connection)
            return try await UserQueries.user(session.user, on: connection)
        }
        call.tenant.sessions.forget(session.user)
        services.mailer.wake(call.tenant)
        guard let user, let account = user.accounts.first(where: { $0.email == email.text }) else { throw userGone }
        return Reply(.init(user: user, account: account))
    }

    /// Sees that whoever holds the device knows a password of the user's, if an account leads to the user.
    /// - Returns: the user's accounts.
    /// - Throws: `credentials_invalid`, `rate_limited`, and `input_invalid` when it was left out.
    static func confirm(
        _ typed: String?, _ call: Call, _ services: AccountServices
    ) async throws -> [AccountQueries.Row] {
        let session = try call.requireSession()
        let accounts = try await call.tenant.read { connection in
            try await AccountQueries.accounts(of: session.user, on: connection)
        }
        guard !accounts.isEmpty else { return accounts }
        guard let typed else { throw needsPassword }
        let password = try InputPassword.presented(typed, field: "currentPassword")
        try services.limits.countAttempt(call)
        guard try await services.check(password, against: accounts, key: "user \(session.user.uuid)", call) != nil
        else {
            throw Problem(.credentialsInvalid, "The current password is wrong.")
        }
        return accounts
    }

    private static let needsPassword = Problem.input(
        "currentPassword", .required, "is needed: the password of an account that the user has")

    /// The problem of a user who is no more.
    static let userGone = Problem(.userDeleted, "This user was deleted.")
}
