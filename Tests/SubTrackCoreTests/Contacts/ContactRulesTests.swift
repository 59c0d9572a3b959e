import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackCore

/// The rules of contacts, their search and their merge, without a database.
@Suite("Contacts", .ownTime)
struct ContactRulesTests {
    private static let id = UUID()

    private func contact(
        _ first: String = "Ada", _ last: String = "Lovelace", phones: [StoredContact.Phone] = [],
        addresses: [StoredContact.Address] = [], emails: [StoredContact.Email] = [],
        dates: [StoredContact.Occasion] = [], note: String? = nil
    ) -> StoredContact {
        StoredContact(
            firstName: first, lastName: last, note: note, phones: phones, addresses: addresses, emails: emails,
            dates: dates)
    }

    /// The faults of a contact by the part's field.
    private func faults(_ contact: StoredContact) -> [String: String] {
        Dictionary(
            ContactRules.faults(contact).map { fault in
                (String(fault.field.split(separator: ".").last ?? ""), fault.message)
            }
        ) { first, _ in first }
    }

    @Test("A number has 3 and 7 digits, or is a whole one with its country")
    func phones() {
        #expect(faults(contact(phones: [.init(area: "788", number: "6788768"), .init(e164: "+4915112345678")])) == [:])
        #expect(faults(contact(phones: [.init(area: "78", number: "6788768")])) == ["area": "has 2 digits; needs 3"])
        #expect(
            faults(contact(phones: [.init(area: "7888", number: "678876")])) == [
                "area": "has 4 digits; needs 3", "number": "has 6 digits; needs 7",
            ])
        #expect(
            faults(contact(phones: [.init(area: "７８８", number: "6788-68")])) == [
                "area": "has more than digits; needs 3", "number": "has more than digits; needs 7",
            ])
        #expect(faults(contact(phones: [.init(number: "6788768")])).keys.sorted() == ["area"])
        #expect(faults(contact(phones: [.init()])).keys.sorted() == ["area", "number"])
        for whole in ["+0123", "+1234567890123456", "+49 221", "49221", "+4", "+"] {
            #expect(faults(contact(phones: [.init(e164: whole)])).keys.sorted() == ["e164"], "\(whole)")
        }
        #expect(
            faults(contact(phones: [.init(area: "788", number: "6788768", e164: "+4912")])).keys.sorted() == ["e164"])
    }

    @Test("An address has a street, an apartment, a city, a state or a zip; a country alone is none")
    func addresses() {
        #expect(faults(contact(addresses: [.init(zip: "1")])) == [:])
        #expect(
            faults(contact(addresses: [.init(country: "US")])) == [
                "street": "at least one of street, apt, city, state and zip is needed"
            ])
    }

    @Test("A fault has the path of its part")
    func paths() {
        let found = ContactRules.faults(
            contact(
                phones: [.init(id: Self.id, area: "78", number: "6788768")], emails: [.init(email: "x")],
                dates: [.init(date: "--02-30"), .init(date: "--01-01", yearly: false)]))
        #expect(found.map(\.code) == [.range, .malformed, .malformed, .conflict] || found.count == 4)
        #expect(found.first?.field.lowercased() == "phones.\(Self.id.uuidString.lowercased()).area")
    }

    // MARK: Search

    private func finds(_ text: String, _ contact: StoredContact) -> Bool { ContactSearch(text)?.rank(contact) != nil }

    @Test("A search finds any part of any field, without case and accents, and digits however they are typed")
    func search() {
        let jose = contact(
            "José", "Mëda Ruiz", phones: [.init(area: "788", number: "6788768"), .init(e164: "+4922112345")],
            addresses: [
                .init(street: "1 High Street", apt: "4B", city: "南京市", state: "CA", zip: "90210", country: "Österreich")
            ], emails: [.init(email: "Jose.M@Example.org")], dates: [.init(date: "1995-06-25")], note: "小明的朋友 100%")
        for text in [
            "jose", "JOSÉ", "ose", "meda", "ruiz jose", "788", "8768", "(788) 678-8768", "788-678", "+49221", "0221",
            "0049221", "high", "4b", "南京", "ca", "90210", "osterreich", "example.org", "jose.m@", "1995", "06-25", "小明",
            "朋友", "100%", "%",
        ] {
            #expect(finds(text, jose), "\(text)")
        }
        for text in ["josex", "_ose", "789", "小王", "jose xyz", "\\", "100_"] { #expect(!finds(text, jose), "\(text)") }
    }

    @Test("Eight terms and a hundred characters are the most, and no term is no search")
    func searchLimits() {
        #expect(ContactSearch("a b c d e f g h") != nil && ContactSearch("a b c d e f g h i") == nil)
        #expect(ContactSearch(String(repeating: "a", count: 100)) != nil)
        #expect(ContactSearch(String(repeating: "a", count: 101)) == nil)
        #expect(ContactSearch(" \n") == nil)
    }

    @Test("Names that begin so come first, then words in names, then numbers and mail, then the rest, then by name")
    func ranks() {
        let contacts = [
            contact("Zoe", "Note", note: "about ann"), contact("Bea", "Joann"),
            contact("Cy", "Mail", emails: [.init(email: "ann@x.org")]),
            contact("Mary Ann", "Word"), contact("Ann", "Zulu"), contact("Anna", "Alpha"),
        ]
        let found = ContactSearch("ann")?.found(in: contacts.enumerated().map { (id: $0.offset, contact: $0.element) })
        #expect(found?.map(\.contact.lastName) == ["Alpha", "Zulu", "Word", "Mail", "Joann", "Note"])
    }

    // MARK: Duplicates and merge

    @Test(
        "Contacts with an equal number or mail, or of one name with an equal day or address, are pairs with the reasons"
    )
    func duplicates() {
        let contacts = [
            contact(
                "Ada", "Lovelace", phones: [.init(area: "788", number: "6788768")], emails: [.init(email: "A@x.org")]),
            contact("Augusta", "King", phones: [.init(e164: "+17886788768")], emails: [.init(email: "a@x.org")]),
            contact("Bob", "Hope", dates: [.init(date: "--05-29")]),
            contact("BOB", "hope", dates: [.init(date: "--05-29")]),
            contact("Bob", "Hope"), contact("Cy", "Young", dates: [.init(date: "--05-29")]),
            contact("Di", "Prince", addresses: [.init(street: "1  High St", country: "UK")]),
            contact("Di", "Prince", addresses: [.init(street: "1 high st")]),
        ]
        let pairs = ContactDuplicates.pairs(contacts.enumerated().map { (id: $0.offset, contact: $0.element) })
        #expect(pairs.map { [$0.first, $0.second] } == [[0, 1], [2, 3], [6, 7]])
        #expect(pairs.map { $0.reasons.map(\.kind) } == [[.phone, .email], [.date], [.address]])
        #expect(pairs[0].reasons[1].value == "A@x.org")
    }

    @Test("Of many that share a number each is paired with the first one")
    func manyDuplicates() {
        let contacts = (0..<1_000).map {
            (id: $0, contact: contact("N\($0)", "M", phones: [.init(area: "788", number: "6788768")]))
        }
        let pairs = ContactDuplicates.pairs(contacts)
        #expect(pairs.count == 999 && pairs.allSatisfy { $0.first == 0 })
    }

    @Test("A merge has every part once and all notes, and keeps names and ids")
    func merge() {
        let mine = contact(
            phones: [.init(id: Self.id, area: "788", number: "6788768")], emails: [.init(email: "a@x.org")], note: "one"
        )
        let other = contact(
            "Augusta", "King",
            phones: [.init(e164: "+17886788768"), .init(id: Self.id, e164: "+4922112345")],
            emails: [.init(email: "A@X.org")], dates: [.init(date: "1815-12-10")], note: "two")
        let merged = ContactMerge(mine, with: [(other, nil)]).contact
        #expect(merged.firstName == "Ada" && merged.note == "one\ntwo")
        #expect(Set(merged.phones.map(ContactText.digits)) == ["7886788768", "4922112345"])
        #expect(merged.phones.first { $0.area != nil }?.id == Self.id)
        #expect(merged.emails.count == 1 && merged.dates == other.dates)
        #expect(ContactMerge(merged, with: [(other, nil)]).contact == merged)
    }
}
