import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Changes are made by the operations' own types. They are checked here, so that most of what a service would refuse is said at
/// once; then they are here, and wait to be sent.
extension Kit {
    /// Adds a subscription.
    /// - Returns: its id.
    /// - Throws: ``KitError/invalid(field:message:)``, ``KitError/unknown(_:)``, ``KitError/store(_:)``.
    @discardableResult
    public func add(_ new: CreateSubscription) throws -> UUID {
        try store.write { try add(new, in: $0) }
    }

    /// Adds subscriptions, all or none.
    public func add(_ all: [CreateSubscription]) throws -> [UUID] {
        try store.write { database in try all.map { try add($0, in: database) } }
    }

    func add(_ new: CreateSubscription, in database: Database) throws -> UUID {
        var new = new
        let fresh = UUID.v7(at: try now(in: database))
        let id = new.id ?? fresh
        new.id = nil
        let today = try today(in: database)
        // The day on which it was added, not that on which it is sent.
        if new.startDate == nil, new.nextRenewal == nil { new.startDate = today }
        if let fault = try faults(of: new, in: database).first { throw fault }
        try Store.enqueue(
            .subscription, id: id.lowercased, op: .create, fields: try new.fields(), today: today,
            in: database)
        return id
    }

    /// Changes a subscription.
    public func change(_ change: UpdateSubscription) throws { try make(.update(change)) }

    func change(_ change: UpdateSubscription, in database: Database) throws {
        if let fault = try faults(of: change, in: database).first { throw fault }
        var fields = try change.fields()
        fields["madeOn"] = nil
        guard !fields.isEmpty else { return }
        let today = try today(in: database)
        try Store.enqueue(
            .subscription, id: change.id.lowercased, op: .update, fields: fields,
            today: min(change.madeOn ?? today, today), in: database)
    }

    /// Ends the current period of a subscription and begins the next.
    /// - Throws: ``KitError/invalid(field:message:)`` when it was cancelled, when its next period would end too far away, and when
    ///   a renewal waits already that cannot be counted here, as the plan has not come yet; ``KitError/unknown(_:)``.
    public func renew(_ id: UUID) throws { try make(.renew(id)) }

    func renew(_ id: UUID, in database: Database) throws {
        let (entry, today) = (try entry(id, in: database), try today(in: database))
        guard entry.row.cancelledOn == nil else {
            throw KitError.invalid(field: "", message: "it was cancelled; resume it first")
        }
        let overlay = try LocalReading.overlay(of: id.lowercased, in: database)
        let row = overlay.current(entry.row, today: today)
        if let terms = overlay.plans.terms(row.planId) {
            do throws(BillingError) {
                _ = try row.state.renewed(terms)
            } catch {
                throw KitError.invalid(field: "", message: error.description)
            }
        }
        // A renewal names the period that it ends, and the service takes two of the same period for one. Without its plan
        // a period that is ended here cannot be counted.
        let waiting = try Store.outbox(of: id.lowercased, in: database).map(\.mutation)
        let isNamed = waiting.contains {
            $0.op == PushChanges.Mutation.Op.renew.rawValue && $0.fields?["period"] == .integer(Int64(row.period))
        }
        guard !isNamed else {
            throw KitError.invalid(
                field: "", message: "its plan is not on this device yet, and a renewal waits to be sent; sync first"
            )
        }
        try Store.enqueue(
            .subscription, id: id.lowercased, op: .renew, fields: ["period": .integer(Int64(row.period))],
            today: today, in: database)
    }

    /// Lets a subscription run out.
    public func cancel(_ id: UUID) throws { try make(.cancel(id)) }
    /// Lets a cancelled subscription go on.
    public func resume(_ id: UUID) throws { try make(.resume(id)) }
    /// Deletes a subscription with its history; it can be restored for 30 days.
    public func delete(_ id: UUID) throws { try make(.delete(id)) }
    /// Brings a deleted subscription back.
    public func restore(_ id: UUID) throws { try make(.restore(id)) }

    func act(
        _ op: PushChanges.Mutation.Op, on id: UUID, in database: Database, if isNeeded: (Overlay.Entry) -> Bool
    ) throws {
        guard isNeeded(try entry(id, in: database)) else { return }
        try Store.enqueue(.subscription, id: id.lowercased, op: op, today: try today(in: database), in: database)
    }

    func restore(_ id: UUID, in database: Database) throws {
        let overlay = try LocalReading.overlay(of: id.lowercased, in: database)
        if let entry = overlay.entries[id.lowercased], !entry.isDeleted { return }
        try Store.enqueue(.subscription, id: id.lowercased, op: .restore, today: try today(in: database), in: database)
    }

    /// A subscription as it stands here.
    func entry(_ id: UUID, in database: Database) throws -> Overlay.Entry {
        let overlay = try LocalReading.overlay(of: id.lowercased, in: database)
        guard let entry = overlay.entries[id.lowercased], !entry.isDeleted else {
            throw KitError.unknown("there is no such subscription on this device")
        }
        return entry
    }
}

extension UUID {
    /// A new id that sorts by time (UUIDv7, RFC 9562 §5.7).
    package static func v7(at now: Instant) -> UUID {
        var bytes = [UInt8](repeating: 0, count: 16).map { _ in UInt8.random(in: 0...255) }
        let milliseconds = UInt64(clamping: now.secondsSince1970) &* 1000 &+ UInt64.random(in: 0..<1000)
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - 8 * index)) }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
