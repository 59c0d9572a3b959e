import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// The contacts of the cards in a text, by the rules of a country.
func contacts(
    _ text: String, country: String = "US", fillNames: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
) throws -> [CardContact] {
    try VCardReader.read(text, country: country, fillNames: fillNames).map { try $0.result.get() }
}

/// The contact of a card with some lines in it.
func contact(
    of lines: String..., version: String = "3.0", country: String = "US", fillNames: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> CardContact {
    let names = lines.contains { $0.hasPrefix("N:") || $0.hasPrefix("FN:") } ? [] : ["N:Lovelace;Ada;;;"]
    let card = (["BEGIN:VCARD", "VERSION:" + version] + names + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    let cards = try contacts(card, country: country, fillNames: fillNames)
    try #require(cards.count == 1, sourceLocation: sourceLocation)
    return cards[0]
}

/// The reason for which a card is refused.
func reason(of card: ReadCard?) -> String? {
    guard case .failure(let refusal)? = card?.result else { return nil }
    return refusal.reason
}

/// A file of another program, written by hand after its documentation.
func fixture(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
}

extension StoredContact {
    /// The contact without ids, to be compared with another reading.
    var values: StoredContact {
        let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var contact = self
        for index in phones.indices { contact.phones[index].id = none }
        for index in emails.indices { contact.emails[index].id = none }
        for index in addresses.indices { contact.addresses[index].id = none }
        for index in dates.indices { contact.dates[index].id = none }
        return contact
    }
}

/// Random contacts with every kind of value.
struct RandomContacts {
    var generator: SeededGenerator

    private static let words = [
        "Ada", "José", "小明", "O'Neill", "née; Byron", "a, b", #"back\slash"#, "👩‍👩‍👧‍👦", "\"quoted\"", "ñandú", "x:y", "%41=",
        "Zoë^n", "=C3=BC", "٣", "i̇", "tab-less", "https://example.org/?a=b,c;d", "BEGIN:VCARD", "e\u{301}",
    ]
    private static let types = [
        "home", "work", "cell", "fax", "other", "home fax", "Engine room", "work cell", "main", "Büro; 2",
    ]

    mutating func word() -> String { Self.words.randomElement(using: &generator) ?? "" }

    mutating func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    mutating func maybe(_ maximum: Int) -> String? {
        let text = text(Int.random(in: 1...3, using: &generator))
        return generator.chance(0.5) && text.unicodeScalars.count <= maximum ? text : nil
    }

    mutating func digits(_ count: Int, first: ClosedRange<Int> = 0...9) -> String {
        (0..<count).map { String(Int.random(in: $0 == 0 ? first : 0...9, using: &generator)) }.joined()
    }

    mutating func type() -> String { Self.types.randomElement(using: &generator) ?? "other" }

    mutating func date() -> String {
        let day = CalendarDate(daysSince1970: Int32.random(in: -350_000...350_000, using: &generator)).description
        let leap = generator.chance(0.1)
        return generator.chance(0.5) ? (leap ? "1996-02-29" : day) : "--" + (leap ? "02-29" : day.suffix(5))
    }

    mutating func next() -> StoredContact {
        let note = (0..<Int.random(in: 1...8, using: &generator)).map { _ in text(5) }.joined(separator: "\n")
        func several<Part>(_ make: (inout Self) -> Part) -> [Part] {
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in make(&self) }
        }
        var contact = StoredContact(
            firstName: generator.chance(0.05) ? "?" : text(1), middleName: maybe(100),
            lastName: generator.chance(0.05) ? "?" : text(1), note: generator.chance(0.5) ? note : nil)
        contact.phones = several { random in
            random.generator.chance(0.5)
                ? .init(area: random.digits(3), number: random.digits(7), type: random.type())
                : .init(
                    e164: "+" + random.digits(Int.random(in: 2...15, using: &random.generator), first: 1...9),
                    type: random.type())
        }
        contact.emails = several { random in
            .init(email: "\(random.digits(3))+ü,;\\@example.org", type: random.type())
        }
        contact.addresses = several { random in
            .init(
                street: random.maybe(40), apt: random.maybe(100), city: random.text(1), state: random.maybe(100),
                zip: random.generator.chance(0.5) ? random.digits(5) : nil, country: random.maybe(100),
                type: random.type())
        }
        contact.dates = several { random in
            let date = random.date()
            return .init(
                date: date, yearly: date.hasPrefix("--") || random.generator.chance(0.7),
                reminderDays: random.generator.chance(0.3) ? Int.random(in: 0...365, using: &random.generator) : nil,
                type: ["birthday", "anniversary", "other", "Leap day"].randomElement(using: &random.generator) ?? "")
        }
        return contact
    }
}
