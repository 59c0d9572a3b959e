import Foundation
import TestTraits
import Testing

@testable import Passwords

@Suite(.ownTime) struct PasswordHashTests {
    /// Passwords, salts and rounds of RFC 6070, whose outputs are for SHA-1; the outputs for SHA-512 are those of
    /// Python's `hashlib.pbkdf2_hmac`.
    @Test(arguments: [
        (
            "password", "salt", 1,
            "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252c02d470a285a0501bad999bfe943c08f"
                + "050235d7d68b1da55e63f73b60a57fce"
        ),
        (
            "password", "salt", 2,
            "e1d9c16aa681708a45f5c7c4e215ceb66e011a2e9f0040713f18aefdb866d53cf76cab2868a39b9f7840edce4fef5a82"
                + "be67335c77a6068e04112754f27ccf4e"
        ),
        (
            "password", "salt", 4096,
            "d197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5143f30602641b3d55cd335988cb36b84"
                + "376060ecd532e039b742a239434af2d5"
        ),
        (
            "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
            "8c0511f4c6e597c6ac6315d8f0362e225f3c501495ba23b868c005174dc4ee71115b59f9e60cd9532fa33e0f75aefe30"
                + "225c583a186cd82bd4daea9724a3d3b8"
        ),
    ])
    func knownAnswers(password: String, salt: String, iterations: Int, expected: String) throws {
        let derived = try PasswordHash.derive(Array(password.utf8), Array(salt.utf8), iterations, 64)
        #expect(derived.map { String(format: "%02x", $0) }.joined() == expected)
    }

    @Test func aNewHashHasTodaysParametersAndMatchesItsPasswordAlone() throws {
        let hash = try PasswordHash(of: Password("correct horse"))
        #expect(hash.encoded.hasPrefix("$pbkdf2-sha512$i=220000$"))
        #expect(!hash.needsRehash)
        #expect(try hash.matches(Password("correct horse")))
        #expect(try !hash.matches(Password("correct horsf")))
    }

    @Test func equalPasswordsHaveDifferentHashes() throws {
        let password = try Password("correct horse")
        let hashes = try (0..<100).map { _ in try PasswordHash(of: password, iterations: 1).encoded }
        #expect(Set(hashes).count == 100)
    }

    @Test func aHashSurvivesBeingStored() throws {
        for length in 8...200 {
            let password = try Password(String(repeating: "ä", count: length))
            let stored = try PasswordHash(of: password, iterations: length).encoded
            let read = try PasswordHash(encoded: stored)
            #expect(read.encoded == stored)
            #expect(try read.matches(password))
        }
    }

    @Test func rehashWhenParametersAreNotTodays() throws {
        let old = try PasswordHash(of: Password("correct horse"), iterations: 1000)
        #expect(try PasswordHash(encoded: old.encoded).needsRehash)
        let shortSalt = PasswordHash(iterations: 220_000, salt: .init(repeating: 1, count: 8), derived: old.derived)
        #expect(shortSalt.needsRehash)
        let shortHash = PasswordHash(iterations: 220_000, salt: old.salt, derived: .init(repeating: 1, count: 32))
        #expect(shortHash.needsRehash)
    }

    @Test func noPasswordHasTheDecoy() throws {
        let decoy = try PasswordHash.decoy()
        #expect(decoy.iterations == PasswordHash.Current.iterations)
        #expect(try !decoy.matches(Password("correct horse")))
    }

    private static let salt = "AAAAAAAAAAAAAAAAAAAAAA"
    private static let derived = String(repeating: "A", count: 86)

    @Test(arguments: [
        "", "$", "$$$$", "password", "$pbkdf2-sha512$i=220000$\(salt)",
        "pbkdf2-sha512$i=220000$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=220000$\(salt)$\(derived)$",
        "$pbkdf2-sha256$i=220000$\(salt)$\(derived)",
        "$PBKDF2-SHA512$i=220000$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=0$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=-1$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=+1$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=01000$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=1e6$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=٣$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=1000001$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=4294967297$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=99999999999999999999$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=1,l=64$\(salt)$\(derived)",
        "$pbkdf2-sha512$$\(salt)$\(derived)",
        "$pbkdf2-sha512$i=1000$$\(derived)",
        "$pbkdf2-sha512$i=1000$AAAAAAA$\(derived)",
        "$pbkdf2-sha512$i=1000$\(salt)==$\(derived)",
        "$pbkdf2-sha512$i=1000$\(salt.dropLast())B$\(derived)",
        "$pbkdf2-sha512$i=1000$\(salt.dropLast())-$\(derived)",
        "$pbkdf2-sha512$i=1000$\(salt)$",
        "$pbkdf2-sha512$i=1000$\(salt)$AAAA",
        "$pbkdf2-sha512$i=1000$\(salt)$\(derived)AA",
        "$pbkdf2-sha512$i=1000$\(salt)$\(derived)\u{0}",
        "$pbkdf2-sha512$i=1000$\(String(repeating: "A", count: 1_000_000))$\(derived)",
    ])
    func refuses(_ stored: String) {
        #expect(throws: MalformedPasswordHash.self) { try PasswordHash(encoded: stored) }
    }

    /// Random damage to a stored hash: it is refused, or it is another hash and says so when encoded; it never crashes.
    @Test func damagedHashesNeverCrash() throws {
        var random = SeededGenerator(seed: 1)
        let password = try Password("correct horse")
        let good = Array(try PasswordHash(of: password, iterations: 10).encoded.utf8)
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 32...126, using: &random), at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let read = try? PasswordHash(encoded: text) { #expect(read.encoded == text) }
        }
    }

    @Test func nothingOfAHashIsPrinted() throws {
        let hash = try PasswordHash(of: Password("correct horse"), iterations: 10)
        var dumped = ""
        dump(hash, to: &dumped)
        let salt = try #require(hash.encoded.split(separator: "$").dropFirst(2).first)
        for text in ["\(hash)", String(reflecting: hash), dumped] { #expect(!text.contains(salt)) }
    }
}
