import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// A user's channel as clients hold it. Devices change its name, pause it and remove it. Secrets go by operations alone.
struct ChannelEntity: SyncedEntity {
    let name = StoredChannel.entity.rawValue
    let number = EntityNumber(integerLiteral: StoredChannel.number)
    let services: ChannelServices

    func text(ofID id: [UInt8]) -> String { ChangeKey.uuid(id) }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.isUser else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, Channel_ID AS Row_ID, Ver AS Row_ver FROM Channel
                    WHERE User_ID = \(range.scope.id) AND Ver >= \(range.first) AND Ver <= \(range.head)
                      AND \(range.isBehind("Ver", rank: number.rank, id: "Channel_ID"))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let versions = keys.map(\.rowVersion)
        guard scope.isUser, let first = versions.min(), let last = versions.max() else { return [:] }
        let rows = try await ChannelQueries.channels(
            of: UserID(uuid: scope.id.uuid), versions: first...last, on: connection)
        return Dictionary(
            try rows.map { row in
                (withUnsafeBytes(of: row.id.uuid) { Array($0) }, try OutputEncoder.encode(row.stored))
            }
        ) { first, _ in first }
    }
}

extension ChannelEntity: ChangeableEntity {
    func id(_ text: String, of user: UserID) -> String? { UUID(uuidString: text)?.uuidString.lowercased() }

    func snapshot(_ id: String, _ call: Call, on connection: Connection) async throws -> RowSnapshot? {
        guard let id = UUID(uuidString: id) else { return nil }
        let user = try call.requireSession().user
        return try await ChannelQueries.channel(id, of: user, on: connection).map(snapshot)
    }

    func apply(_ change: PushedChange, on connection: Connection) async throws -> AppliedChange {
        guard let id = UUID(uuidString: change.mutation.id) else {
            throw Problem.input("id", .malformed, "must be a UUID: 8-4-4-4-12 hexadecimal digits")
        }
        let before = try await ChannelQueries.channel(id, of: change.user, on: connection)
        switch change.op {
        case .update:
            // The state of a channel moves its version as well. The name that comes last holds.
            let input: UpdateChannel = try change.input(change.fields, id: change.mutation.id)
            guard !input.target.isNamed, !input.token.isNamed, !input.push.isNamed else {
                throw Problem.input("fields", .unknown, "has name and paused; change the rest by channels.update")
            }
            let edit = try await ChannelEdit.read(input, change.call, services)
            let after = try await edit.write(change.call, services, on: connection)
            return AppliedChange(before: before.map(snapshot), after: snapshot(after))
        case .delete:
            // Two devices removed it: both are served.
            if before != nil { try await ChannelHandlers.delete(id, change.call, on: connection) }
            return AppliedChange(before: before.map(snapshot), after: nil)
        default:
            throw Problem.input("op", .range, "of a channel there are update and delete")
        }
    }

    private func snapshot(_ row: ChannelRow) -> RowSnapshot {
        RowSnapshot(
            id: row.id.uuidString.lowercased(), version: row.version,
            groups: [FieldGroup(rawValue: name): row.version], row: try? OutputEncoder.encode(row.stored),
            values: [
                "name": row.name.map { .string($0) } ?? .null, "paused": .bool(row.pausedAt != nil),
            ])
    }
}
