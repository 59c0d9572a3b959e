/// A JSON value (RFC 8259) as a client sent it.
enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent, at most 2^53 in size.
    case integer(Int64)
    /// Any other number, as it was written.
    case decimal(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
    /// A value from a path or a query, which has no type of its own.
    case text(String)
    /// A number or text that the service never takes, and the reason. It is there where one change of many may have it.
    case unfit(String)

    /// A name and its value.
    struct Member: Sendable, Equatable {
        var name: String
        var value: JSONValue
    }

    /// Why a value in this one is not taken, of the first such; nil: there is none.
    var unfitReason: String? {
        switch self {
        case .unfit(let reason): return reason
        case .array(let elements):
            for element in elements { if let reason = element.unfitReason { return reason } }
        case .object(let members):
            for member in members { if let reason = member.value.unfitReason { return reason } }
        case .null, .bool, .integer, .decimal, .string, .text: break
        }
        return nil
    }

    /// The name of this kind of value, for people.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "a whole number"
        case .decimal: "a decimal number"
        case .string, .text: "a text"
        case .array: "a list"
        case .object: "an object"
        case .unfit: "a value that is not taken"
        }
    }
}
