import Foundation
import Testing

@testable import SubTrackServer

@Suite("XML of address books")
struct DAVElementTests {
    private static func read(_ text: String) throws(DAVElement.Failure) -> DAVElement {
        try DAVElement.read(Array(text.utf8))
    }

    @Test("Names have namespaces, by prefix and by default; text, CDATA and references are text")
    func content() throws {
        let element = try Self.read(
            """
            \u{FEFF}<?xml version="1.0"?><!-- a > b -->
            <A:query xmlns:A='DAV:' xmlns="urn:x" A:ignored="1" test='all&quot;of'>
              <prop-filter name="FN"/>
              <text>a &lt;&amp;&gt; &#233;&#x5c0f;<![CDATA[<b>&c;]]></text>
              <inner xmlns="urn:y"><leaf/></inner>
            </A:query><!-- end -->
            """)
        #expect(element.name == .init(space: "DAV:", local: "query"))
        #expect(element.attributes["test"] == "all\"of" && element.attributes["ignored"] == nil)
        #expect(element.child("urn:x", "prop-filter")?.attributes["name"] == "FN")
        #expect(element.child("urn:x", "text")?.text == "a <&> é小<b>&c;")
        #expect(element.child("urn:y", "inner")?.child("urn:y", "leaf") != nil)
    }

    @Test(
        "Other texts are refused",
        arguments: [
            "", "text", "<a>", "<a></b>", "<a/><b/>", "<a/>text", "<a b></a>", "<a b=c/>", "<a b='<'/>", "<a b='1'c='2'/>",
            "<a b='1' b='2'/>", "<x:a/>", "<a>&nothing;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&amp</a>", "<a><!--</a>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>", "< a/>", "<a",
            "<a><![CDATA[</a>", "<?xml",
        ])
    func refused(text: String) { #expect(throws: DAVElement.Failure.self) { try Self.read(text) } }

    @Test("Depth, number of elements and bytes have bounds")
    func bounds() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        _ = try Self.read(nested(DAVElement.maximumDepth))
        #expect(throws: DAVElement.Failure.self) { try Self.read(nested(DAVElement.maximumDepth + 1)) }
        #expect(throws: DAVElement.Failure.self) { try Self.read(nested(100_000)) }
        let many = "<a>" + String(repeating: "<b/>", count: DAVElement.maximumCount) + "</a>"
        #expect(throws: DAVElement.Failure.self) { try Self.read(many) }
        #expect(throws: DAVElement.Failure.self) { try DAVElement.read(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) }
    }

    /// `SUBTRACKIT_FUZZ=100000` tries that many inputs.
    @Test("No input crashes the reader")
    func fuzz() {
        var generator = SeededGenerator(seed: 4918)
        let pieces = [
            "<", ">", "/", "</", "/>", "a", "b:", "x", " ", "=", "'", "\"", "&", ";", "&lt;", "&#", "&#x", "<!--", "-->", "<?", "?>",
            "<![CDATA[", "]]>", "<!", "xmlns", "xmlns:b='y'", "<a>", "</a>", "<a/>", "é", "\u{0}", "\n",
        ]
        let count = ProcessInfo.processInfo.environment["SUBTRACKIT_FUZZ"].flatMap { Int($0) } ?? 20_000
        var read = 0
        for _ in 0..<count {
            let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }.joined()
            if (try? DAVElement.read(Array(text.utf8))) != nil { read += 1 }
            if (try? DAVElement.read(Array("<a>\(text)</a>".utf8))) != nil { read += 1 }
        }
        #expect(read > 0)
    }

    @Test("An answer is XML that this reader takes, whatever a contact has")
    func answer() throws {
        let text = "a<b>&\"'\u{0}\u{B}\u{FFFE}]]>\r\né"
        var answer = MultiStatus()
        answer.append("/dav/x/contacts/\(text).vcf", found: DAVProperties.card(tag: "\"1\"", text: text))
        answer.append(missing: "/x")
        let body = try #require(answer.response(token: "urn:x").body)
        let element = try DAVElement.read(Array(body.readableBytesView))
        let response = try #require(element.child("DAV:", "response"))
        let prop = response.child("DAV:", "propstat")?.child("DAV:", "prop")
        #expect(prop?.child(DAV.cards, "address-data")?.text == "a<b>&\"']]>\r\né")
        #expect(prop?.child("DAV:", "getetag")?.text == "\"1\"")
        #expect(element.child("DAV:", "sync-token")?.text == "urn:x")
    }

    @Test("Paths come back from their text, with any character in a name")
    func paths() throws {
        let user = UUID()
        for path in [
            DAVPath.root, .home(user), .collection(user), .card(user, name: "a b/c%é?#.vcf"), .card(user, name: "x"),
        ] {
            #expect(DAVPath(href: path.href(""), slug: nil) == path)
            #expect(DAVPath(href: "https://example.org" + path.href("/t/acme"), slug: "acme") == path)
            #expect(DAVPath(href: path.href("/t/acme"), slug: "other") == nil)
        }
        #expect(DAVPath(["dav", "x"]) == nil && DAVPath(["dav", user.uuidString, "other"]) == nil)
        #expect(DAVPath(["dav", user.uuidString, "contacts", "", "x"]) == nil)
        #expect(DAVPath(["dav", user.uuidString, "contacts"]) == .collection(user))
    }
}
