import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Contacts that are one person.
extension Kit {
    /// The pairs of contacts that may be one person, without those that somebody said are two.
    public func contactDuplicates() throws -> [ContactDuplicates.Pair<UUID>] {
        let contacts = try rows(StoredContact.self).map { (id: $0.id, contact: $0.row) }
        let distinct = try store.read { try Self.distinctContacts(in: $0) }
        return ContactDuplicates.pairs(contacts).filter { !distinct.contains(ContactPair($0.first, $0.second)) }
    }

    /// Remembers on this device that two contacts are different people.
    public func areDifferent(_ one: UUID, _ other: UUID) throws {
        try store.write { database in
            let all = try Self.distinctContacts(in: database).union([ContactPair(one, other)])
            try Store.set(.distinctRows, JSON.text(all.sorted { $0.text < $1.text }), in: database)
        }
    }

    private static func distinctContacts(in database: Database) throws -> Set<ContactPair> {
        guard let text = try Store.state(.distinctRows, in: database) else { return [] }
        return Set(try JSON.value([ContactPair].self, text))
    }

    /// Merges contacts into one, which keeps its names. What waits is sent before, and the result is pulled. The service does it, for it
    /// alone has the properties of cards that have no field.
    /// - Parameter others: those that go. They can be restored for 30 days.
    /// - Throws: ``KitError``; ``KitError/refused(_:)`` with `stale` where another device has changed one of them meanwhile.
    @discardableResult
    public func mergeContacts(_ others: [UUID], into id: UUID) async throws -> Contact {
        try await sync()
        let versions = try store.read { database in
            try ([id] + others).map {
                try DeclaredRows.version(of: StoredContact.declaration.name, $0.lowercased, in: database)
            }
        }
        guard !versions.contains(nil), let first = versions.first else {
            throw KitError.unknown("one of the contacts is not on the service")
        }
        let merged = try await client.call(
            MergeContacts(id: id, from: zip(others, versions.dropFirst()).map { .init(id: $0, version: $1) }),
            idempotencyKey: UUID(), ifMatch: first)
        try await syncIfReachable()
        return merged.contact
    }
}

/// Two contacts, in no order.
private struct ContactPair: Codable, Hashable {
    let text: String

    init(_ one: UUID, _ other: UUID) { text = [one.lowercased, other.lowercased].sorted().joined(separator: " ") }
    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
