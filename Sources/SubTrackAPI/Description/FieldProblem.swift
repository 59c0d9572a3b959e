/// The fault of one field of the input.
public struct FieldProblem: Codable, Sendable, Hashable {
    /// The kind of fault.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// The field is needed and was left out.
        case required
        /// There is no such field in this operation.
        case unknown
        /// The value is of another type, or cannot be read.
        case malformed
        /// The value can be read but lies outside of its bounds.
        case range
        /// The field contradicts another one.
        case conflict
        /// The value names something that does not exist.
        case missing
        /// The whole input is not valid JSON, or breaks a limit.
        case json
    }

    /// The path of the field, with dots: `plan.duration.value`; empty for the input as a whole.
    public var field: String
    /// The kind of fault.
    public var code: Code
    /// The fault and its remedy, for a person.
    public var message: String

    /// A fault of one field.
    public init(field: String, code: Code, message: String) {
        self.field = field
        self.code = code
        self.message = message
    }
}
