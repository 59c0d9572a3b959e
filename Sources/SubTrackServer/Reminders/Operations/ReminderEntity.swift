import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// Reminders that were said, as clients hold them. They go without a tombstone: clients drop them by the day that they are
/// about.
struct ReminderEntity: SyncedEntity {
    let name = StoredReminder.entity.rawValue
    let number = EntityNumber(integerLiteral: StoredReminder.number)

    /// The id in bytes: the subject, and then kind, day and days ahead as the database has them.
    private static let id: SQL = "CONCAT(r.Subject_ID, r.Kind, '.', r.Occurs_on, '.', r.Lead_days)"

    func text(ofID id: [UInt8]) -> String {
        let parts = String(decoding: id.dropFirst(16), as: UTF8.self).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let kind = ReminderKind(column: String(parts[0])) else { return "" }
        return "\(kind.rawValue).\(ChangeKey.uuid(id.prefix(16))).\(parts[1])"
    }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.isUser else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT r.Ver AS Ver, \(number.rank) AS Kind, \(Self.id) AS Row_ID, r.Ver AS Row_ver FROM Reminder r
                    WHERE r.User_ID = \(range.scope.id) AND r.Ver >= \(range.first) AND r.Ver <= \(range.head)
                      AND \(range.isBehind("r.Ver", rank: number.rank, id: Self.id))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let versions = keys.map(\.rowVersion)
        guard scope.isUser, let first = versions.min(), let last = versions.max() else { return [:] }
        // No two rows of a scope have one version.
        let ids = Dictionary(keys.map { ($0.rowVersion, $0.id) }) { first, _ in first }
        let rows = try await ReminderQueries.reminders(
            of: UserID(uuid: scope.id.uuid), versions: first...last, on: connection)
        var found: [[UInt8]: [UInt8]] = [:]
        for row in rows {
            if let id = ids[row.version] { found[id] = try OutputEncoder.encode(row.stored) }
        }
        return found
    }
}

extension ReminderEntity: ChangeableEntity {
    func id(_ text: String, of user: UserID) -> String? { ReminderKey(text)?.description }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        guard let key = ReminderKey(id) else { return nil }
        return try await ReminderQueries.reminder(key, of: try call.requireSession().user, on: connection)
            .map(Self.snapshot)
    }

    /// Of two different answers the first one that arrives holds. Its sender may replace it.
    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        guard change.op == .answer else {
            throw Problem.input("op", .range, "of a \(name) there is only answer")
        }
        guard let key = ReminderKey(change.mutation.id) else { throw ReminderAnswering.unknown }
        let row = try await ReminderQueries.reminder(key, of: change.user, on: connection)
        let before = try row.map(Self.snapshot)
        var fields = change.fields
        if let before, row?.stored.answer != nil {
            let isTaken = change.own.isTaken(.answer, of: before.groups, since: change.mutation.baseVersion ?? 0)
            let split = FieldMerge.split(
                fields, isTaken: { Self.fields.contains($0) ? isTaken : nil },
                kept: { before.values[$0] ?? .null })
            // Both have answered the same, or the first one holds.
            guard !split.written.isEmpty, split.lost.isEmpty else {
                return AppliedChange(before: before, after: before, lost: split.lost)
            }
            fields = split.written
        }
        let given = try GivenAnswer(try change.input(fields) as AnswerReminder)
        let isActing = given.answer == .renew || given.answer == .cancel
        func groups() async throws -> [FieldGroup: Int64] {
            guard isActing else { return [:] }
            return try await SubscriptionSnapshot.read(
                key.subject, of: change.user, today: change.today, on: connection)?.groups ?? [:]
        }
        let former = try await groups()
        let answered = try await ReminderAnswering.answer(given, change.call, on: connection)
        // The sender's next change of the subscription is not lost to this one.
        return AppliedChange(
            before: before, after: try Self.snapshot(answered), companions: (former, try await groups()))
    }

    private static let fields: Set<String> = ["answer", "until"]

    private static func snapshot(_ row: ReminderRow) throws -> RowSnapshot {
        let stored = row.stored
        return RowSnapshot(
            id: stored.key.description, version: row.version, groups: [.answer: row.version],
            row: try OutputEncoder.encode(stored),
            values: [
                "answer": stored.answer.map { .string($0.rawValue) } ?? .null,
                "until": stored.snoozedUntil.map { .string($0.description) } ?? .null,
            ])
    }
}

extension FieldGroup {
    /// All of a reminder that changes.
    static let answer = FieldGroup(rawValue: "answer")
}
