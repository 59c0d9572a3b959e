import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// Passwords that are changed, mails that are asked for, and addresses that are confirmed or changed.
enum PasswordHandlers {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry, services: AccountServices) {
        registry.register(VerifyEmail.self) { try await verify($0, $1, services) }
        registry.register(ForgotPassword.self) { try await forgot($0, $1, services) }
        registry.register(ChangePassword.self) { try await changePassword($0, $1, services) }
        registry.register(ChangeEmail.self) { try await changeEmail($0, $1, services) }
    }

    // MARK: By mail

    /// Queues a mail for any address. The mailer looks for the account later, so that neither the answer nor its time
    /// reveals it.
    private static func forgot(
        _ input: ForgotPassword, _ call: Call, _ services: AccountServices
    ) async throws -> Reply<Empty> {
        let email = try EmailAddress(input.email)
        var isOwn = false
        if let session = call.session {
            let accounts = try await call.tenant.read { try await AccountQueries.accounts(of: session.user, on: $0) }
            isOwn = accounts.contains { $0.email.limitKey == email.limitKey }
        }
        guard try await services.limits.countMail(to: email, isOwn: isOwn, call) else { return Reply(Empty()) }
        let id = try UUIDv7.make(now: call.now)
        let language = MailLanguage(accepted: call.origin.languages, country: call.session?.country)
        try await call.tenant.read { connection in
            try await MailQueries.insert(.reset, to: email, language: language, id: id, on: connection)
        }
        services.mailer.wake(call.tenant)
        return Reply(Empty())
    }

    private static func verify(_ input: VerifyEmail, _ call: Call, _ services: AccountServices) async throws -> Reply<
        Empty
    > {
        try services.limits.countInNetworks(call)
        let link = try MailLink(input.token, .verify)
        let known = try await call.tenant.read { try await link.account(on: $0) }
        // A person who enters a code in an app confirms the own registration, and nobody else's.
        guard call.session.map({ $0.user == known.user }) ?? true else { throw MailLink.bad }
        let notices = AccountNotices(call, services, country: known.country)
        try await call.tenant.write(scope: known.user) { connection in
            let account = try await link.account(on: connection)
            guard account.user == known.user else { throw MailLink.bad }
            let accounts = try await AccountQueries.accounts(of: account.user, on: connection)
            try await AccountQueries.verify(account.email, on: connection)
            try await MailQueries.deleteSecrets(of: account.email, purpose: .verify, on: connection)
            try await notices.tell(
                accounts, but: account.email, .addressConfirmed, account.email.text, on: connection)
        }
        call.tenant.sessions.forget(known.user)
        services.mailer.wake(call.tenant)
        return Reply(Empty())
    }

    // MARK: By password

    private static func changePassword(
        _ input: ChangePassword, _ call: Call, _ services: AccountServices
    ) async throws -> Reply<Empty> {
        let session = try call.requireSession()
        let account = try await own(input.email, input.currentPassword, call, services)
        let user = try await call.tenant.read { try await UserQueries.user(session.user, on: $0) }
        let password = try InputPassword.chosen(
            input.newPassword, email: account.email, userName: user?.userName, field: "newPassword")
        let hash = try await services.hash(password, call)
        let notices = AccountNotices(call, services, country: session.country)
        try await call.tenant.write(scope: session.user) { connection in
            guard
                try await AccountQueries.setPassword(
                    of: account.email, to: hash, from: account.password, on: connection)
            else { throw changedMeanwhile }
            try await SessionQueries.deleteAll(of: session.user, but: session.id, on: connection)
            try await SessionQueries.forgetDevices(of: session.user, but: session.device, on: connection)
            try await MailQueries.deleteSecrets(of: account.email, purpose: .reset, on: connection)
            try await notices.send(.passwordChanged, to: account.email, on: connection)
        }
        call.tenant.sessions.forget(session.user)
        services.mailer.wake(call.tenant)
        return Reply(Empty())
    }

    private static func changeEmail(
        _ input: ChangeEmail, _ call: Call, _ services: AccountServices
    ) async throws -> Reply<Empty> {
        let session = try call.requireSession()
        let new = try EmailAddress(input.newEmail, field: "newEmail")
        let account = try await own(input.email, input.currentPassword, call, services)
        guard new != account.email else {
            if !account.isVerified { try await askAgain(account, call, services) }
            return Reply(Empty())
        }
        try services.limits.countRegistration(call)
        let notices = AccountNotices(call, services, country: session.country)
        try await call.tenant.write(scope: session.user) { connection in
            let accounts = try await AccountQueries.accounts(of: session.user, on: connection)
            // Only spelled otherwise, it is the same mailbox, and stays confirmed.
            let isSame = try await AccountQueries.account(new, on: connection)?.email == account.email
            guard try await AccountQueries.rename(account, to: new, keepsVerification: isSame, on: connection) else {
                throw changedMeanwhile
            }
            try await MailQueries.deleteSecrets(of: account.email, purpose: nil, on: connection)
            guard !isSame else { return }
            try await notices.send(.verifyChange, to: new, on: connection)
            try await notices.send(.emailChanged, to: account.email, new.text, on: connection)
            try await notices.tell(
                accounts, but: account.email, .addressChanged, "\(account.email.text) → \(new.text)", on: connection)
        }
        call.tenant.sessions.forget(session.user)
        services.mailer.wake(call.tenant)
        return Reply(Empty())
    }

    /// Queues the mail once more that asks to confirm an address; nobody is told when it was asked for too often.
    private static func askAgain(
        _ account: AccountQueries.Row, _ call: Call, _ services: AccountServices
    ) async throws {
        guard try await services.limits.countMail(to: account.email, isOwn: true, call) else { return }
        let id = try UUIDv7.make(now: call.now)
        let language = MailLanguage(accepted: call.origin.languages, country: call.session?.country)
        try await call.tenant.read { connection in
            try await MailQueries.insert(.verify, to: account.email, language: language, id: id, on: connection)
        }
        services.mailer.wake(call.tenant)
    }

    private static let changedMeanwhile = Problem(
        .credentialsInvalid, "The account was changed meanwhile; look at it and try again.")

    /// The account of the caller's that is meant, whose password the caller knows.
    private static func own(
        _ email: String?, _ currentPassword: String, _ call: Call, _ services: AccountServices
    ) async throws -> AccountQueries.Row {
        let session = try call.requireSession()
        let password = try InputPassword.presented(currentPassword, field: "currentPassword")
        let address = try email.map { try EmailAddress($0) }
        let (accounts, named) = try await call.tenant.read { connection in
            let accounts = try await AccountQueries.accounts(of: session.user, on: connection)
            guard let address else { return (accounts, accounts.first) }
            return (accounts, try await AccountQueries.account(address, on: connection))
        }
        guard let account = named, account.user == session.user else {
            throw Problem.input("email", .missing, "is not the address of an account of yours")
        }
        guard address != nil || accounts.count == 1 else {
            throw Problem.input("email", .required, "is needed: you have several accounts")
        }
        try services.limits.countKnown(call)
        guard try await services.check(password, against: [account], key: session.user.limitKey, call) != nil
        else {
            throw Problem(.credentialsInvalid, "The current password is wrong.")
        }
        return account
    }
}
