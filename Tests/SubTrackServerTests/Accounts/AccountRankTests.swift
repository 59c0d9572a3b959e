import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Rank of a user's addresses", .ownTime)
struct AccountRankTests {
    /// Accounts, the oldest first: capital letters are confirmed.
    private func rank(_ names: String) -> AccountRank {
        let user = UserID(uuid: .init())
        return AccountRank(
            oldestFirst: names.map { name in
                .init(
                    email: address(String(name).lowercased()), password: "", user: user, isVerified: name.isUppercase,
                    country: "US", timeZone: "UTC")
            })
    }

    private func address(_ name: some StringProtocol) -> EmailAddress { EmailAddress(stored: "\(name)@example.org") }

    @Test("Confirmed addresses come before others, older ones before younger ones")
    func order() {
        for (names, expected) in [("abc", "abc"), ("aBc", "bac"), ("aBC", "bca"), ("ABC", "abc"), ("AbC", "acb")] {
            #expect(rank(names).accounts.map { String($0.email.text.prefix(1)) }.joined() == expected, "\(names)")
        }
    }

    @Test("A reset keeps the user for the first of them where it is confirmed, and for nobody else")
    func resets() {
        for (names, reset, expected) in [
            ("a", "a", "left"), ("A", "a", ""), ("AB", "a", "b"), ("AB", "b", "left, ended"), ("aB", "b", "a"),
            ("aB", "a", "left"), ("Ab", "a", "b"), ("Ab", "b", "left"), ("ab", "a", "left"), ("aBC", "b", "ca"),
            ("aBC", "c", "left, ended"), ("ABC", "z", "left"),
        ] {
            let effect =
                switch rank(names).reset(of: address(reset)) {
                case .keepsUser(let others): others.map { String($0.email.text.prefix(1)) }.joined()
                case .leavesUser(let endingSessions): endingSessions ? "left, ended" : "left"
                }
            #expect(effect == expected, "\(names) \(reset)")
        }
    }

    @Test("An address is removed by its own password or that of one before it; never the last, nor the last confirmed")
    func removals() {
        for (names, target, known, expected) in [
            ("A", "a", "a", .isLast), ("a", "a", "a", .isLast), ("AB", "a", "b", .isBelow), ("AB", "b", "a", nil),
            ("AB", "a", "a", nil), ("AB", "b", "b", nil), ("Ab", "a", "a", .isLastConfirmed), ("Ab", "b", "b", nil),
            ("aB", "a", "b", nil), ("aB", "b", "a", .isBelow), ("ab", "b", "a", nil), ("ab", "a", "b", .isBelow),
            ("ab", "a", "a", nil), ("AB", "z", "a", .isBelow),
        ] as [(String, String, String, AccountRank.RemovalRefusal?)] {
            #expect(
                rank(names).refusal(removing: address(target), knowing: address(known)) == expected,
                "\(names): \(target) by \(known)")
        }
    }

    @Test("A masked address shows its owner which it is, and a stranger nothing to write to")
    func masked() {
        for (text, expected) in [
            ("ada@example.org", "a•••@e•••.org"), ("a@b.c", "a•••@b•••.c"), ("é@xn--d.co.uk", "é•••@x•••.uk"),
            ("x@localhost", "x•••@l•••"), ("\"", "•••"),
        ] { #expect(EmailAddress(stored: text).masked == expected) }
    }
}
