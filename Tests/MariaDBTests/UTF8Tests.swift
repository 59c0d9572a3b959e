import TestTraits
import Testing

@testable import MariaDB

/// Our own judgement of UTF-8 against the standard library's.
@Suite(.ownTime) struct UTF8Tests {
    @Test func allSequencesOfUpToThreeBytesAndTheEdgesOfFour() {
        let edges: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
            0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        var wrong: [[UInt8]] = []
        func check(_ bytes: [UInt8]) {
            let expected = String(validating: bytes, as: UTF8.self) != nil
            if bytes.withUnsafeBytes(\.isValidUTF8) != expected { wrong.append(bytes) }
        }
        for a in edges {
            check([a])
            for b in edges {
                check([a, b])
                for c in edges {
                    check([a, b, c])
                    for d in edges { check([a, b, c, d]) }
                    // Behind the words of eight that are looked at together.
                    check(Array(repeating: 0x61, count: 13) + [a, b, c])
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }
}
