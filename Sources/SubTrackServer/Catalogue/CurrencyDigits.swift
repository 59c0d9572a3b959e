import MariaDB
import SubTrackAPI
import Synchronization

/// How many digits after the point each currency of a tenant has.
///
/// Currencies hardly ever change: they are read once, and again when one is asked for that is not known yet or the
/// reading is a minute old.
final class CurrencyDigits: Sendable {
    /// How long a reading is used.
    static let maximumAge = Duration.seconds(60)

    private struct Reading {
        var digits: [String: Int] = [:]
        var readAt: ContinuousClock.Instant?
        /// The counter of ``ScopeID/reference`` from before the reading, where it was looked at.
        var version: Int64?
    }

    private let client: MariaDBClient
    private let database: String
    private let reading = Mutex(Reading())

    /// The currencies of a tenant's database.
    init(client: MariaDBClient, database: String) {
        self.client = client
        self.database = database
    }

    /// The digits of all currencies, from memory; nil where that is old.
    var known: [String: Int]? {
        let known = reading.withLock { $0 }
        guard let readAt = known.readAt, ContinuousClock.now - readAt < Self.maximumAge else { return nil }
        return known.digits
    }

    /// The digits of all currencies, from memory or, where that is old, over a connection that the caller has.
    func table(on connection: Connection) async throws -> [String: Int] {
        if let known { return known }
        return try await refresh(on: connection)
    }

    /// The digits of all currencies as they are at a version of the scope that they are in, or later.
    /// - Parameter version: the counter of ``ScopeID/reference``, read before.
    func table(from version: Int64, on connection: Connection) async throws -> [String: Int] {
        if let known, let old = reading.withLock({ $0.version }), old >= version { return known }
        return try await refresh(version: version, on: connection)
    }

    /// The digits of a currency; nil when there is no such currency.
    func digits(of currency: String, on connection: Connection) async throws -> Int? {
        if let digits = try await table(on: connection)[currency] { return digits }
        return try await refresh(on: connection)[currency]
    }

    private func refresh(version: Int64? = nil, on connection: Connection) async throws -> [String: Int] {
        let rows = try await connection.query("SELECT Currency_code, Minor_digits FROM Currency")
            .decode((String, Int).self)
        let digits = Dictionary(rows.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
        return reading.withLock { reading in
            // The same storage as long as it says the same: whoever compares it later has no more than that to look at.
            let isOther = reading.digits != digits
            if isOther { reading.digits = digits }
            reading.readAt = ContinuousClock.now
            // Of one that says something else nobody knows whether it is the newer one.
            if let version {
                reading.version = max(version, reading.version ?? version)
            } else if isOther {
                reading.version = nil
            }
            return reading.digits
        }
    }
}

extension CurrencyDigits: TenantPart {
    convenience init(of tenant: Tenant) { self.init(client: tenant.client, database: tenant.database) }
}

extension Tenant {
    /// The numbers of digits of its currencies.
    var currencies: CurrencyDigits { part() }
}
