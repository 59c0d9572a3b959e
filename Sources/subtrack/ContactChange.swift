import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// A change of a contact's parts, as it is typed.
struct ContactChange {
    /// The contact as it will be.
    var contact: StoredContact
    /// The parts that were typed.
    private(set) var parts: TypedContactParts

    init(of contact: StoredContact, adding parts: TypedContactParts) {
        self.contact = contact
        self.parts = parts
    }

    /// Takes parts away. One that goes and one that is added are one part that changes: another device that changed it too is told so.
    mutating func remove(_ removals: ContactRemovals, _ faults: inout OptionFaults) {
        remove(removals.noPhone, "--no-phone", "number", \.phones, \.phones, &faults) { phone, text in
            let digits = text.filter(\.isNumber)
            return phone.type.lowercased() == text.lowercased()
                || !digits.isEmpty && ContactText.digits(phone).hasSuffix(digits)
        }
        remove(removals.noEmail, "--no-email", "e-mail address", \.emails, \.emails, &faults) { email, text in
            [email.type, email.email].map { $0.lowercased() }.contains(text.lowercased())
                || email.email.lowercased().contains(text.lowercased())
        }
        remove(removals.noAddress, "--no-address", "postal address", \.addresses, \.addresses, &faults) {
            address, text in
            address.type.lowercased() == text.lowercased() || address.shown.lowercased().contains(text.lowercased())
        }
        remove(removals.noDate, "--no-date", "day", \.dates, \.dates, &faults) { date, text in
            date.type.lowercased() == text.lowercased() || date.shown == text || date.date == text
        }
    }

    private mutating func remove<Part: ContactPart>(
        _ texts: [String], _ option: String, _ name: String, _ held: WritableKeyPath<StoredContact, [Part]>,
        _ typed: WritableKeyPath<TypedContactParts, [Part]>, _ faults: inout OptionFaults,
        isMeant: (Part, String) -> Bool
    ) {
        var removed: [Part] = []
        for text in texts {
            let text = text.trimmingCharacters(in: .whitespaces)
            let found = contact[keyPath: held].filter { isMeant($0, text) }
            let label = "\(option) \(text)"
            func names(_ parts: [Part]) -> String { parts.map(\.shown).joined(separator: "; ") }
            switch found.count {
            case 0 where contact[keyPath: held].isEmpty: faults.note("\(label): the contact has no \(name)")
            case 0: faults.note("\(label): there is no such \(name); there is \(names(contact[keyPath: held]))")
            case 1:
                removed.append(found[0])
                contact[keyPath: held].removeAll { $0.id == found[0].id }
            default: faults.note("\(label): could be \(found.count) of them; say more: \(names(found))")
            }
        }
        // A day is known by its word.
        if Part.self != StoredContact.Occasion.self, removed.count == 1, parts[keyPath: typed].count == 1 {
            let fresh = parts[keyPath: typed][0]
            var part = fresh
            part.id = removed[0].id
            if !parts.named.contains(fresh.id) { part.type = removed[0].type }
            parts.rename(fresh.id, to: part.id)
            parts[keyPath: typed] = []
            contact[keyPath: held].append(part)
        }
    }

    /// Adds the typed parts that are left. One that is there already gets the word that was typed for it.
    /// - Parameter birthday: as it was typed; an empty one takes the birthday away.
    mutating func add(birthday: String?) {
        add(parts.phones, \.phones) { ContactText.key($0) == ContactText.key($1) }
        add(parts.emails, \.emails) { ContactText.key($0) == ContactText.key($1) }
        add(parts.addresses, \.addresses) { ContactText.key($0) == ContactText.key($1) }
        if birthday?.isEmpty == true { contact.dates.removeAll { $0.type == "birthday" } }
        for date in parts.dates {
            // Everybody has one birthday; another day takes the place of the only one of its word.
            let same = contact.dates.indices.filter { contact.dates[$0].type.lowercased() == date.type.lowercased() }
            guard date.type != "other", same.count == 1, let place = same.first else {
                contact.dates.append(date)
                continue
            }
            parts.rename(date.id, to: contact.dates[place].id)
            contact.dates[place].date = date.date
            contact.dates[place].yearly = date.yearly
        }
    }

    private mutating func add<Part: ContactPart>(
        _ typed: [Part], _ held: WritableKeyPath<StoredContact, [Part]>, isSame: (Part, Part) -> Bool
    ) {
        for part in typed {
            if let place = contact[keyPath: held].firstIndex(where: { isSame($0, part) }) {
                if parts.named.contains(part.id) { contact[keyPath: held][place].type = part.type }
                parts.rename(part.id, to: contact[keyPath: held][place].id)
            } else {
                contact[keyPath: held].append(part)
            }
        }
    }
}

/// A part of a contact.
protocol ContactPart {
    var id: UUID { get set }
    var type: String { get set }
    /// The part for people.
    var shown: String { get }
}

extension StoredContact.Phone: ContactPart {}
extension StoredContact.Address: ContactPart {}
extension StoredContact.Occasion: ContactPart {}
extension StoredContact.Email: ContactPart {
    var shown: String { email }
}
