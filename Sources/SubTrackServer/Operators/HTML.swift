/// A piece of HTML. An interpolated value is escaped, unless it is such a piece itself.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    /// The text as it is sent.
    let text: String

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// Nothing.
    static let empty: HTML = ""

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ value: HTML) { text += value.text }

        mutating func appendInterpolation(_ values: [HTML]) { for value in values { text += value.text } }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += value.description.escapedForHTML
        }
    }
}
