import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite("Faulty vCards", .ownTime)
struct VCardFaultTests {
    private static let good = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada;;;\r\nEND:VCARD\r\n"

    private static func card(_ lines: String) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Byron;George;;;\r\nFN:George Byron\r\n\(lines)\r\nEND:VCARD\r\n"
    }

    @Test(
        "A faulty card is refused with its place and name, and the next one is read",
        arguments: [
            ("NOTE:a\0b", "line 9 has a control character (U+0000)"),
            ("X-FOO:a\u{0B}b", "line 9 has a control character (U+000B)"),
            ("NOTE;ENCODING=QUOTED-PRINTABLE:a=00b", "line 9 has a control character (U+0000)"),
            ("no colon here", "line 9 is no property: a name and a colon are missing"),
            ("X-FOO", "line 9 is no property: a name and a colon are missing"),
            (";TYPE=x:y", "line 9 is no property: a name and a colon are missing"),
            ("TEL;TYPE=\"home:+4930", "line 9 is no property: a quote is not closed"),
            ("TEL;TYPE=home", "line 9 is no property: it has no colon"),
            ("VERSION:5.0", "line 9: version 5.0 is not known; 2.1, 3.0 and 4.0 are"),
        ])
    func refused(line: String, expected: String) throws {
        let read = VCardReader.read(Self.good + Self.card(line) + Self.good, country: "US")
        try #require(read.count == 3)
        #expect(reason(of: read[1]) == expected)
        #expect(read[1].index == 1 && read[1].line == 5 && read[1].name == "George Byron")
        #expect(reason(of: read[0]) == nil && reason(of: read[2]) == nil)
    }

    @Test("A card of 10 MiB is refused, and those around it are read")
    func large() {
        let photo = "PHOTO;ENCODING=b:" + String(repeating: "A", count: 10 << 20)
        let text = Self.good + Self.card(photo) + Self.good
        let read = Array(VCardReader(Array(text.utf8), country: "US"))
        #expect(read.map { reason(of: $0) == nil } == [true, false, true])
        #expect(reason(of: read[1])?.hasSuffix("may have 262144") == true)
        #expect(read[1].name == "George Byron")
        // The text of one import is bounded as well.
        #expect(reason(of: VCardReader.read(text, country: "US").first)?.hasSuffix("may have 1048576") == true)
    }

    @Test("A card without end is refused, and the one that begins after it is read")
    func noEnd() {
        let read = VCardReader.read("BEGIN:VCARD\r\nFN:George Byron\r\nNOTE:x\r\n" + Self.good, country: "US")
        #expect(reason(of: read[0]) == "the card that begins on line 1 has no end: END:VCARD is missing")
        #expect(read[0].name == "George Byron")
        #expect(read.count == 2 && reason(of: read[1]) == nil)
        #expect(VCardReader.read(Self.good + "BEGIN:VCARD", country: "US").count == 2)
    }

    @Test("Text outside of cards is told, once for all that stands together")
    func stray() {
        let read = VCardReader.read("Hello\nworld\n\n" + Self.good + "END:VCARD\n", country: "US")
        #expect(
            read.map { reason(of: $0) } == [
                "line 1 is outside of a card, which begins with BEGIN:VCARD", nil,
                "line 8 is outside of a card, which begins with BEGIN:VCARD",
            ])
        #expect(VCardReader.read("", country: "US").isEmpty)
        #expect(VCardReader.read("\u{FEFF}\r\n" + Self.good, country: "US").count == 1)
    }

    @Test("Bytes: a fold inside a character is joined, Latin-1 is read where the card names it, and refused elsewhere")
    func bytes() throws {
        func read(_ lines: [UInt8]) -> ReadCard? {
            let card = Array("BEGIN:VCARD\nVERSION:3.0\nN:B;A\n".utf8) + lines + Array("\nEND:VCARD".utf8)
            return Array(VCardReader(card, country: "US")).first
        }
        let folded = read(Array("NOTE:caf".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xA9])
        #expect(try folded?.result.get().contact.note == "café")
        let latin = read(Array("NOTE;CHARSET=ISO-8859-1:caf".utf8) + [0xE9])
        #expect(try latin?.result.get().contact.note == "café")
        #expect(reason(of: read(Array("NOTE:caf".utf8) + [0xE9])) == "line 4 is not UTF-8")
        #expect(reason(of: read(Array("X-FOO:caf".utf8) + [0xE9])) == "line 4 is not UTF-8")
        #expect(reason(of: read(Array("NOTE;CHARSET=KOI8-X:caf".utf8) + [0xE9])) == "line 4 is not KOI8-X")
    }

    /// Seconds of this thread on a processor: other tests run beside this one.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Whether this is the full run.
    private static let isFull = ["SUBTRACKIT_FULL", "SUBTRACKIT_FAULTS"].contains {
        !(ProcessInfo.processInfo.environment[$0] ?? "").isEmpty
    }

    /// Reads, writes and merges a card with unknown properties, which are kept.
    /// - Returns: the seconds that it took.
    private func exchange(properties count: Int) throws -> Double {
        let lines = (0..<count).map { "item\($0).X-FOO-\($0):value" }.joined(separator: "\r\n")
        let text = Self.card(lines)
        let begin = Self.processorTime()
        let card = try contacts(text)[0]
        let written = VCardWriter.write(card.contact, id: UUID(), rest: card.rest)
        let held = card.rest?.replacing("X-FOO", with: "X-BAR")
        let merge = CardMerge(card, into: card.contact, rest: held, mode: .add)
        let seconds = Self.processorTime() - begin
        #expect(card.rest?.split(separator: "\n").count == count)
        #expect(merge.rest?.split(separator: "\n").count == 2 * count)
        #expect(try contacts(written)[0].rest == card.rest)
        return seconds
    }

    @Test("Ten thousand unknown properties are kept")
    func manyProperties() throws {
        for count in [1000, 4000] { _ = try exchange(properties: count) }
        #expect(try contacts(Self.card((0..<10_000).map { "X-F:\($0)" }.joined(separator: "\r\n")))[0].rest != nil)
    }

    @Test(
        "Unknown properties cost no more than their number",
        .enabled(if: isFull, "script/test --full: measures seconds"))
    func costOfProperties() throws {
        func seconds(_ count: Int) throws -> Double {
            try (0..<3).map { _ in try exchange(properties: count) }.min() ?? 0
        }
        // Four times as many take four times as long; a look at all of them for each would take sixteen times.
        let (few, many) = (try seconds(1000), try seconds(4000))
        #expect(many < few * 9, "\(few) s for 1,000, \(many) s for 4,000")
    }

    @Test("Names and notes of any length, and a value of separators alone, end in time")
    func lengths() {
        let long = String(repeating: "n", count: 101)
        let read = VCardReader.read("BEGIN:VCARD\nN:\(long);Ada\nEND:VCARD", country: "US")
        #expect(reason(of: read.first) == "the last name has 101 characters; may have 100")
        for value in [";", ",", "\\", "\\;", "=", "\"\"", "\u{301}", "_$!<"] {
            let many = String(repeating: value, count: 200_000 / value.utf8.count)
            for name in ["N", "ADR", "TEL", "NOTE", "X-ABLABEL", "FN", "BDAY", "X-FOO;P=\"\"", "TEL;TYPE=a"] {
                _ = VCardReader.read(Self.card("item1.\(name):\(many)"), country: "US")
            }
            _ = VCardReader.read(Self.card("TEL;TYPE=\(many.filter { $0 != "\"" }):110"), country: "US")
        }
    }

    @Test("A large file is cut into texts of whole cards")
    func batches() {
        let bytes = Array(String(repeating: Self.good, count: 1000).utf8)
        let batches = VCardReader.batches(bytes, maximumBytes: 5000)
        #expect(batches.allSatisfy { $0.count <= 5000 })
        #expect(batches.count > 10)
        let read = batches.flatMap { VCardReader.read(String(decoding: $0, as: UTF8.self), country: "US") }
        #expect(read.count == 1000 && read.allSatisfy { reason(of: $0) == nil })
    }
}
