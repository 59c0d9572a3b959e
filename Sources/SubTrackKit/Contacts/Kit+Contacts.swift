import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// The user's contacts on this device. They are added, changed and deleted as all declared rows are:
/// ``Kit/add(_:id:)-(Row,_)``, ``Kit/save(_:id:)``, ``Kit/delete(_:_:)``, ``Kit/restore(_:_:)``.
extension Kit {
    /// The contacts by last and first name.
    public func contacts() throws -> [TrackedContact] { Self.byName(try rows(StoredContact.self)) }

    /// The contacts that some words lead to, the best first; all where there are none. Each word must be somewhere in a contact.
    /// - Throws: ``KitError/invalid(field:message:)`` for more words than are searched for.
    public func contacts(matching text: String) throws -> [TrackedContact] {
        guard text.contains(where: { !$0.isWhitespace }) else { return try contacts() }
        guard let search = ContactSearch(text) else {
            throw KitError.invalid(
                field: "search",
                message:
                    "has up to \(ContactSearch.maximumTerms) words, of \(ContactSearch.maximumLength) characters in all"
            )
        }
        let candidates = try store.read { database in
            try DeclaredTexts(of: StoredContact.declaration, isDeleted: false, in: database)
                .rows(StoredContact.self, where: search.mayMatch(json:), in: database)
        }
        return search.found(in: candidates.map { ($0, $0.row) }).map(\.id)
    }

    /// The contacts that were deleted and can be restored, by name.
    public func deletedContacts() throws -> [TrackedContact] {
        Self.byName(try deletedRows(StoredContact.self))
    }

    /// The days of contacts that come in some days, the next first.
    /// - Parameter days: how many days ahead; 0: today alone.
    public func contactDates(within days: Int) throws -> [ContactDates.Upcoming<UUID>] {
        ContactDates.upcoming(try contacts().map { ($0.id, $0.row) }, from: try today(), within: days)
    }

    private static func byName(_ contacts: [TrackedContact]) -> [TrackedContact] {
        contacts.map { one in
            let row = one.row
            return (ContactSearch.Order(rank: 0, last: row.lastName, first: row.firstName, id: one.id.lowercased), one)
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
