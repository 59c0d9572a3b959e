import MariaDB
import SubTrackAPI
import SubTrackCore

/// A price of a plan as a query gives it: `17.990000 USD`, NULL where no row of `Plan_price` has a say on that day.
struct PriceOnDay: SQLDecodable {
    let price: Price

    init(cell: borrowing SQLCell) throws {
        let text = try cell.text()
        guard let space = text.firstIndex(of: " "), let fee = Amount(String(text[..<space])) else {
            throw SQLCell.Mismatch("is not an amount and a currency")
        }
        price = Price(fee: fee, currency: String(text[text.index(after: space)...]))
    }

    /// The price of plan `p` on a day, where it is not the one that stands in `Plan`.
    ///
    /// The price of a day is the line's greatest day not after it; earlier than the first known day, the first known
    /// price holds. The line is `Plan(Fee, Fee_since)` and the rows of `Plan_price`.
    static func column(on day: SQL) -> SQL {
        """
        (SELECT CONCAT(x.Fee, ' ', x.Currency_code) FROM Plan_price x
         WHERE x.Plan_ID = p.Plan_ID
           AND IF(\(day) >= p.Fee_since, x.Effective_on > p.Fee_since AND x.Effective_on <= \(day),
                  x.Effective_on < p.Fee_since)
         ORDER BY x.Effective_on <= \(day) DESC, IF(x.Effective_on <= \(day), -1, 1) * DATEDIFF(x.Effective_on, \(day))
         LIMIT 1)
        """
    }
}
