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
        /// The country and the time zone of a device that is not registered yet.
        case country, timeZone
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

    func state(_ name: StateName) throws -> String? { try read { try Self.state(name, in: $0) } }
    func set(_ name: StateName, _ value: String?) throws { try write { try Self.set(name, value, in: $0) } }
}
