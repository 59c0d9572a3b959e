import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Reports of address books", .ownTime)
struct AddressBookReportTests {
    @Test("Cards are read by their paths, and found by texts in their properties")
    func found() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let book = AddressBook(service, ada)
            _ = try await book.put("ada", AddressBook.card("ada", "Ada", "EMAIL:ada@example.org"))
            _ = try await book.put("bob", AddressBook.card("bob", "Bob", "NOTE:a<b>&c"))
            func report(_ name: String, _ content: String) async throws -> APIResponse {
                try await book.send(
                    "REPORT", book.home,
                    """
                    <c:\(name) \(AddressBook.spaces)><d:prop><d:getetag/><c:address-data/></d:prop>\(content)</c:\(name)>
                    """)
            }
            let hrefs = [book.path("bob"), "http://example.org" + book.path("ada"), book.path("none"), "/v1/me", "x"]
            let many = try AddressBook.resources(
                try await report("addressbook-multiget", hrefs.map { "<d:href>\($0)</d:href>" }.joined()))
            let there = many.filter { $0.status == nil }
            #expect(there.map(\.name) == ["bob", "ada"] && many.count == 5)
            #expect(there[0].property("address-data")?.text.contains("NOTE:a<b>&c\r\n") == true)

            func filter(_ property: String, _ conditions: String) -> String {
                "<c:filter><c:prop-filter name='\(property)'>\(conditions)</c:prop-filter></c:filter>"
            }
            for (property, conditions, expected) in [
                ("FN", "<c:text-match>AD</c:text-match>", ["ada"]),
                ("FN", "<c:text-match match-type='starts-with'>bob</c:text-match>", ["bob"]),
                ("FN", "<c:text-match negate-condition='yes'>bob</c:text-match>", ["ada"]),
                ("EMAIL", "<c:is-not-defined/>", ["bob"]), ("email", "", ["ada"]),
                ("FN", "<c:text-match>nobody</c:text-match>", []),
            ] {
                let found = try AddressBook.resources(
                    try await report("addressbook-query", filter(property, conditions)))
                #expect(found.map(\.name) == expected, "\(property) \(conditions)")
            }
            #expect(try AddressBook.resources(try await report("addressbook-query", "")).count == 2)
            let limited = try AddressBook.resources(
                try await report("addressbook-query", "<c:limit><c:nresults>1</c:nresults></c:limit>"))
            #expect(limited.count == 2 && limited.contains { $0.status?.contains("507") == true })
            let much = String(repeating: "<c:text-match>a</c:text-match>", count: CardFilter.maximumCount + 1)
            #expect(try await report("addressbook-query", filter("FN", much)).status == 403)
            #expect(try await report("nonsense", "").status == 403)
        }
    }

    @Test("A sync token that is too old, after 91 days, is refused, and so is one of elsewhere")
    func oldTokens() async throws {
        try await TestService.runAlone(configure: { $0.jobInterval = .milliseconds(50) }) { service in
            let ada = try await service.newUser()
            let book = AddressBook(service, ada)
            for name in ["ada", "bob"] { _ = try await book.put(name, AddressBook.card(name, name)) }
            let token = try await book.changes().token
            _ = try await book.send("DELETE", book.path("bob"))
            let deleted = try await book.changes(since: token).resources
            #expect(deleted.map(\.name) == ["bob"] && deleted[0].status?.contains("404") == true)

            for other in ["nonsense", "urn:subtrackit:00000000:1", token + "9999", "\(token.dropLast())-1"] {
                let response = try await book.sync(other)
                #expect(response.status == 403 && response.text.contains("valid-sync-token"), "\(other)")
            }
            try await service.database.run(
                """
                UPDATE Tombstone SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 91 DAY;
                UPDATE Contact SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 91 DAY WHERE Deleted_at IS NOT NULL
                """)
            try await eventually("the token is too old") { try await book.sync(token).status == 403 }
            try await eventually("tombstones are removed") {
                try await service.database.run("SELECT COUNT(*) FROM Tombstone") == "0\n"
            }
            #expect(try await book.sync(token).text.contains("valid-sync-token"))
            let (anew, fresh) = try await book.changes()
            #expect(anew.map(\.name) == ["ada"])
            #expect(try await book.changes(since: fresh).resources.isEmpty)
        }
    }

    @Test("XML that grows, fetches or goes deep is refused with 400, and a body has a bound")
    func hostile() async throws {
        try await TestService.run { service in
            let book = AddressBook(service, try await service.newUser())
            let deep = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
            let names = (0...DAVProperties.maximumCount).map { "<d:p\($0)/>" }.joined()
            for body in [
                deep, "<!DOCTYPE a SYSTEM 'http://127.0.0.1:\(service.port)/healthz'><a/>",
                "<!DOCTYPE a [<!ENTITY b 'cc'><!ENTITY d '&b;&b;'>]><propfind xmlns='DAV:'>&d;</propfind>",
                "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><propfind xmlns='DAV:'>&b;</propfind>",
                "<propfind", "<a>&nothing;</a>", "<x:propfind/>", "<a/><b/>", "\0", "<a>\u{1}</a>",
                "<d:propfind xmlns:d='DAV:'><d:prop>\(names)</d:prop></d:propfind>",
            ] {
                for (method, path) in [("PROPFIND", "/dav/"), ("REPORT", book.home)] {
                    // No report has this many names either, once it is one.
                    let text = method == "REPORT" ? body.replacing("propfind", with: "sync-collection") : body
                    let response = try await book.send(method, path, text, ["Depth: 0"])
                    #expect(response.status == 400 && !response.text.contains("root:"), "\(method) \(body.prefix(80))")
                }
            }
            let large = "<a>\(String(repeating: " ", count: ServerRequest.maximumBody))</a>"
            #expect(try await book.send("PROPFIND", book.home, large, ["Depth: 0"]).status == 413)
        }
    }

    @Test("Large XML and large cards are read, written and searched away from the database's loops")
    func large() async throws {
        let inputs = LargeInputs()
        try await TestService.run(configure: { $0.largeInputs = inputs }) { service in
            let book = AddressBook(service, try await service.newUser())
            let photo = "PHOTO;ENCODING=b:" + String(repeating: "A", count: 100_000)
            let spaces = String(repeating: " ", count: 50_000)
            let query = "<c:addressbook-query \(AddressBook.spaces)><d:prop/></c:addressbook-query>"
            for (method, path, body) in [
                ("PUT", book.path("one"), AddressBook.card("one", "Ada", photo)), ("GET", book.path("one"), ""),
                ("PROPFIND", book.home, "<propfind xmlns='DAV:'>\(spaces)</propfind>"), ("REPORT", book.home, query),
            ] {
                let before = inputs.begun
                let response = try await book.send(method, path, body, ["Depth: 0"])
                #expect((200...299).contains(response.status) && inputs.begun > before, "\(method) \(response.text)")
            }
        }
    }

    @Test("Where contacts are off, there is nothing at these paths, whether somebody is signed in or not")
    func off() async throws {
        try await TestService.runAlone(configure: { $0.tenantReadingInterval = .milliseconds(20) }) { service in
            let book = AddressBook(service, try await service.newUser())
            #expect(try await book.send("PROPFIND", book.home, "", ["Depth: 1"]).status == 207)
            try await service.withTenants { tenants in
                _ = try await tenants.setAreas("default", disabling: ["contacts"])
            }
            try await eventually("contacts are off") {
                try await book.send("PROPFIND", book.home, "", ["Depth: 1"]).status == 404
            }
            var stranger = book
            stranger.name = nil
            for path in ["/.well-known/carddav", "/dav/", book.home, book.path("x")] {
                for method in ["OPTIONS", "GET", "PROPFIND", "PUT", "MKCOL"] {
                    for caller in [book, stranger] {
                        let response = try await caller.send(method, path, method == "PUT" ? "x" : "")
                        #expect(response.status == 404, "\(method) \(path)")
                        #expect(response.text.contains("not_found"), "\(method) \(path)")
                    }
                }
            }
        }
    }
}
