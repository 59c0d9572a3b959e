import Foundation
import SubTrackAPI

/// A kind of scope: whose rows they are, and how the scope is written in cursors.
struct ScopeKind: Sendable, Hashable {
    /// The name on the wire: all of it, or the part before the slash.
    let name: String
    /// The number in cursors, ``highestTag`` at the most. It is never used for another kind.
    let tag: UInt8
    /// How many bytes of a cursor tell a scope of this kind from others.
    let keyLength: Int
    /// Whether its scopes have members, by rows that change the members' own counters.
    var isShared = false

    /// The highest number of a kind: the other bits of its byte say which parts a position has.
    static let highestTag: UInt8 = 31

    /// The user's own rows. The first scope of each cursor is of this kind.
    static let user = ScopeKind(name: "user", tag: 0, keyLength: 0)

    /// A kind of scope with members. Its keys are UUIDs.
    static func shared(_ name: String, tag: UInt8) -> ScopeKind {
        ScopeKind(name: name, tag: tag, keyLength: 16, isShared: true)
    }
}

/// A set of rows that is synced together, as a user sees it.
struct SyncScope: Sendable, Hashable {
    /// Its kind.
    let kind: ScopeKind
    /// The key that tells it from others of its kind, as text; empty: there is one for each user, or one for all.
    let key: String
    /// The id of its counter.
    let id: ScopeID

    /// A scope.
    init(_ kind: ScopeKind, key: String = "", id: ScopeID) {
        self.kind = kind
        self.key = key
        self.id = id
    }

    /// The user's own rows.
    static func user(_ user: UserID) -> SyncScope { SyncScope(.user, id: .user(user)) }

    /// A scope with members.
    /// - Parameter id: its UUID, which is that of its counter.
    static func shared(_ kind: ScopeKind, _ id: UUID) -> SyncScope {
        SyncScope(kind, key: id.uuidString.lowercased(), id: ScopeID(uuid: id))
    }

    /// The name on the wire: `user`, or the kind's and the key.
    var name: String { key.isEmpty ? kind.name : kind.name + "/" + key }

    /// Whether it holds the user's own rows.
    var isUser: Bool { kind == .user }

    /// Two scopes are the same by their counters.
    static func == (left: SyncScope, right: SyncScope) -> Bool { left.id == right.id }

    /// Hashes the counter's id.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
