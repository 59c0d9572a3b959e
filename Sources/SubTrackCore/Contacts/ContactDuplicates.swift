import SubTrackAPI

/// Contacts that may be one person. They have an equal number or address of mail, or one name and an equal day or postal
/// address.
public enum ContactDuplicates {
    /// Two contacts with the reasons.
    public struct Pair<ID: Hashable & Sendable>: Sendable {
        /// The one that comes first.
        public let first: ID
        /// The other one.
        public let second: ID
        /// The reasons, at least one.
        public let reasons: [ListContactDuplicates.Reason]
    }

    /// Two places among contacts, the lesser one first.
    private struct Places: Hashable {
        let first: Int
        let second: Int
    }

    /// How many digits a number has at least that two people do not have by chance.
    private static let digits = 7

    /// The pairs among contacts, in the order of the contacts. Of many that share a value each is paired with the first one.
    public static func pairs<ID>(_ contacts: [(id: ID, contact: StoredContact)]) -> [Pair<ID>] {
        var holders: [String: Int] = [:]
        var reasons: [Places: [ListContactDuplicates.Reason]] = [:]
        for (place, entry) in contacts.enumerated() {
            for (key, value) in values(of: entry.contact) {
                let holder = holders["\(value.kind)\u{1F}\(key)", default: place]
                holders["\(value.kind)\u{1F}\(key)"] = holder
                guard holder != place else { continue }
                let pair = Places(first: holder, second: place)
                if reasons[pair, default: []].contains(where: { $0.kind == value.kind }) { continue }
                let shown = values(of: contacts[holder].contact).first { $0.key == key && $0.reason.kind == value.kind }
                reasons[pair, default: []].append(shown?.reason ?? value)
            }
        }
        return reasons.sorted { ($0.key.first, $0.key.second) < ($1.key.first, $1.key.second) }.map { places, reasons in
            Pair(first: contacts[places.first].id, second: contacts[places.second].id, reasons: reasons)
        }
    }

    /// The values of a contact by which it may be another one, each in the form in which two are compared.
    private static func values(
        of contact: StoredContact
    ) -> [(key: String, reason: ListContactDuplicates.Reason)] {
        let names = ContactText.names(contact)
        func value(
            _ kind: ListContactDuplicates.Reason.Kind, _ key: String, _ shown: String
        ) -> (key: String, reason: ListContactDuplicates.Reason) {
            (key, ListContactDuplicates.Reason(kind: kind, value: shown))
        }
        return contact.phones.compactMap { phone in
            let key = ContactText.key(phone)
            guard key.utf8.count >= digits else { return nil }
            return value(.phone, key, phone.e164 ?? "\(phone.area ?? "") \(phone.number ?? "")")
        }
            + contact.emails.map { value(.email, ContactText.key($0), $0.email) }
            + contact.dates.map { value(.date, "\(names)\u{1F}\(ContactText.key($0))", $0.date) }
            + contact.addresses.map { address in
                let parts = [address.street, address.apt, address.city, address.state, address.zip].compactMap { $0 }
                return value(.address, "\(names)\u{1F}\(ContactText.key(address))", parts.joined(separator: ", "))
            }
    }
}
