import Foundation
import GRDB

extension Store {
    /// What a store remembers beside rows.
    enum StateName: String {
        /// How far the rows have come.
        case cursor
        /// About how many changes are left of a pull in pages.
        case left
        /// The address of the service that the rows are from.
        case server
        /// The user's id.
        case user
        /// The device's id.
        case device
        /// How many seconds the server's clock is ahead of the device's.
        case clockOffset
        /// When that was looked at, by the device's clock.
        case clockChecked
        /// Whether the session has ended.
        case signedOut
        /// Whether the user has no account, as far as this device did it: `1`, or `0` where there is one.
        case accountless
        /// The country and the time zone of a device that is not registered yet.
        case country, timeZone
        /// The country and the time zone that somebody chose for a device that is not registered yet.
        case chosenCountry, chosenTimeZone
        /// The currency that somebody chose for totals on this device.
        case totalCurrency
        /// Exchange rates, as the service gave them last.
        case rates
        /// The areas that the service has for this tenant, parted by spaces.
        case areas
        /// Pairs of rows that somebody said are two things, as JSON.
        case distinctRows
        /// Rows of a lost user, as JSON, until it is known which of them the next user has.
        case formerRows
    }

    /// What is remembered under a name.
    static func state(_ name: StateName, in database: Database) throws -> String? {
        try database.firstRow("SELECT value FROM state WHERE name = ?", [name.rawValue]) { try $0.optionalText() }
            ?? nil
    }

    /// Remembers something under a name, or nothing.
    static func set(_ name: StateName, _ value: String?, in database: Database) throws {
        if let value {
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)")
                .execute(arguments: [name.rawValue, value])
        } else {
            try database.cachedStatement(sql: "DELETE FROM state WHERE name = ?").execute(arguments: [name.rawValue])
        }
    }

    /// Whether the device's user, when the service knows the token no more, can be begun again without loss: one without
    /// account, whom nobody can sign in as, and of whom the service had no rows but the user's own.
    static func mayBeginAgain(in database: Database) throws -> Bool {
        try isAccountless(in: database) && !hasOwnRows(in: database)
    }

    /// Whether no account leads to the device's user, as far as the device knows.
    static func isAccountless(in database: Database) throws -> Bool {
        let known = try state(.accountless, in: database)
        guard known != "0" else { return false }
        let accounts = try database.firstRow("SELECT accounts FROM me LIMIT 1") { try $0.text() }
        return accounts == "[]" || accounts == nil && known == "1"
    }

    /// Whether the device has rows of the service that are the user's, beside the user's own.
    static func hasOwnRows(in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM subscription) OR EXISTS (SELECT 1 FROM plan WHERE private)
                    OR EXISTS (SELECT 1 FROM \(DeclaredRows.table) WHERE deletedAt IS NULL)
                """) ?? false
    }

    /// Whether who signs in with an address has what the device holds: its user has the address, or has no account, so that
    /// nobody else can sign in as that user.
    static func isUser(of email: String, in database: Database) throws -> Bool {
        let user = try LocalReading.user(in: database)
        if user.accounts.isEmpty { return try state(.accountless, in: database) != "0" }
        let address = email.trimmingCharacters(in: .whitespaces).lowercased()
        return user.accounts.contains { $0.email.lowercased() == address }
    }

    func state(_ name: StateName) throws -> String? { try read { try Self.state(name, in: $0) } }
    func set(_ name: StateName, _ value: String?) throws { try write { try Self.set(name, value, in: $0) } }
}
