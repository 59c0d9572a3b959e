import SubTrackAPI

extension ImportedRow {
    /// How a subscription stands by a file.
    enum Standing: Hashable, Sendable {
        case active, trial
        /// It runs out, or has ended: the file does not say which.
        case cancelled
        /// It has ended.
        case ended
    }

    private static let standings: [String: Standing] = [
        "active": .active, "enabled": .active, "current": .active, "running": .active, "yes": .active,
        "trial": .trial, "trialing": .trial, "cancelled": .cancelled, "canceled": .cancelled, "disabled": .cancelled,
        "paused": .cancelled, "inactive": .cancelled, "no": .cancelled, "ended": .ended, "expired": .ended,
    ]

    /// How it stands. A date of Wallos is a reminder to cancel: a date counts as a cancellation only where the row has no status.
    /// - Throws: ``KitError/invalid(field:message:)`` where the status is none that is known.
    func standing() throws -> Standing {
        if let active = try flag(.active) { return active ? .active : .cancelled }
        if let inactive = try flag(.inactive) { return inactive ? .cancelled : .active }
        guard let text = text(.status) else { return cancellation == nil ? .active : .cancelled }
        guard let standing = Self.standings[text.lowercased()] else {
            throw fault(
                .status, "\"\(text.prefix(40))\" is no status: write active, trial, cancelled, paused or ended")
        }
        return standing
    }

    /// Whether it goes on, and is not disabled, paused or cancelled.
    func isActive() throws -> Bool { try [.active, .trial].contains(standing()) }

    func isTrial() throws -> Bool { try flag(.freeTrial) ?? (standing() == .trial) }

    /// Makes sure that one that has ended says when: the present period would be made up for it.
    func checkEnd() throws {
        guard try standing() == .ended, try nextRenewal() == nil, try cancelledOn() == nil else { return }
        throw fault(
            .status,
            "\"\(text(.status) ?? "ended")\" needs the day on which it ended, in \(ImportColumn.nextRenewal.title) or "
                + ImportColumn.cancelledOn.title)
    }

    /// The faults of all values, each by the file's name for its column.
    /// - Parameters:
    ///   - digits: the digits of its currency after the point.
    ///   - currency: reads the currency.
    func faults(digits: Int, currency: () throws -> Void) throws -> [KitError] {
        var faults: [KitError] = []
        func check(_ read: () throws -> Void) throws {
            do {
                try read()
            } catch let error as KitError {
                guard case .invalid = error else { throw error }
                if !faults.contains(error) { faults.append(error) }
            }
        }
        if name == nil { faults.append(.invalid(field: ImportColumn.name.title, message: "is missing")) }
        try check { _ = try fee(digits: digits) }
        try check(currency)
        try check { _ = try duration() }
        try check { _ = try nextRenewal() }
        try check { _ = try startDate() }
        try check { _ = try cancelledOn() }
        try check { _ = try standing() }
        try check { try checkEnd() }
        try check { _ = try isTrial() }
        try check { _ = try flag(.autoRenew) }
        try check { _ = try reminderDays() }
        try check { _ = try isMuted() }
        if text(.planSource) != nil {
            try check { _ = try source() }
            try check { _ = try amount(.planPrice, digits: digits) }
            try check { _ = try number(.trialDays, in: 1...1200) }
            try check { _ = try number(.noticeDays, in: 0...1200) }
        }
        return faults
    }
}
