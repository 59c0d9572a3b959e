/// Order of the accounts of one user: which of them keeps the user's data when they may be different people's.
///
/// Anybody who knows a password of a user can add an address, and anybody can register a stranger's address beside the
/// own one. The service knows two things of an address: whether its reader confirmed it, and since when it leads to the
/// user. A confirmed address comes before an unconfirmed one, and of two alike the older before the younger.
struct AccountRank: Sendable {
    /// The accounts, the first in rank first.
    let accounts: [AccountQueries.Row]

    /// Ranks the accounts of one user.
    /// - Parameter accounts: all of them, the oldest first.
    init(oldestFirst accounts: [AccountQueries.Row]) {
        self.accounts = accounts.filter(\.isVerified) + accounts.filter { !$0.isVerified }
    }

    /// Whether an account is another, or comes before it.
    func isAtLeast(_ one: EmailAddress, _ other: EmailAddress) -> Bool {
        guard let first = index(one), let second = index(other) else { return false }
        return first <= second
    }

    private func index(_ email: EmailAddress) -> Int? { accounts.firstIndex { $0.email == email } }

    /// The effect of a reset of one password on all of them.
    func reset(of email: EmailAddress) -> ResetEffect {
        let others = accounts.filter { $0.email != email }
        guard let account = accounts.first(where: { $0.email == email }), account.isVerified else {
            return .leavesUser(endingSessions: false)
        }
        return accounts.first?.email == email ? .keepsUser(removing: others) : .leavesUser(endingSessions: true)
    }

    /// Why an account cannot be removed by somebody who knows the password of another, or of the same; nil where it can.
    func refusal(removing target: EmailAddress, knowing known: EmailAddress) -> RemovalRefusal? {
        guard accounts.count > 1 else { return .isLast }
        guard isAtLeast(known, target) else { return .isBelow }
        let isLastConfirmed =
            accounts.contains { $0.isVerified && $0.email == target } && accounts.filter(\.isVerified).count == 1
        return isLastConfirmed ? .isLastConfirmed : nil
    }

    /// Why an account stays.
    enum RemovalRefusal: Equatable {
        /// Nothing else leads to the user.
        case isLast
        /// The account whose password was given comes behind it.
        case isBelow
        /// All others are unconfirmed: nobody could reset a password and keep the data.
        case isLastConfirmed
    }
}

/// The effect of a password reset on the user of the address.
enum ResetEffect: Sendable {
    /// The address keeps the user; all others are removed, and all sessions end.
    case keepsUser(removing: [AccountQueries.Row])
    /// The address leads to a new user from now on; the others keep the former one.
    case leavesUser(endingSessions: Bool)
}
