/// A type with rules for its fields beyond their types: length, size, form.
///
/// The service refuses input that breaks a rule, and the API description shows the rules: they are said once.
public protocol FieldRules {
    /// The rules by the field's name.
    static var fieldRules: [String: FieldRule] { get }
}

/// The rule for the value of one field beyond its type.
public struct FieldRule: Sendable, Hashable {
    /// A form that a text has.
    public enum Form: Sendable, Hashable {
        /// A code of so many capital letters, such as those of ISO 3166-1 and ISO 4217.
        case capitals(Int)

        /// A price: an amount that is not negative.
        case fee

        /// A time on a clock, to the minute.
        case clockTime

        /// The regular expression (ECMA-262) of the form.
        public var pattern: String {
            switch self {
            case .capitals(let count): "^[A-Z]{\(count)}$"
            case .fee: "^[0-9]{1,11}(\\.[0-9]{1,6})?$"
            case .clockTime: "^([01][0-9]|2[0-3]):[0-5][0-9]$"
            }
        }

        /// The form, for a person who broke it.
        public var wanted: String {
            switch self {
            case .capitals(let count): "must be a code of \(count) capital letters"
            case .fee: "must be a price such as \"17.99\": 1 to 11 digits, and 1 to 6 after a point or none"
            case .clockTime: "must be a time such as \"09:00\", from 00:00 to 23:59"
            }
        }

        /// Whether a text has the form.
        public func holds(_ text: String) -> Bool {
            switch self {
            case .capitals(let count):
                text.utf8.count == count
                    && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            case .fee:
                Amount(text) != nil && text.utf8.first != UInt8(ascii: "-")
                    && text.utf8.prefix { $0 != UInt8(ascii: ".") }.count <= 11
            case .clockTime: ClockTime(text) != nil
            }
        }

        /// The kind of fault of a text with another form.
        public func fault(of text: String) -> FieldProblem.Code {
            self == .fee && Amount(text) != nil ? .range : .malformed
        }
    }

    /// Bounds of an object whose members another field decides.
    public struct Members: Sendable, Hashable {
        /// How many names it may have.
        public var names: Int
        /// How many values it may hold, those inside of others included.
        public var values: Int
    }

    /// How many characters (Unicode scalars) a text has.
    public var lengths: ClosedRange<Int>?
    /// The form of a text.
    public var form: Form?
    /// The most elements of a list. A longer one is ``ErrorCode/tooMany``, which its operation answers.
    public var maximumCount: Int?
    /// How much an object may hold whose members another field decides.
    public var members: Members?
    /// The least number.
    public var minimum: Int64?
    /// The greatest number.
    public var maximum: Int64?
    /// Whether `null` is refused, though the field may be left out: its value cannot be removed.
    public var refusesNull = false
    /// Whether the field may be left out of an answer in which its type says that it is.
    public var mayBeLeftOut = false
    /// A value as an example: a number's digits, or a text.
    public var example: String?

    /// No rule.
    public init() {}

    /// A text of so many characters.
    public static func text(_ lengths: ClosedRange<Int>) -> FieldRule {
        var rule = FieldRule()
        rule.lengths = lengths
        return rule
    }

    /// A list of so many elements at most.
    public static func list(upTo maximum: Int) -> FieldRule {
        var rule = FieldRule()
        rule.maximumCount = maximum
        return rule
    }

    /// An object of so many names at most that holds so many values at most.
    public static func members(upTo names: Int, values: Int) -> FieldRule {
        var rule = FieldRule()
        rule.members = Members(names: names, values: values)
        return rule
    }

    /// A whole number in a range.
    public static func number(_ range: ClosedRange<Int64>) -> FieldRule {
        var rule = FieldRule()
        (rule.minimum, rule.maximum) = (range.lowerBound, range.upperBound)
        return rule
    }

    /// A whole number that is at least so much.
    public static func atLeast(_ minimum: Int64) -> FieldRule {
        var rule = FieldRule()
        rule.minimum = minimum
        return rule
    }

    /// A field that may be left out of an answer.
    public static let leftOut: FieldRule = {
        var rule = FieldRule()
        rule.mayBeLeftOut = true
        return rule
    }()

    /// A country by its ISO 3166-1 alpha-2 code.
    public static let country = form(.capitals(2)).example("US")
    /// A currency by its ISO 4217 code.
    public static let currency = form(.capitals(3)).example("USD")
    /// A time zone by its IANA name.
    public static let timeZone = FieldRule().example("Europe/Berlin")
    /// How many rows a page has at most; a larger number is taken for the largest page.
    public static let pageLimit = atLeast(1)
    /// Where a page begins.
    public static let cursor = text(0...2000)
    /// A row by the number that the database gave it.
    public static let rowNumber = atLeast(1).example("1")
    /// The same in a path, where one that cannot be is not found.
    public static let anyRowNumber = FieldRule().example("1")
    /// The cost of a period.
    public static let fee = form(.fee).example("17.99")
    /// A time on a clock, to the minute.
    public static let clockTime = form(.clockTime).example("09:00")

    private static func form(_ form: Form) -> FieldRule {
        var rule = FieldRule()
        rule.form = form
        return rule
    }

    /// The rule, and `null` is refused.
    public var notNull: FieldRule {
        var rule = self
        rule.refusesNull = true
        return rule
    }

    /// No rule but that `null` is refused.
    public static let notNull = FieldRule().notNull

    /// The rule with an example.
    public func example(_ text: String) -> FieldRule {
        var rule = self
        rule.example = text
        return rule
    }
}
