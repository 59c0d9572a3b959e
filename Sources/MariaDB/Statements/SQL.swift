/// A statement: its text, with `?` where a value belongs, and the values.
///
/// Written as a string literal with interpolations. Each interpolated *value* becomes a bound parameter of a prepared
/// statement and never part of the text, so no value can change what the statement does:
///
/// ```swift
/// let country = "US"
/// let plans = try await connection.query("SELECT Plan_ID, Fee FROM Plan WHERE Country_ID = \(country)")
/// ```
///
/// Other interpolations: an ``Identifier`` is back-quoted, another `SQL` is composed, `list:` binds each element of
/// an array. There is no way from a `String` to a statement but ``init(unsafeText:)``.
public struct SQL: Sendable {
    /// The text, with `?` for each bound value.
    public internal(set) var text: String
    /// The values, encoded for the wire; never shown by a description.
    var binds = SQLBinds()

    /// A statement from text that is not a literal. Whoever calls this promises that the text holds no input.
    public init(unsafeText text: String) {
        self.text = text
    }

    /// How many values are bound.
    public var bindCount: Int { binds.count }

    /// Fragments one after the other, with `separator` between them.
    public static func joined(_ fragments: some Sequence<SQL>, separator: SQL = ", ") -> SQL {
        var result = SQL(unsafeText: "")
        var isFirst = true
        for fragment in fragments {
            if !isFirst { result += separator }
            result += fragment
            isFirst = false
        }
        return result
    }

    /// One fragment after another.
    public static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result += right
        return result
    }

    /// Appends a fragment.
    public static func += (left: inout SQL, right: SQL) {
        left.text += right.text
        left.binds.append(contentsOf: right.binds)
    }
}

extension SQL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text and the number of values, never the values.
    public var description: String {
        binds.count == 0 ? text : "\(text) -- \(binds.count) bound"
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Hides the values from `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["text": text, "bindCount": binds.count]) }
}

extension SQL: ExpressibleByStringInterpolation {
    /// A statement without values.
    public init(stringLiteral value: StaticString) {
        text = value.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    }

    /// A statement with values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        binds = stringInterpolation.binds
    }

    /// Collects text and values. Its literals are `StaticString`s: the compiler lets nothing else in.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text: String
        var binds: SQLBinds

        /// Reserves room; called by the compiler.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text = ""
            text.reserveCapacity(literalCapacity + interpolationCount)
            binds = SQLBinds()
            binds.reserveCapacity(interpolationCount)
        }

        /// The literal's own text.
        public mutating func appendLiteral(_ literal: StaticString) {
            literal.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
        }

        /// A value: bound as `?`; a nil optional as NULL.
        public mutating func appendInterpolation(_ value: some SQLEncodable) {
            text.append("?")
            binds.append(value)
        }

        /// Binds a value that may be missing, which becomes NULL.
        public mutating func appendInterpolation<Value: SQLEncodable>(_ value: Value?) {
            appendInterpolation(value: value)
        }

        /// The name of a database, table or column: back-quoted.
        public mutating func appendInterpolation(_ identifier: Identifier) {
            text += identifier.quoted
        }

        /// A fragment: its text and values are taken in.
        public mutating func appendInterpolation(_ fragment: SQL) {
            text += fragment.text
            binds.append(contentsOf: fragment.binds)
        }

        /// A value: bound as `?`; a nil optional as NULL.
        public mutating func appendInterpolation(value: some SQLEncodable) {
            appendInterpolation(value)
        }

        /// The name of a database, table or column: back-quoted.
        public mutating func appendInterpolation(identifier: Identifier) {
            appendInterpolation(identifier)
        }

        /// A fragment: its text and values are taken in.
        public mutating func appendInterpolation(sql fragment: SQL) {
            appendInterpolation(fragment)
        }

        /// Several values for `IN (…)`: `?, ?, ?`. An empty list becomes NULL, which equals nothing.
        ///
        /// Each length of list is another statement text and another entry of the statement cache.
        public mutating func appendInterpolation(list values: [some SQLEncodable]) {
            guard !values.isEmpty else {
                text += "NULL"
                return
            }
            for (index, value) in values.enumerated() {
                text += index == 0 ? "?" : ", ?"
                binds.append(value)
            }
        }
    }
}
