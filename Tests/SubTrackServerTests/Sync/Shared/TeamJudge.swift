import Foundation
import MariaDB
import SubTrackTestSupport

/// Judges a history by the tables and their log, and by nothing that the sync engine has.
struct TeamJudge {
    let admin: MariaDBClient
    let clients: [TeamClient]

    /// A value that was stored.
    private struct Line {
        let kind: String
        let row: String
        let value: String
        let version: Int64
    }

    /// What is not as it has to be.
    func faults() async throws -> [String] {
        let log = try await admin.withConnection { connection in
            try await connection.query("SELECT Kind, Row_ID, COALESCE(Value, ''), Ver FROM Team_log ORDER BY Number")
                .decode((String, UUID, String, Int64).self)
                .map { Line(kind: $0.0, row: $0.1.uuidString.lowercased(), value: $0.2, version: $0.3) }
        }
        var faults: [String] = []
        for client in clients { faults += try await differences(of: client) }
        for answered in clients.flatMap(\.answered) { faults += judge(answered, log) }
        return faults
    }

    /// Compares a copy with the rows of the teams of which its user is a member.
    private func differences(of client: TeamClient) async throws -> [String] {
        let stored = try await admin.withConnection { connection in
            let rows = try await connection.query(
                """
                SELECT t.Team_ID, 'team', t.Team_ID, t.Ver, t.Team_name, '' FROM Team t
                JOIN Team_member m ON m.Team_ID = t.Team_ID AND m.User_ID = \(client.user.id)
                UNION ALL
                SELECT x.Team_ID, 'teamMember', x.Member_ID, x.Ver, LOWER(HEX(x.User_ID)), '' FROM Team_member x
                JOIN Team_member m ON m.Team_ID = x.Team_ID AND m.User_ID = \(client.user.id)
                UNION ALL
                SELECT i.Team_ID, 'teamItem', i.Item_ID, i.Ver, i.Item_name, i.Amount FROM Team_item i
                JOIN Team_member m ON m.Team_ID = i.Team_ID AND m.User_ID = \(client.user.id)
                """
            ).decode((UUID, String, UUID, Int64, String, String).self)
            return rows.map { team, entity, id, version, first, second in
                let data: [String: String] =
                    switch entity {
                    case "team": ["name": first]
                    case "teamMember": ["userId": first]
                    default: ["name": first, "amount": second]
                    }
                let key = TeamCopy.Key(
                    scope: "team/\(team.uuidString.lowercased())", entity: entity, id: id.uuidString.lowercased())
                return (key, version, data)
            }
        }
        var held = Dictionary(uniqueKeysWithValues: client.copy.rows().filter { $0.key.scope.hasPrefix("team/") })
        var faults: [String] = []
        for (key, version, data) in stored {
            let row = held.removeValue(forKey: key)
            let same = row.map { row in
                row.version == version
                    && row.data.compactMapValues(\.text).mapValues { $0 }
                        == (key.entity == "teamMember"
                            ? ["userId": Self.uuid(data["userId"] ?? "")] : data)
            }
            if same != true {
                faults.append(
                    "client \(client.number) holds \(row.map { "\($0)" } ?? "nothing") of \(key), not \(data)")
            }
        }
        faults += held.map { "client \(client.number) still holds \($0.key): \($0.value)" }
        return faults
    }

    /// A UUID of 32 hexadecimal digits.
    private static func uuid(_ hex: String) -> String {
        var text = ""
        for (index, digit) in hex.enumerated() { text += ([8, 12, 16, 20].contains(index) ? "-" : "") + "\(digit)" }
        return text
    }

    /// Judges what became of a change.
    private func judge(_ answered: TeamClient.Answered, _ log: [Line]) -> [String] {
        let (mutation, isDone) = (answered.mutation, answered.outcome != "refused")
        var faults: [String] = []
        for (field, value) in mutation.fields where field == "name" || field == "amount" {
            let places = log.indices.filter {
                log[$0].row == mutation.id && log[$0].kind == field && log[$0].value == value
            }
            let wanted = isDone && answered.lost[field] == nil ? 1 : 0
            if places.count != wanted {
                faults.append("\(field) of \(mutation.json) was stored \(places.count) times: \(answered)")
            }
            guard let base = mutation.base, mutation.op == "update", isDone else { continue }
            if let place = places.first, let former = log[..<place].last(where: { isOf($0, mutation, field) }),
                !isBy(answered.client, former), former.version > base
            {
                faults.append("\(mutation.json) has overwritten \(former) without saying so: \(answered)")
            }
            if let kept = answered.lost[field] {
                let line = log.last { isOf($0, mutation, field) && $0.value == kept }
                if line.map({ $0.version <= base || isBy(answered.client, $0) }) ?? true {
                    faults.append("\(mutation.json) was lost to a value that its sender knew: \(answered)")
                }
            }
        }
        if isDone, mutation.entity == "teamItem", mutation.op == "delete" {
            let count = log.count { $0.kind == "gone" && $0.row == mutation.id }
            if count != 1 { faults.append("\(mutation.json) was done \(count) times") }
        }
        return faults
    }

    private func isOf(_ line: Line, _ mutation: TeamMutation, _ field: String) -> Bool {
        line.row == mutation.id && line.kind == field
    }

    /// Whether a client has written a value.
    private func isBy(_ client: Int, _ line: Line) -> Bool { line.value.contains("c\(client)-") }
}
