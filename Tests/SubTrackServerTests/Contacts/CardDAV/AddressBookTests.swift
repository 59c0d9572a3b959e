import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What programs of CardDAV ask for, and what no good one asks. `script/address-books` has one keep a folder the same.
@Suite("Address books", .ownTime)
struct AddressBookTests {
    @Test("A program finds the contacts from the host alone, and what it may ask of them")
    func discovery() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            var book = AddressBook(service, ada)
            (book.name, book.password) = (nil, "")
            for method in ["GET", "PROPFIND", "OPTIONS"] {
                let response = try await book.send(method, "/.well-known/carddav")
                #expect(response.status == 301 && response.header("location") == "/dav/", "\(method)")
            }
            let tenant = try await book.send("PROPFIND", "/t/default/.well-known/carddav")
            #expect(tenant.header("location") == "/t/default/dav/")
            let options = try await book.send("OPTIONS", "/dav/")
            #expect(options.status == 200 && options.header("dav")?.contains("addressbook") == true)
            #expect(options.header("allow")?.contains("REPORT") == true)
            #expect(options.headers.count { $0.name == "content-length" } == 1)
            let asked = try await book.send("PROPFIND", "/dav/", "", ["Depth: 0"])
            #expect(asked.status == 401 && asked.header("www-authenticate")?.hasPrefix("Basic ") == true)

            book = AddressBook(service, ada)
            let root = try await book.properties("d:current-user-principal", "d:resourcetype", of: "/dav/")
            let principal = try #require(root[0].property("current-user-principal")?.child(DAV.space, "href")?.text)
            let person = try await book.properties("c:addressbook-home-set", "d:displayname", of: principal)
            let home = try #require(person[0].property("addressbook-home-set")?.child(DAV.space, "href")?.text)
            let places = try await book.properties(
                "d:resourcetype", "d:displayname", "d:sync-token", "s:getctag", "d:supported-report-set",
                "c:supported-address-data", "c:max-resource-size", "d:current-user-privilege-set", "d:quota",
                "x xmlns='urn:x'", "y xmlns=''", of: home, depth: 1)
            let isBook: (AddressBook.Resource) -> Bool = {
                $0.property("resourcetype")?.child(DAV.cards, "addressbook") != nil
            }
            #expect(places.map(\.href) == [home, book.home] && places.map(isBook) == [false, true])
            let contacts = places[1]
            #expect(contacts.property("sync-token")?.text == contacts.property("getctag")?.text)
            #expect(contacts.property("supported-report-set")?.children.count == 3)
            let data = contacts.property("supported-address-data")?.children.first
            #expect(data?.attributes == ["content-type": "text/vcard", "version": "3.0"])
            #expect(
                contacts.missing == [
                    .init(space: "DAV:", local: "quota"), .init(space: "urn:x", local: "x"),
                    .init(space: "", local: "y"),
                ])
            #expect(try await book.send("PROPFIND", book.home, "", ["Depth: infinity"]).status == 403)
            #expect(try await book.send("PROPFIND", "/dav/", "", ["Depth: 0"]).status == 207)
            #expect(try await book.send("GET", book.home).status == 405)
            #expect(try await book.send("MKCOL", book.home).status == 405)
        }
    }

    @Test("Nobody reads another user's contacts; the password is a token of a device, and never the account's")
    func strangers() async throws {
        try await TestService.run { service in
            let (ada, eve) = (try await service.newUser(), try await service.newUser())
            var book = AddressBook(service, ada)
            let card = AddressBook.card("one", "Ada")
            #expect(try await book.put("one", card).status == 201)
            let email = "ada-\(UUID().uuidString.lowercased())@example.org"
            try await ada.call(RegisterAccount(email: email, password: goodPassword))
            let made = try await service.client.call(
                CreateSession(email: email, password: goodPassword, device: .init(name: "Address book")))
            #expect(made.user.id == ada.user.id)

            let other = AddressBook(service, eve)
            for (method, path) in [
                ("PROPFIND", book.home), ("REPORT", book.home), ("GET", book.path("one")), ("PUT", book.path("one")),
                ("DELETE", book.path("one")), ("PROPFIND", "/dav/x/"), ("GET", "/dav/\(UUID())/contacts/one.vcf"),
            ] {
                let response = try await other.send(method, path, method == "PUT" ? card : "<a/>", ["Depth: 1"])
                #expect(response.status == 404, "\(method) \(path)")
            }
            for (name, password, status) in [
                (email, made.token, 200), (email.uppercased(), made.token, 200),
                (ada.user.id.uuidString, made.token, 200), (email, goodPassword, 401), (email, "", 401),
                (email, eve.client.token ?? "", 401), (eve.user.id.uuidString, made.token, 401), ("", made.token, 401),
                ("nobody@example.org", made.token, 401), (email, made.token + "x", 401),
            ] {
                (book.name, book.password) = (name, password)
                #expect(try await book.send("GET", book.path("one")).status == status, "\(name) \(password)")
            }
            book.name = nil
            let headers = ["Authorization: Bearer \(made.token)", "Cookie: subtrackit=\(made.token)"]
            #expect(try await book.send("GET", book.path("one"), "", headers).status == 401)

            // A device like any other: it is listed, and its password ends with it.
            (book.name, book.password) = (email, made.token)
            let session = try await ada.call(ListSessions()).sessions.first { $0.device.name == "Address book" }
            try await ada.call(DeleteSession(id: try #require(session).id))
            try await eventually("the password has ended") {
                try await book.send("GET", book.path("one")).status == 401
            }
            #expect(try await AddressBook(service, ada).send("GET", book.path("one")).status == 200)
        }
    }

    @Test(
        "A card is written under conditions, with tags in quotes; a UID is at one place, and a card without one gets it"
    )
    func conditions() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let book = AddressBook(service, ada)
            let card = AddressBook.card("one", "Ada", "TEL;TYPE=CELL:(788) 678-8768")
            #expect(try await book.put("one", card, "If-Match: *").status == 412)
            #expect(try await book.put("one", card, "If-None-Match: *").status == 201)
            #expect(try await book.put("one", card, "If-None-Match: *").status == 412)
            let stored = try await book.send("GET", book.path("one"))
            let tag = try #require(stored.header("etag"))
            #expect(tag.wholeMatch(of: /"[0-9a-f]{8}-[0-9]+"/) != nil, "\(tag)")
            #expect(stored.header("content-type") == "text/vcard; charset=utf-8")
            #expect(try await book.send("GET", book.path("one"), "", ["If-None-Match: \(tag)"]).status == 304)
            let head = try await book.send("HEAD", book.path("one"))
            #expect(head.status == 200 && head.header("etag") == tag && head.body.isEmpty)

            // The stored text is the sent one, so that the tag is told; nothing has changed.
            let same = try await book.put("one", stored.text, "If-Match: \(tag)")
            #expect(same.status == 204 && same.header("etag") == tag)
            #expect(try await book.put("one", stored.text, "If-Match: \"0-1\"").status == 412)
            let conflict = try await book.put("two", card, "If-None-Match: *")
            #expect(conflict.status == 409)
            let error = try DAVElement.read(Array(conflict.body)).child(DAV.cards, "no-uid-conflict")
            #expect(error?.child(DAV.space, "href")?.text == book.path("one"))

            #expect(try await book.put("three", AddressBook.card(nil, "Bob")).status == 201)
            #expect(try await book.send("GET", book.path("three")).text.contains("UID:three\r\n"))
            let moved = try await book.put("four", AddressBook.card("a b/ü", "Eve"))
            #expect(moved.status == 201 && moved.header("location") == book.path("a%20b%2F%C3%BC"))
            #expect(moved.header("etag") == nil)
            #expect(try await book.send("GET", moved.header("location") ?? "").text.contains("UID:a b/ü\r\n"))

            #expect(try await book.send("DELETE", book.path("one"), "", ["If-Match: \"0-1\""]).status == 412)
            #expect(try await book.send("DELETE", book.path("one"), "", ["If-Match: \(tag)"]).status == 204)
            #expect(try await book.send("DELETE", book.path("one")).status == 404)
            #expect(try await book.send("GET", book.path("one")).status == 404)
            #expect(try await book.put("one", card, "If-None-Match: *").status == 201)
            for bad in [AddressBook.card("x", "\0"), card + card, "", "BEGIN:VCARD\r\nN:a;b\r\n"] {
                let response = try await book.put("bad", bad)
                #expect(response.status == 403 && response.text.contains("valid-address-data"), "\(bad)")
            }
            #expect(try await ada.call(ListContacts()).contacts.count == 3)
        }
    }

    @Test("Any change of a card gives it another tag, also one of properties that a contact has no field for")
    func tags() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let book = AddressBook(service, ada)
            _ = try await book.put("one", AddressBook.card("one", "Ada", "X-PET:cat"))
            let made = try #require(try await ada.call(ListContacts()).contacts.first)
            let (first, token) = try await book.changes()
            #expect(first.map(\.name) == ["one"])
            #expect(try await book.changes(since: token).resources.isEmpty)

            _ = try await book.put("one", AddressBook.card("one", "Ada", "X-PET:dog"))
            let (second, next) = try await book.changes(since: token)
            let tags = try [first, second].map { try #require($0.first?.property("getetag")?.text) }
            #expect(second.map(\.name) == ["one"] && tags[0] != tags[1])
            #expect(try await ada.call(GetContact(id: made.id)).version > made.version)
            _ = try await book.put("one", AddressBook.card("one", "Ada", "X-PET:dog"))
            #expect(try await book.changes(since: next).resources.isEmpty)

            // A change by the API, an import, and a contact that began there.
            try await ada.call(UpdateContact(id: made.id, note: .set("n")))
            let (third, later) = try await book.changes(since: next)
            #expect(third.map(\.name) == ["one"])
            try await ada.call(ImportContacts(cards: AddressBook.card("one", "Ada", "X-HAT:red")))
            let own = try await ada.call(CreateContact(firstName: "Alan", lastName: "Turing"))
            let (fourth, last) = try await book.changes(since: later)
            #expect(fourth.map(\.name) == ["one", own.id.uuidString.lowercased()])
            let text = try await book.send("GET", book.path("one")).text
            #expect(text.contains("X-PET:dog") && text.contains("X-HAT:red") && text.contains("NOTE:n"))

            // Another name is another contact at the same place.
            _ = try await book.put("one", text.replacing(";Ada;", with: ";Augusta;"))
            try await ada.call(DeleteContact(id: own.id))
            let (fifth, _) = try await book.changes(since: last)
            #expect(fifth.filter { $0.status == nil }.map(\.name) == ["one"])
            #expect(fifth.contains { $0.name == own.id.uuidString.lowercased() && $0.status?.contains("404") == true })
            #expect(try await ada.call(RestoreContact(id: made.id)).firstName == "Ada")
        }
    }
}
