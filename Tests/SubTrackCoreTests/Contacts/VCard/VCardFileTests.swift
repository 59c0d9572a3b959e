import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@Suite("vCards of other programs", .ownTime)
struct VCardFileTests {
    private static let files = ["apple.vcf", "google.vcf", "nextcloud.vcf", "thunderbird.vcf", "android.vcf"]

    @Test("Apple: labels, a day without year, a fax with (0), a photo")
    func apple() throws {
        let cards = try contacts(try fixture("apple.vcf"), country: "US", fillNames: true)
        let ada = cards[0]
        #expect(ada.uid == "5F3C1B9E-2B1E-4C57-9A0E-0F6D4F1F6A11")
        #expect([ada.contact.firstName, ada.contact.middleName, ada.contact.lastName] == ["Ada", "King", "Lovelace"])
        #expect(ada.contact.phones.map(\.type) == ["cell", "cell", "home fax"])
        #expect(ada.contact.phones[0].area == "788" && ada.contact.phones[0].number == "6788768")
        #expect(ada.contact.phones[2].e164 == "+442079460959")
        #expect(ada.contact.emails.map(\.type) == ["home", "Engine room"])
        #expect(ada.contact.addresses.map(\.street) == ["12 St James's Square"])
        #expect(ada.contact.dates.map(\.date) == ["1815-12-10", "1835-07-08", "--02-29"])
        #expect(ada.contact.dates.map(\.type) == ["birthday", "anniversary", "Leap day"])
        #expect(
            ada.contact.note
                == "Wrote notes, seven of them.\nOne is on Bernoulli numbers; see \"G\".\nPhone (other): 110")
        let rest = try #require(ada.rest)
        for kept in [
            "N:;;;Countess;", "FN:Ada Lovelace", "NICKNAME:", "item3.X-ABADR:gb", "item4.X-ABLabel:", "PHOTO;",
            "X-ABUID:",
        ] {
            #expect(rest.contains(kept))
        }
        #expect(!rest.contains("PRODID") && !rest.contains("REV") && !rest.contains("Engine room"))
        #expect([cards[1].contact.firstName, cards[1].contact.lastName] == ["Difference", "Works"])
    }

    @Test("Google: custom types, an address written twice, a day without year")
    func google() throws {
        let cards = try contacts(try fixture("google.vcf"), country: "ES")
        #expect(cards[0].contact.phones.map(\.e164) == ["+34612345678", "+34612345679", "+34912345678"])
        #expect(cards[0].contact.phones.map(\.type) == ["cell", "X-Werkstatt", "Despacho"])
        #expect(cards[0].contact.addresses.first?.street == "Calle Mayor 1, 2.º")
        #expect(cards[0].contact.addresses.first?.zip == "28013")
        #expect(cards[0].contact.dates.map(\.date) == ["--06-25", "2010-06-01"])
        #expect(cards[0].adjusted.count == 1)
        #expect([cards[1].contact.firstName, cards[1].contact.lastName] == ["小明", "王"])
    }

    @Test("Nextcloud: version 4.0, types in quotes, numbers as URI")
    func nextcloud() throws {
        let card = try contacts(try fixture("nextcloud.vcf"), country: "US")[0]
        #expect(card.contact.phones.map(\.e164) == ["+12025550143", "+12025550144"])
        #expect(card.contact.phones.map(\.type) == ["home", "cell"])
        #expect(card.contact.dates.map(\.date) == ["1906-12-09", "1930-06-15"])
        #expect(card.contact.dates.map(\.type) == ["birthday", "anniversary"])
        #expect(try #require(card.rest).contains("PHOTO:data:image/png;base64,iVBORw0KGgo"))
        #expect(card.adjusted.isEmpty)
    }

    @Test("Thunderbird: preference, values of other kinds, numbers dialled at home")
    func thunderbird() throws {
        let card = try contacts(try fixture("thunderbird.vcf"), country: "GB")[0]
        #expect(card.contact.phones.map(\.e164) == ["+442079460100", "+447700900123"])
        #expect(card.contact.emails.map(\.email) == ["alan@example.org", "turing@example.com"])
        #expect(card.contact.addresses.first?.street == "Hollymeade, Adlington Road")
        #expect(card.contact.dates.map(\.date) == ["1912-06-23", "--03-14"])
        #expect(try #require(card.rest).hasPrefix("N:;;;;OBE\n"))
    }

    @Test("Android: version 2.1, quoted-printable with soft line breaks, a card in a card")
    func android() throws {
        let card = try contacts(try fixture("android.vcf"), country: "DE")[0]
        #expect([card.contact.firstName, card.contact.lastName] == ["Jürg", "Müller"])
        #expect(card.contact.phones.map(\.e164) == ["+4915123456789", "+4930123456"])
        #expect(card.contact.phones.map(\.type) == ["cell", "home fax"])
        #expect(card.contact.addresses.first?.street == "Hauptstraße 1")
        #expect(card.contact.addresses.first?.city == "Berlin")
        #expect(card.contact.note == "Zwei\nZeilen; mit Strichpunkt")
        let rest = try #require(card.rest)
        #expect(rest.contains("ORG:Mühle;Tee\n"))
        #expect(rest.contains("PHOTO;ENCODING=b;TYPE=JPEG:/9j/"))
        #expect(!rest.split(separator: "\n").contains { $0.hasPrefix("PHOTO") && $0.contains(" ") })
        #expect(rest.hasSuffix(#"AGENT:BEGIN:VCARD\nVERSION:2.1\nN:Agent\;Anna\nTEL:1\nEND:VCARD\n"#))
    }

    @Test(
        "A file that is imported again changes nothing, with either end of lines, and as it was written here",
        arguments: files)
    func again(file: String) throws {
        let text = try fixture(file)
        let first = try contacts(text, country: "US", fillNames: true)
        let second = try contacts(text.replacing("\n", with: "\r\n"), country: "US", fillNames: true)
        for (one, other) in zip(first, second) {
            #expect(other.contact.values == one.contact.values && other.rest == one.rest && other.uid == one.uid)
            for version in VCardVersion.allCases {
                let written = VCardWriter.write(
                    one.contact, id: UUID(), uid: one.uid, rest: one.rest, revision: Instant(secondsSince1970: 1),
                    version: version)
                let read = try contacts(written, country: "US", fillNames: true)[0]
                #expect(read.contact.values == one.contact.values, "\(written)")
                #expect(read.rest == one.rest)
                for mode in [CardMerge.Mode.add, .replace] {
                    #expect(!CardMerge(other, into: one.contact, rest: one.rest, mode: mode).isChanged)
                    #expect(!CardMerge(read, into: one.contact, rest: one.rest, mode: mode).isChanged)
                }
            }
        }
        #expect(first.count == second.count && !first.isEmpty)
    }
}
