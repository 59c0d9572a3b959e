import MariaDB
import SubTrackAPI
import SubTrackCore

/// Something that is read from rows which come once for each further price of its plan.
///
/// The database could look up prices on a day, by a subquery for each row and day. Joined once and picked here they
/// cost half as much.
protocol PricedRow {
    /// Reads the first of its rows.
    init(row: Row, today: CalendarDate) throws
    /// Whether a row is this one with another price.
    func isContinued(by row: Row) throws -> Bool
    /// Takes the price of one of its rows.
    mutating func takePrice(of row: Row) throws
}

/// Reading of rows that are joined with the prices of their plans.
enum PricedRows {
    /// Puts the rows of each element together. They stand one after the other.
    static func decode<Element: PricedRow>(
        _ rows: Rows, as _: Element.Type = Element.self, today: CalendarDate
    ) throws -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(rows.count)
        for row in rows {
            if let last = elements.indices.last, try elements[last].isContinued(by: row) {
                try elements[last].takePrice(of: row)
            } else {
                elements.append(try Element(row: row, today: today))
            }
        }
        return elements
    }

    /// The first elements of a list.
    /// - Parameters:
    ///   - limit: how many elements are wanted.
    ///   - query: reads the list's first rows, as many as it is told.
    /// - Returns: that many elements, or more, or all that there are; each with all its prices.
    static func decode<Element: PricedRow>(
        atLeast limit: Int, as _: Element.Type = Element.self, today: CalendarDate, _ query: (Int) async throws -> Rows
    ) async throws -> [Element] {
        // Few plans have more than one or two prices beside the one that stands in `Plan`.
        var rowLimit = limit * 3 + 50
        while true {
            let rows = try await query(rowLimit)
            var elements: [Element] = try decode(rows, today: today)
            if rows.count < rowLimit { return elements }
            // The last may lack prices.
            elements.removeLast()
            if elements.count >= limit { return elements }
            rowLimit *= 4
        }
    }
}
