import SubTrackCore

/// The writes of one sender in one scope, as far as they still stand: no version of a scope is given to two rows.
struct WriteLineage: Sendable, Equatable {
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

    /// Whether somebody else has changed a group since a version; false for a group that a row does not have.
    /// - Parameter groups: the versions of the row's groups.
    func isTaken(_ group: FieldGroup, of groups: [FieldGroup: Int64], since base: Int64) -> Bool {
        groups[group].map { lastOfOthers(group, $0) > base } ?? false
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
    mutating func formUnion(_ others: WriteLineage) {
        writes += others.writes.filter { !writes.contains($0) }
    }

    /// The writes that some groups still have. The others cannot come back, and are not stored.
    func holding(_ groups: [FieldGroup: Int64]) -> WriteLineage {
        WriteLineage(writes: writes.filter { groups[$0.group] == $0.own })
    }
}

extension WriteLineage: Codable {
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

/// The writes of one sender by scope: versions of two scopes are the same small numbers.
struct WriteLineages: Sendable, Equatable {
    private var byScope: [ScopeID: WriteLineage] = [:]

    /// The writes in a scope.
    subscript(scope: ScopeID) -> WriteLineage { byScope[scope] ?? WriteLineage() }

    /// Adds writes in a scope.
    mutating func insert(_ lineage: WriteLineage, in scope: ScopeID) {
        byScope[scope, default: WriteLineage()].formUnion(lineage)
    }
}
