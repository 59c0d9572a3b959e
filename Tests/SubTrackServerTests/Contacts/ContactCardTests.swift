import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Contacts as vCards", .ownTime)
struct ContactCardTests {
    private static let ada = card("Lovelace;Ada;;;", "UID:ada-1", "TEL;TYPE=CELL:(788) 678-8768", "X-PET:cat")
    private static let bob = card("Hope;Bob;;;", "EMAIL:bob@example.org", "BDAY:1903-05-29")

    /// A card with a name and some properties.
    private static func card(_ name: String, _ properties: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "N:\(name)", "FN:x"] + properties + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    private func summary(_ output: ImportContacts.Output) -> [Int] {
        [output.created, output.updated, output.unchanged, output.refused.count]
    }

    /// The numbers of new, changed, unchanged and refused cards of an import.
    private func take(_ cards: String, by user: TestUser) async throws -> [Int] {
        summary(try await user.call(ImportContacts(cards: cards)))
    }

    @Test("Cards become contacts; the same cards again change nothing, and a trial writes nothing")
    func twice() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let cards = Self.ada + Self.bob
            let trial = try await ada.call(ImportContacts(cards: cards + cards, dryRun: true))
            #expect(summary(trial) == [2, 0, 2, 0])
            #expect(try await ada.call(ListContacts()).contacts.isEmpty)
            #expect(try await take(cards, by: ada) == [2, 0, 0, 0])
            let found = try await ada.call(ListContacts()).contacts
            #expect(found.map(\.lastName) == ["Hope", "Lovelace"])
            #expect(found[1].phones.map(\.number) == ["6788768"] && found[0].dates.map(\.date) == ["1903-05-29"])
            #expect(try await take(cards, by: ada) == [0, 0, 2, 0])
            #expect(try await ada.call(ListContacts()).contacts == found)
        }
    }

    @Test("A card with a fault is refused by itself with its place, and the others are taken")
    func refused() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let cards = Self.ada + Self.card(";;;;", "UID:none") + Self.bob + "BEGIN:VCARD\r\nN:a;b\r\n"
            let output = try await ada.call(ImportContacts(cards: cards))
            #expect(output.created == 2 && output.refused.map(\.index) == [1, 3])
            #expect(output.refused.allSatisfy { !$0.reason.isEmpty })
            let filled = try await ada.call(ImportContacts(cards: Self.card("Only;;;;"), fillNames: true))
            #expect(summary(filled) == [1, 0, 0, 0])
        }
    }

    @Test("A changed card updates its contact, whose own parts stay; with another name it becomes another contact")
    func changed() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            try await ada.call(ImportContacts(cards: Self.ada))
            let made = try #require(try await ada.call(ListContacts()).contacts.first)
            let email = UUID()
            try await ada.call(
                UpdateContact(
                    id: made.id,
                    emails: .set([email.uuidString: .object(["email": "ada@example.org", "type": "home"])])))
            let more = Self.card("Lovelace;Ada;;;", "UID:ada-1", "TEL:+442071234567")
            #expect(try await take(more, by: ada) == [0, 1, 0, 0])
            let updated = try await ada.call(GetContact(id: made.id))
            #expect(updated.phones.count == 2 && updated.emails.map(\.id) == [email])

            let renamed = Self.card("King;Ada;;;", "UID:ada-1")
            #expect(try await take(renamed, by: ada) == [0, 1, 0, 0])
            let all = try await ada.call(ListContacts()).contacts
            #expect(all.map(\.lastName) == ["King"] && all[0].id != made.id)
            #expect(all[0].phones.count == 2 && all[0].emails.map(\.email) == ["ada@example.org"])
            #expect(try await take(renamed, by: ada) == [0, 0, 1, 0])
            #expect(try await ada.call(RestoreContact(id: made.id)).lastName == "Lovelace")
        }
    }

    @Test("A card that was merged into a contact finds it at the next import")
    func merged() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let other = Self.card("King;Augusta;;;", "UID:ada-2", "TEL:(788) 678-8768", "X-HAT:red")
            try await ada.call(ImportContacts(cards: Self.ada + other))
            let pair = try #require(try await ada.call(ListContactDuplicates()).pairs.first)
            let all = try await ada.call(ListContacts()).contacts
            let kept = try #require(all.first { $0.lastName == "Lovelace" })
            let gone = pair.first == kept.id ? pair.second : pair.first
            try await ada.call(MergeContacts(id: kept.id, from: [.init(id: gone)]))
            #expect(try await take(Self.ada, by: ada) == [0, 0, 1, 0])
            let text = try await ada.client.send("GET", "/v1/contacts.vcf").text
            #expect(text.contains("X-PET:cat") && text.contains("X-HAT:red"))
        }
    }

    @Test("An export has every contact with its unknown properties, and its import elsewhere makes the same contacts")
    func export() async throws {
        try await TestService.run { service in
            let (ada, eve) = (try await service.newUser(), try await service.newUser())
            try await ada.call(ImportContacts(cards: Self.ada + Self.bob))
            for version in ["3.0", "4.0"] {
                let response = try await ada.client.send("GET", "/v1/contacts.vcf?version=\(version)")
                #expect(response.header("content-type") == "text/vcard; charset=utf-8")
                #expect(response.text.contains("VERSION:\(version)\r\n") && response.text.contains("X-PET:cat\r\n"))
                #expect(response.text.contains("UID:ada-1\r\n"))
                let again = try await ada.call(ImportContacts(cards: response.text))
                #expect(summary(again) == [0, 0, 2, 0])
                let elsewhere = try await eve.call(ImportContacts(cards: response.text))
                #expect(elsewhere.created == (version == "3.0" ? 2 : 0) && elsewhere.refused.isEmpty)
            }
            #expect(try await eve.call(ListContacts()).contacts.map(\.lastName) == ["Hope", "Lovelace"])
            let problem = try await ada.client.send("GET", "/v1/contacts.vcf?version=2.1").problem()
            #expect(problem.errors?.map(\.field) == ["version"])
            #expect(try await service.client.send("GET", "/v1/contacts.vcf").status == 401)
        }
    }

    @Test("No more contacts come by cards than a user may have")
    func limit() async throws {
        try await TestService.runAlone(configure: { $0.limits["contacts", 10_000] = 3 }) { service in
            let ada = try await service.newUser()
            let cards = (0..<5).map { Self.card("Number;N\($0);;;", "UID:n\($0)") }.joined()
            for dryRun in [true, false] {
                let output = try await ada.call(ImportContacts(cards: cards, dryRun: dryRun))
                #expect(output.created == 3 && output.refused.map(\.index) == [3, 4])
            }
            #expect(try await ada.client.refusal(of: CreateContact(firstName: "A", lastName: "B")).code == .tooMany)
        }
    }
}
