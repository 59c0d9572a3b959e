import Foundation
import MariaDB
import SubTrackAPI

/// The statements on the cards of contacts.
extension ContactQueries {
    /// Notes the names of other contacts' cards as former names of one contact's, in a transaction that has the scopes locked.
    /// - Parameter owner: the user of the other contacts.
    static func takeCards(
        of others: [UUID], _ owner: UserID, to kept: UUID, of user: UserID, on connection: Connection
    ) async throws {
        // The name of a card without one is its contact's id, which a writer of cards has told.
        for (name, table) in [
            ("COALESCE(Card_UID, CONCAT('urn:uuid:', \(idText)))", "Contact"), ("Card_UID", "Former_card"),
        ]
            as [(SQL, SQL)]
        {
            _ = try await connection.execute(
                """
                INSERT INTO Former_card (User_ID, Card_UID, Contact_ID)
                SELECT \(user.uuid), \(name), \(kept) FROM \(table)
                WHERE User_ID = \(owner.uuid) AND Contact_ID IN (\(list: others))
                ON DUPLICATE KEY UPDATE Contact_ID = \(kept)
                """)
        }
    }

    /// The contacts of two users that are one card: those of the first user that are not deleted, each with the second one's.
    static func sameCards(
        _ former: UserID, _ user: UserID, on connection: Connection
    ) async throws -> [(former: UUID, kept: UUID)] {
        let rows = try await connection.query(
            """
            SELECT f.Contact_ID, c.Contact_ID FROM Contact f
            JOIN Contact c ON c.User_ID = \(user.uuid) AND c.Card_UID = f.Card_UID
            WHERE f.User_ID = \(former.uuid) AND f.Deleted_at IS NULL
            """)
        return try rows.decode((UUID, UUID).self).map { (former: $0.0, kept: $0.1) }
    }

    /// The properties of contacts' cards that have no column, by the contact.
    static func rests(of contacts: [UUID], _ user: UserID, on connection: Connection) async throws -> [UUID: String] {
        guard !contacts.isEmpty else { return [:] }
        let rows = try await connection.query(
            """
            SELECT Contact_ID, Card_rest FROM Contact
            WHERE User_ID = \(user.uuid) AND Contact_ID IN (\(list: contacts)) AND Card_rest IS NOT NULL
            """)
        return Dictionary(try rows.decode((UUID, String).self)) { first, _ in first }
    }

    /// Keeps the properties of a contact's card that have no column. The contact gets another version, the tag of its card.
    static func setRest(
        _ rest: String?, of contact: UUID, _ user: UserID, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            "UPDATE Contact SET Card_rest = \(rest), Ver = 0 WHERE User_ID = \(user.uuid) AND Contact_ID = \(contact)")
    }

    /// Gives a contact the name of a card. No other contact of the user has it from then on, a deleted one included.
    static func setCard(_ name: String?, of contact: UUID, _ user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            """
            UPDATE Contact SET Card_UID = NULL
            WHERE User_ID = \(user.uuid) AND Card_UID = \(name) AND Contact_ID <> \(contact)
            """)
        _ = try await connection.execute(
            "UPDATE Contact SET Card_UID = \(name) WHERE User_ID = \(user.uuid) AND Contact_ID = \(contact)")
    }

    /// The names of cards that were merged into contacts, of some names, with the contacts.
    static func formerCards(
        _ names: [String], of user: UserID, on connection: Connection
    ) async throws -> [String: UUID] {
        guard !names.isEmpty else { return [:] }
        let rows = try await connection.query(
            """
            SELECT Card_UID, Contact_ID FROM Former_card
            WHERE User_ID = \(user.uuid) AND Card_UID IN (\(list: names))
            """)
        return Dictionary(try rows.decode((String, UUID).self)) { first, _ in first }
    }

    /// The names of contacts' cards, of contacts that meet a condition on the columns of `r`.
    static func cards(
        where condition: SQL, of user: UserID, on connection: Connection
    ) async throws -> [UUID: (name: String?, rest: String?)] {
        let rows = try await connection.query(
            """
            SELECT r.Contact_ID, r.Card_UID, r.Card_rest FROM Contact r
            WHERE r.User_ID = \(user.uuid) AND \(condition)
            """)
        return Dictionary(
            try rows.decode((UUID, String?, String?).self).map { ($0.0, (name: $0.1, rest: $0.2)) }
        ) { first, _ in first }
    }

    /// Removes a contact for good.
    static func remove(_ contact: UUID, of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "DELETE FROM Contact WHERE User_ID = \(user.uuid) AND Contact_ID = \(contact)")
    }

    /// Takes the name of its card from a contact.
    static func forgetCard(of contact: UUID, of user: UserID, on connection: Connection) async throws {
        _ = try await connection.execute(
            "UPDATE Contact SET Card_UID = NULL WHERE User_ID = \(user.uuid) AND Contact_ID = \(contact)")
    }

    /// A contact's id as text.
    private static let idText: SQL = """
        LOWER(CONCAT_WS('-', HEX(SUBSTRING(Contact_ID, 1, 4)), HEX(SUBSTRING(Contact_ID, 5, 2)),
            HEX(SUBSTRING(Contact_ID, 7, 2)), HEX(SUBSTRING(Contact_ID, 9, 2)), HEX(SUBSTRING(Contact_ID, 11, 6))))
        """
}
