import Foundation
import SubTrackAPI

/// The versions of vCard that are written.
public enum VCardVersion: String, Sendable, CaseIterable {
    /// RFC 2426, for every program.
    case v3 = "3.0"
    /// RFC 6350.
    case v4 = "4.0"
}

/// Writing of vCards.
public enum VCardWriter {
    /// A contact as a card. Lines end by CR LF and have at most 75 bytes.
    /// - Parameters:
    ///   - id: the contact's id, which makes the `UID` where there is none.
    ///   - uid: the `UID` with which the card came.
    ///   - rest: the properties that the contact has no field for, as ``CardContact/rest``.
    ///   - revision: the instant of the last change, for `REV`.
    public static func write(
        _ contact: StoredContact, id: UUID, uid: String? = nil, rest: String? = nil, revision: Instant? = nil,
        version: VCardVersion = .v3
    ) -> String {
        let kept = CardRest.lines(rest)
        var card = Lines(version: version, group: CardRest.freeNumber(kept.compactMap(\.group)))
        card.append("BEGIN:VCARD")
        card.append("VERSION:" + version.rawValue)
        card.append("UID:" + VCardText.escaped(uid ?? "urn:uuid:" + id.uuidString.lowercased()))
        card.append(names(of: contact, kept.first { $0.name == "N" }))
        if !kept.contains(where: { $0.name == "FN" }) {
            let name = CardBuilder.fullName(contact.firstName, contact.middleName, contact.lastName)
            card.append("FN:" + VCardText.escaped(name))
        }
        for phone in contact.phones { card.append(phone) }
        for email in contact.emails { card.append("EMAIL", email.type, VCardText.escaped(email.email)) }
        for address in contact.addresses {
            let parts = [
                nil, address.apt, address.street, address.city, address.state, address.zip, address.country,
            ]
            card.append("ADR", address.type, parts.map { VCardText.escaped($0 ?? "") }.joined(separator: ";"))
        }
        card.append(contact.dates)
        if let note = contact.note { card.append("NOTE:" + VCardText.escaped(note)) }
        for line in kept where line.name != "N" { card.append(String(decoding: line.bytes, as: UTF8.self)) }
        if let revision {
            let text = revision.description
            card.append("REV:" + (version == .v3 ? text : text.filter { $0 != "-" && $0 != ":" }))
        }
        card.append("END:VCARD")
        return String(decoding: card.bytes, as: UTF8.self)
    }

    /// `N`, with the prefixes and suffixes that the card came with.
    private static func names(of contact: StoredContact, _ kept: ContentLine?) -> String {
        let names = [contact.lastName, contact.firstName, contact.middleName].map {
            $0 == CardBuilder.missing ? "" : VCardText.escaped($0 ?? "")
        }
        let parameters = kept.map { line in
            line.parameters().map { String(decoding: line.bytes[$0.range], as: UTF8.self) }.joined()
        }
        let affixes = kept.map { line in
            VCardText.split(line.rawValue, at: UInt8(ascii: ";")).dropFirst(3).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        let all = names + (affixes.flatMap { $0.isEmpty ? nil : $0 } ?? ["", ""])
        return "N" + (parameters ?? "") + ":" + all.joined(separator: ";")
    }

    /// The lines of a card that is being written.
    private struct Lines {
        let version: VCardVersion
        /// The number of the next group for a label.
        var group: Int
        var bytes: [UInt8] = []

        init(version: VCardVersion, group: Int) {
            self.version = version
            self.group = group
        }

        mutating func append(_ line: String) { VCardText.fold(line, into: &bytes) }

        /// Appends a property with its type: as `TYPE` where that has the word, otherwise as a label.
        mutating func append(_ name: String, _ type: String, _ value: String) {
            guard let types = CardType.types(of: type) else { return append(name, label: type, value) }
            let list = types.joined(separator: ",")
            let parameter = types.isEmpty ? "" : ";TYPE=" + (version == .v3 ? list.uppercased() : list)
            append("\(name)\(parameter):\(value)")
        }

        private mutating func append(_ name: String, label type: String, _ value: String) {
            append("item\(group).\(name):\(value)")
            append("item\(group).X-ABLabel:" + VCardText.escaped(CardType.label(of: type)))
            group += 1
        }

        mutating func append(_ phone: StoredContact.Phone) {
            let number = PhoneNumber((phone.area, phone.number, phone.e164))
            guard version == .v4, case .international(let digits)? = number else {
                return append("TEL", phone.type, VCardText.escaped(number?.written ?? ""))
            }
            append("TEL;VALUE=uri", phone.type, "tel:" + digits)
        }

        /// Appends days: the first birthday and, in 4.0, the first anniversary have properties of their own.
        mutating func append(_ dates: [StoredContact.Occasion]) {
            var own = ["birthday": "BDAY"]
            if version == .v4 { own["anniversary"] = "ANNIVERSARY" }
            for day in dates {
                var (parameters, value) = CardDay.written(day.date, version: version)
                if !day.yearly { parameters += ";\(OwnParameter.yearly)=false" }
                if let days = day.reminderDays { parameters += ";\(OwnParameter.reminder)=\(days)" }
                if let name = own.removeValue(forKey: day.type) {
                    append("\(name)\(parameters):\(value)")
                } else {
                    append("X-ABDATE" + parameters, label: day.type, value)
                }
            }
        }
    }
}
