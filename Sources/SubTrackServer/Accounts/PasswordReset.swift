import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// A forgotten password that is replaced by the token of a mail. Afterwards nobody but the reader of that mail is in.
enum PasswordReset {
    /// Registers the handler.
    static func register(in registry: inout OperationRegistry, services: AccountServices) {
        registry.register(ResetPassword.self) { try await reset($0, $1, services) }
    }

    private static func reset(
        _ input: ResetPassword, _ call: Call, _ services: AccountServices
    ) async throws -> Reply<ResetPassword.Output> {
        try services.limits.countInNetworks(call)
        let link = try MailLink(input.token, .reset)
        // Before a core is kept busy with a hash.
        let known = try await call.tenant.read { try await link.account(on: $0) }
        let password = try InputPassword.chosen(input.newPassword, email: known.email, field: "newPassword")
        let hash = try await services.hash(password, call)
        let fresh = UserID(uuid: try UUIDv7.make(now: call.now))
        let notices = AccountNotices(call, services, country: known.country)
        let output = try await call.tenant.write(in: WriteScopes(known.user, becoming: fresh)) { connection in
            // The token serves once: of two at the same time the second finds it gone.
            let account = try await link.account(on: connection)
            guard account.user == known.user else { throw MailLink.bad }
            let accounts = try await AccountQueries.accounts(of: account.user, on: connection)
            try await AccountQueries.setPassword(of: account.email, to: hash, from: account.password, on: connection)
            try await MailQueries.deleteSecrets(of: account.email, purpose: nil, on: connection)
            switch AccountRank(oldestFirst: accounts).reset(of: account.email) {
            case .keepsUser(let others):
                return try await keep(account, removing: others, notices, on: connection)
            case .leavesUser(let endingSessions):
                return try await leave(
                    account, others: accounts.filter { $0.email != account.email }, to: fresh,
                    endingSessions: endingSessions, notices, on: connection)
            }
        }
        services.limits.succeeded("account \(known.email.limitKey)", call)
        call.tenant.sessions.forget(known.user)
        services.mailer.wake(call.tenant)
        return Reply(output)
    }

    /// The address came first: its reader has the user, and nobody else has.
    private static func keep(
        _ account: AccountQueries.Row, removing others: [AccountQueries.Row], _ notices: AccountNotices,
        on connection: Connection
    ) async throws -> ResetPassword.Output {
        let sessions = try await SessionQueries.count(of: account.user, on: connection)
        try await SessionQueries.deleteAll(of: account.user, but: nil, on: connection)
        try await SessionQueries.forgetDevices(of: account.user, but: nil, on: connection)
        for other in others {
            try await AccountQueries.delete(other.email, of: account.user, on: connection)
            if other.isVerified { try await notices.send(.addressGone, to: other.email, on: connection) }
        }
        let removed = others.map(\.email.text)
        if removed.isEmpty {
            try await notices.send(.passwordChanged, to: account.email, on: connection)
        } else {
            try await notices.send(
                .resetRemoved, to: account.email, removed.joined(separator: ", "), on: connection)
        }
        return .init(
            email: account.email.text, keptUser: true, removedAccounts: removed, otherAccounts: [],
            endedSessions: sessions)
    }

    /// The user may be somebody else's. Data of the one must not reach the other.
    private static func leave(
        _ account: AccountQueries.Row, others: [AccountQueries.Row], to fresh: UserID, endingSessions: Bool,
        _ notices: AccountNotices, on connection: Connection
    ) async throws -> ResetPassword.Output {
        var sessions = 0
        if endingSessions {
            // A device of this reader's would go on writing for the others to read. They can sign in again: one of them is
            // confirmed.
            sessions = try await SessionQueries.count(of: account.user, on: connection)
            try await SessionQueries.deleteAll(of: account.user, but: nil, on: connection)
        }
        // Where nobody confirmed the address the sessions go on, without this account. They are the only way to the
        // data. A person who is both brings the data along at the next sign-in.
        try await UserQueries.insert(fresh, country: account.country, timeZone: account.timeZone, on: connection)
        try await AccountQueries.give(account.email, to: fresh, on: connection)
        try await AccountQueries.verify(account.email, on: connection)
        try await notices.send(
            others.isEmpty ? .passwordChanged : .resetMoved, to: account.email,
            others.map(\.email.masked).joined(separator: ", "), on: connection)
        try await notices.tell(others, but: account.email, .addressRemoved, account.email.text, on: connection)
        return .init(
            email: account.email.text, keptUser: false, removedAccounts: [],
            otherAccounts: others.map(\.email.masked), endedSessions: sessions)
    }
}
