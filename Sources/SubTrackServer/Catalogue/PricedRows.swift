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
    /// The number of its plan.
    var planID: Int64 { get }
    /// Takes all prices of its plan at once.
    mutating func take(_ line: PriceLine)
}

/// How rows get the further prices of their plans.
enum PricedJoin: Sendable {
    /// Each row comes once for each of them.
    case joined
    /// Each row comes once, without them.
    case apart
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
    ///
    /// The numbers of elements and of prices bound the rows. Where plans have so many prices that the joined rows hold
    /// too few elements, the prices are read once for each plan. A user may have thousands of subscriptions to one plan
    /// with thousands of prices.
    /// - Parameters:
    ///   - limit: how many elements are wanted.
    ///   - query: reads the list's first rows, as many as it is told.
    /// - Returns: that many elements, or more, or all that there are; each with all its prices.
    static func decode<Element: PricedRow>(
        atLeast limit: Int, as _: Element.Type = Element.self, today: CalendarDate, on connection: Connection,
        _ query: (_ rows: Int, _ join: PricedJoin) async throws -> Rows
    ) async throws -> [Element] {
        // Few plans have more than one or two prices beside the one that stands in `Plan`.
        let rowLimit = limit * 3 + 50
        let rows = try await query(rowLimit, .joined)
        var elements: [Element] = try decode(rows, today: today)
        if rows.count < rowLimit { return elements }
        // The last may lack prices.
        elements.removeLast()
        if elements.count >= limit { return elements }
        return try await decodeApart(try await query(limit, .apart), today: today, on: connection)
    }

    /// Reads rows that come once each, and the prices of each plan once.
    static func decodeApart<Element: PricedRow>(
        _ rows: Rows, as _: Element.Type = Element.self, today: CalendarDate, on connection: Connection
    ) async throws -> [Element] {
        var elements: [Element] = try decode(rows, today: today)
        let lines = try await CatalogueQueries.lines(of: Set(elements.map(\.planID)).sorted(), on: connection)
        for index in elements.indices {
            if let line = lines[elements[index].planID] { elements[index].take(line) }
        }
        return elements
    }
}
