import Foundation
import SubTrackAPI

/// The limits of a list and where its page begins.
struct PageRequest: Sendable {
    /// How many rows at most.
    let limit: Int
    /// The fields of the last row of the page before; nil on the first page.
    let after: [String]?

    /// Reads `limit` (50 unless given, clamped to 1…200) and `cursor`.
    /// - Parameters:
    ///   - kind: the kind of the list's rows, so that a cursor of one list is refused by another.
    ///   - fields: how many fields place a row in the list.
    init(limit: Int?, cursor: String?, kind: String, fields: Int) throws {
        if let limit, limit < 1 { throw Problem.input("limit", .range, "must be at least 1") }
        self.limit = min(limit ?? 50, 200)
        after = try cursor.map { try Self.fields(of: $0, kind: kind, count: fields) }
    }

    /// The cursor of the page that begins after a row.
    static func cursor(kind: String, after fields: [String]) -> String {
        let bytes = ([kind] + fields).joined(separator: "\u{1F}").utf8
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The problem of a cursor that this list did not give.
    static var foreignCursor: Problem { .input("cursor", .malformed, "is not one that this list gave") }

    private static func fields(of cursor: String, kind: String, count: Int) throws -> [String] {
        var base64 = cursor.replacing("-", with: "+").replacing("_", with: "/")
        while base64.utf8.count % 4 != 0 { base64 += "=" }
        guard cursor.utf8.count <= 2000, let data = Data(base64Encoded: base64),
            let text = String(validating: data, as: UTF8.self)
        else { throw foreignCursor }
        let parts = text.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == count + 1, parts[0] == kind else {
            throw foreignCursor
        }
        return Array(parts.dropFirst())
    }
}

/// A page of rows, and where the next one begins.
struct Page<Element> {
    /// The rows of this page.
    let elements: [Element]
    /// The cursor of the next page; nil on the last.
    let nextCursor: String?

    /// Takes up to one row more than the page may hold: its presence tells that there is a next page.
    init(_ rows: [Element], request: PageRequest, kind: String, fields: (Element) -> [String]) {
        if rows.count > request.limit, request.limit > 0 {
            let page = Array(rows.prefix(request.limit))
            elements = page
            nextCursor = page.last.map { PageRequest.cursor(kind: kind, after: fields($0)) }
        } else {
            elements = rows
            nextCursor = nil
        }
    }
}
