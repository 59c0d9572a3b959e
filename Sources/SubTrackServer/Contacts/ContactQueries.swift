import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The statements on contacts beside those of declared rows.
enum ContactQueries {
    /// The ids of a page of contacts by last and first name, with the names.
    static func page(
        of user: UserID, after: (last: String, first: String, id: UUID)?, limit: Int, on connection: Connection
    ) async throws -> [(id: UUID, last: String, first: String)] {
        let behind: SQL =
            after.map { after in
                """
                 AND (Last_name > \(after.last) OR Last_name = \(after.last)
                    AND (First_name > \(after.first) OR First_name = \(after.first) AND Contact_ID > \(after.id)))
                """
            } ?? ""
        let rows = try await connection.query(
            """
            SELECT Contact_ID, Last_name, First_name FROM Contact
            WHERE User_ID = \(user.uuid) AND Deleted_at IS NULL\(behind)
            ORDER BY Last_name, First_name, Contact_ID LIMIT \(limit)
            """)
        return try rows.decode((UUID, String, String).self).map { (id: $0.0, last: $0.1, first: $0.2) }
    }

    /// A contact that a search may have found, with the texts in which a term may be.
    struct Candidate {
        let id: UUID
        let first: String
        let last: String
        var texts: ContactSearch.Texts
    }

    /// The contacts of a user, each with those of its texts in which a term may be. The database passes over the others. It does
    /// not decide, because its collation takes some characters for others.
    static func candidates(
        for search: ContactSearch, of user: UserID, on connection: Connection
    ) async throws -> [Candidate] {
        let patterns = search.terms.map { pattern($0.text) }
        func matches(_ columns: [SQL]) -> SQL {
            SQL.joined(
                columns.flatMap { column in patterns.map { "\(column) LIKE \($0) ESCAPE '!'" } }, separator: " OR ")
        }
        let numbers: [SQL] = search.terms.compactMap { term in
            term.digits.map { "Digits LIKE \("%\($0)%")" }
        }
        let ofPhones: SQL =
            numbers.isEmpty
            ? ""
            : """
             UNION ALL SELECT Contact_ID, 'd', Digits, NULL, NULL, NULL, NULL, NULL FROM Contact_phone
            WHERE User_ID = \(user.uuid) AND (\(SQL.joined(numbers, separator: " OR ")))
            """
        let rows = try await connection.query(
            """
            SELECT Contact_ID, 'c' AS Kind, First_name, Middle_name, Last_name,
                CASE WHEN \(matches(["Note"])) THEN Note END, NULL, NULL
            FROM Contact WHERE User_ID = \(user.uuid) AND Deleted_at IS NULL
            UNION ALL SELECT Contact_ID, 'e', Email, NULL, NULL, NULL, NULL, NULL FROM Contact_email
            WHERE User_ID = \(user.uuid) AND (\(matches(["Email"])))
            UNION ALL SELECT Contact_ID, 'o', Happens_on, NULL, NULL, NULL, NULL, NULL FROM Contact_date
            WHERE User_ID = \(user.uuid) AND (\(matches(["Happens_on"])))
            UNION ALL SELECT Contact_ID, 'o', Street, Apt, City, State, Zip, Country FROM Contact_address
            WHERE User_ID = \(user.uuid) AND (\(matches(["Street", "Apt", "City", "State", "Zip", "Country"])))\(ofPhones)
            """)
        var found: [Candidate] = []
        var places: [UUID: Int] = [:]
        for row in rows {
            let id = try row.decode(UUID.self, at: 0)
            let kind = try row.decode(String.self, at: 1)
            let texts = try (2..<8).compactMap { try row.decode(String?.self, at: $0) }
            if kind == "c" {
                let (first, last) = (try row.decode(String.self, at: 2), try row.decode(String.self, at: 4))
                let middle = try row.decode(String?.self, at: 3)
                var all = ContactSearch.Texts(names: [first, middle, last].compactMap { $0 })
                if let note = try row.decode(String?.self, at: 5) { all.others = [note] }
                places[id] = found.count
                found.append(Candidate(id: id, first: first, last: last, texts: all))
            } else if let place = places[id] {
                switch kind {
                case "d": found[place].texts.digits += texts
                case "e": found[place].texts.emails += texts
                default: found[place].texts.others += texts
                }
            }
        }
        return found
    }

    /// A pattern of `LIKE` that every text matches in which a folded term is. A letter that the collation may tell from its
    /// variants stands for any character.
    static func pattern(_ text: String) -> String {
        var pattern = "%"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%", "_", "!": pattern += "!\(scalar)"
            default:
                let isCertain = scalar.isASCII || (0x4E00...0x9FFF).contains(scalar.value)
                pattern += isCertain ? String(scalar) : "_"
            }
        }
        return pattern + "%"
    }
}

// MARK: Cards

extension ContactQueries {
    /// Notes the names of other contacts' cards as former names of one contact's, in a transaction that has the scopes locked.
    /// Their properties that the contact lacks are kept.
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
        let rests = try await connection.query(
            """
            SELECT Contact_ID, Card_rest FROM Contact
            WHERE (User_ID = \(user.uuid) AND Contact_ID = \(kept) OR User_ID = \(owner.uuid) AND Contact_ID IN (\(list: others)))
                AND Card_rest IS NOT NULL
            """
        ).decode((UUID, String).self)
        let ordered = [kept] + others
        let texts = rests.sorted { (ordered.firstIndex(of: $0.0) ?? 0) < (ordered.firstIndex(of: $1.0) ?? 0) }.map(\.1)
        guard let merged = mergedRest(texts), merged != rests.first(where: { $0.0 == kept })?.1 else { return }
        _ = try await connection.execute(
            "UPDATE Contact SET Card_rest = \(merged) WHERE User_ID = \(user.uuid) AND Contact_ID = \(kept)")
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

    /// The properties of several cards: of each name those of the first card that has it.
    static func mergedRest(_ rests: [String]) -> String? {
        func name(_ line: Substring) -> String {
            let head = line.prefix { $0 != ":" && $0 != ";" }
            return head.split(separator: ".").last.map { $0.uppercased() } ?? ""
        }
        var (names, lines): (Set<String>, [Substring]) = ([], [])
        for rest in rests {
            let properties = rest.split(whereSeparator: \.isNewline)
            let new = properties.filter { !names.contains(name($0)) }
            names.formUnion(new.map(name))
            lines += new
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\r\n")
    }

    /// A contact's id as text.
    private static let idText: SQL = """
        LOWER(CONCAT_WS('-', HEX(SUBSTRING(Contact_ID, 1, 4)), HEX(SUBSTRING(Contact_ID, 5, 2)),
            HEX(SUBSTRING(Contact_ID, 7, 2)), HEX(SUBSTRING(Contact_ID, 9, 2)), HEX(SUBSTRING(Contact_ID, 11, 6))))
        """
}
