import Foundation
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("XML of address books", .ownTime)
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
            "", "text", "<a>", "<a></b>", "<a/><b/>", "<a/>text", "<a b></a>", "<a b=c/>", "<a b='<'/>",
            "<a b='1'c='2'/>",
            "<a b='1' b='2'/>", "<x:a/>", "<a>&nothing;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&amp</a>",
            "<a><!--</a>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>", "< a/>", "<a",
            "<a><![CDATA[</a>", "<?xml", "<a>&#+65;</a>", "<a>\u{1}</a>", "<a>\u{A0}</a>x", "<a:b:c xmlns:a='x'/>",
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
        let spaces = (0...DAVElement.maximumPrefixes).map { " xmlns:p\($0)='x'" }.joined()
        #expect(throws: DAVElement.Failure.self) { try Self.read("<a\(spaces)/>") }
        let long = String(repeating: "x", count: DAVElement.maximumSpace + 1)
        #expect(throws: DAVElement.Failure.self) { try Self.read("<a xmlns='\(long)'/>") }
        let many = "<a>" + String(repeating: "<b/>", count: DAVElement.maximumCount) + "</a>"
        #expect(throws: DAVElement.Failure.self) { try Self.read(many) }
        #expect(throws: DAVElement.Failure.self) {
            try DAVElement.read(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))
        }
    }

    @Test("An answer is XML that this reader takes, whatever a contact has")
    func answer() throws {
        let text = "a<b>&\"'\u{0}\u{B}\u{FFFE}]]>\r\né"
        var answer = MultiStatus()
        answer.append(
            MultiStatus.resource("/dav/x/contacts/\(text).vcf", found: DAVProperties.card(tag: "\"1\"", text: text)))
        answer.append(MultiStatus.missing("/x"))
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
