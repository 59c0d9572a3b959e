import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

extension LocalReading {
    /// The user, with what waits to be sent.
    static func overlayUser(in database: Database) throws -> StoredUser {
        var user = try user(in: database)
        try database.eachRow("SELECT mutation FROM outbox WHERE entity = 'me' ORDER BY number") { reader in
            let mutation = try JSON.value(PushChanges.Mutation.self, reader.text())
            if case .string(let zone)? = mutation.fields?["timeZone"] { user.timeZone = zone }
            if case .string(let country)? = mutation.fields?["country"] { user.country = country }
            switch mutation.fields?["userName"] {
            case .string(let name)?: user.userName = name
            case .null?: user.userName = nil
            default: break
            }
        }
        return user
    }
}

extension Kit {
    /// All subscriptions by end date, as they stand today on this device.
    public func subscriptions() throws -> [TrackedSubscription] { try store.read { try subscriptions(in: $0) } }

    func subscriptions(in database: Database) throws -> [TrackedSubscription] {
        let (overlay, today) = (try LocalReading.overlay(in: database), try today(in: database))
        var (list, order) = ([TrackedSubscription](), [(end: CalendarDate, id: String, place: Int)]())
        list.reserveCapacity(overlay.entries.values.count)
        order.reserveCapacity(overlay.entries.values.count)
        for entry in overlay.entries.values where !entry.isDeleted {
            guard let tracked = overlay.tracked(entry, today: today) else { continue }
            order.append((tracked.subscription.endDate, entry.id, list.count))
            list.append(tracked)
        }
        // What is put in order is not moved about: a subscription with its plan is large.
        order.sort { $0.end == $1.end ? $0.id < $1.id : $0.end < $1.end }
        return order.map { list[$0.place] }
    }

    /// A subscription with its history.
    public struct Details: Sendable, Hashable, Codable {
        /// The subscription.
        public var tracked: TrackedSubscription
        /// Its periods by number, the current one included.
        public var periods: [Period]
        /// The prices of its plan by day, announced ones included.
        public var prices: [GetPlan.Price]
        /// Where one cancels.
        public var cancelUrl: String?
        /// The user's payment for a period, where that is not the plan's fee.
        public var ownFee: Amount?
    }

    /// A subscription with its history; nil when there is none of this id.
    public func details(of id: UUID) throws -> Details? { try store.read { try details(of: id, in: $0) } }

    func details(of id: UUID, in database: Database) throws -> Details? {
        let (overlay, today) = (
            try LocalReading.overlay(of: id.lowercased, in: database), try today(in: database)
        )
        guard let entry = overlay.entries[id.lowercased], !entry.isDeleted,
            let tracked = overlay.tracked(entry, today: today)
        else { return nil }
        var periods: [Int: StoredPeriod] = [:]
        for period in try LocalReading.periods(of: id.lowercased, in: database) + entry.ended {
            periods[period.number] = period
        }
        var rows = periods.values.filter { $0.number < entry.row.period }
        // What has ended by itself since, with what is known here.
        if entry.row.autoRenew, entry.row.cancelledOn == nil, let terms = overlay.plans.terms(entry.row.planId) {
            var row = entry.row
            for state in (try? row.state.renewals(upTo: today, terms: terms, limit: Overlay.maximumRenewals)) ?? [] {
                rows.append(row.endedPeriod(of: id))
                row.state = state
                overlay.price(&row)
            }
        }
        let current = tracked.subscription
        let all =
            rows.map {
                Period(
                    number: $0.number, startDate: $0.startDate, endDate: $0.endDate, fee: $0.fee,
                    currency: $0.currency, freeTrial: $0.freeTrial)
            } + [
                Period(
                    number: current.period, startDate: current.startDate, endDate: current.endDate,
                    fee: current.fee, currency: current.currency, freeTrial: current.freeTrial)
            ]
        let cancelUrl = try database.firstRow(
            "SELECT cancelUrl FROM provider WHERE id = ?", [current.plan.provider]
        ) { try $0.optionalText() }
        return Details(
            tracked: tracked, periods: all.sorted { $0.number < $1.number },
            prices: (overlay.plans.line(current.plan.id)?.entries ?? []).map {
                GetPlan.Price(effectiveOn: $0.effectiveOn, fee: $0.price.fee, currency: $0.price.currency)
            }, cancelUrl: current.plan.private ? nil : cancelUrl ?? nil,
            ownFee: entry.row.ownFee.map { overlay.plans.written($0, current.plan.currency) })
    }

    /// Subscriptions that were deleted and can be restored, the last deleted first.
    public func deletedSubscriptions() throws -> [TrackedSubscription] {
        try store.read { database in
            let today = try today(in: database)
            var overlay = try LocalReading.overlay(in: database)
            overlay.index()
            let here = overlay.entries.values.filter(\.isDeleted)
            var (entries, needed) = ([Overlay.Entry](), Set<Int64>())
            try database.eachRow("SELECT id, data FROM deleted ORDER BY deletedAt DESC") { reader in
                let (id, data) = (try reader.text(), try reader.text())
                guard overlay.entries[id].map(\.isDeleted) ?? true else { return }
                let stored = try JSON.value(StoredSubscription.self, data)
                entries.append(.init(id: id, version: 0, row: stored))
                needed.insert(stored.planId)
            }
            let pending = here.compactMap { overlay.tracked($0, today: today) }
            overlay.plans = try PlanTable(needed, in: database)
            return pending
                + entries.compactMap { overlay.tracked($0, today: today) }.filter { one in
                    !pending.contains { $0.id == one.id }
                }
        }
    }

    /// What active subscriptions cost in a month and a year, by currency.
    public func spending() throws -> [GetDashboard.Spend] { try spending(of: subscriptions()) }

    /// What the active ones of some subscriptions cost in a month and a year, by currency.
    public func spending(of list: [TrackedSubscription]) throws -> [GetDashboard.Spend] {
        let digits = try store.read { try PlanTable([], in: $0).digits }
        var spending = Spending()
        for tracked in list where tracked.subscription.status == .active {
            let subscription = tracked.subscription
            guard let terms = try? BillingTerms(subscription.plan), let next = subscription.next else { continue }
            // What it goes on costing: a trial's fee says nothing.
            let price =
                subscription.freeTrial
                ? Price(fee: next.fee, currency: next.currency)
                : Price(fee: subscription.fee, currency: subscription.currency)
            do {
                try spending.add(price, terms: terms)
            } catch {
                throw KitError.invalid(field: "", message: error.description)
            }
        }
        do {
            return try spending.totals { digits[$0] }
        } catch {
            throw KitError.invalid(field: "", message: error.description)
        }
    }

    /// The user as this device knows it.
    public func user() throws -> StoredUser { try store.read { try LocalReading.overlayUser(in: $0) } }

    /// Plans of the catalogue and of the user's own that a few letters lead to, the best first. Each word must begin a word of
    /// provider, name, type or category, or stand inside of one. One that may be another by now is not among them.
    public func plans(matching text: String, limit: Int = 20) throws -> [Plan] {
        try store.read { database in
            let today = try today(in: database)
            let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
            let country = try LocalReading.overlayUser(in: database).country
            // A first choice by what SQLite compares quickly; the rest is looked at closely. (A % or _ that was typed stands for
            // itself too.)
            let longest = words.max { $0.count < $1.count } ?? ""
            let isASCII = longest.utf8.allSatisfy { $0 < 0x80 }
            let pattern = isASCII ? "%\(longest.prefix(100))%" : "%"
            var found: [(score: Int, id: Int64)] = []
            try database.eachRow(
                """
                SELECT p.id, p.provider, p.name, p.type, COALESCE(p.category, r.category, '')
                FROM plan p LEFT JOIN provider r ON r.id = p.provider
                WHERE (p.country = ? OR p.private) AND (p.withdrawnOn IS NULL OR p.withdrawnOn > ?)
                    AND (p.provider LIKE ? OR p.name LIKE ? OR p.type LIKE ? OR COALESCE(p.category, r.category) LIKE ?)
                    AND p.version <> ?
                """, [country, today.stored, pattern, pattern, pattern, pattern, Store.guessed]
            ) { reader in
                let id = try reader.integer()
                let texts = [try reader.text(), try reader.text(), try reader.text(), try reader.text()]
                if let score = PlanSearch.score(words, in: texts) { found.append((score, id)) }
            }
            let best = found.sorted { ($0.score, $0.id) < ($1.score, $1.id) }.prefix(limit)
            let plans = try PlanTable(Set(best.map(\.id)), in: database)
            return best.compactMap { plans.plan($0.id, today: today) }
        }
    }
}

/// How well words lead to a plan.
enum PlanSearch {
    /// - Parameters:
    ///   - words: what was typed, in lower case.
    ///   - texts: provider, name, type and category.
    /// - Returns: less is better; nil: some word is nowhere.
    static func score(_ words: [String], in texts: [String]) -> Int? {
        let places = texts.map { $0.lowercased() }
        var score = 0
        for word in words {
            var best: Int?
            for (index, place) in places.enumerated() {
                let quality: Int? =
                    if place == word {
                        0
                    } else if place.hasPrefix(word) {
                        1
                    } else if place.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains(where: {
                        $0.hasPrefix(word)
                    }) {
                        2
                    } else if place.contains(word) {
                        4
                    } else {
                        nil
                    }
                if let quality { best = min(best ?? .max, quality * 4 + index) }
            }
            guard let best else { return nil }
            score += best
        }
        return score
    }
}
