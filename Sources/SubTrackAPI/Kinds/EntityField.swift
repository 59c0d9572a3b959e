/// A field of a declared row or of one of its parts.
public struct EntityField: Sendable, Hashable {
    /// The kind of a value, with its bounds.
    public enum Kind: Sendable, Hashable {
        /// A text of so many characters (Unicode scalars). White space at its ends does not count.
        case text(ClosedRange<Int>)
        /// A whole number in a range.
        case integer(ClosedRange<Int64>)
        /// Whether something holds.
        case flag
        /// A day of the calendar.
        case day
        /// A UUID.
        case id
    }

    /// The name on the wire.
    public private(set) var name: String
    /// The column.
    public private(set) var column: String
    /// The kind of its values.
    public let kind: Kind
    /// The merge group: fields of one group are written together or not at all. The field's name unless told.
    public private(set) var group: String
    /// Whether it may be null.
    public private(set) var isOptional = false
    /// Whether it never changes.
    public private(set) var isImmutable = false
    /// Whether a text may have several lines.
    public private(set) var isMultiline = false
    /// The value that stands where a new row or part does not name the field; nil: ``standard``.
    public private(set) var fallback: AnyJSON?

    private init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
        group = name
        column = EntityDeclaration.column(name)
    }

    /// A text of so many characters.
    public static func text(_ name: String, _ lengths: ClosedRange<Int>) -> EntityField { .init(name, .text(lengths)) }
    /// A whole number in a range.
    public static func integer(_ name: String, _ range: ClosedRange<Int64>) -> EntityField {
        .init(name, .integer(range))
    }
    /// Whether something holds; false unless given.
    public static func flag(_ name: String) -> EntityField { .init(name, .flag) }
    /// A day of the calendar.
    public static func day(_ name: String) -> EntityField { .init(name, .day) }
    /// A UUID.
    public static func id(_ name: String) -> EntityField { .init(name, .id) }

    /// The field, and it may be null.
    public var optional: EntityField { changed { $0.isOptional = true } }
    /// The field, and it never changes.
    public var immutable: EntityField { changed { $0.isImmutable = true } }
    /// The field, and its text may have several lines.
    public var multiline: EntityField { changed { $0.isMultiline = true } }
    /// The field in a merge group.
    public func group(_ name: String) -> EntityField { changed { $0.group = name } }
    /// The field in another column.
    public func column(_ name: String) -> EntityField { changed { $0.column = name } }

    /// The field with a value where a new row or part does not name it. Its column has the same default.
    public func unlessGiven(_ value: AnyJSON) -> EntityField { changed { $0.fallback = value } }

    private func changed(_ change: (inout EntityField) -> Void) -> EntityField {
        var field = self
        change(&field)
        return field
    }

    /// The rule for inputs; nil: there is none beyond the type.
    var rule: FieldRule? {
        switch kind {
        case .text(let lengths): .text((isOptional ? 0 : lengths.lowerBound)...lengths.upperBound)
        case .integer(let range): .number(range)
        case .flag, .day, .id: nil
        }
    }

    /// The value that says nothing, of a field that need not be named; nil: it has to be named, or has a ``fallback``.
    public var standard: AnyJSON? {
        if isOptional { return .null }
        return kind == .flag ? .bool(false) : nil
    }

    /// The value of a field that a new row or part does not name; nil: it has to be named.
    public var initial: AnyJSON? { fallback ?? standard }
}
