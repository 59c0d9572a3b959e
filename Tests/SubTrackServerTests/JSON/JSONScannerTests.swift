import Foundation
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Reading JSON", .ownTime)
struct JSONScannerTests {
    private func scan(_ text: String, within limits: JSONLimits = .request) throws -> JSONValue {
        try JSONScanner.scan(Array(text.utf8), within: limits)
    }

    private func reason(_ bytes: [UInt8], within limits: JSONLimits = .request) -> String? {
        do throws(JSONScanner.Failure) {
            _ = try JSONScanner.scan(bytes, within: limits)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Objects, lists, numbers, texts and words as RFC 8259 has them")
    func values() throws {
        let value = try scan(
            """
             {"plan": {"name": "Basic", "fee": 17.99, "days": -3, "e": 1.5e+3},
              "tags": ["a", true, false, null, []], "empty": {} }

            """)
        let plan: [JSONValue.Member] = [
            .init(name: "name", value: .string("Basic")), .init(name: "fee", value: .decimal("17.99")),
            .init(name: "days", value: .integer(-3)), .init(name: "e", value: .decimal("1.5e+3")),
        ]
        #expect(
            value
                == .object([
                    .init(name: "plan", value: .object(plan)),
                    .init(
                        name: "tags", value: .array([.string("a"), .bool(true), .bool(false), .null, .array([])])),
                    .init(name: "empty", value: .object([])),
                ]))
    }

    @Test("A value need not be an object (RFC 8259 §2)", arguments: ["0", "-0", "\"\"", "null", " [ ] ", "\t\r\n1 "])
    func scalars(text: String) throws { _ = try scan(text) }

    @Test("Escapes stand for what RFC 8259 §7 says")
    func escapes() throws {
        #expect(try scan(#""\"\\\/\b\f\n\r\t""#) == .string("\"\\/\u{8}\u{C}\n\r\t"))
        #expect(try scan(#""\u00e9\u20AC\uD834\uDD1E\u0000""#) == .string("é€𝄞\u{0}"))
        #expect(try scan("\"é€𝄞\u{7F}\u{FFFF}\"") == .string("é€𝄞\u{7F}\u{FFFF}"))
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "{", "[", "}", "]", "{]", "[}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{1:1}", "{\"a\":1 \"b\":2}", "'a'", "\"a", "\"\\", "\"\\u12\"",
            "\"\\x41\"", "\"\\u00g0\"", "\"\t\"", "\"\n\"", "01", "-", "+1", "1.", ".5", "1e", "1e+", "--1", "0x10",
            "1_000", "tru", "True", "nul", "undefined", "1 1", "{} {}", "// a comment\n1", "/* */1", "\u{FEFF}1",
            "\u{A0}1", "\u{0}", "1\u{0}",
        ])
    func malformed(text: String) {
        #expect(reason(Array(text.utf8)) != nil)
    }

    @Test("What readers disagree about is refused, and the reason is said")
    func strict() throws {
        let cases: [(String, String)] = [
            (#"{"a":1,"a":2}"#, "the name \"a\" is there twice"),
            (#"{"a":1,"\u0061":2}"#, "the name \"a\" is there twice"),
            (#"{"a":{"b":1,"b":1}}"#, "the name \"b\" is there twice"),
            ("NaN", "this is not a JSON value"), ("Infinity", "this is not a JSON value"),
            ("-Infinity", "this is not a JSON value"),
            ("1e999", "a number is too large"), ("-1.0e400", "a number is too large"),
            ("9007199254740993", "a whole number is larger than 2^53"),
            ("-9007199254740993", "a whole number is larger than 2^53"),
            ("99999999999999999999999", "a whole number is larger than 2^53"),
            ("1." + String(repeating: "0", count: 80), "a number has more than 64 characters"),
            (#""\uD834""#, "half a surrogate pair"), (#""\uDD1E""#, "half a surrogate pair"),
            (#""\uD834\uD834""#, "half a surrogate pair"), (#""\uD834x""#, "half a surrogate pair"),
        ]
        for (text, expected) in cases { #expect(reason(Array(text.utf8)) == expected, "\(text)") }
        #expect(try scan("9007199254740992") == .integer(9_007_199_254_740_992))
        #expect(try scan("-9007199254740992") == .integer(-9_007_199_254_740_992))
    }

    @Test("A value that is not taken is kept with the reason where that is asked for, and reading goes on")
    func unfit() throws {
        let marks = "a" + String(repeating: #"\u0301"#, count: 31)
        for (text, reason) in [
            ("9007199254740993", "a whole number is larger than 2^53"), ("-1.0e400", "a number is too large"),
            ("1." + String(repeating: "0", count: 80), "a number has more than 64 characters"),
            (#""a\uD834b""#, "half a surrogate pair"), (#""\uD834\u0041b""#, "half a surrogate pair"),
            (#""\uDD1E""#, "half a surrogate pair"),
            ("\"\(marks)\"", "a text has more than 30 combining marks in a row"),
        ] {
            let json = #"[{"a":\#(text),"b":"c"},"d"]"#
            let value = try JSONScanner.scan(Array(json.utf8), keepsUnfit: true)
            #expect(
                value
                    == .array([
                        .object([.init(name: "a", value: .unfit(reason)), .init(name: "b", value: .string("c"))]),
                        .string("d"),
                    ]), "\(text)")
            #expect(self.reason(Array(json.utf8)) == reason)
        }
        // A name is a part of the shape.
        for json in ["{\"\(marks)\":1}", #"{"\uD834":1}"#, #"{"a":1e999,"b":}"#] {
            #expect(throws: JSONScanner.Failure.self) { try JSONScanner.scan(Array(json.utf8), keepsUnfit: true) }
        }
    }

    @Test("A twentieth name that repeats the first is found as well, and many names take no time squared")
    func manyNames() throws {
        let names = (0..<20).map { "\"n\($0)\":0" }
        #expect(reason(Array("{\(names.joined(separator: ",")),\"n3\":1}".utf8)) == "the name \"n3\" is there twice")
        let many = (0..<50_000).map { "\"n\($0)\":0" }.joined(separator: ",")
        guard case .object(let members) = try scan("{\(many)}", within: .file) else {
            Issue.record("not an object")
            return
        }
        #expect(members.count == 50_000)
    }

    @Test(
        "The shape of a client's input has limits: names, elements, values in all; that of an operator's file has not")
    func shape() throws {
        func object(_ count: Int) -> String {
            "{" + (0..<count).map { "\"n\($0)\":0" }.joined(separator: ",") + "}"
        }
        func list(_ count: Int, of element: String = "0") -> String {
            "[" + repeatElement(element, count: count).joined(separator: ",") + "]"
        }
        func name(_ count: Int) -> String { "{\"" + String(repeating: "n", count: count) + "\":0}" }
        // A list in the list has 1,000 values, and is one.
        let values = "[" + list(19, of: list(999)) + "," + list(997) + "]"
        for (text, isTooMuch, expected) in [
            (object(128), object(129), "an object has more than 128 names"),
            (name(256), name(257), "a name has more than 256 bytes"),
            (list(1_000), list(1_001), "a list has more than 1000 elements"),
            (values, values.dropLast() + ",0]", "there are more than 20000 values"),
        ] {
            _ = try scan(text)
            #expect(reason(Array(isTooMuch.utf8)) == expected)
            #expect(reason(Array(isTooMuch.utf8), within: .file) == nil)
        }
    }

    @Test("What is beyond a limit is not read: the fault is told at the first byte too many")
    func offsetOfLimit() {
        let bytes = Array(("[" + String(repeating: "0,", count: 500_000) + "0]").utf8)
        #expect(
            throws: JSONScanner.Failure(reason: "a list has more than 1000 elements", offset: 2001, isTooLarge: true)
        ) {
            try JSONScanner.scan(bytes)
        }
    }

    @Test("Marks that a comparison would have to sort are counted, in names and values, escaped or not")
    func marks() throws {
        let few = "e" + String(repeating: "\u{0301}\u{0316}", count: 15)
        #expect(try scan("\"\(few)\"") == .string(few))
        for text in [
            "\"\(few)\u{0301}\"", "{\"\(few)\u{0301}\":0}",
            "\"" + String(repeating: #"\u0301"#, count: 31) + "\"",
        ] {
            #expect(reason(Array(text.utf8)) == "a text has more than 30 combining marks in a row")
        }
    }

    @Test(
        "Text that is not UTF-8 is refused: stray, overlong, cut, surrogate, beyond U+10FFFF",
        arguments: [
            [0x80], [0xFF], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(reason([quote] + bytes + [quote]) == "a text is not UTF-8")
        #expect(reason([quote] + Array(#"\n"#.utf8) + bytes + [quote]) == "a text is not UTF-8")
    }

    @Test("Thirty-two levels are read, the thirty-third is refused, and so are a hundred thousand brackets")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try scan(nested(32))
        #expect(reason(Array(nested(33).utf8)) == "nested deeper than 32")
        #expect(reason(Array(nested(100_000).utf8)) == "nested deeper than 32")
        #expect(reason([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == "nested deeper than 32")
        let objects = String(repeating: "{\"a\":", count: 33) + "1" + String(repeating: "}", count: 33)
        #expect(reason(Array(objects.utf8)) == "nested deeper than 32")
    }

    @Test("The place of a fault is counted in bytes")
    func offset() {
        #expect(throws: JSONScanner.Failure(reason: "a comma or } is missing", offset: 9)) {
            try JSONScanner.scan(Array("{\"é\": 1 ?}".utf8))
        }
    }
}
