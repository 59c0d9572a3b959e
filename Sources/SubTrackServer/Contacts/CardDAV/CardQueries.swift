import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A contact as a card of a collection.
struct StoredCard: Sendable {
    let row: DeclaredEntity.Row
    /// The `UID` with which it came; nil: its id makes one.
    let uid: String?
    /// The properties that the contact has no field for.
    let rest: String?

    var id: UUID { row.id }
    var version: Int64 { row.version }
    /// The last part of its path, without `.vcf`.
    var name: String { Self.name(uid: uid, id: id) }

    /// About how many bytes its text has, as far as that is known without writing it.
    var size: Int { 500 + (rest?.utf8.count ?? 0) }

    /// The card's text.
    var text: String {
        get throws { VCardWriter.write(try row.contact, id: id, uid: uid, rest: rest) }
    }

    static func name(uid: String?, id: UUID) -> String {
        uid.map(bare) ?? id.uuidString.lowercased()
    }

    /// The prefix of a `UID` that is an id.
    static let prefix = "urn:uuid:"

    /// A `UID` without that prefix.
    static func bare(_ uid: String) -> String {
        uid.hasPrefix(prefix) ? String(uid.dropFirst(prefix.count)) : uid
    }

    /// Whether a `UID` is a contact's id.
    static func isID(_ uid: String, of id: UUID) -> Bool { UUID(uuidString: bare(uid)) == id }
}

/// The statements on contacts as cards.
enum CardQueries {
    /// A contact without its fields.
    struct Entry: Sendable {
        var id: UUID
        var version: Int64
        var uid: String?
        var isDeleted: Bool
        var name: String { StoredCard.name(uid: uid, id: id) }
    }

    private static let columns: SQL = "Contact_ID, Ver, Card_UID, Deleted_at IS NOT NULL"

    private static func entries(_ statement: SQL, on connection: Connection) async throws -> [Entry] {
        try await connection.query(statement).decode((UUID, Int64, String?, Bool).self).map {
            Entry(id: $0.0, version: $0.1, uid: $0.2, isDeleted: $0.3)
        }
    }

    /// The contacts of a user that are not deleted.
    static func entries(of user: UserID, on connection: Connection) async throws -> [Entry] {
        try await entries(
            "SELECT \(columns) FROM Contact WHERE User_ID = \(user.uuid) AND Deleted_at IS NULL ORDER BY Ver",
            on: connection)
    }

    /// The contact of a name of a path, or of a `UID`; nil where there is none.
    static func entry(_ name: String, of user: UserID, on connection: Connection) async throws -> Entry? {
        let bare = StoredCard.bare(name)
        let full = StoredCard.prefix + bare
        let byID: SQL =
            UUID(uuidString: bare).map { id in
                """
                 UNION ALL SELECT \(columns) FROM Contact
                WHERE User_ID = \(user.uuid) AND Contact_ID = \(id) AND Card_UID IS NULL AND Deleted_at IS NULL
                """
            } ?? ""
        return try await entries(
            """
            SELECT \(columns) FROM Contact
            WHERE User_ID = \(user.uuid) AND Card_UID IN (\(bare), \(full)) AND Deleted_at IS NULL\(byID)
            """, on: connection
        ).first
    }

    /// The contact of an id; nil where there is none.
    static func entry(_ id: UUID, of user: UserID, on connection: Connection) async throws -> Entry? {
        try await entries(
            """
            SELECT \(columns) FROM Contact
            WHERE User_ID = \(user.uuid) AND Contact_ID = \(id) AND Deleted_at IS NULL
            """, on: connection
        ).first
    }

    /// Contacts with all that makes their cards.
    static func cards(_ entries: [Entry], of user: UserID, on connection: Connection) async throws -> [StoredCard] {
        guard !entries.isEmpty else { return [] }
        let ids = entries.map(\.id)
        let rows = try await ContactsArea.entity.read(
            of: user, where: "r.Contact_ID IN (\(list: ids)) AND r.Deleted_at IS NULL", on: connection)
        let rests = try await connection.query(
            """
            SELECT Contact_ID, Card_UID, Card_rest FROM Contact
            WHERE User_ID = \(user.uuid) AND Contact_ID IN (\(list: ids))
            """
        ).decode((UUID, String?, String?).self)
        let byID = Dictionary(rests.map { ($0.0, $0) }) { first, _ in first }
        let cards = Dictionary(
            rows.map { ($0.id, StoredCard(row: $0, uid: byID[$0.id]?.1, rest: byID[$0.id]?.2)) }
        ) { first, _ in first }
        return ids.compactMap { cards[$0] }
    }

    /// The counters of a user's scope.
    static func counter(of user: UserID, on connection: Connection) async throws -> (version: Int64, floor: Int64) {
        let rows = try await connection.query(
            "SELECT Ver, Floor_ver FROM Scope WHERE Scope_ID = \(user.uuid)")
        return try rows.decode((Int64, Int64).self).first.map { (version: $0.0, floor: $0.1) } ?? (0, 0)
    }

    /// The contacts that have changed after a version, deleted ones as well.
    /// - Returns: nil where one of them is gone for good: its path is not known any more.
    static func changes(
        after version: Int64, of user: UserID, on connection: Connection
    ) async throws -> [Entry]? {
        let gone = try await connection.query(
            """
            SELECT t.Row_ID FROM Tombstone t
            LEFT JOIN Contact c ON c.User_ID = t.Scope_ID AND c.Contact_ID = t.Row_ID
            WHERE t.Scope_ID = \(user.uuid) AND t.Ver > \(version)
                AND t.Entity = \(Int64(StoredContact.declaration.number)) AND c.Contact_ID IS NULL LIMIT 1
            """)
        guard gone.isEmpty else { return nil }
        // The version of a deleted contact is that of its deletion.
        return try await entries(
            "SELECT \(columns) FROM Contact WHERE User_ID = \(user.uuid) AND Ver > \(version) ORDER BY Ver",
            on: connection)
    }
}
