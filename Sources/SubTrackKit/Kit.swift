import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// A device of a user: a copy of the user's rows that works offline, and what keeps it in step with the service.
///
///     let kit = try Kit(.init(server: "https://subtrack.example.org", folder: folder, deviceName: "My phone"))
///     let id = try kit.add(CreateSubscription(planId: plan))   // here at once, sent by the next sync
///     try await kit.sync()
///     for try await list in kit.subscriptionUpdates() { … }    // whenever something changes
///
/// Whatever changes something changes it here, offline or not, and puts it in the outbox. Nothing is lost by a process that
/// ends in the middle of anything.
public final class Kit: Sendable {
    /// The settings of a kit.
    public typealias Settings = KitSettings

    /// Calls the service's operations as this device.
    public let client: Client
    let session: DeviceSession
    let synchronizer: Synchronizer

    var settings: Settings { session.settings }
    var store: Store { session.store }

    /// Opens the device's store. Nothing is sent.
    /// - Throws: ``KitError/store(_:)``, ``KitError/newerStore``, ``KitError/otherServer(_:)``.
    public init(_ settings: Settings) throws {
        session = try DeviceSession(settings)
        client = session.client
        synchronizer = Synchronizer(session: session)
        // Days are counted before anything was ever sent.
        try Self.keepPlace(settings, in: store)
    }

    /// The time by the server's clock, as far as it is known: a device's own may be a day off.
    func now(in database: Database) throws -> Instant {
        let offset = try Store.state(.clockOffset, in: database).flatMap { Int64($0) } ?? 0
        return Instant(secondsSince1970: settings.clock().secondsSince1970.addingReportingOverflow(offset).partialValue)
    }

    /// The user's day.
    func today(in database: Database) throws -> CalendarDate {
        let now = try now(in: database)
        let zone = try LocalReading.overlayUser(in: database).timeZone
        return LocalDay.today(at: now, timeZone: zone) ?? now.date(secondsFromUTC: 0)
    }

    /// The user's day: in the user's time zone, by the server's clock as far as that is known.
    public func today() throws -> CalendarDate { try store.read { try today(in: $0) } }

    // MARK: Sync

    /// Sends what waits, and pulls what is new. Those who ask for it at the same time share one run.
    ///
    /// A device that was never registered is registered first.
    /// - Returns: what happened.
    /// - Throws: ``KitError``; nothing is lost by any of them.
    @discardableResult
    public func sync() async throws -> SyncSummary { try await synchronizer.sync() }

    /// How many changes wait to be sent.
    public func pendingCount() throws -> Int {
        try store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM outbox") ?? 0 }
    }

    /// How much of a pull in pages is left; nil when all is here. It is what a progress bar shows in a first sync.
    public func left() throws -> Int? { try store.state(.left).flatMap { Int($0) } }

    /// Whether all rows have been pulled at least once.
    public func hasPulled() throws -> Bool {
        try store.read { try Store.state(.cursor, in: $0) != nil && Store.state(.left, in: $0) == nil }
    }
}
