import Foundation
import TestTraits
import Testing

@testable import Passwords

@Suite(.ownTime) struct TokenTests {
    @Test func aTokenIsReadBackFromItsText() throws {
        var seen = Set<String>()
        for _ in 0..<1000 {
            let token = try Token.generate()
            #expect(token.text.utf8.count == 47)
            #expect(seen.insert(token.text).inserted)
            let read = try #require(Token(token.text))
            #expect(read.text == token.text)
            #expect(try read.hash == token.hash)
        }
    }

    /// SHA-256 of 32 zero bytes, as `sha256sum` gives it.
    @Test func theHashIsSHA256() throws {
        let zero = try #require(Token("sub_" + String(repeating: "A", count: 43)))
        let hash = try zero.hash.bytes.map { String(format: "%02x", $0) }.joined()
        #expect(hash == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")
    }

    @Test(arguments: [
        "", "sub_", String(repeating: "A", count: 47), "sub_" + String(repeating: "A", count: 42),
        "sub_" + String(repeating: "A", count: 44), "SUB_" + String(repeating: "A", count: 43),
        "sub_" + String(repeating: "A", count: 42) + "=", "sub_" + String(repeating: "A", count: 42) + "+",
        "sub_" + String(repeating: "A", count: 42) + " ", "sub_" + String(repeating: "A", count: 41) + "é",
        // The last character's two lowest bits are not part of the token.
        "sub_" + String(repeating: "A", count: 42) + "B", "sub_" + String(repeating: "A", count: 42) + "C",
    ])
    func isNoToken(_ text: String) {
        #expect(Token(text) == nil)
    }

    /// Any change of one character gives another token or none: a token has one spelling.
    @Test func everyChangedCharacterIsAnotherTokenOrNone() throws {
        let token = try Token.generate()
        let text = Array(token.text.utf8)
        for place in text.indices {
            for byte in UInt8(33)...126 where byte != text[place] {
                var changed = text
                changed[place] = byte
                guard let other = Token(String(decoding: changed, as: UTF8.self)) else { continue }
                #expect(try other.hash != token.hash)
            }
        }
    }

    @Test func aStoredHashHas32Bytes() {
        #expect(TokenHash(.init(repeating: 0, count: 31)) == nil)
        #expect(TokenHash(.init(repeating: 0, count: 33)) == nil)
        #expect(TokenHash(.init(repeating: 0, count: 32)) != nil)
    }

    @Test func nothingOfATokenIsPrinted() throws {
        let token = try #require(Token("sub_" + String(repeating: "A", count: 43)))
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] {
            #expect(!text.contains("AAA") && !text.contains("0"))
        }
    }

    @Test func base64IsFoundationsWithoutPadding() {
        var random = SeededGenerator(seed: 2)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let padded = Data(bytes).base64EncodedString()
            let text = padded.replacing("=", with: "")
            #expect(Base64.standard.encode(bytes) == text)
            #expect(Base64.standard.decode(text) == bytes)
            let urlSafe = text.replacing("+", with: "-").replacing("/", with: "_")
            #expect(Base64.urlSafe.encode(bytes) == urlSafe)
            #expect(Base64.urlSafe.decode(urlSafe) == bytes)
            if padded != text { #expect(Base64.standard.decode(padded) == nil) }
        }
    }

    @Test func constantTimeEqualityIsEquality() {
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
    }

    @Test func randomBytesAreAsManyAsAskedFor() throws {
        #expect(try SecureRandom.bytes(1).count == 1)
        #expect(try SecureRandom.bytes(100_000).count == 100_000)
        #expect(throws: CryptographyError.noRandomness) { try SecureRandom.bytes(0) }
    }
}
