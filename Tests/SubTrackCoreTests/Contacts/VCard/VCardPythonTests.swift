import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

private let python = PythonTools.python(with: "vobject", "phonenumbers")

/// Cards and numbers in the eyes of public libraries.
@Suite(
    "vCards and numbers, judged by Python's libraries",
    .enabled(if: python != nil, "wants vobject in .build-python (script/test makes it)"), .ownTime)
struct VCardPythonTests {
    private struct ParsedCard: Decodable {
        var family, given, additional, fn, uid: String
        var tel, email, note, bday: [String]
        var adr: [[String]]
    }

    private struct Plan: Decodable {
        var code, trunk: String
        var shortest, longest: Int
    }

    private struct Example: Decodable { var country, text, whole: String }

    private static func run<Value: Decodable>(
        _ command: String, input: String = "", _ type: Value.Type
    ) throws -> [Value] {
        try PythonTools.values(of: "cards.py", command, input: input.utf8, by: try #require(python))
    }

    @Test("Random cards say the same to vobject", arguments: VCardVersion.allCases)
    func cards(version: VCardVersion) throws {
        var random = RandomContacts(generator: SeededGenerator(seed: 2426))
        let contacts = (0..<300).map { _ in random.next() }
        let rest = "N:;;;Dr.;FRS\nitem1.URL:https://example.org\nPHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg=="
        let cards = contacts.map { VCardWriter.write($0, id: UUID(), uid: "u", rest: rest, version: version) }
        let parsed = try Self.run("parse", input: cards.joined(), ParsedCard.self)
        #expect(parsed.count == contacts.count)
        for (card, contact) in zip(parsed, contacts) {
            func name(_ name: String?) -> String { name == "?" ? "" : name ?? "" }
            #expect(card.family == name(contact.lastName) && card.given == name(contact.firstName))
            #expect(card.additional == name(contact.middleName) && card.uid == "u")
            #expect(card.email == contact.emails.map(\.email))
            #expect(card.note == [contact.note].compactMap(\.self))
            let numbers = contact.phones.map {
                $0.e164 ?? "(\($0.area ?? "")) \(($0.number ?? "").prefix(3))-\(($0.number ?? "").suffix(4))"
            }
            #expect(card.tel.map { $0.replacing("tel:", with: "") } == numbers)
            let addresses = contact.addresses.map { address in
                [address.apt, address.street, address.city, address.state, address.zip, address.country].map {
                    $0 ?? ""
                }
            }
            #expect(card.adr == addresses)
        }
    }

    @Test("The table of dialling codes is that of phonenumbers")
    func plans() throws {
        let plans = try #require(try Self.run("plans", [String: Plan].self).first)
        #expect(plans.count > 240)
        for (country, plan) in plans {
            let own = DiallingCodes.plan(of: country)
            #expect(own?.code == plan.code, "\(country)")
            if plan.code != "1" {
                #expect(own?.trunk == plan.trunk && own?.lengths == plan.shortest...plan.longest, "\(country): \(plan)")
            }
        }
    }

    @Test("Numbers as countries write them become those of phonenumbers, or none")
    func numbers() throws {
        let examples = try Self.run("numbers", Example.self)
        #expect(examples.count > 1000)
        var read = 0
        for example in examples {
            guard let number = PhoneNumber(example.text, country: example.country) else { continue }
            read += 1
            #expect("+" + number.key == example.whole, "\(example.country): \(example.text)")
        }
        #expect(read > examples.count * 98 / 100, "\(read) of \(examples.count)")
    }
}
