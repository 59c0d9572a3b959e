import GRDB
import SubTrackCore

/// The digits of currencies after the point: those of the service, else those of ISO 4217, else two.
struct CurrencyDigits: Sendable {
    private var known: [String: Int] = [:]

    /// Reads those of the service. Before the first pull there are none.
    init(in database: Database) throws {
        try database.eachRow("SELECT id, minorDigits FROM currency") { reader in
            known[try reader.text()] = try reader.int()
        }
    }

    /// The digits of a currency.
    subscript(currency: String) -> Int { known[currency] ?? ISO4217.digits[currency] ?? 2 }
}
