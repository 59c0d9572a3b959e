import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Contacts", .ownTime)
struct ContactTests {
    /// A contact with a part of every kind, as a request has it.
    static func json(id: UUID? = nil, note: String = "null", more: String = "") -> String {
        """
        {\(id.map { "\"id\": \"\($0)\", " } ?? "")"firstName": "Ada", "middleName": "King", "lastName": "Lovelace", "note": \(note),
         "phones": [{"area": "788", "number": "6788768", "type": "cell"}, {"e164": "+4922112345", "type": "work"}],
         "addresses": [{"street": "12 St James's Square", "apt": "2", "city": "London", "state": "LDN", "zip": "SW1Y 4JH",
                        "country": "UK", "type": "home"}],
         "emails": [{"email": "ada@example.org", "type": "home"}],
         "dates": [{"date": "1815-12-10", "yearly": true, "reminderDays": 7, "type": "birthday"},
                   {"date": "--07-08", "type": "anniversary"}]\(more)}
        """
    }

    @Test(
        "A contact goes in with all of its parts by one request, and comes out the same; again by PUT it stays the same"
    )
    func wholeContact() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let response = try await ada.client.send("POST", "/v1/contacts", json: Self.json())
            #expect(response.status == 201)
            let made = try response.decode(Contact.self)
            #expect(
                made.firstName == "Ada" && made.middleName == "King" && made.lastName == "Lovelace" && made.note == nil)
            #expect(
                Set(made.phones.map { $0.e164 ?? "\($0.area ?? "") \($0.number ?? "")" }) == [
                    "788 6788768", "+4922112345",
                ])
            #expect(made.addresses.first?.zip == "SW1Y 4JH" && made.emails.map(\.email) == ["ada@example.org"])
            #expect(Set(made.dates.map { "\($0.date) \($0.yearly)" }) == ["1815-12-10 true", "--07-08 true"])
            let read = try await ada.client.send("GET", "/v1/contacts/\(made.id)")
            #expect(try read.decode(Contact.self) == made && read.header("ETag") == "\"\(made.version)\"")
            // The same parts keep their ids, and nothing changes.
            let put = try await ada.client.send("PUT", "/v1/contacts/\(made.id)", json: Self.json())
            #expect(try put.decode(Contact.self) == made)
            let id = UUID()
            let other = try await ada.client.send("PUT", "/v1/contacts/\(id)", json: Self.json(note: "\"n\""))
            #expect(other.status == 200)
            #expect(try other.decode(Contact.self).id == id)
        }
    }

    @Test("Names never change: PUT with another name is 409 with the field, and PATCH has no such field")
    func names() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let made = try await ada.call(CreateContact(firstName: "José", lastName: "Meda"))
            for (first, middle, last, field) in [
                ("Jose", nil, "Meda", "firstName"), ("JOSÉ", nil, "Meda", "firstName"),
                ("José", nil, "Médа", "lastName"),
                ("José", "Q", "Meda", "middleName"),
            ] as [(String, String?, String, String)] {
                let problem = try await ada.client.refusal(
                    of: PutContact(id: made.id, firstName: first, middleName: middle, lastName: last, note: "x"))
                #expect(problem.code == .statusConflict && problem.errors?.map(\.field) == [field])
            }
            let patch = try await ada.client.send("PATCH", "/v1/contacts/\(made.id)", json: #"{"lastName": "Meda"}"#)
            #expect(try patch.problem().errors?.map(\.code) == [.unknown])
            #expect(try await ada.call(GetContact(id: made.id)) == made)
            // The letter é has two forms. They are one name.
            let same = PutContact(id: made.id, firstName: "Jose\u{301}", lastName: "Meda")
            #expect(try await ada.call(same) == made)
            let twin = try await ada.call(CreateContact(firstName: "José", lastName: "Meda"))
            #expect(twin.id != made.id)
        }
    }

    @Test("PATCH adds, changes and removes parts by their ids, and leaves the others")
    func parts() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let made = try await ada.client.send("POST", "/v1/contacts", json: Self.json()).decode(Contact.self)
            let home = try #require(made.phones.first { $0.area == "788" })
            let work = try #require(made.phones.first { $0.e164 != nil })
            let new = UUID()
            let changed = try await ada.client.send(
                "PATCH", "/v1/contacts/\(made.id)",
                json: """
                    {"phones": {"\(home.id)": {"number": "6788769"}, "\(work.id)": null,
                                "\(new)": {"area": "212", "number": "5550100"}}, "note": "new"}
                    """
            ).decode(Contact.self)
            #expect(Set(changed.phones.map(\.id)) == [home.id, new])
            #expect(changed.phones.first { $0.id == home.id }?.number == "6788769")
            #expect(changed.phones.first { $0.id == new }?.type == "cell")
            #expect(changed.note == "new" && changed.addresses == made.addresses && changed.version > made.version)
            let stale = try await ada.client.refusal(
                of: UpdateContact(id: made.id, note: .remove), headers: [("If-Match", "\"\(made.version)\"")])
            #expect(stale.code == .stale)
            #expect(try stale.current?.decode(Contact.self) == changed)
        }
    }

    @Test("Contacts come in the order of their names, page by page")
    func list() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            for (first, last) in [
                ("Bob", "Young"), ("Ada", "Young"), ("Élodie", "Abel"), ("Zoe", "abel"), ("Bob", "Young"),
            ] {
                try await ada.call(CreateContact(firstName: first, lastName: last))
            }
            var (names, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await ada.call(ListContacts(limit: 2, cursor: cursor))
                #expect(page.contacts.count <= 2)
                names += page.contacts.map { "\($0.firstName) \($0.lastName)" }
                cursor = page.nextCursor
            } while cursor != nil
            #expect(names == ["Élodie Abel", "Zoe abel", "Ada Young", "Bob Young", "Bob Young"])
            let foreign = try await ada.client.refusal(of: ListContacts(cursor: "eA"))
            #expect(foreign.errors?.map(\.field) == ["cursor"])
        }
    }

    @Test("A deleted contact is gone, and comes back with all of its parts")
    func restore() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let made = try await ada.client.send("POST", "/v1/contacts", json: Self.json()).decode(Contact.self)
            try await ada.call(DeleteContact(id: made.id))
            #expect(try await ada.client.refusal(of: GetContact(id: made.id)).code == .notFound)
            let taken = PutContact(id: made.id, firstName: "Ada", middleName: "King", lastName: "Lovelace")
            #expect(try await ada.client.refusal(of: taken).code == .idTaken)
            #expect(try await ada.call(ListContacts()).contacts.isEmpty)
            #expect(try await ada.call(ListContacts(search: "ada")).contacts.isEmpty)
            #expect(try await ada.call(RestoreContact(id: made.id)).row == made.row)
        }
    }

    @Test("Another user's contact is not found, by any operation; the same id may be another user's")
    func others() async throws {
        try await TestService.run { service in
            let (ada, eve) = (try await service.newUser(), try await service.newUser())
            let made = try await ada.call(CreateContact(firstName: "Bob", lastName: "Young"))
            let mine = try await eve.call(CreateContact(firstName: "X", lastName: "Y"))
            #expect(try await eve.client.refusal(of: GetContact(id: made.id)).code == .notFound)
            #expect(try await eve.client.refusal(of: UpdateContact(id: made.id, note: .set("x"))).code == .notFound)
            #expect(try await eve.client.refusal(of: DeleteContact(id: made.id)).code == .notFound)
            #expect(try await eve.client.refusal(of: RestoreContact(id: made.id)).code == .notFound)
            for (id, from) in [(made.id, mine.id), (mine.id, made.id)] {
                let problem = try await eve.client.refusal(of: MergeContacts(id: id, from: [.init(id: from)]))
                #expect(problem.code == .notFound)
            }
            #expect(try await eve.call(PutContact(id: made.id, firstName: "E", lastName: "E")).firstName == "E")
            #expect(try await ada.call(GetContact(id: made.id)) == made)
            #expect(try await eve.call(ListContacts(search: "young")).contacts.isEmpty)
        }
    }

    @Test("A user with contacts alone has data: it is not removed as idle, and a sign-out is refused with the reason")
    func hasData() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            try await ada.call(CreateContact(firstName: "Bob", lastName: "Young"))
            let hasData = try await service.withTenant { tenant in
                let users = UserDataRegistry(SubTrackService.areas())
                return try await tenant.read {
                    try await users.hasData(UserID(uuid: ada.user.id), in: tenant, on: $0)
                }
            }
            #expect(hasData)
            let problem = try await ada.refusal(of: EndSession())
            #expect(problem.code == .statusConflict && problem.detail.contains("no account"))
            #expect(try await ada.call(ListContacts()).contacts.count == 1)
        }
    }

    @Test("A contact with 200 parts is made offline and pushed as one change")
    func largest() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let row = StoredContact(
                firstName: "Ada", lastName: "Lovelace",
                phones: (0..<50).map { _ in .init(area: "788", number: "6788768") },
                addresses: (0..<50).map {
                    .init(street: "\($0)", apt: "a", city: "b", state: "c", zip: "d", country: "e")
                },
                emails: (0..<50).map { .init(email: "\($0)@example.org") },
                dates: (0..<50).map { _ in .init(date: "--06-25", reminderDays: 3) })
            guard case .object(let fields) = try AnyJSON(encoding: row) else { return }
            let id = UUID()
            let pushed = try await ada.call(
                PushChanges(mutations: [
                    .init(entity: "contact", id: id.uuidString.lowercased(), op: .create, fields: fields)
                ]))
            #expect(pushed.results.map(\.outcome) == [.applied], "\(pushed.results.first?.error?.detail ?? "")")
            let read = try await ada.call(GetContact(id: id))
            #expect(read.phones.count == 50 && read.dates.count == 50)
            // All of a list goes and as many come, in one change.
            var changes = Dictionary(uniqueKeysWithValues: read.phones.map { ($0.id.uuidString, AnyJSON.null) })
            for _ in 0..<50 { changes[UUID().uuidString] = .object(["e164": "+4922112345", "new": true]) }
            let replaced = try await ada.call(UpdateContact(id: id, phones: .set(changes)))
            #expect(replaced.phones.count == 50 && replaced.phones.allSatisfy { $0.e164 != nil })
        }
    }
}
