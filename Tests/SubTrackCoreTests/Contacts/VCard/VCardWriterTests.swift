import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite("Writing vCards", .ownTime)
struct VCardWriterTests {
    private static let id = UUID(uuidString: "0190A6A0-0000-7000-8000-000000000001") ?? UUID()

    private static let ada: StoredContact = {
        var contact = StoredContact(
            firstName: "Ada", middleName: "King", lastName: "Lovelace; Countess", note: "One, two\nthree\\four")
        contact.phones = [
            .init(area: "788", number: "6788768", type: "cell"), .init(e164: "+442079460958", type: "home fax"),
            .init(e164: "+4930123456", type: "Engine room"), .init(e164: "+4930123457", type: "other"),
        ]
        contact.emails = [.init(email: "ada@example.org", type: "home")]
        contact.addresses = [
            .init(
                street: "12 St James's Square", apt: "Flat 4, left", city: "London", zip: "SW1Y 4JH", country: "UK",
                type: "work")
        ]
        contact.dates = [
            .init(date: "--02-29", type: "birthday"), .init(date: "1835-07-08", type: "anniversary"),
            .init(date: "2027-07-08", yearly: false, reminderDays: 7, type: "other"),
        ]
        return contact
    }()

    private static let rest = "N:;;;Dr.;FRS\nitem7.URL:https://example.org\nitem7.X-ABLabel:Page"

    @Test("Version 3.0")
    func version3() {
        let card = VCardWriter.write(
            Self.ada, id: Self.id, rest: Self.rest, revision: Instant("2026-11-24T10:11:29Z"), version: .v3)
        #expect(
            card.split(separator: "\r\n")
                == """
                BEGIN:VCARD
                VERSION:3.0
                UID:urn:uuid:0190a6a0-0000-7000-8000-000000000001
                N:Lovelace\\; Countess;Ada;King;Dr.;FRS
                FN:Ada King Lovelace\\; Countess
                TEL;TYPE=CELL:(788) 678-8768
                TEL;TYPE=HOME,FAX:+442079460958
                item8.TEL:+4930123456
                item8.X-ABLabel:Engine room
                TEL:+4930123457
                EMAIL;TYPE=HOME:ada@example.org
                ADR;TYPE=WORK:;Flat 4\\, left;12 St James's Square;London;;SW1Y 4JH;UK
                BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29
                item9.X-ABDATE:1835-07-08
                item9.X-ABLabel:_$!<Anniversary>!$_
                item10.X-ABDATE;X-SUBTRACKIT-YEARLY=false;X-SUBTRACKIT-REMIND=7:2027-07-08
                item10.X-ABLabel:_$!<Other>!$_
                NOTE:One\\, two\\nthree\\\\four
                item7.URL:https://example.org
                item7.X-ABLabel:Page
                REV:2026-11-24T10:11:29Z
                END:VCARD
                """.split(separator: "\n"))
    }

    @Test("Version 4.0")
    func version4() {
        let card = VCardWriter.write(
            Self.ada, id: Self.id, uid: "its-own", rest: Self.rest, revision: Instant("2026-11-24T10:11:29Z"),
            version: .v4)
        #expect(
            card.split(separator: "\r\n")
                == """
                BEGIN:VCARD
                VERSION:4.0
                UID:its-own
                N:Lovelace\\; Countess;Ada;King;Dr.;FRS
                FN:Ada King Lovelace\\; Countess
                TEL;TYPE=cell:(788) 678-8768
                TEL;VALUE=uri;TYPE=home,fax:tel:+442079460958
                item8.TEL;VALUE=uri:tel:+4930123456
                item8.X-ABLabel:Engine room
                TEL;VALUE=uri:tel:+4930123457
                EMAIL;TYPE=home:ada@example.org
                ADR;TYPE=work:;Flat 4\\, left;12 St James's Square;London;;SW1Y 4JH;UK
                BDAY:--0229
                ANNIVERSARY:18350708
                item9.X-ABDATE;X-SUBTRACKIT-YEARLY=false;X-SUBTRACKIT-REMIND=7:20270708
                item9.X-ABLabel:_$!<Other>!$_
                NOTE:One\\, two\\nthree\\\\four
                item7.URL:https://example.org
                item7.X-ABLabel:Page
                REV:20261124T101129Z
                END:VCARD
                """.split(separator: "\n"))
    }

    @Test("Lines have at most 75 bytes, and no character is cut", arguments: VCardVersion.allCases)
    func folds(version: VCardVersion) throws {
        for text in ["é", "小", "👩‍👩‍👧‍👦", "x"] {
            for shift in 0..<8 {
                let note = String(repeating: "-", count: shift) + String(repeating: text, count: 300)
                let contact = StoredContact(
                    firstName: "A", lastName: "B", note: String(note.unicodeScalars.prefix(2000)))
                let card = VCardWriter.write(contact, id: Self.id, version: version)
                for line in card.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) where !line.isEmpty {
                    #expect(line.last == 0x0D && line.count <= 76)
                    #expect(String(validating: Array(line), as: UTF8.self) != nil)
                }
                #expect(try contacts(card)[0].contact.note == contact.note)
            }
        }
    }

    @Test("A thousand random contacts come back equal", arguments: VCardVersion.allCases)
    func thereAndBack(version: VCardVersion) throws {
        var random = RandomContacts(generator: SeededGenerator(seed: 6350))
        var all = ""
        var written: [StoredContact] = []
        for _ in 0..<1000 {
            let contact = random.next()
            written.append(contact)
            all += VCardWriter.write(contact, id: UUID(), version: version)
        }
        let read = VCardReader(Array(all.utf8), country: "DE", fillNames: true).map { try? $0.result.get() }
        #expect(read.count == 1000)
        for (card, contact) in zip(read, written) {
            let text = VCardWriter.write(contact, id: UUID(), version: version)
            #expect(Comparable(card?.contact) == Comparable(contact), "\(text)")
            #expect(card?.rest == nil && card?.adjusted == [], "\(text)")
        }
    }

    /// A contact whose days are in any order: in a card the birthday has a property of its own.
    private struct Comparable: Equatable {
        var contact: StoredContact?
        var dates: Set<StoredContact.Occasion>

        init(_ contact: StoredContact?) {
            self.contact = contact?.values
            dates = Set(self.contact?.dates ?? [])
            self.contact?.dates = []
        }
    }
}
