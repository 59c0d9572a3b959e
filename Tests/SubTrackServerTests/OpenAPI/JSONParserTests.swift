import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("What tests read answers with", .ownTime)
struct JSONParserTests {
    @Test(
        "reads JSON",
        arguments: [
            ("null", JSON.null), (" true ", .bool(true)), ("[false]", .array([.bool(false)])), ("0", .integer(0)),
            ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)), ("1.5", .number(1.5)),
            ("1e2", .integer(100)),
            ("-0.25E-1", .number(-0.025)), (#""""#, .string("")),
            (#""a\"\\\/\b\f\n\r\tz""#, .string("a\"\\/\u{8}\u{C}\n\r\tz")), (#""\u00e9\ud83d\ude00ü""#, .string("é😀ü")),
            ("{}", .object([:])), ("[]", .array([])),
            (
                #"{"a":[1,{"b":null}], "c" : "d"}"#,
                .object(["a": .array([.integer(1), .object(["b": .null])]), "c": .string("d")])
            ),
        ])
    func reads(_ text: String, _ value: JSON) throws {
        #expect(try JSON(Data(text.utf8)) == value)
        // And as Foundation reads it, where that says what it is.
        if case .string(let string) = value {
            #expect(try JSONDecoder().decode(String.self, from: Data(text.utf8)) == string)
        }
    }

    @Test(
        "refuses what is none",
        arguments: [
            "", " ", "nul", "truex", "[1,]", "[1 2]", "[", "]", #"{"a":1,}"#, #"{"a" 1}"#, #"{a:1}"#, #"{"a":1,"a":1}"#,
            "{",
            #"{"a""#, "01", "1.", ".5", "-", "+1", "1e", "1e999", "0x1", "NaN", #"""#, #""\x""#, #""\u12""#,
            #""\ud83d""#,
            #""\ud83dA""#, #""\ude00""#, "\"\n\"", "1 2", "'a'", "// a\n1",
        ])
    func refuses(_ text: String) {
        #expect(throws: JSONParser.Failure.self) { try JSON(Data(text.utf8)) }
    }

    @Test("refuses texts that are not UTF-8, and what is nested without end")
    func refusesBytes() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
            #expect(throws: JSONParser.Failure.self) { try JSON(Data(bytes)) }
        }
        #expect(throws: JSONParser.Failure.self) { try JSON(Data(repeating: UInt8(ascii: "["), count: 100_000)) }
    }
}
