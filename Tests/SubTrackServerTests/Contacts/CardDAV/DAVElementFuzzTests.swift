import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// `SUBTRACKIT_FUZZ=100000` tries that many inputs, `SUBTRACKIT_TEST_SEED` others than last time.
@Suite("Reading XML of address books, fuzzed", .ownTime)
struct DAVElementFuzzTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    private static let pieces: [[UInt8]] =
        [
            "<", ">", "/", "</", "/>", "a", "b:", "x", " ", "=", "'", "\"", "&", ";", "&lt;", "&#", "&#x", "&#x41;",
            "<!--",
            "-->", "<?", "?>", "<![CDATA[", "]]>", "<!", "<!DOCTYPE a>", "xmlns", " xmlns:b='y'", "<a>", "</a>", "<a/>",
            "é",
            "\n", "<b:a>", "</b:a>", " x='1'",
        ].map { Array($0.utf8) } + [[0x00], [0xFF], [0xC3], [0x80], [0xEF, 0xBB, 0xBF]]

    private static let requests = [
        """
        <?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:c="urn:c"><d:prop><d:getetag/><c:x a="b"/></d:prop></d:propfind>
        """,
        """
        <c:addressbook-query xmlns:c="urn:c"><c:filter test='anyof'><c:prop-filter name="FN"><c:text-match>a&amp;&#233;</c:text-match>
        </c:prop-filter></c:filter></c:addressbook-query>
        """,
        "<sync-collection xmlns='DAV:'><sync-token>urn:x:1</sync-token><!-- x --><prop><![CDATA[<a>]]></prop></sync-collection>",
    ].map { Array($0.utf8) }

    /// Pieces in any order, or a request with some bytes changed.
    private static func input(_ generator: inout SeededGenerator) -> [UInt8] {
        if generator.next() % 2 == 0 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                bytes += pieces.randomElement(using: &generator) ?? []
            }
            return generator.next() % 2 == 0 ? bytes : Array("<a>".utf8) + bytes + Array("</a>".utf8)
        }
        var bytes = requests.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0...3, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: index)
            default: bytes.removeSubrange(index..<min(index + 20, bytes.count))
            }
        }
        return bytes
    }

    /// An element as a request would have it.
    private static func written(_ element: DAVElement) -> String {
        let attributes = element.attributes.map { " \($0.key)='\(escaped($0.value))'" }.joined()
        return "<\(element.name.local) xmlns='\(escaped(element.name.space))'\(attributes)>"
            + escaped(element.text) + element.children.map(written).joined() + "</\(element.name.local)>"
    }

    private static func escaped(_ text: String) -> String { DAV.escaped(text).replacing("'", with: "&apos;") }

    @Test(
        "No input crashes the reader, and each document that is read comes back from what is written of it",
        .timeLimit(.minutes(10)))
    func anything() throws {
        let seed = TestSeed.first(of: "documents of address books", or: 4918)
        var generator = SeededGenerator(seed: seed)
        let count = Self.setting("SUBTRACKIT_FUZZ") ?? 5000
        var (read, refused) = (0, 0)
        for _ in 0..<count {
            let bytes = Self.input(&generator)
            guard let element = try? DAVElement.read(bytes) else {
                refused += 1
                continue
            }
            read += 1
            guard (try? DAVElement.read(Array(Self.written(element).utf8))) == element else {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self))\n\(element)")
                return
            }
        }
        // Both kinds were there.
        #expect(read > count / 50 && refused > count / 50, "\(read) read, \(refused) refused")
    }
}
