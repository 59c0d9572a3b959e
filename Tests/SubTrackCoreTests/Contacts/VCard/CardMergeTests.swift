import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite("Cards taken into contacts", .ownTime)
struct CardMergeTests {
    private static func held() -> StoredContact {
        StoredContact(
            firstName: "Ada", lastName: "Lovelace", note: "Held",
            phones: [.init(area: "788", number: "6788768", type: "cell"), .init(e164: "+4930123456", type: "home")],
            addresses: [.init(street: "1 Way", city: "Rome", type: "home")],
            emails: [.init(email: "Ada@Example.org", type: "home")],
            dates: [.init(date: "1815-12-10", yearly: true, reminderDays: 7, type: "birthday")])
    }

    @Test("Equal parts keep their ids: by digits, by small letters, by day")
    func ids() throws {
        let held = Self.held()
        let card = try contact(
            of: "TEL;TYPE=WORK:+1 788 678 8768", "EMAIL;TYPE=HOME:ada@example.ORG", "BDAY:18151210",
            "ADR;TYPE=HOME:;;1 WAY;rome;;;", "NOTE:Held")
        let merge = CardMerge(card, into: held, rest: nil, mode: .replace)
        #expect(merge.isChanged)
        #expect(merge.contact.phones.map(\.id) == held.phones.filter { $0.area == "788" }.map(\.id))
        // The number stays in its form, and gets the card's type.
        #expect(merge.contact.phones.first?.area == "788" && merge.contact.phones.first?.type == "work")
        #expect(merge.contact.emails.map(\.id) == held.emails.map(\.id))
        #expect(merge.contact.emails.map(\.email) == ["ada@example.ORG"])
        #expect(merge.contact.dates == held.dates)
        #expect(merge.contact.addresses.map(\.id) == held.addresses.map(\.id))
    }

    @Test("A file adds, and takes nothing away")
    func adding() throws {
        let held = Self.held()
        let card = try contact(
            of: "TEL;TYPE=WORK:(788) 678-8768", "TEL;TYPE=WORK:+4930999", "NOTE:Held\\nNew line",
            "X-FOO:new", "X-BAR:1")
        let merge = CardMerge(card, into: held, rest: "X-FOO:old\nX-BAZ:1", mode: .add)
        #expect(merge.isChanged)
        #expect(Set(merge.contact.phones).isSuperset(of: held.phones))
        #expect(merge.contact.phones.count == 3)
        #expect(merge.contact.emails == held.emails && merge.contact.dates == held.dates)
        #expect(merge.contact.note == "Held\nNew line")
        #expect(merge.rest == "X-FOO:new\nX-BAR:1\nX-BAZ:1")
        let again = CardMerge(card, into: merge.contact, rest: merge.rest, mode: .add)
        #expect(!again.isChanged)
    }

    @Test("A birthday and an anniversary of one day stay two, whichever comes first")
    func sameDay() throws {
        var held = Self.held()
        held.dates = [.init(date: "2000-01-01", type: "anniversary"), .init(date: "2000-01-01", type: "birthday")]
        for lines in [["BDAY:20000101", "ANNIVERSARY:20000101"], ["ANNIVERSARY:20000101", "BDAY:20000101"]] {
            let card = try contact(of: lines[0], lines[1])
            let merge = CardMerge(card, into: held, rest: nil, mode: .replace)
            #expect(Set(merge.contact.dates) == Set(held.dates))
        }
    }

    @Test("A value without room is told, and nothing held goes")
    func noRoom() throws {
        var held = Self.held()
        held.note = String(repeating: "x", count: 1999)
        held.phones = (100..<150).map { .init(e164: "+4930\($0)", type: "cell") }
        let merge = CardMerge(try contact(of: "NOTE:abc", "TEL:+4930999"), into: held, rest: nil, mode: .add)
        #expect(merge.contact.note == held.note && merge.contact.phones.count == 50)
        #expect(merge.adjusted.count == 2)
    }

    @Test("Two cards' properties are joined by name, and groups do not mix")
    func rests() {
        #expect(CardRest.joined(nil, nil) == nil)
        #expect(CardRest.joined("A:1", nil) == "A:1")
        #expect(CardRest.joined(nil, "A:1") == "A:1")
        #expect(CardRest.joined("A:1", "a:2\nB:3\nB:4") == "A:1\nB:3\nB:4")
        #expect(
            CardRest.joined("item1.URL:a\nitem1.X-ABLabel:One", "item1.X-REL:b\nitem1.X-ABLabel:Two\nX-P:1")
                == "item1.URL:a\nitem1.X-ABLabel:One\nitem2.X-REL:b\nitem2.X-ABLabel:Two\nX-P:1")
        let photo = "PHOTO:" + String(repeating: "A", count: 200 << 10)
        #expect(CardRest.joined(photo, "LOGO:" + String(repeating: "A", count: 200 << 10)) == photo)
    }
}
