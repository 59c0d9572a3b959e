import Foundation
import SubTrackAPI

/// The parts of a contact: numbers, addresses of mail, postal addresses, days.
extension CardBuilder {
    /// How many parts of a kind a contact has.
    private static let maximumParts = 50

    /// The properties by preference: `PREF=1` first, then `TYPE=pref`, then the order of the card.
    private static func preferred(_ properties: [Property]) -> [Property] {
        func rank(_ property: Property) -> Int {
            if let rank = property.values("PREF").first.flatMap({ Int($0) }) { return rank }
            return property.values("TYPE").contains { $0.lowercased() == "pref" } ? 1 : 101
        }
        return properties.map { (rank($0), $0) }.sorted { ($0.0, $0.1.place) < ($1.0, $1.1.place) }.map(\.1)
    }

    /// New ids whose order is that in which they are given.
    private static func ids(_ count: Int) -> [UUID] {
        (0..<count).map { _ in UUID() }.sorted { $0.uuidString < $1.uuidString }
    }

    /// Makes parts of properties. Those that are too many stay in the card.
    private mutating func parts<Part>(
        _ what: String, _ properties: [Property],
        _ make: (inout Self, Property) throws(CardRefusal) -> Part?
    ) throws(CardRefusal) -> [Part] {
        var parts: [Part] = []
        for property in properties {
            guard parts.count < Self.maximumParts else {
                let reason = "a contact has at most \(Self.maximumParts) \(what)"
                keep(property, because: "line \(property.line.number) is in the card alone: \(reason)")
                continue
            }
            if let part = try make(&self, property) {
                parts.append(part)
                tellParameters(of: property)
            }
        }
        return parts
    }

    // MARK: Numbers

    mutating func takePhones() throws(CardRefusal) -> [StoredContact.Phone] {
        var found = try parts("numbers", Self.preferred(phones)) { builder, property throws(CardRefusal) in
            try builder.phone(of: property)
        }
        for (index, id) in Self.ids(found.count).enumerated() { found[index].id = id }
        return found
    }

    private mutating func phone(of property: Property) throws(CardRefusal) -> StoredContact.Phone? {
        guard let text = VCardText.line(try text(of: property)) else { return nil }
        let type = type(of: property, text)
        switch PhoneNumber(text, country: country) {
        case .local(let area, let number): return StoredContact.Phone(area: area, number: number, type: type)
        case .international(let number): return StoredContact.Phone(e164: number, type: type)
        case nil:
            move("Phone", type, text, of: property, because: "it has neither 10 digits nor a dialling code")
            return nil
        }
    }

    // MARK: Addresses of mail

    mutating func takeEmails() throws(CardRefusal) -> [StoredContact.Email] {
        var found = try parts("e-mail addresses", Self.preferred(emails)) { builder, property throws(CardRefusal) in
            try builder.email(of: property)
        }
        for (index, id) in Self.ids(found.count).enumerated() { found[index].id = id }
        return found
    }

    private mutating func email(of property: Property) throws(CardRefusal) -> StoredContact.Email? {
        guard var text = VCardText.line(try text(of: property)) else { return nil }
        if text.prefix(7).lowercased() == "mailto:" { text = String(text.dropFirst(7)) }
        let type = type(of: property, text)
        if let reason = Self.fault(ofEmail: text) {
            move("E-mail", type, text, of: property, because: reason)
            return nil
        }
        return StoredContact.Email(email: text, type: type)
    }

    private static func fault(ofEmail text: String) -> String? {
        let count = text.unicodeScalars.count
        if count > 254 { return "it has \(count) characters, and a contact's has at most 254" }
        let at = text.lastIndex(of: "@")
        guard let at, at != text.startIndex, text.index(after: at) != text.endIndex,
            !text.contains(where: \.isWhitespace)
        else { return "it is no address of mail" }
        return nil
    }

    // MARK: Postal addresses

    mutating func takeAddresses() throws(CardRefusal) -> [StoredContact.Address] {
        var found = try parts("postal addresses", Self.preferred(addresses)) { builder, property throws(CardRefusal) in
            try builder.address(of: property)
        }
        for (index, id) in Self.ids(found.count).enumerated() { found[index].id = id }
        return found
    }

    private mutating func address(of property: Property) throws(CardRefusal) -> StoredContact.Address? {
        let components = VCardText.split(try value(of: property)[...], at: UInt8(ascii: ";"))
        var lines = components.map { component in
            let parts = VCardText.split(component, at: UInt8(ascii: ",")).compactMap {
                VCardText.line(VCardText.unescaped($0))
            }
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }
        guard lines.contains(where: { $0 != nil }) else { return nil }
        while lines.count < 7 { lines.append(nil) }
        let type = type(of: property, lines.compactMap(\.self).joined(separator: ", "))
        let more = lines.dropFirst(7).compactMap(\.self).joined(separator: ", ")
        if !more.isEmpty, lines[..<7].allSatisfy({ $0 == nil }) {
            move("Address", type, more, of: property, because: "its seven parts are empty")
            return nil
        }
        // Google writes the whole address there once more, RFC 9554 its pieces.
        if !more.isEmpty { tell("of an address the seven parts are kept, not \(Self.quoted(more)) behind them") }
        if let box = lines[0] {
            tell("post box \(Self.quoted(box)) is in the field for the apartment")
            lines[1] = [box, lines[1]].compactMap(\.self).joined(separator: ", ")
        }
        let fields: [(name: String, maximum: Int)] = [
            ("Apartment", 100), ("Street", 40), ("City", 100), ("State", 100), ("Zip", 10), ("Country", 100),
        ]
        for (index, field) in zip(1..., fields) {
            guard let line = lines[index], line.unicodeScalars.count > field.maximum else { continue }
            let reason = "it has \(line.unicodeScalars.count) characters, and a contact's has at most \(field.maximum)"
            move(field.name, type, line, of: property, because: reason)
            lines[index] = nil
        }
        guard lines[1...5].contains(where: { $0 != nil }) else {
            if let country = lines[6] {
                move("Country", type, country, of: property, because: "a country alone is no address")
            }
            return nil
        }
        return StoredContact.Address(
            street: lines[2], apt: lines[1], city: lines[3], state: lines[4], zip: lines[5], country: lines[6],
            type: type)
    }

    // MARK: Days

    mutating func takeDates() throws(CardRefusal) -> [StoredContact.Occasion] {
        var found = try parts("days", dates) { builder, property throws(CardRefusal) in
            try builder.day(of: property)
        }
        for (index, id) in Self.ids(found.count).enumerated() { found[index].id = id }
        return found
    }

    private mutating func day(of property: Property) throws(CardRefusal) -> StoredContact.Occasion? {
        guard let text = VCardText.line(try text(of: property)) else { return nil }
        let type =
            switch property.line.name {
            case "BDAY": "birthday"
            case "X-ABDATE": type(of: property, text)
            default: "anniversary"
            }
        guard let day = CardDay(text, omittedYear: property.values("X-APPLE-OMIT-YEAR").first) else {
            move("Date", type, text, of: property, because: "it is no day of the years 1000 to 2999")
            return nil
        }
        if day.hasTime { tell("of \(Self.quoted(text)) (\(type)) the day is kept, not the time") }
        let yearly = property.values(OwnParameter.yearly).first?.lowercased() != "false" || day.date.hasPrefix("--")
        let reminder = property.values(OwnParameter.reminder).first.flatMap { Int($0) }
        return StoredContact.Occasion(
            date: day.date, yearly: yearly, reminderDays: reminder.flatMap { (0...365).contains($0) ? $0 : nil },
            type: type)
    }
}
