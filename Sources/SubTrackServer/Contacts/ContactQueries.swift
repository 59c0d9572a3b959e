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
