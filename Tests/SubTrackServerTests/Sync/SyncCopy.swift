import Foundation
import SubTrackAPI
import SubTrackTestSupport

/// What a client holds of the server's rows: it knows the contract and nothing else.
struct SyncCopy: Sendable {
    /// A row's scope, kind and id.
    struct Key: Hashable, Comparable, CustomStringConvertible {
        var scope: String
        var entity: SyncEntity
        var id: String

        var description: String { "\(scope) \(entity) \(id)" }

        static func < (left: Key, right: Key) -> Bool { left.description < right.description }
    }

    /// A row as it was pulled.
    struct Held: Equatable {
        var version: Int64
        var data: Change.Data
    }

    private(set) var rows: [Key: Held] = [:]
    private(set) var cursor: String?
    /// How often it had to start over, and why.
    private(set) var resyncs: [Problem.ResyncReason?] = []

    /// Pulls until nothing is left.
    /// - Returns: how many changes came.
    @discardableResult
    mutating func pull(
        _ user: TestUser, limit: Int? = nil, scopes: PullChanges.Scopes? = nil
    ) async throws -> Int {
        var count = 0
        for _ in 0..<10_000 {
            let page = try await pullPage(user, limit: limit, scopes: scopes)
            count += page?.changes.count ?? 0
            if page?.more == false { return count }
        }
        throw NeverHappened(description: "the changes end")
    }

    /// Pulls one page; nil where it has to start over.
    @discardableResult
    mutating func pullPage(
        _ user: TestUser, limit: Int? = nil, scopes: PullChanges.Scopes? = nil
    ) async throws -> PullChanges.Output? {
        do {
            let page = try await user.call(PullChanges(cursor: cursor, limit: limit, scopes: scopes))
            // Without a cursor a copy begins anew; what came with the answers to pushes is in it again.
            if cursor == nil { rows = [:] }
            apply(page)
            return page
        } catch let problem as Problem where problem.code == .resync {
            resyncs.append(problem.reason)
            rows = [:]
            cursor = nil
            return nil
        }
    }

    /// Takes in a page.
    mutating func apply(_ page: PullChanges.Output) {
        for scope in page.dropped { rows = rows.filter { $0.key.scope != scope } }
        for change in page.changes { apply(change) }
        cursor = page.cursor
    }

    /// Takes in a change.
    mutating func apply(_ change: Change) {
        let key = Key(scope: change.scope, entity: change.entity, id: change.id)
        // What is older than what is held is ignored.
        let isNewer = rows[key].map { $0.version <= change.version } ?? true
        if let data = change.data {
            if isNewer { rows[key] = Held(version: change.version, data: data) }
            return
        }
        if isNewer { rows[key] = nil }
        let child: SyncEntity? =
            switch change.entity {
            case .subscription: .period
            case .plan: .price
            default: nil
            }
        guard let child else { return }
        for (key, held) in rows
        where key.scope == change.scope && key.entity == child && key.id.hasPrefix(change.id + " ")
            && held.version <= change.version
        {
            rows[key] = nil
        }
    }

    /// Forgets the rows of which something is so.
    mutating func drop(where isGone: (Key) -> Bool) { rows = rows.filter { !isGone($0.key) } }

    /// The rows of a kind by id.
    func data(_ entity: SyncEntity) -> [String: Change.Data] {
        Dictionary(
            rows.filter { $0.key.entity == entity }.map { ($0.key.id, $0.value.data) }, uniquingKeysWith: { $1 })
    }

    /// The names of the scopes of which something is held.
    var scopes: Set<String> { Set(rows.keys.map(\.scope)) }

    /// What differs from another copy, for messages.
    func differences(from other: SyncCopy) -> [String] {
        let keys = Set(rows.keys).union(other.rows.keys).sorted()
        return keys.filter { rows[$0] != other.rows[$0] }.prefix(5).map { key in
            "\(key): \(rows[key].map { "\($0)" } ?? "nothing"), not \(other.rows[key].map { "\($0)" } ?? "nothing")"
        }
    }
}
