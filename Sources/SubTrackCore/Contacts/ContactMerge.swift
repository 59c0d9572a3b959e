import Foundation
import SubTrackAPI

/// The merge of contacts into one: nothing that any of them says is lost, and nothing is there twice.
public enum ContactMerge {
    /// The contact with the parts of others that it does not have, and their notes behind its own. Its names stay.
    ///
    /// Parts are equal by digits, by lower case, by day, by the words of an address. A part keeps its id, unless the contact
    /// has another part of that id.
    public static func merged(_ contact: StoredContact, with others: [StoredContact]) -> StoredContact {
        var merged = contact
        for other in others {
            add(other.phones, to: &merged.phones, id: \.id, by: ContactText.key)
            add(other.addresses, to: &merged.addresses, id: \.id, by: ContactText.key)
            add(other.emails, to: &merged.emails, id: \.id, by: ContactText.key)
            add(other.dates, to: &merged.dates, id: \.id, by: ContactText.key)
            guard let note = other.note else { continue }
            let lines = merged.note ?? ""
            if lines != note, !lines.hasSuffix("\n" + note) { merged.note = lines.isEmpty ? note : "\(lines)\n\(note)" }
        }
        return merged
    }

    private static func add<Part>(
        _ parts: [Part], to list: inout [Part], id: WritableKeyPath<Part, UUID>, by key: (Part) -> String
    ) {
        for part in parts where !list.contains(where: { key($0) == key(part) }) {
            var part = part
            if list.contains(where: { $0[keyPath: id] == part[keyPath: id] }) { part[keyPath: id] = UUID() }
            list.append(part)
        }
    }
}
