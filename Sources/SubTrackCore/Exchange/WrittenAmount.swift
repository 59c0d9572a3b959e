import SubTrackAPI

/// An amount as people of several countries write it: `15.99`, `59,99`, `1,299.00`, `1 299`.
///
/// One rule for options and for files. The last of two separators is the decimal point. A single one is too, unless it may
/// as well part thousands: `1,500` is read by nobody's guess.
package enum WrittenAmount: Hashable {
    /// An amount.
    case amount(Amount)
    /// Either of two amounts: with the separator between thousands, or as the decimal point.
    case either(Amount, Amount)
    /// No amount, or more than one.
    case none

    /// Reads an amount.
    /// - Parameters:
    ///   - text: digits and separators; anything else is no amount.
    ///   - digits: the digits of its currency after the point.
    package init(_ text: String, digits: Int) {
        guard text.allSatisfy(Self.isPart), text.first?.isNumber == true, text.last?.isNumber == true else {
            self = .none
            return
        }
        let number = text.map { $0 == "," || $0 == "." || $0.isNumber ? $0 : " " }
        let separators = number.filter { !$0.isNumber }
        if separators.count == 1, let mark = separators.first, mark != " ",
            let either = Self.either(number.split(separator: mark, omittingEmptySubsequences: false), mark, digits)
        {
            self = either
        } else {
            self = Self.grouped(number).map { .amount($0) } ?? .none
        }
    }

    /// Whether a character may be in an amount: a digit, a point, or a separator of thousands.
    package static func isPart(_ character: Character) -> Bool {
        character.isASCII && character.isNumber || "., '’\u{A0}\u{202F}".contains(character)
    }

    /// Thousands or a fraction: up to three digits, a separator, and three digits.
    private static func either(_ parts: [ArraySlice<Character>], _ mark: Character, _ digits: Int) -> WrittenAmount? {
        guard parts.count == 2, (1...3).contains(parts[0].count), parts[1].count == 3, parts[0].first != "0",
            let thousands = Amount(String(parts[0] + parts[1])),
            let fraction = Amount("\(String(parts[0])).\(String(parts[1]))")
        else { return nil }
        // Programs write a point. With a third digit of its own the currency decides, and refuses it where it has two.
        if mark == ".", digits > 2 || digits == 0 || parts[1].last != "0" { return .amount(fraction) }
        // A currency without digits has no fractions.
        return digits == 0 ? .amount(thousands) : .either(thousands, fraction.rescaled(toDigits: 2) ?? fraction)
    }

    private static func grouped(_ number: [Character]) -> Amount? {
        let (points, commas) = (number.count { $0 == "." }, number.count { $0 == "," })
        let last = number.last { !$0.isNumber }
        let decimal: Character? =
            if points > 0, commas > 0 {
                last == " " ? nil : last
            } else if points == 1 {
                "."
            } else if commas == 1 {
                ","
            } else {
                nil
            }
        guard decimal.map({ mark in number.count { $0 == mark } == 1 }) ?? true else { return nil }
        let parts = number.split(omittingEmptySubsequences: false) { $0 == decimal }
        guard let whole = parts.first else { return nil }
        // Separators of thousands do so.
        let groups = whole.split(omittingEmptySubsequences: false) { !$0.isNumber }
        guard Set(whole.filter { !$0.isNumber }).count <= 1, groups.dropFirst().allSatisfy({ $0.count == 3 }) else {
            return nil
        }
        let fraction = parts.count > 1 ? "." + String(parts[1]) : ""
        return Amount(groups.map { String($0) }.joined() + fraction)
    }

    /// The fault of a text that is no amount, or may be two; nil: it is one.
    package func fault(of text: String) -> String? {
        switch self {
        case .amount: nil
        case .either(let thousands, let fraction):
            "\"\(text.prefix(40))\" may be \(thousands) or \(fraction); write \(thousands) or \(fraction)"
        case .none: "\"\(text.prefix(40))\" is no amount such as 15.99"
        }
    }
}
