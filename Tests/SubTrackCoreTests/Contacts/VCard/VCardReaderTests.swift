import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite("Reading vCards", .ownTime)
struct VCardReaderTests {
    // MARK: Names

    @Test("Names come from N, and without it from the words of FN")
    func names() throws {
        let whole = try contact(of: "N:Lovelace;Ada;King,Noel;;").contact
        #expect([whole.firstName, whole.middleName, whole.lastName] == ["Ada", "King Noel", "Lovelace"])
        let words = try contact(of: "FN:Ada King Noel Lovelace").contact
        #expect([words.firstName, words.middleName, words.lastName] == ["Ada", "King Noel", "Lovelace"])
        let escaped = try contact(of: #"N:O\;Neill\, Jr.;A\\da;;;"#).contact
        #expect([escaped.firstName, escaped.lastName] == [#"A\da"#, "O;Neill, Jr."])
    }

    @Test(
        "A card without one of its names is refused with the reason, or has ? in its place",
        arguments: [
            ("N:;;;;", "the names are missing"), ("N:Lovelace;;;;", "the first name is missing"),
            ("N:;Ada;;;", "the last name is missing"), ("FN:Acme", "the first name is missing"),
            ("N:?;Ada;;;", "the last name is missing"),
        ])
    func missingNames(line: String, expected: String) throws {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\n\(line)\r\nEND:VCARD\r\n"
        #expect(reason(of: VCardReader.read(card, country: "US").first) == expected)
        let filled = try contacts(card, fillNames: true)[0].contact
        #expect([filled.firstName, filled.lastName].contains("?"))
        // The mark of a missing name is not written.
        let written = VCardWriter.write(filled, id: UUID())
        #expect(!written.contains("\r\nN:?") && !written.contains(";?"))
        #expect(try contacts(written, fillNames: true)[0].contact.values == filled.values)
    }

    @Test("Prefix, suffix and a name for show that says more come back when the card is written")
    func affixes() throws {
        let card = try contact(
            of: "N;SORT-AS=\"Lovelace,Ada\":Lovelace;Ada;;Dr.,Countess;FRS", "FN:Dr. Ada Lovelace, FRS")
        let written = VCardWriter.write(card.contact, id: UUID(), rest: card.rest)
        #expect(written.contains("\r\nN;SORT-AS=\"Lovelace,Ada\":Lovelace;Ada;;Dr.,Countess;FRS\r\n"))
        #expect(written.contains("\r\nFN:Dr. Ada Lovelace, FRS\r\n"))
        #expect(written.components(separatedBy: "FN:").count == 2)
    }

    // MARK: Numbers

    @Test("Types and labels become one word or some, the preferred number comes first")
    func types() throws {
        let phones = try contact(
            of: "TEL;TYPE=HOME;TYPE=VOICE:+4930111", "TEL;TYPE=\"work,fax\":+4930222", "TEL;CELL:+4930333",
            "item1.TEL;TYPE=pref:+4930444", "ITEM1.X-ABLABEL:Engine room", "TEL:+4930555",
            "item2.TEL:+4930666", "item2.X-ABLabel:_$!<HomeFAX>!$_"
        ).contact.phones
        #expect(phones.map(\.type) == ["Engine room", "home", "work fax", "cell", "other", "home fax"])
        #expect(phones.map(\.id.uuidString) == phones.map(\.id.uuidString).sorted())
        let ranked = try contact(of: "TEL;PREF=2:+4930111", "TEL;PREF=1:+4930222", version: "4.0").contact.phones
        #expect(ranked.map(\.e164) == ["+4930222", "+4930111"])
    }

    @Test("A number that is none goes to the note and is told")
    func oddNumbers() throws {
        let card = try contact(
            of: "TEL;TYPE=CELL:110", "TEL;TYPE=WORK:+1 788 555 0100 ext. 12", "NOTE:Wrote notes", "TEL:tel:+4930111")
        #expect(card.contact.phones.map(\.e164) == ["+4930111"])
        #expect(card.contact.note == "Wrote notes\nPhone (cell): 110\nPhone (work): +1 788 555 0100 ext. 12")
        #expect(card.adjusted.count == 2)
        #expect(card.adjusted[0].hasPrefix(#"phone (cell) "110" is in the note: "#))
    }

    // MARK: Addresses

    @Test("A street of more than 40 characters and a zip of more than 10 go to the note, whole")
    func longAddress() throws {
        let street = String(repeating: "Long Street ", count: 4).trimmingCharacters(in: .whitespaces)
        let card = try contact(of: "ADR;TYPE=HOME:;;\(street);Berlin;;12345678901;Germany")
        let address = try #require(card.contact.addresses.first)
        #expect(address.street == nil && address.zip == nil && address.city == "Berlin")
        #expect(card.contact.note == "Street (home): \(street)\nZip (home): 12345678901")
        #expect(card.adjusted.count == 2)
        // At the bound nothing moves.
        let exact = try contact(of: "ADR:;;\(String(repeating: "s", count: 40));;;1234567890;")
        #expect(exact.contact.addresses.first?.street?.count == 40 && exact.adjusted.isEmpty)
    }

    @Test("A country alone is no address, a post box is told, an empty address is nothing")
    func oddAddresses() throws {
        let card = try contact(of: "ADR;TYPE=WORK:;;;;;;Germany", "ADR:;;;;;;", "ADR:PO 12;Floor 3;;Rome;;;")
        #expect(card.contact.note == "Country (work): Germany")
        #expect(card.contact.addresses.map(\.apt) == ["PO 12, Floor 3"])
        #expect(card.adjusted.count == 2)
    }

    // MARK: Mail and days

    @Test("An address of mail that is none goes to the note")
    func mails() throws {
        let card = try contact(of: "EMAIL;TYPE=INTERNET,WORK:mailto:ada@example.org", "EMAIL:ada at home")
        #expect(card.contact.emails.map(\.email) == ["ada@example.org"])
        #expect(card.contact.emails.map(\.type) == ["work"])
        #expect(card.contact.note == "E-mail (other): ada at home")
    }

    @Test(
        "Days are read with and without year",
        arguments: [
            ("BDAY:1995-06-25", "1995-06-25"), ("BDAY;VALUE=DATE:19950625", "1995-06-25"),
            ("BDAY:1995-06-25T00:00:00Z", "1995-06-25"), ("BDAY:--0229", "--02-29"), ("BDAY:--02-29", "--02-29"),
            ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29", "--02-29"), ("BDAY:1604-02-29", "1604-02-29"),
            ("BDAY:2999-12-31", "2999-12-31"), ("BDAY:1000-01-01", "1000-01-01"),
        ])
    func days(line: String, expected: String) throws {
        let card = try contact(of: line)
        #expect(card.contact.dates.map(\.date) == [expected])
        #expect(card.contact.dates.first?.type == "birthday" && card.contact.dates.first?.yearly == true)
        #expect(card.adjusted.isEmpty)
    }

    @Test(
        "A day that no contact can have goes to the note",
        arguments: [
            "1995", "1995-06", "--06", "---25", "2027-02-29", "1995-02-30", "1995-00-01", "--1301", "0999-01-01",
            "3000-01-01",
            "circa 1800", "25.06.1995", "--0230", "1995-6-25",
        ])
    func oddDays(text: String) throws {
        let card = try contact(of: "BDAY:" + text)
        #expect(card.contact.dates.isEmpty)
        #expect(card.contact.note == "Date (birthday): " + text)
        #expect(card.adjusted.count == 1)
    }

    @Test("A time of birth is told, for the day alone has a field")
    func timeOfBirth() throws {
        let card = try contact(of: "BDAY:19531015T231000Z")
        #expect(card.contact.dates.map(\.date) == ["1953-10-15"])
        #expect(card.adjusted.count == 1)
    }

    // MARK: The note and the rest

    @Test("Notes are joined; one that does not fit stays in the card, and is written again")
    func notes() throws {
        let long = String(repeating: "x", count: 1999)
        let card = try contact(of: "NOTE:One\\nTwo", "NOTE:Three", "NOTE:" + long, "TEL:110")
        #expect(card.contact.note == "One\nTwo\nThree\nPhone (other): 110")
        #expect(card.rest == "NOTE:" + long)
        #expect(card.adjusted.count == 2)
        let full = try contact(of: "NOTE:" + long + "y", "TEL;TYPE=CELL:110")
        #expect(full.contact.note == long + "y")
        #expect(full.rest == "TEL;TYPE=CELL:110")
        #expect(full.adjusted.count == 1 && full.adjusted[0].contains("in the card alone"))
    }

    @Test("Properties without field are kept as they are, with their groups and labels")
    func rest() throws {
        let lines = [
            "X-FOO;A=\"b;c:d\";E=f:value\\, with\\nescapes\\x  and  spaces ", "item1.URL:https\\://example.org",
            "item1.X-ABLabel:Home page", "ORG:Acme;Works", "X-foo:again",
        ]
        let card = try contact(of: lines[0], lines[1], lines[2], lines[3], lines[4], "item1.X-OTHER:1")
        #expect(card.rest == (lines + ["item1.X-OTHER:1"]).joined(separator: "\n"))
        let written = VCardWriter.write(card.contact, id: UUID(), rest: card.rest)
        for line in lines { #expect(written.contains("\r\n" + line + "\r\n")) }
    }

    @Test("More than 50 numbers: the others stay in the card, and are told")
    func manyParts() throws {
        let lines = (100..<155).map { "TEL:+4930\($0)" }.joined(separator: "\r\n")
        let card = try contact(of: lines)
        #expect(card.contact.phones.count == 50)
        #expect(card.rest == (150..<155).map { "TEL:+4930\($0)" }.joined(separator: "\n"))
        #expect(card.adjusted.count == 5)
    }

    @Test("Parameters without field are told once each")
    func parameters() throws {
        let card = try contact(
            of: "ADR;LABEL=\"1 Way\";TYPE=home;PREF=1:;;1 Way;;;;", "ADR;LABEL=\"2 Way\":;;2 Way;;;;", version: "4.0")
        #expect(card.adjusted == ["the parameter LABEL of ADR is not kept"])
    }

    @Test("A UID is kept; one made by the writer is the contact's id")
    func uid() throws {
        let id = UUID()
        let own = try contacts(VCardWriter.write(.init(firstName: "A", lastName: "B"), id: id))[0]
        #expect(own.id == id)
        let other = try contact(of: "UID:urn:x:1")
        #expect(other.uid == "urn:x:1" && other.id == nil)
        #expect(throws: CardRefusal.self) { try contact(of: "UID:" + String(repeating: "u", count: 256)) }
    }
}
