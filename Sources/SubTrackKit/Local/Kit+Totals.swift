import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// The total of the spending, in one currency.
public struct SpendingTotal: Sendable, Hashable, Codable {
    /// ISO 4217.
    public var currency: String
    /// In a month; nil where a rate is missing: a part would look like the whole.
    public var month: Amount?
    /// In a year; nil likewise.
    public var year: Amount?
    /// The day of the oldest rate that was used; nil where none was needed.
    public var ratesOf: CalendarDate?
    /// The currencies for which the service has no rate.
    public var missing: [String]
    /// The currencies for which this device has not asked the service yet.
    public var unasked: [String]
}

/// Rates, as the service gave them last.
private struct KeptRates: Codable {
    /// When, in seconds since 1970 by the device's clock.
    var at: Int64
    var rates: [GetDashboard.Total.Rate]
    /// Those for which it had none.
    var missing: [String]

    /// The newest for each currency.
    var perEuro: [String: Amount] { Dictionary(rates.map { ($0.currency, $0.perEuro) }, uniquingKeysWith: { $1 }) }

    func isAsked(_ currency: String) -> Bool {
        currency == "EUR" || missing.contains(currency) || rates.contains { $0.currency == currency }
    }
}

extension Kit {
    /// The currency in which this device shows totals: the chosen one, else that of the user's country.
    /// - Returns: nil where the country, or its currency, is not known yet.
    public func currency() throws -> String? {
        try store.read { database in
            if let chosen = try Store.state(.totalCurrency, in: database) { return chosen }
            return try Self.country(LocalReading.overlayUser(in: database).country, in: database)?.currency
        }
    }

    /// Whether somebody chose the currency of totals on this device.
    public func hasChosenCurrency() throws -> Bool { try store.state(.totalCurrency) != nil }

    /// Chooses the currency in which this device shows totals.
    /// - Parameter currency: nil: that of the user's country.
    /// - Throws: ``KitError/invalid(field:message:)`` where there is none of this code.
    public func choose(currency: String?) throws {
        try store.write { database in
            if let fault = try currency.flatMap({ try Self.fault(ofCurrency: $0, in: database) }) { throw fault }
            try Store.set(.totalCurrency, currency, in: database)
        }
    }

    /// The fault of a currency's code; nil: ``choose(currency:)`` takes it.
    public func fault(ofCurrency currency: String) throws -> KitError? {
        try store.read { try Self.fault(ofCurrency: currency, in: $0) }
    }

    private static func fault(ofCurrency currency: String, in database: Database) throws -> KitError? {
        let isKnown = try database.firstRow("SELECT 1 FROM currency WHERE id = ?", [currency]) { _ in true }
        let isEmpty = try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM currency)") ?? true
        let isCode = currency.utf8.count == 3 && currency.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        guard isKnown != true, !(isEmpty && isCode) else { return nil }
        return .invalid(field: "currency", message: "there is no currency \"\(currency.prefix(40))\", such as EUR")
    }

    /// The digits of a currency after the point: those of the service, else those of ISO 4217.
    public func digits(of currency: String) throws -> Int {
        try store.read { try CurrencyDigits(in: $0)[currency] }
    }

    /// Asks the service for the exchange rates that a total needs, where there are several currencies and the kept rates are
    /// older than half a day or are not of them all.
    /// - Parameter askingAgain: whether to ask too for a rate that the service did not have; an operator may have added it.
    /// - Returns: whether they were asked for.
    /// - Throws: ``KitError``; the kept rates stay.
    @discardableResult
    public func refreshRates(askingAgain: Bool = false) async throws -> Bool {
        guard let currency = try currency() else { return false }
        let needed = Set(try spending().map(\.currency) + [currency])
        guard needed.count > 1 else { return false }
        let now = settings.clock().secondsSince1970
        if let kept = try keptRates(), (0..<43_200).contains(now - kept.at), needed.allSatisfy(kept.isAsked),
            !askingAgain || needed.isDisjoint(with: kept.missing)
        {
            return false
        }
        let total = try await client.call(GetDashboard(currency: currency)).total
        guard let total else { return true }
        try store.set(.rates, JSON.text(KeptRates(at: now, rates: total.rates, missing: total.missing)))
        return true
    }

    private func keptRates() throws -> KeptRates? {
        // Rates that another version kept in another form are asked for again.
        try store.state(.rates).flatMap { try? JSONDecoder().decode(KeptRates.self, from: Data($0.utf8)) }
    }

    /// The total of some spending in one currency, by the rates that the service gave last.
    /// - Parameter spend: the spending, by currency.
    /// - Returns: nil where a total would say nothing new: all is in that currency, or no currency is known for it.
    public func total(of spend: [GetDashboard.Spend]) throws -> SpendingTotal? {
        guard let currency = try currency(), spend.contains(where: { $0.currency != currency }) else { return nil }
        let kept = try keptRates()
        let needed = Set(spend.map(\.currency) + [currency])
        var total = SpendingTotal(currency: currency, missing: [], unasked: [])
        total.unasked = needed.filter { kept?.isAsked($0) != true && $0 != "EUR" }.sorted()
        let conversion = CurrencyConversion(perEuro: kept?.perEuro ?? [:])
        total.missing = conversion.missing(of: needed.subtracting(total.unasked))
        guard total.missing.isEmpty, total.unasked.isEmpty else { return total }
        let digits = try store.read { try PlanTable([], in: $0).digits[currency] }
        func sum(_ amount: KeyPath<GetDashboard.Spend, Amount>) throws -> Amount {
            let prices = spend.map { Price(fee: $0[keyPath: amount], currency: $0.currency) }
            guard let sum = conversion.sum(prices, in: currency, digits: digits) else {
                throw KitError.invalid(field: "", message: TotalTooLarge(currency: currency).description)
            }
            return sum
        }
        (total.month, total.year) = (try sum(\.month), try sum(\.year))
        total.ratesOf = kept?.rates.filter { needed.contains($0.currency) }.map(\.on).min()
        return total
    }
}
