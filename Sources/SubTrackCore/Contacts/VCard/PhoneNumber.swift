/// A number as contacts hold it.
public enum PhoneNumber: Sendable, Hashable {
    /// Three digits of area and seven of number, as they are dialled in North America.
    case local(area: String, number: String)
    /// `+` and 2 to 15 digits (ITU-T E.164).
    case international(String)

    /// Reads a number as people write it: `(788) 678-8768`, `+49 (0)30 123456`, `0044 20 7946 0958`.
    /// Nil for texts that are no number, and for numbers without dialling code that may belong to several places.
    /// - Parameter country: ISO 3166-1 alpha-2 in capitals, for numbers without dialling code. Empty: none is known.
    public init?(_ text: String, country: String) {
        guard text.utf8.count <= 200, let typed = Typed(text) else { return nil }
        let plan = DiallingCodes.plan(of: country)
        if typed.isInternational {
            self.init(international: typed.digits)
        } else if Self.isWritten(text) {
            self = Self.local(typed.digits)
        } else if let abroad = plan == nil ? "00" : plan?.abroad, typed.digits.hasPrefix(abroad) {
            self.init(international: String(typed.digits.dropFirst(abroad.count)))
        } else if let plan {
            self.init(national: typed.digits, plan)
        } else {
            return nil
        }
    }

    private init?(international digits: String) {
        guard (2...15).contains(digits.utf8.count), digits.first != "0" else { return nil }
        self = .international("+" + digits)
    }

    private init?(national digits: String, _ plan: DiallingCodes.Plan) {
        var dialled = plan.trunk.isEmpty || !digits.hasPrefix(plan.trunk) ? nil : digits.dropFirst(plan.trunk.count)
        // Belarus: 8 029.
        if plan.trunk == "8", dialled?.first == "0" { dialled = dialled?.dropFirst() }
        let number: String
        if let dialled, plan.lengths.contains(dialled.utf8.count), dialled.first != "0" {
            number = String(dialled)
        } else if plan.trunk.isEmpty
            ? plan.lengths.contains(digits.utf8.count) && !digits.hasPrefix("00")
            // Without its trunk a number of the full length is a whole one. A shorter one may lack its area.
            : (plan.isTrunkOptional
                ? plan.lengths.contains(digits.utf8.count) : digits.utf8.count == plan.lengths.upperBound)
                && digits.first != "0"
        {
            number = digits
        } else {
            return nil
        }
        if plan.code == "1" {
            self = Self.local(number)
        } else {
            self.init(international: plan.code + number)
        }
    }

    private static func local(_ digits: String) -> Self {
        .local(area: String(digits.prefix(3)), number: String(digits.suffix(7)))
    }

    /// The number of a contact; nil for one that is neither.
    public init?(_ phone: (area: String?, number: String?, e164: String?)) {
        if let e164 = phone.e164 {
            self = .international(e164)
        } else if let area = phone.area, let number = phone.number {
            self = .local(area: area, number: number)
        } else {
            return nil
        }
    }

    /// The number as cards and lists show it: `(788) 678-8768`, `+4930123456`.
    public var written: String {
        switch self {
        case .local(let area, let number): "(\(area)) \(number.prefix(3))-\(number.dropFirst(3))"
        case .international(let number): number
        }
    }

    /// The digits by which numbers are compared. A number of 3 and 7 digits is the same as one with `+1` before it.
    public var key: String {
        switch self {
        case .local(let area, let number): "1" + area + number
        case .international(let number): String(number.drop { $0 == "+" })
        }
    }

    /// Whether a text has exactly the form of ``written`` for 3 and 7 digits.
    private static func isWritten(_ text: String) -> Bool {
        let form = "(000) 000-0000".utf8
        return text.utf8.count == form.count
            && zip(text.utf8, form).allSatisfy { $1 == UInt8(ascii: "0") ? (48...57).contains($0) : $0 == $1 }
    }

    /// The digits of a typed number.
    private struct Typed {
        var digits = ""
        var isInternational = false

        /// Nil where something stands between the digits that no number has: letters, an extension.
        init?(_ text: String) {
            var rest = Substring(text)
            if rest.prefix(4).lowercased() == "tel:" { rest = rest.dropFirst(4) }
            // A zero in brackets is dialled inside the country alone, in most countries.
            if let zero = rest.firstRange(of: "(0)") {
                let before = rest[..<zero.lowerBound].filter { $0.isASCII && $0.isNumber }
                let code = before.hasPrefix("00") ? before.dropFirst(2) : Substring(before)
                if DiallingCodes.dropsZero(behind: code) { rest.removeSubrange(zero) }
            }
            for scalar in rest.unicodeScalars {
                if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
                    digits += String(Int(value))
                } else if scalar == "+" || scalar == "\u{FF0B}" {
                    guard digits.isEmpty, !isInternational else { return nil }
                    isInternational = true
                } else {
                    guard Self.isBetween(scalar) else { return nil }
                }
            }
            guard !digits.isEmpty else { return nil }
        }

        /// Whether a character may stand between digits: space, brackets, dashes, dots, slashes, marks of direction.
        private static func isBetween(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "-", ".", "/", "(", ")", "[", "]", "~", "\u{2212}", "\u{30FC}", "\u{B7}": true
            case "\u{2010}"..."\u{2015}": true
            default: scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
            }
        }
    }
}
