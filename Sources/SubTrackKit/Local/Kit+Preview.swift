import Foundation
import GRDB
import SubTrackAPI

/// A change of a subscription that can be looked at before it is made.
public enum SubscriptionChange: Sendable {
    case update(UpdateSubscription)
    case renew(UUID)
    case cancel(UUID)
    case resume(UUID)
    case delete(UUID)
    case restore(UUID)

    /// The subscription.
    public var id: UUID {
        switch self {
        case .update(let change): change.id
        case .renew(let id), .cancel(let id), .resume(let id), .delete(let id), .restore(let id): id
        }
    }
}

extension Kit {
    /// Makes a change.
    /// - Throws: ``KitError/invalid(field:message:)``, ``KitError/unknown(_:)``, ``KitError/store(_:)``.
    public func make(_ change: SubscriptionChange) throws { try store.write { try make(change, in: $0) } }

    private func make(_ change: SubscriptionChange, in database: Database) throws {
        switch change {
        case .update(let update): try self.change(update, in: database)
        case .renew(let id): try renew(id, in: database)
        case .cancel(let id): try act(.cancel, on: id, in: database) { $0.row.cancelledOn == nil }
        case .resume(let id): try act(.resume, on: id, in: database) { $0.row.cancelledOn != nil }
        case .delete(let id): try act(.delete, on: id, in: database) { _ in true }
        case .restore(let id): try restore(id, in: database)
        }
    }

    /// Shows the subscription with its history as changes would leave it on this device. Nothing is changed.
    ///
    /// A period that a change ends cannot come back: an app asks before it makes such a change.
    /// - Parameter changes: changes of one subscription, one after the other.
    /// - Returns: nil where it is gone then.
    /// - Throws: errors of ``make(_:)``.
    public func preview(_ changes: [SubscriptionChange]) throws -> Details? {
        guard let last = changes.last else { return nil }
        return try store.write { database in
            var shown: Details?
            try database.inSavepoint {
                for change in changes { try make(change, in: database) }
                shown = try details(of: last.id, in: database)
                return .rollback
            }
            return shown
        }
    }
}
