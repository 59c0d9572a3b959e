import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// The operations on channels and on their deliveries.
struct ChannelHandlers: Sendable {
    let services: ChannelServices

    /// Registers the handlers.
    func register(in operations: inout OperationRegistry) {
        operations.register(ListChannels.self) { _, call in
            let user = try call.requireSession().user
            let rows = try await call.tenant.read { try await ChannelQueries.channels(of: user, on: $0) }
            return Reply(.init(channels: rows.map(\.answer)))
        }
        operations.register(CreateChannel.self, handler: create)
        operations.register(UpdateChannel.self) { input, call in
            let edit = try await ChannelEdit.read(input, call, services)
            return try await call.write(input) { connection in
                .row(try await edit.write(call, services, on: connection).answer)
            }
        }
        operations.register(DeleteChannel.self) { input, call in
            try await call.write(input) { connection in
                try await Self.delete(input.id, call, on: connection)
                return Reply(Empty())
            }
        }
        operations.register(TestChannel.self) { input, call in
            _ = try services.requireKey()
            try services.countTest(call)
            return try await call.write(input) { connection in
                let row = try await Self.channel(input.id, call, on: connection)
                try await ChannelQueries.askTest(row, now: call.now, on: connection)
                return Reply(.init(channel: row.answer))
            }
        }
        operations.register(RotateChannelSecret.self) { input, call in
            let keys = try services.requireKey().channelKeys(of: call.tenant.slug)
            return try await call.write(input) { connection in
                let row = try await Self.channel(input.id, call, on: connection)
                guard row.kind == .webhook else {
                    throw Problem(
                        .statusConflict, "Only a webhook has a secret; this channel is of kind \(row.kind.rawValue).")
                }
                try await ChannelQueries.rotate(row, now: call.now, on: connection)
                return Reply(.init(secret: try keys.webhookSecret(salt: row.salt, number: row.secretNumber + 1).text))
            }
        }
        operations.register(GetPushKey.self) { _, call in
            guard let key = services.key, services.outbound != nil else {
                throw Problem(.notFound, "This service sends no messages to browsers: it has no secret key.")
            }
            let point = try key.channelKeys(of: call.tenant.slug).vapid().publicKey
            return .shared(Base64.urlSafe.encode(point))
        }
        operations.register(ListDeliveries.self, handler: Self.listDeliveries)
        operations.register(ResendDeliveries.self, handler: Self.resend)
    }

    /// A channel of the caller's.
    /// - Throws: `not_found`.
    static func channel(_ id: UUID, _ call: Call, on connection: Connection) async throws -> ChannelRow {
        let user = try call.requireSession().user
        guard let row = try await ChannelQueries.channel(id, of: user, on: connection) else {
            throw Problem(.notFound, "There is no such channel.")
        }
        return row
    }

    /// Removes a channel of the caller's, in a transaction that has the user's scope locked.
    /// - Throws: `not_found`.
    static func delete(_ id: UUID, _ call: Call, on connection: Connection) async throws {
        try await ChannelQueries.delete(try await channel(id, call, on: connection), on: connection)
        try await call.tenant.limits.boundTombstones(of: try call.requireSession().user, on: connection)
    }

    @Sendable private func create(
        _ input: CreateChannel, _ call: Call
    ) async throws -> Reply<CreateChannel.Output> {
        let session = try call.requireSession()
        let keys = try services.requireKey().channelKeys(of: call.tenant.slug)
        var faults = InputFaults()
        let name = try faults.check(or: nil) {
            try InputText.optional(input.name, field: "name", maximum: ChannelEdit.longestName)
        }
        let fresh = try UUIDv7.make(now: call.now)
        let id = try faults.check(or: fresh) { try input.id.map { try InputID.checked($0) } ?? fresh }
        let secret = try faults.check(or: nil) {
            try ChannelEdit.secret(token: input.token, push: input.push, of: input.kind, isNew: true)
        }
        try await ChannelEdit.check(input.target, input.kind, &faults, services)
        try faults.finish()
        return try await call.write(input) { connection in
            // A request that is sent again finds its channel, and so does a browser that has subscribed anew.
            var before = try await ChannelQueries.channel(id, of: session.user, on: connection)
            if before == nil, input.kind == .webpush {
                before = try await ChannelQueries.browser(input.target, of: session.user, on: connection)
            }
            if let before, before.kind != input.kind || before.target != input.target {
                throw Problem(.idTaken, "There is a channel of this id already.")
            }
            let salt = try before?.salt ?? SecureRandom.bytes(16)
            let place = ChannelKeys.Place(salt: salt, target: input.target)
            let sealed = try secret.map { try keys.seal($0, at: place) }
            let device = input.kind == .webpush ? session.device : nil
            if let before {
                try await ChannelQueries.update(
                    before, name: name ?? before.name, target: input.target, sealed: sealed, device: device,
                    pausedAt: before.pausedAt, on: connection)
            } else {
                try await UserLimit.channels.check(call.tenant.limits, of: session.user, on: connection)
                try await ChannelQueries.insert(
                    id, of: session.user, kind: input.kind, name: name, target: input.target, sealed: sealed,
                    salt: salt, device: device, on: connection)
            }
            let row = try await Self.channel(before?.id ?? id, call, on: connection)
            let signing =
                input.kind == .webhook
                ? try keys.webhookSecret(salt: row.salt, number: row.secretNumber).text : nil
            return Reply(.init(channel: row.answer, secret: signing))
        }
    }

    // MARK: Deliveries

    /// The most messages of a list.
    private static let mostDeliveries = 100

    @Sendable private static func listDeliveries(
        _ input: ListDeliveries, _ call: Call
    ) async throws -> Reply<ListDeliveries.Output> {
        let deliveries = try await call.tenant.read { connection in
            try await DeliveryQueries.dead(
                try await channel(input.id, call, on: connection), limit: mostDeliveries, on: connection)
        }
        return Reply(.init(deliveries: deliveries))
    }

    @Sendable private static func resend(
        _ input: ResendDeliveries, _ call: Call
    ) async throws -> Reply<ResendDeliveries.Output> {
        try await call.write(input) { connection in
            let row = try await channel(input.id, call, on: connection)
            let count = try await DeliveryQueries.resend(
                row, notification: input.notification, now: call.now, on: connection)
            return Reply(.init(resent: count))
        }
    }
}

extension DeliveryQueries {
    /// The deliveries of a channel that are dead, the last one first.
    static func dead(
        _ channel: ChannelRow, limit: Int, on connection: Connection
    ) async throws -> [ListDeliveries.Delivery] {
        try await connection.query(
            """
            SELECT d.Notification_no, n.Fired_at, d.Attempts, d.Dead_at, d.Last_problem
            FROM Delivery d JOIN Notification n
                ON n.User_ID = d.User_ID AND n.Notification_no = d.Notification_no
            WHERE d.User_ID = \(channel.user.uuid) AND d.Channel_ID = \(channel.id) AND d.Dead_at IS NOT NULL
            ORDER BY d.Notification_no DESC LIMIT \(limit)
            """
        ).decode((Int64, Instant, Int, Instant, String?).self).map {
            ListDeliveries.Delivery(notification: $0.0, firedAt: $0.1, attempts: $0.2, deadAt: $0.3, problem: $0.4)
        }
    }

    /// Puts dead deliveries of a channel back into the queue. Those of a paused channel wait until it is resumed.
    /// - Returns: how many.
    static func resend(
        _ channel: ChannelRow, notification: Int64?, now: Instant, on connection: Connection
    ) async throws -> Int {
        let isMeant: SQL = notification.map { " AND Notification_no = \($0)" } ?? ""
        let next = channel.pausedAt == nil ? now : ChannelDeliveries.never
        let result = try await connection.execute(
            """
            UPDATE Delivery SET Dead_at = NULL, Attempts = 0, Next_attempt_at = \(next)
            WHERE User_ID = \(channel.user.uuid) AND Channel_ID = \(channel.id) AND Dead_at IS NOT NULL\(isMeant)
            """)
        return Int(clamping: result.affectedRows)
    }
}
