import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// Passwords that are forgotten or changed, and addresses that are confirmed or changed.
enum PasswordHandlers {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry, services: AccountServices) {
        registry.register(VerifyEmail.self) { try await verify($0, $1, services) }
        registry.register(ForgotPassword.self) { try await forgot($0, $1, services) }
        registry.register(ResetPassword.self) { try await reset($0, $1, services) }
        registry.register(ChangePassword.self) { try await changePassword($0, $1, services) }
        registry.register(ChangeEmail.self) { try await changeEmail($0, $1, services) }
    }

    // MARK: By mail

    /// Queues a mail for any address: whether there is an account is looked at when the mail is handed over, so that
    /// neither the answer nor its time tells.
    private static func forgot(
        _ input: ForgotPassword, _ call: Call, _ services: AccountServices
    ) async throws -> Reply<Empty> {
        let email = try EmailAddress(input.email)
        guard try services.limits.countMail(to: email, call) else { return Reply(Empty()) }
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
        try services.limits.countAttempt(call)
        let hash = try secretHash(input.token)
        func account(_ connection: Connection) async throws -> AccountQueries.Row {
            try await Self.account(secret: hash, purpose: .verify, on: connection)
        }
        let known = try await call.tenant.read(account)
        // Whoever enters a code in an app confirms the own registration, and nobody else's.
        guard call.session.map({ $0.user == known.user }) ?? true else { throw badToken }
        try await call.tenant.write(scope: known.user) { connection in
            let account = try await account(connection)
            guard account.user == known.user else { throw badToken }
            try await AccountQueries.verify(account.email, on: connection)
            try await MailQueries.deleteSecrets(of: account.email, purpose: .verify, on: connection)
        }
        call.tenant.sessions.forget(known.user)
        return Reply(Empty())
    }

    private static func reset(_ input: ResetPassword, _ call: Call, _ services: AccountServices) async throws -> Reply<
        Empty
    > {
        try services.limits.countAttempt(call)
        let secret = try secretHash(input.token)
        func account(_ connection: Connection) async throws -> AccountQueries.Row {
            try await Self.account(secret: secret, purpose: .reset, on: connection)
        }
        // Before a core is kept busy with a hash.
        let known = try await call.tenant.read(account)
        let password = try InputPassword.chosen(input.newPassword, email: known.email, field: "newPassword")
        let hash = try await services.hash(password, call)
        let fresh = UserID(uuid: try UUIDv7.make(now: call.now))
        let mail = try UUIDv7.make(now: call.now)
        let former = try await call.tenant.write(scopes: known.user, fresh) { connection -> UserID in
            // The token serves once: of two at the same time the second finds it gone.
            let account = try await account(connection)
            guard account.user == known.user else { throw badToken }
            try await AccountQueries.setPassword(of: account.email, to: hash, from: account.password, on: connection)
            try await MailQueries.deleteSecrets(of: account.email, purpose: nil, on: connection)
            if account.isVerified {
                try await SessionQueries.deleteAll(of: account.user, but: nil, on: connection)
                try await SessionQueries.forgetDevices(of: account.user, but: nil, on: connection)
            } else {
                // Somebody registered the address without reading its mail. What that user keeps is not its reader's, and
                // what its reader will keep is not that user's. The sessions go on, without this account: they are the
                // only way to the data, and whoever is both brings them along at the next sign-in.
                try await UserQueries.insert(
                    fresh, country: account.country, timeZone: account.timeZone, on: connection)
                try await AccountQueries.give(account.email, to: fresh, on: connection)
                try await AccountQueries.verify(account.email, on: connection)
            }
            let language = MailLanguage(accepted: call.origin.languages, country: account.country)
            try await MailQueries.insert(
                .passwordChanged, to: account.email, language: language, id: mail, on: connection)
            return account.user
        }
        services.limits.succeeded("account \(known.email.limitKey)", call)
        call.tenant.sessions.forget(former)
        services.mailer.wake(call.tenant)
        return Reply(Empty())
    }

    /// The account that a token of a mail is for.
    /// - Throws: `input_invalid` when it is for none.
    private static func account(
        secret hash: [UInt8], purpose: MailPurpose, on connection: Connection
    ) async throws -> AccountQueries.Row {
        guard let email = try await MailQueries.email(secret: hash, purpose: purpose, on: connection),
            let account = try await AccountQueries.account(email, on: connection), account.email == email
        else { throw badToken }
        return account
    }

    /// The hash of a token that came by mail.
    private static func secretHash(_ token: String) throws -> [UInt8] {
        guard let token = Token(token.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw badToken }
        return try token.hash.bytes
    }

    private static let badToken = Problem.input(
        "token", .missing, "is not one that was sent by mail, was used already, or is too old; ask for another mail")

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
        let mail = try UUIDv7.make(now: call.now)
        try await call.tenant.write(scope: session.user) { connection in
            guard
                try await AccountQueries.setPassword(
                    of: account.email, to: hash, from: account.password, on: connection)
            else { throw changedMeanwhile }
            try await SessionQueries.deleteAll(of: session.user, but: session.id, on: connection)
            try await SessionQueries.forgetDevices(of: session.user, but: session.device, on: connection)
            try await MailQueries.deleteSecrets(of: account.email, purpose: .reset, on: connection)
            let language = MailLanguage(accepted: call.origin.languages, country: session.country)
            try await MailQueries.insert(
                .passwordChanged, to: account.email, language: language, id: mail, on: connection)
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
        let verification = try UUIDv7.make(now: call.now)
        let notice = try UUIDv7.make(now: call.now)
        try await call.tenant.write(scope: session.user) { connection in
            // Only spelled otherwise, it is the same mailbox, and stays confirmed.
            let isSame = try await AccountQueries.account(new, on: connection)?.email == account.email
            guard try await AccountQueries.rename(account, to: new, keepsVerification: isSame, on: connection) else {
                throw changedMeanwhile
            }
            try await MailQueries.deleteSecrets(of: account.email, purpose: nil, on: connection)
            guard !isSame else { return }
            let language = MailLanguage(accepted: call.origin.languages, country: session.country)
            try await MailQueries.insert(.verifyChange, to: new, language: language, id: verification, on: connection)
            try await MailQueries.insert(
                .emailChanged, to: account.email, detail: new.text, language: language, id: notice, on: connection)
        }
        call.tenant.sessions.forget(session.user)
        services.mailer.wake(call.tenant)
        return Reply(Empty())
    }

    /// Queues the mail once more that asks to confirm an address; nobody is told when it was asked for too often.
    private static func askAgain(
        _ account: AccountQueries.Row, _ call: Call, _ services: AccountServices
    ) async throws {
        guard try services.limits.countMail(to: account.email, call) else { return }
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
        try services.limits.countAttempt(call)
        guard try await services.check(password, against: [account], key: session.user.limitKey, call) != nil
        else {
            throw Problem(.credentialsInvalid, "The current password is wrong.")
        }
        return account
    }
}
