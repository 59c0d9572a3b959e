import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Where the user is: the country, whose plans and currency count, and the time zone, in which days are counted.
extension Kit {
    /// A country of the catalogue.
    public struct Country: Sendable, Hashable, Codable {
        /// ISO 3166-1 alpha-2.
        public var code: String
        /// Its name in English.
        public var name: String
        /// ISO 4217.
        public var currency: String
    }

    /// The country of a code, or of an English name. Without the catalogue none is known.
    public func country(_ text: String) throws -> Country? { try store.read { try Self.country(text, in: $0) } }

    static func country(_ text: String, in database: Database) throws -> Country? {
        try database.firstRow(
            "SELECT id, name, currency FROM country WHERE id = ? OR name = ? COLLATE NOCASE LIMIT 1",
            [text.uppercased(), text]
        ) { Country(code: try $0.text(), name: try $0.text(), currency: try $0.text()) }
    }

    /// Changes the user's name, country or time zone. Before the device is known to the service, country and time zone are those
    /// that its user will get.
    /// - Throws: ``KitError/invalid(field:message:)``, ``KitError/store(_:)``.
    public func change(_ change: UpdateMe) throws {
        try store.write { database in
            if let fault = try faults(of: change, in: database).first { throw fault }
            let known = try String.fetchOne(database, sql: "SELECT id FROM me")
            guard let user = try known ?? Store.state(.user, in: database) else {
                guard !change.userName.isNamed else {
                    throw KitError.invalid(field: "", message: "this device has no user yet to be named; sync first")
                }
                if let country = change.country.value {
                    try Store.set(.country, country, in: database)
                    try Store.set(.chosenCountry, country, in: database)
                }
                if let zone = change.timeZone.value {
                    try Store.set(.timeZone, zone, in: database)
                    try Store.set(.chosenTimeZone, zone, in: database)
                }
                return
            }
            let fields = try change.fields()
            guard !fields.isEmpty else { return }
            try Store.enqueue(.me, id: user, op: .update, fields: fields, today: try today(in: database), in: database)
        }
    }

    /// Keeps the device's country and time zone until there is a user with values from the service.
    static func keepPlace(_ settings: Settings, in store: Store) throws {
        let place = (country: settings.country ?? "", timeZone: settings.timeZone)
        func isKept(_ database: Database) throws -> Bool {
            if try Store.state(.timeZone, in: database) == nil { return false }
            if try Store.state(.user, in: database) != nil { return true }
            return try (Store.state(.chosenCountry, in: database) ?? place.country)
                == Store.state(.country, in: database)
                && (Store.state(.chosenTimeZone, in: database) ?? place.timeZone)
                    == Store.state(.timeZone, in: database)
        }
        guard try !store.read(isKept) else { return }
        try store.write { database in
            guard try !isKept(database) else { return }
            try Store.set(
                .timeZone, try Store.state(.chosenTimeZone, in: database) ?? place.timeZone, in: database)
            try Store.set(.country, try Store.state(.chosenCountry, in: database) ?? place.country, in: database)
        }
    }
}

extension DeviceSession {
    /// The country and the time zone of a new user: the chosen ones, else the device's.
    func placeOfNewUser() throws -> (country: String?, timeZone: String) {
        try store.read { database in
            (
                try Store.state(.chosenCountry, in: database) ?? settings.country,
                try Store.state(.chosenTimeZone, in: database) ?? settings.timeZone
            )
        }
    }
}
