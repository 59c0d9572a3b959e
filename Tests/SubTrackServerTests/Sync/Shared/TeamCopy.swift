import Foundation
import SubTrackAPI
import SubTrackTestSupport

/// What a client holds of the server's rows, of any kinds: it knows the contract and nothing else.
struct TeamCopy: Sendable {
    /// A row's scope, kind and id.
    struct Key: Hashable, CustomStringConvertible {
        var scope: String
        var entity: String
        var id: String

        var description: String { "\(scope) \(entity) \(id)" }
    }

    /// A row as it was given.
    struct Row: Equatable {
        var version: Int64
        var data: [String: JSON]
    }

    /// A change as it stands in an answer.
    struct Change {
        var key: Key
        var version: Int64
        var data: JSON?

        init(_ json: JSON) throws {
            guard let scope = json["scope"]?.text, let entity = json["entity"]?.text, let id = json["id"]?.text,
                case .integer(let version)? = json["version"], case .bool(let isDeleted)? = json["deleted"],
                isDeleted == (json["data"] == nil)
            else { throw NeverHappened(description: "no change: \(json)") }
            key = Key(scope: scope, entity: entity, id: id)
            self.version = version
            data = json["data"]
        }
    }

    /// An answer to a pull.
    struct Page {
        var dropped: [String]
        var changes: [Change]
        var cursor: String
        var more: Bool

        init(_ json: JSON) throws {
            guard let cursor = json["cursor"]?.text, case .bool(let more)? = json["more"] else {
                throw NeverHappened(description: "no page: \(json)")
            }
            dropped = (json["dropped"]?.elements ?? []).compactMap(\.text)
            changes = try (json["changes"]?.elements ?? []).map(Change.init)
            self.cursor = cursor
            self.more = more
        }
    }

    private(set) var rows: [Key: Row] = [:]
    private(set) var cursor: String?
    /// The scopes that were told as lost, in their order.
    private(set) var dropped: [String] = []

    /// Takes in a page.
    mutating func take(_ page: Page) {
        if cursor == nil { rows = [:] }
        dropped += page.dropped
        let gone = Set(page.dropped)
        rows = rows.filter { !gone.contains($0.key.scope) }
        for change in page.changes { take(change) }
        cursor = page.cursor
    }

    /// Takes in a change. A row that is older than the one held is ignored.
    mutating func take(_ change: Change) {
        guard rows[change.key].map({ $0.version <= change.version }) ?? true else { return }
        rows[change.key] = change.data.map { Row(version: change.version, data: $0.members) }
    }

    /// Begins anew with the next pull.
    mutating func startOver() { (rows, cursor) = ([:], nil) }

    /// The rows of a kind, or of a scope.
    func rows(_ entity: String? = nil, in scope: String? = nil) -> [(key: Key, value: Row)] {
        rows.filter { (entity == nil || $0.key.entity == entity) && (scope == nil || $0.key.scope == scope) }
            .sorted { $0.key.description < $1.key.description }
    }

    /// The teams of which something is held.
    var teams: Set<String> { Set(rows.keys.map(\.scope).filter { $0.hasPrefix("team/") }) }
}

/// A user of teams, on a replica of the service.
struct TeamUser: Sendable {
    let id: UUID
    let token: String
    /// The ports of the replicas.
    let ports: [Int]

    init(_ user: TestUser, _ services: TestService...) {
        id = user.user.id
        token = user.client.token ?? ""
        ports = services.map(\.port)
    }

    /// The id as clients have it.
    var name: String { id.uuidString.lowercased() }

    /// Sends a request to one of the replicas.
    func send(_ method: String, _ target: String, _ body: String = "", replica: Int = 0) async throws -> JSON {
        let headers = ["Authorization: Bearer \(token)"] + (body.isEmpty ? [] : ["Content-Type: application/json"])
        let answer = try await RawHTTP.send(
            method, target, port: ports[replica % ports.count], headers: headers, body: Array(body.utf8))
        guard answer.status == 200 else { throw try answer.problem() }
        return try JSON(answer.body)
    }

    /// Pulls a page.
    func page(
        _ cursor: String?, limit: Int = 500, scopes: String = "all", replica: Int = 0
    ) async throws -> TeamCopy.Page {
        let since = cursor.map { "&cursor=\($0)" } ?? ""
        return try TeamCopy.Page(
            try await send("GET", "/v1/changes?limit=\(limit)&scopes=\(scopes)\(since)", replica: replica))
    }

    /// Pulls until nothing is left.
    func pull(_ copy: inout TeamCopy, limit: Int = 500, replica: Int = 0) async throws {
        while true {
            do {
                let page = try await page(copy.cursor, limit: limit, replica: replica)
                copy.take(page)
                guard page.more else { return }
            } catch let problem as Problem where problem.code == .resync {
                copy.startOver()
            }
        }
    }

    /// Pushes changes.
    func push(_ mutations: [TeamMutation], replica: Int = 0) async throws -> [JSON] {
        let body = #"{"mutations":[\#(mutations.map(\.json).joined(separator: ","))]}"#
        return try await send("POST", "/v1/changes", body, replica: replica)["results"]?.elements ?? []
    }

    /// Pushes one change that must be done.
    @discardableResult
    func push(
        _ op: String, _ entity: String, _ id: UUID = UUID(), base: Int64? = nil, _ fields: [String: String] = [:]
    ) async throws -> JSON {
        let mutation = TeamMutation(
            entity: entity, id: id.uuidString.lowercased(), op: op, base: base, after: nil, fields: fields)
        let results = try await push([mutation])
        guard let result = results.first, ["applied", "merged"].contains(result["outcome"]?.text) else {
            throw NeverHappened(description: "\(mutation.json) was answered \(results)")
        }
        return result
    }
}

/// A change that was made offline, as it is sent.
struct TeamMutation: Sendable, Hashable {
    var key = UUID().uuidString.lowercased()
    var entity: String
    var id: String
    var op: String
    var base: Int64?
    var after: String?
    var fields: [String: String]

    /// The JSON. No value has a character that needs an escape.
    var json: String {
        var members = [#""key":"\#(key)","entity":"\#(entity)","id":"\#(id)","op":"\#(op)""#]
        if let base { members.append(#""baseVersion":\#(base)"#) }
        if let after { members.append(#""after":"\#(after)""#) }
        let fields = fields.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
        members.append(#""fields":{\#(fields.joined(separator: ","))}"#)
        return "{\(members.joined(separator: ","))}"
    }
}
