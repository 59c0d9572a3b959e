import MariaDB
import SubTrackAPI
import SubTrackCore

/// Changes for the subscriptions of a user, found anew at each request: nothing has to be sent on a day.
enum SubscriptionNotices {
    /// The notices of active subscriptions, by day.
    /// - Parameters:
    ///   - rows: the subscriptions.
    ///   - lines: the price lines of their plans.
    ///   - former: the terms that their plans had before, where these changed.
    ///   - digits: the digits of each currency.
    static func all(
        for rows: [SubscriptionRow], lines: [Int64: PriceLine], former: [Int64: PlanOutlook.Former],
        digits: [String: Int]
    ) async -> [Notice] {
        var notices: [Notice] = []
        for (index, row) in rows.enumerated() {
            if index % DashboardHandler.atOnce == DashboardHandler.atOnce - 1 {
                await DatabaseLoopGroup.shared.here.yield()
            }
            let outlook = PlanOutlook(
                prices: lines[row.plan.id] ?? PriceLine(always: row.plan.stored),
                terms: PlanTerms(duration: row.plan.duration, noticeDays: row.plan.noticeDays),
                former: former[row.plan.id], withdrawnOn: row.plan.withdrawnOn)
            notices += self.notices(of: row, outlook, digits: digits)
        }
        return notices.sorted {
            ($0.on, $0.subscriptionId.uuidString, $0.kind.rawValue) < (
                $1.on, $1.subscriptionId.uuidString, $1.kind.rawValue
            )
        }
    }

    private static func notices(
        of row: SubscriptionRow, _ outlook: PlanOutlook, digits: [String: Int]
    ) -> [Notice] {
        var notices: [Notice] = []
        // The period that runs is ended by the terms with which it began.
        let nextCancelBy = row.state.end.adding(days: -outlook.noticeDays(for: row.state))
        if let change = outlook.priceChange(for: row.state, current: row.current, ownFee: row.ownFee) {
            let cancelBy = change.on == row.state.end ? nextCancelBy : change.on.adding(days: -outlook.terms.noticeDays)
            let (from, to) = (fee(change.from, digits), fee(change.to, digits))
            let isSameCurrency = from.currency == to.currency
            notices.append(
                Notice(
                    subscriptionId: row.id, kind: .price, on: change.on, cancelBy: cancelBy, from: from, to: to,
                    message: "goes from \(from.fee)\(isSameCurrency ? "" : " " + from.currency) to \(to.fee) "
                        + "\(to.currency) with your renewal on \(change.on), cancel by \(cancelBy)"))
        }
        if let former = outlook.formerTerms(for: row.state) {
            var changes: [String] = []
            if former.duration != outlook.terms.duration {
                changes.append("a period lasts \(words(outlook.terms.duration)) in place of \(words(former.duration))")
            }
            if former.noticeDays != outlook.terms.noticeDays {
                let days = words(PlanDuration(value: outlook.terms.noticeDays, unit: .day))
                changes.append("it must be cancelled \(days) ahead in place of \(former.noticeDays)")
            }
            notices.append(
                Notice(
                    subscriptionId: row.id, kind: .terms, on: row.state.end, cancelBy: nextCancelBy,
                    fromTerms: terms(former), toTerms: terms(outlook.terms),
                    message: "from your renewal on \(row.state.end) "
                        + changes.joined(separator: ", and ") + "; cancel by \(nextCancelBy)"))
        }
        if let day = outlook.withdrawnOn {
            notices.append(
                Notice(
                    subscriptionId: row.id, kind: .withdrawn, on: day, cancelBy: nextCancelBy,
                    message: "is not sold to others from \(day) on; you keep it unless you cancel"))
        }
        return notices
    }

    private static func fee(_ price: Price, _ digits: [String: Int]) -> Notice.Fee {
        Notice.Fee(fee: price.fee.written(in: price.currency, digits: digits), currency: price.currency)
    }

    private static func terms(_ terms: PlanTerms) -> Notice.Terms {
        Notice.Terms(duration: terms.duration, noticeDays: terms.noticeDays)
    }

    private static func words(_ duration: PlanDuration) -> String {
        "\(duration.value) \(duration.unit.rawValue)\(duration.value == 1 ? "" : "s")"
    }
}
