import Foundation
import Passwords
import SubTrackAPI

/// State that the operations on accounts share in a process: the threads that hash, and the use of limits.
final class AccountServices: Sendable {
    /// Makes and compares hashes of passwords.
    let hasher: PasswordHasher
    /// The limits.
    let limits: AccountGuard
    /// Sends queued mails.
    let mailer: Mailer

    /// Services with their settings.
    init(
        limits: AccountLimits = AccountLimits(), hasher: PasswordHasher = PasswordHasher(), mailer: Mailer = Mailer(),
        clock: WallClock = .system
    ) {
        self.limits = AccountGuard(limits, clock: clock)
        self.hasher = hasher
        self.mailer = mailer
    }

    /// Whose turn it is when many passwords are to be hashed: the region's, and in it the tenant's and the network's.
    private func queue(_ call: Call) -> PasswordHasher.Queue {
        // This machine is a proxy perhaps, which speaks for many.
        let group = call.origin.isThisMachine ? nil : call.origin.networks.region.description
        return .init("\(call.tenant.slug) \(call.addressKey)", group: group)
    }

    /// The hash of a new password.
    func hash(_ password: Password, _ call: Call) async throws -> PasswordHash {
        try await hasher.hash(password, queue: queue(call))
    }

    /// Compares a password with the hashes of accounts, and makes a guesser wait.
    /// - Parameters:
    ///   - accounts: some accounts of one user, or none where there is none: that takes as long as with one.
    ///   - key: the key that waits after wrong ones.
    ///   - device: a device that the account knows: it has a queue of its own, and a place that others cannot take.
    /// - Returns: the account whose password it is.
    /// - Throws: `rate_limited`.
    func check(
        _ password: Password, against accounts: [AccountQueries.Row], key: String, device: UUID? = nil, _ call: Call
    ) async throws -> AccountQueries.Row? {
        let queue = device.map { PasswordHasher.Queue("\(call.tenant.slug) \($0)", isReserved: true) } ?? queue(call)
        // Counted before it is known: of many guesses at once, only so many get as far as the comparison.
        try limits.begin(key, call)
        var isCompared = false
        do {
            for (index, account) in accounts.enumerated() {
                // Each comparison is a guess of its own; the caller has counted the first.
                if index > 0 { try limits.countKnown(call) }
                if try await hasher.matches(password, account.hash, queue: queue) {
                    limits.succeeded(key, call)
                    return account
                }
                isCompared = true
            }
            if accounts.isEmpty { _ = try await hasher.matches(password, nil, queue: queue) }
            return nil
        } catch {
            // A password that was wrong for one account stays a wrong one, even where the next was not looked at.
            if !isCompared { limits.undo(key, call) }
            throw error
        }
    }

    /// The problem of a wrong password, and of an address without account.
    static let wrong = Problem(.credentialsInvalid, "E-mail or password is wrong.")
}
