import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Contacts that are one person", .ownTime)
struct ContactMergeTests {
    private func pair(_ ada: TestUser) async throws -> (first: Contact, second: Contact) {
        let first = try await ada.call(
            CreateContact(
                firstName: "Ada", lastName: "Lovelace", note: "one",
                phones: [ContactPhone(area: "788", number: "6788768")],
                emails: [ContactEmail(email: "ada@example.org")]))
        let second = try await ada.call(
            CreateContact(
                firstName: "Augusta", lastName: "King", note: "two", phones: [ContactPhone(e164: "+17886788768")],
                emails: [ContactEmail(email: "ADA@example.org"), ContactEmail(email: "king@example.org")],
                dates: [ContactDate(date: "1815-12-10")]))
        return (first, second)
    }

    @Test("Duplicates are told in pairs, with the reasons and the contacts")
    func duplicates() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let (first, second) = try await pair(ada)
            try await ada.call(CreateContact(firstName: "Bob", lastName: "Hope"))
            let found = try await ada.call(ListContactDuplicates())
            #expect(found.pairs.count == 1 && !found.more)
            #expect(Set([found.pairs[0].first, found.pairs[0].second]) == [first.id, second.id])
            #expect(found.pairs[0].reasons.map(\.kind) == [.phone, .email])
            #expect(found.contacts.map(\.lastName) == ["King", "Lovelace"])
        }
    }

    @Test("A merge keeps the names of the first, has every part once, and the other can be restored")
    func merge() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let (first, second) = try await pair(ada)
            let output = try await ada.call(
                MergeContacts(id: first.id, from: [.init(id: second.id, version: second.version)]))
            let merged = output.contact
            #expect(output.merged == [second.id] && merged.lastName == "Lovelace" && merged.note == "one\ntwo")
            #expect(merged.phones == first.phones && merged.dates == second.dates)
            #expect(Set(merged.emails.map(\.email)) == ["ada@example.org", "king@example.org"])
            #expect(try await ada.call(GetContact(id: first.id)) == merged)
            #expect(try await ada.client.refusal(of: GetContact(id: second.id)).code == .notFound)
            #expect(try await ada.call(ListContactDuplicates()).pairs.isEmpty)
            #expect(try await ada.call(RestoreContact(id: second.id)).row == second.row)
        }
    }

    @Test("A merge with a version that has moved is 412, one with itself or with nothing 400, and nothing is changed")
    func refusals() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let (first, second) = try await pair(ada)
            let moved = try await ada.call(UpdateContact(id: second.id, note: .set("moved")))
            let stale = try await ada.client.refusal(
                of: MergeContacts(id: first.id, from: [.init(id: second.id, version: second.version)]))
            #expect(stale.code == .stale)
            #expect(try stale.current?.decode(Contact.self) == moved)
            let other = try await ada.client.refusal(
                of: MergeContacts(id: second.id, from: [.init(id: first.id)]),
                headers: [("If-Match", "\"\(second.version)\"")])
            #expect(other.code == .stale)
            for (from, field) in [
                ([first.id], "from.0.id"), ([], "from"), ([second.id, second.id], "from.1.id"),
            ] as [([UUID], String)] {
                let problem = try await ada.client.refusal(
                    of: MergeContacts(id: first.id, from: from.map { .init(id: $0) }))
                #expect(problem.errors?.map(\.field) == [field])
            }
            #expect(try await ada.call(GetContact(id: first.id)) == first)
        }
    }

    @Test("More parts than a contact may have are refused as a whole")
    func tooMany() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            func emails(_ name: String) -> [ContactEmail] {
                (0..<26).map { ContactEmail(email: "\(name)\($0)@example.org") }
            }
            let first = try await ada.call(CreateContact(firstName: "A", lastName: "B", emails: emails("a")))
            let second = try await ada.call(CreateContact(firstName: "A", lastName: "B", emails: emails("b")))
            let problem = try await ada.client.refusal(of: MergeContacts(id: first.id, from: [.init(id: second.id)]))
            #expect(problem.code == .tooMany)
            #expect(try await ada.call(GetContact(id: second.id)) == second)
        }
    }

    @Test("At a sign-in a card that both users have becomes one contact, with the parts of both")
    func signIn() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let phone = try await service.newUser()
            let (mine, _) = try await pair(ada)
            let theirs = try await phone.call(
                CreateContact(firstName: "Ada", lastName: "Lovelace", phones: [ContactPhone(e164: "+4922112345")]))
            let alone = try await phone.call(CreateContact(firstName: "Bob", lastName: "Hope"))
            for (user, contact) in [(ada, mine), (phone, theirs)] {
                try await service.database.run(
                    """
                    UPDATE Contact SET Card_UID = 'urn:card', Card_rest = 'X-\(contact.phones.count):1'
                    WHERE User_ID = \(hex(user.user.id)) AND Contact_ID = \(hex(contact.id))
                    """)
            }
            #expect(try await phone.signIn(email).user.id == ada.user.id)
            let all = try await ada.call(ListContacts()).contacts
            #expect(all.map(\.lastName) == ["Hope", "King", "Lovelace"])
            #expect(all[0].id == alone.id)
            #expect(all[2].id == mine.id && Set(all[2].phones.map(\.id)) == [mine.phones[0].id, theirs.phones[0].id])
            let left = try await service.number("SELECT COUNT(*) FROM Contact WHERE User_ID = \(hex(phone.user.id))")
            #expect(left == 0)
        }
    }
}
