import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The versions of a row that can be changed: its own, and those of its groups of fields.
struct RowVersions: Sendable, Equatable {
    /// The row's version.
    var version: Int64
    /// Those of its groups.
    var groups: [FieldGroup: Int64]
    /// Whether it is a subscription that was deleted and can be restored.
    var isDeleted = false

    /// Reads those of the row that a change is of; nil when it is not there, or not this user's.
    static func read(
        _ mutation: PushChanges.Mutation, of user: UserID, on connection: Connection
    ) async throws -> RowVersions? {
        switch SyncEntity(rawValue: mutation.entity) {
        case .me: return try await SyncQueries.versions(ofUser: user, on: connection)
        case .subscription:
            guard let id = UUID(uuidString: mutation.id) else { return nil }
            return try await SyncQueries.versions(ofSubscription: id, user: user, on: connection)
        case .plan:
            guard let id = Int64(mutation.id) else { return nil }
            return try await SyncQueries.version(ofPlan: id, owner: user, on: connection).map {
                RowVersions(version: $0, groups: [.plan: $0])
            }
        default: return nil
        }
    }

    /// Whether somebody else has changed anything since a version.
    /// - Parameter own: the sender's own writes.
    func isChanged(since base: Int64, notBy own: OwnWrites) -> Bool {
        groups.contains { own.lastOfOthers($0.key, $0.value) > base }
    }

    /// Whether somebody else has changed a merge group since a version; false for a group that the row does not have.
    func isChanged(_ group: FieldGroup, since base: Int64, notBy own: OwnWrites) -> Bool {
        groups[group].map { own.lastOfOthers(group, $0) > base } ?? false
    }
}

/// The writes of one sender, as far as they still stand: no version of a user's scope is given to two rows.
struct OwnWrites: Sendable, Equatable {
    fileprivate struct Write: Codable, Sendable, Equatable {
        var group: FieldGroup
        /// The version that was written.
        var own: Int64
        /// The version of the last change by somebody else, on top of which it was.
        var others: Int64
    }

    fileprivate var writes: [Write] = []

    /// The version of the last change of a group by somebody else.
    /// - Parameter version: the group's present version.
    func lastOfOthers(_ group: FieldGroup, _ version: Int64) -> Int64 {
        writes.first { $0.group == group && $0.own == version }?.others ?? version
    }

    /// Adds the writes of a change.
    /// - Parameters:
    ///   - before: the versions of groups before it.
    ///   - after: those directly after it.
    mutating func insert(from before: [FieldGroup: Int64], to after: [FieldGroup: Int64]) {
        for (group, version) in after where version != before[group] {
            let others = before[group].map { lastOfOthers(group, $0) } ?? 0
            writes.append(Write(group: group, own: version, others: others))
        }
    }

    /// Adds others.
    mutating func formUnion(_ others: OwnWrites) {
        writes += others.writes.filter { !writes.contains($0) }
    }

    /// The writes that some groups still have. The others cannot come back, and are not stored.
    func holding(_ groups: [FieldGroup: Int64]) -> OwnWrites {
        OwnWrites(writes: writes.filter { groups[$0.group] == $0.own })
    }
}

extension OwnWrites: Codable {
    /// Unreadable parts, of a group that another version of the service has, are passed over.
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let element = try container.superDecoder()
            if let write = try? Write(from: element) { writes.append(write) }
        }
    }

    func encode(to encoder: any Encoder) throws { try writes.encode(to: encoder) }
}
