import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

/// What an address A can be to the service, and to a user U whom its owner shares with an address B.
enum AddressState: String, CaseIterable, Sendable {
    case unregistered = "unregistered"
    case unconfirmed = "unconfirmed, alone on U"
    case confirmed = "confirmed, alone on U"
    case unconfirmedBeside = "unconfirmed, beside a confirmed B"
    case firstOfTwo = "confirmed, beside a younger confirmed B"
    case secondOfTwo = "confirmed, beside an older confirmed B"
    case besideUnconfirmed = "confirmed, beside an older unconfirmed B"
    case unconfirmedPair = "unconfirmed, beside a younger unconfirmed B"
    case changePending = "new address of a changed account, unconfirmed"
    case former = "former address of a changed account"
    case removed = "removed from U by B"
    case resetKept = "after a reset that removed B"
    case resetLeft = "after a reset that left U to B"
    case deleted = "its user was deleted"
    case registeredAgain = "removed from U by B, then registered by somebody else"
}

/// What can happen to an address.
enum AddressEvent: String, CaseIterable, Sendable {
    case register = "a stranger registers A"
    case signIn = "sign-in with A's password"
    case add = "U's device adds C with A's password"
    case change = "U's device changes A to D"
    case remove = "U's device removes A with A's password"
    case removeByOther = "U's device removes A with B's password"
    case removeOther = "U's device removes B with A's password"
    case deleteUser = "U's device deletes U with A's password"
    case forgot = "a mail is asked for A"
    case confirm = "A's confirmation link"
    case confirmTwice = "the same link again"
    case confirmExpired = "a confirmation link that is too old"
    case confirmOld = "the link of A's first registration"
    case reset = "A's reset link"
    case resetTwice = "the same reset link again"
    case resetExpired = "a reset link that is too old"
    case resetOld = "a reset link of A's first registration"
    case resetTwoAtOnce = "A's reset link, twice at once"
    case resetWhileSigningIn = "reset, and a sign-in with the old password at once"
    case resetWhileAdding = "reset, and C is added with the old password at once"
    case resetBoth = "resets of A and of B at once"
    case confirmWhileRemoving = "A is confirmed, and removed by B at once"
}

/// One address in one state, among the others that the state needs; no other test has them.
struct AddressScene: Sendable {
    static let passwordA = "the password of A"
    static let passwordB = "the password of B"
    static let newPassword = "a password after a reset"

    let service: TestService
    let database: MariaDBClient
    let a, b, c, d: String
    /// A device that is signed in as U.
    var owner: TestUser
    /// Tokens that were sent to A when it was registered first.
    var oldVerify = "", oldReset = ""

    /// The name of an address in the table.
    func name(_ email: String) -> String { [a: "A", b: "B", c: "C", d: "D"][email] ?? email }

    /// Brings an address into a state.
    init(_ state: AddressState, _ service: TestService, _ database: MariaDBClient) async throws {
        self.service = service
        self.database = database
        (a, b) = (service.newEmail("a"), service.newEmail("b"))
        (c, d) = (service.newEmail("c"), service.newEmail("d"))
        owner = try await service.newUser()
        switch state {
        case .unregistered: break
        case .unconfirmed: try await addA()
        case .confirmed:
            try await addA()
            try await confirm(a)
        case .unconfirmedBeside:
            try await addB()
            try await confirm(b)
            try await addA(Self.passwordB)
        case .firstOfTwo:
            try await addA()
            try await addB(Self.passwordA)
            // The order in which they are confirmed does not count.
            try await confirm(b)
            try await confirm(a)
        case .secondOfTwo:
            try await addB()
            try await addA(Self.passwordB)
            try await confirm(a)
            try await confirm(b)
        case .besideUnconfirmed:
            try await addB()
            try await addA(Self.passwordB)
            try await confirm(a)
        case .unconfirmedPair:
            try await addA()
            try await addB(Self.passwordA)
        case .changePending:
            let former = service.newEmail("former")
            try await owner.register(former, Self.passwordA)
            try await confirm(former)
            try await owner.call(ChangeEmail(email: former, newEmail: a, currentPassword: Self.passwordA))
        case .former:
            try await addA()
            try await owner.call(ChangeEmail(email: a, newEmail: d, currentPassword: Self.passwordA))
        case .removed, .registeredAgain:
            try await addB()
            try await confirm(b)
            try await addA(Self.passwordB)
            try await owner.call(DeleteAccount(email: a, currentPassword: Self.passwordB))
            if state == .registeredAgain { try await service.newUser().register(a, Self.passwordA) }
        case .resetKept, .resetLeft:
            if state == .resetKept {
                try await addA()
                try await addB(Self.passwordA)
            } else {
                try await addB()
                try await addA(Self.passwordB)
            }
            try await confirm(a)
            try await confirm(b)
            let token = try await link(.reset, to: a)
            try await service.client.call(ResetPassword(token: token, newPassword: Self.passwordA))
        case .deleted:
            try await addA()
            try await confirm(a)
            try await owner.call(DeleteMe(currentPassword: Self.passwordA))
        }
    }

    private mutating func addA(_ current: String? = nil) async throws {
        try await owner.register(a, Self.passwordA, current: current)
        oldVerify = try await link(.verify, to: a)
        oldReset = try await link(.reset, to: a)
    }

    private func addB(_ current: String? = nil) async throws {
        try await owner.register(b, Self.passwordB, current: current)
    }

    private func confirm(_ email: String) async throws {
        try await service.client.call(VerifyEmail(token: try await link(.verify, to: email)))
    }

    // MARK: Links

    /// The token of a mail, as the mailer makes it: none where there is no such account, or nothing to confirm.
    func link(_ purpose: MailPurpose, to email: String, expired: Bool = false) async throws -> String {
        let token = try Token.generate()
        let hash = try token.hash.bytes
        let expires = expired ? -1 : 3600
        try await database.withConnection(service.database.name) { connection in
            _ = try await connection.execute(
                """
                INSERT INTO Mail_secret (Secret_hash, Purpose, Email, Expires_at)
                SELECT \(hash), \(purpose), Email, UTC_TIMESTAMP() + INTERVAL \(expires) SECOND FROM Account
                WHERE Email = \(email) AND (\(purpose == .reset) OR Verified_at IS NULL)
                """)
        }
        return token.text
    }

    // MARK: What is seen

    /// An account: whom it leads to, and whether it is confirmed.
    struct Account: Sendable {
        let user: UUID
        let isVerified: Bool
    }

    /// The accounts of the scene's addresses.
    func accounts() async throws -> [String: Account] {
        try await database.withConnection(service.database.name) { connection in
            let rows = try await connection.query(
                """
                SELECT Email, User_ID, Verified_at IS NOT NULL FROM Account
                WHERE Email IN (\(a), \(b), \(c), \(d))
                """)
            return Dictionary(
                uniqueKeysWithValues: try rows.decode((String, UUID, Bool).self).map {
                    ($0.0, Account(user: $0.1, isVerified: $0.2))
                })
        }
    }

    /// How many sessions a user has.
    func sessions(of user: UUID) async throws -> Int {
        try await database.withConnection(service.database.name) { connection in
            try await SessionQueries.count(of: UserID(uuid: user), on: connection)
        }
    }

    /// The mails that wait for the scene's addresses, by their ids.
    func mails() async throws -> [UUID: String] {
        try await database.withConnection(service.database.name) { connection in
            let rows = try await connection.query(
                "SELECT Mail_ID, Kind, Email FROM Mail WHERE Email IN (\(a), \(b), \(c), \(d))")
            return Dictionary(
                uniqueKeysWithValues: try rows.decode((UUID, MailKind, String).self).map {
                    ($0.0, "\(name($0.2)): \($0.1.rawValue)")
                })
        }
    }

    /// What an address is, in words of the table.
    func standing(_ email: String, _ accounts: [String: Account]) -> String {
        guard let account = accounts[email] else { return "–" }
        let place = account.user == owner.user.id ? "U" : "another user"
        return "\(account.isVerified ? "confirmed" : "unconfirmed"), \(place)"
    }
}
