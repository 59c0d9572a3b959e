/// An exact decimal number such as an amount of money: `17.99`.
///
/// It is an integer count of units of 10⁻ᵈ, with d the number of digits after the point. Never a floating-point number:
/// on the wire it is a string.
public struct Amount: Sendable {
    /// How many units of 10⁻ᵈⁱᵍⁱᵗˢ.
    public let units: Int64
    /// Digits after the decimal point, 0…6.
    public let digits: Int

    /// The largest number of digits after the point.
    public static let maximumDigits = 6

    /// Takes the count of units and the digits after the point (clamped to 0…6).
    public init(units: Int64, digits: Int) {
        self.units = units
        self.digits = min(max(digits, 0), Self.maximumDigits)
    }

    /// 10 to the power of the digits, 1…1,000,000.
    public static func unitsPerOne(digits: Int) -> Int64 {
        var power: Int64 = 1
        for _ in 0..<min(max(digits, 0), maximumDigits) { power *= 10 }
        return power
    }

    /// The same number with another count of digits after the point.
    /// - Returns: nil when that would lose a digit other than 0, or overflow.
    public func rescaled(toDigits wanted: Int) -> Amount? {
        guard wanted != digits else { return self }
        guard (0...Self.maximumDigits).contains(wanted) else { return nil }
        if wanted > digits {
            let scaled = units.multipliedReportingOverflow(by: Self.unitsPerOne(digits: wanted - digits))
            return scaled.overflow ? nil : Amount(units: scaled.partialValue, digits: wanted)
        }
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: Self.unitsPerOne(digits: digits - wanted))
        return remainder == 0 ? Amount(units: quotient, digits: wanted) : nil
    }

    /// Whether the number is below zero.
    public var isNegative: Bool { units < 0 }
}

extension Amount: Hashable, Comparable {
    /// Numbers are compared, not their writing: 1.5 equals 1.50.
    public static func == (left: Self, right: Self) -> Bool {
        left.digits == right.digits ? left.units == right.units : left.inMillionths == right.inMillionths
    }

    public static func < (left: Self, right: Self) -> Bool {
        if left.digits == right.digits { return left.units < right.units }
        let (l, r) = (left.inMillionths, right.inMillionths)
        return l.high == r.high ? l.low < r.low : l.high < r.high
    }

    public func hash(into hasher: inout Hasher) {
        let wide = inMillionths
        hasher.combine(wide.high)
        hasher.combine(wide.low)
    }

    /// The number in millionths, in 128 bits: two amounts of any digits can be compared by it.
    private var inMillionths: (high: Int64, low: UInt64) {
        units.multipliedFullWidth(by: Self.unitsPerOne(digits: Self.maximumDigits - digits))
    }
}

extension Amount: LosslessStringConvertible {
    /// Takes an optional minus, at most 18 digits (leading zeros not counted), and a point with 1…6 of them after it
    /// or none: `17.99`.
    /// No plus sign, exponent, grouping or white space.
    public init?(_ text: String) {
        var text = text
        guard let parsed = text.withUTF8({ Amount(ascii: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = parsed
    }

    /// Takes the same form as ``init(_:)`` from ASCII bytes.
    public init?(ascii bytes: UnsafeRawBufferPointer) {
        var index = 0
        var negative = false
        if bytes.first == UInt8(ascii: "-") {
            negative = true
            index = 1
        }
        var units: Int64 = 0
        var significant = 0
        var whole = 0
        var fraction: Int?
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "."), fraction == nil, whole > 0 {
                fraction = 0
                continue
            }
            let value = byte &- 48
            guard value <= 9 else { return nil }
            if significant > 0 || value > 0 { significant += 1 }
            guard significant <= 18 else { return nil }
            units = units * 10 + Int64(value)
            if let count = fraction { fraction = count + 1 } else { whole += 1 }
        }
        guard whole > 0, fraction != 0, (fraction ?? 0) <= Self.maximumDigits else { return nil }
        self.init(units: negative ? -units : units, digits: fraction ?? 0)
    }

    /// The number with exactly ``digits`` digits after the point.
    public var description: String {
        guard digits > 0 else { return String(units) }
        var text = String(units.magnitude)
        if text.utf8.count <= digits {
            text = String(repeating: "0", count: digits + 1 - text.utf8.count) + text
        }
        text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
        return units < 0 ? "-" + text : text
    }
}

extension Amount: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text: String
        do {
            text = try container.decode(String.self)
        } catch DecodingError.typeMismatch {
            // A number would be a binary fraction by the time it is read.
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "must be an amount in quotation marks such as \"17.99\"")
        }
        guard let amount = Amount(text) else {
            let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(40)))
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(shown)\" is not an amount such as \"17.99\": a decimal string")
        }
        self = amount
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
