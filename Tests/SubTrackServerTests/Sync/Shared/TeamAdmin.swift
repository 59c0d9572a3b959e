import Foundation
import MariaDB
import SubTrackTestSupport
import TestTraits

/// An administrator who types SQL on the teams of some users.
struct TeamAdmin: Sendable {
    let client: MariaDBClient
    let users: [UUID]

    /// One statement, or a few of one transaction, of the kinds that people type.
    /// - Parameter text: a value that no other change has.
    func type(_ text: String, _ random: inout SeededGenerator) async throws {
        let (user, choice) = (users.randomElement(using: &random) ?? UUID(), Int.random(in: 0..<14, using: &random))
        let pick = random.next()
        try await transaction { connection in
            let teams = try await connection.query(
                "SELECT DISTINCT Team_ID FROM Team_member WHERE User_ID IN (\(list: users)) ORDER BY Team_ID"
            ).decode(UUID.self)
            guard !teams.isEmpty else { return }
            let team = teams[Int(pick % UInt64(teams.count))]
            switch choice {
            case 0..<4: try await join(user, team, on: connection)
            case 4..<7: try await leave(user, team, on: connection)
            case 7:
                // A member who is back before any device has looked.
                try await leave(user, team, on: connection)
                try await join(user, team, on: connection)
            case 8:
                _ = try await connection.execute(
                    """
                    INSERT INTO Team_item (Item_ID, Team_ID, Item_name, Amount) VALUES (\(UUID()), \(team), \(text), \(text))
                    """)
            case 9..<12:
                _ = try await connection.execute(
                    "UPDATE Team_item SET Amount = \(text) WHERE Team_ID = \(team) ORDER BY Item_ID LIMIT 1")
            case 12:
                _ = try await connection.execute(
                    "DELETE FROM Team_item WHERE Team_ID = \(team) ORDER BY Item_ID DESC LIMIT 1")
            default:
                // A team ends, for all of its members.
                for member in users { try await leave(member, team, on: connection) }
                _ = try await connection.execute("DELETE FROM Team_item WHERE Team_ID = \(team)")
                _ = try await connection.execute("DELETE FROM Team WHERE Team_ID = \(team)")
            }
        }
    }

    private func join(_ user: UUID, _ team: UUID, on connection: Connection) async throws {
        let isMember = try await !connection.query(
            "SELECT 1 FROM Team_member WHERE User_ID = \(user) AND Team_ID = \(team)"
        ).isEmpty
        guard !isMember else { return }
        _ = try await connection.execute(
            "INSERT IGNORE INTO Team_member (Member_ID, Team_ID, User_ID) VALUES (\(UUID()), \(team), \(user))")
    }

    private func leave(_ user: UUID, _ team: UUID, on connection: Connection) async throws {
        _ = try await connection.execute("DELETE FROM Team_member WHERE User_ID = \(user) AND Team_ID = \(team)")
    }

    /// SQL typed by hand takes locks in the order of its statements: what a deadlock has ended is typed again.
    private func transaction(_ body: (Connection) async throws -> Void) async throws {
        try await client.withTransaction(isolation: .readCommitted, retries: 20, body)
    }

    /// The members of teams by now, and the number of the last line of the log.
    func members() async throws -> (members: Set<TeamHistory.Membership>, line: Int64) {
        try await client.withConnection { connection in
            // Read before the members: a later line is looked at once more.
            let lines = try await connection.query("SELECT COALESCE(MAX(Number), 0) FROM Team_log")
                .decode(Int64.self)
            let rows = try await connection.query(
                "SELECT Team_ID, User_ID FROM Team_member WHERE User_ID IN (\(list: users))"
            ).decode((UUID, UUID).self)
            return (Set(rows.map { .init(team: $0.0, user: $0.1) }), lines.first ?? 0)
        }
    }

    /// The members that have joined since a line of the log.
    func joined(after line: Int64) async throws -> Set<TeamHistory.Membership> {
        try await client.withConnection { connection in
            let rows = try await connection.query(
                """
                SELECT Row_ID, Other_ID FROM Team_log
                WHERE Number > \(line) AND Kind = 'join' AND Other_ID IN (\(list: users))
                """
            ).decode((UUID, UUID).self)
            return Set(rows.map { .init(team: $0.0, user: $0.1) })
        }
    }
}
