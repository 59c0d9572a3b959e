import Foundation
import MariaDB
import Passwords
import SubTrackAPI

/// Token of a mail, as somebody sends it: by the mail's page, or typed into an app.
struct MailLink: Sendable {
    private let hash: [UInt8]
    private let purpose: MailPurpose

    /// Reads a token.
    /// - Throws: `input_invalid` where it cannot be one.
    init(_ text: String, _ purpose: MailPurpose) throws {
        guard text.utf8.count <= 1_000, let token = Token(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Self.bad
        }
        hash = try token.hash.bytes
        self.purpose = purpose
    }

    /// The account that it was sent for. Locks the token in a transaction.
    /// - Throws: `input_invalid` when it was sent for none, or too long ago.
    func account(on connection: Connection) async throws -> AccountQueries.Row {
        guard let email = try await MailQueries.email(secret: hash, purpose: purpose, on: connection),
            let account = try await AccountQueries.account(email, on: connection), account.email == email
        else { throw Self.bad }
        return account
    }

    /// The problem of a token that is none.
    static let bad = Problem.input(
        "token", .missing, "is not one that was sent by mail, was used already, or is too old; ask for another mail")
}

/// Describes the effect of a link to its holder, before it is used.
enum MailLinkHandlers {
    /// Registers the handler.
    static func register(in registry: inout OperationRegistry, services: AccountServices) {
        registry.register(DescribeLink.self) { try await describe($0, $1, services) }
    }

    /// Other addresses are masked: the holder reads the mail of one address, and the user may be somebody else's.
    private static func describe(
        _ input: DescribeLink, _ call: Call, _ services: AccountServices
    ) async throws -> Reply<DescribeLink.Output> {
        try services.limits.countInNetworks(call)
        let link = try MailLink(input.token, input.purpose == .verify ? .verify : .reset)
        return try await call.tenant.read { connection in
            let account = try await link.account(on: connection)
            let accounts = try await AccountQueries.accounts(of: account.user, on: connection)
            let others = accounts.filter { $0.email != account.email }
            let effect: DescribeLink.Effect =
                switch (input.purpose, AccountRank(oldestFirst: accounts).reset(of: account.email)) {
                case (.verify, _): .confirms
                case (.reset, .keepsUser): .keepsUser
                case (.reset, .leavesUser): .leavesUser
                }
            return Reply(
                .init(email: account.email.text, effect: effect, otherAccounts: others.map(\.email.masked)))
        }
    }
}
