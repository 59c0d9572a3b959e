import Passwords
import TestTraits
import Testing

@Suite(.ownTime) struct PasswordTests {
    /// The same password on another keyboard: composed and decomposed, full-width and plain, ligature and letters.
    @Test(arguments: [
        ("caf\u{e9} am Markt", "cafe\u{301} am Markt"),
        ("\u{ff30}\u{ff41}\u{ff53}\u{ff53}\u{ff57}\u{ff4f}\u{ff52}\u{ff44}", "Password"),
        ("\u{fb01}nancial", "financial"),
        ("\u{212b}ngstr\u{f6}m", "\u{c5}ngstro\u{308}m"),
    ])
    func sameAfterNormalisation(typed: String, typedElsewhere: String) throws {
        let hash = try PasswordHash(of: Password(typed), iterations: 10)
        #expect(try hash.matches(Password(typedElsewhere)))
    }

    @Test(arguments: ["passw\u{0}rd", "passw\u{0}rx", "        ", "🙂🙂", "pass\u{202e}word", "\u{feff}password"])
    func anyCharacterCounts(text: String) throws {
        let hash = try PasswordHash(of: Password(text), iterations: 10)
        #expect(try hash.matches(Password(text)))
        #expect(try !hash.matches(Password(text + "x")))
    }

    @Test func lengthsAreInBytesOfTheNormalisedForm() throws {
        #expect(throws: PasswordProblem.tooShort) { try Password("") }
        #expect(throws: PasswordProblem.tooShort) { try Password("1234567") }
        _ = try Password("12345678")
        _ = try Password("ääää")
        // Four full-width letters are twelve bytes as typed, and four normalised.
        #expect(throws: PasswordProblem.tooShort) { try Password("\u{ff41}\u{ff42}\u{ff43}\u{ff44}") }
        _ = try Password(String(repeating: "a", count: 1024))
        #expect(throws: PasswordProblem.tooLong) { try Password(String(repeating: "a", count: 1025)) }
        #expect(throws: PasswordProblem.tooLong) { try Password(String(repeating: "a", count: 5_000_000)) }
        // One that is compared may be shorter than any is.
        let hash = try PasswordHash(of: Password("12345678"), iterations: 10)
        for short in ["", "1", "1234567"] { #expect(try !hash.matches(Password(presented: short))) }
        #expect(throws: PasswordProblem.tooLong) { try Password(presented: String(repeating: "a", count: 1025)) }
        // U+FDFA becomes eighteen characters.
        #expect(throws: PasswordProblem.tooLong) { try Password(String(repeating: "\u{fdfa}", count: 100)) }
    }

    @Test func nothingOfAPasswordIsPrinted() throws {
        let password = try Password("correct horse")
        var dumped = ""
        dump(password, to: &dumped)
        for text in ["\(password)", String(reflecting: password), dumped] {
            #expect(!text.contains("horse") && !text.contains("104"))
        }
    }
}
