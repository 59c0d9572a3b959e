import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The versions of a row that can be changed: its own, and those of its groups of fields.
struct RowVersions: Sendable, Equatable {
    /// The row's version.
    var version: Int64
    /// Of a subscription, those of its groups; of other rows none.
    var groups: [FieldGroup: Int64] = [:]
    /// Whether it is a subscription that was deleted and can be restored.
    var isDeleted = false

    /// Reads those of the row that a change is of; nil when it is not there, or not this user's.
    static func read(
        _ mutation: PushChanges.Mutation, of user: UserID, on connection: Connection
    ) async throws -> RowVersions? {
        switch SyncEntity(rawValue: mutation.entity) {
        case .me: return try await UserQueries.user(user, on: connection).map { RowVersions(version: $0.version) }
        case .subscription:
            guard let id = UUID(uuidString: mutation.id) else { return nil }
            return try await SyncQueries.versions(ofSubscription: id, user: user, on: connection)
        case .plan:
            guard let id = Int64(mutation.id) else { return nil }
            return try await SyncQueries.version(ofPlan: id, owner: user, on: connection).map {
                RowVersions(version: $0)
            }
        default: return nil
        }
    }
}

/// What one request has written, by row and group: the version that it wrote, and the one of the last change by somebody
/// else before it.
struct OwnWrites: Sendable {
    private struct Write {
        var own: Int64
        var others: Int64
    }

    private struct Row: Hashable {
        var entity: String
        var id: String
    }

    private var writes: [Row: [FieldGroup?: Write]] = [:]

    private static func row(_ mutation: PushChanges.Mutation) -> Row {
        Row(entity: mutation.entity, id: mutation.id.lowercased())
    }

    /// The version of the last change of a group by somebody else.
    /// - Parameter group: nil: of the row as a whole, where it has no groups.
    func others(_ versions: RowVersions, _ group: FieldGroup?, of mutation: PushChanges.Mutation) -> Int64 {
        let version = group.flatMap { versions.groups[$0] } ?? versions.version
        guard let write = writes[Self.row(mutation)]?[group], write.own == version else { return version }
        return write.others
    }

    /// The version of the last change of the row by somebody else.
    func others(_ versions: RowVersions, of mutation: PushChanges.Mutation) -> Int64 {
        guard !versions.groups.isEmpty else { return others(versions, nil, of: mutation) }
        return versions.groups.keys.map { others(versions, $0, of: mutation) }.max() ?? versions.version
    }

    /// Notes what a change has written.
    mutating func note(_ mutation: PushChanges.Mutation, _ done: PushRun.Done) {
        guard let after = done.after, let written = done.written else { return }
        let groups: [FieldGroup?] = after.groups.isEmpty ? [nil] : Array(after.groups.keys)
        for group in groups {
            let version = group.flatMap { after.groups[$0] } ?? after.version
            // What this change wrote has the version that the row had afterwards.
            guard version == written else { continue }
            let before = done.before.map { others($0, group, of: mutation) } ?? 0
            // Nothing was changed; or, where the answer was given before, this is not what the change was about.
            guard version != before, done.before != nil || mutation.isAbout(group, lost: done.result.lost) else {
                continue
            }
            writes[Self.row(mutation), default: [:]][group] = Write(own: version, others: before)
        }
    }
}

extension PushChanges.Mutation {
    /// Whether it wrote fields of a group.
    fileprivate func isAbout(_ group: FieldGroup?, lost: [LostField]) -> Bool {
        guard let group else { return true }
        return switch Op(rawValue: op) {
        case .update:
            fields?.keys.contains { name in
                FieldGroup(field: name) == group && !lost.contains { $0.field == name }
            } ?? false
        case .cancel, .resume: group == .intent
        case .renew: group != .notes
        case .create, .restore: true
        case .delete, nil: false
        }
    }
}
