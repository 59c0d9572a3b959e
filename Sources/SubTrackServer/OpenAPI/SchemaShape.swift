import SubTrackAPI

/// The JSON schema of a type, as its coding shows.
indirect enum SchemaShape: Equatable {
    case bool
    case integer
    case string
    case uuid
    case date
    case instant
    case amount
    /// A text that is one of these.
    case cases([String])
    case array(SchemaShape)
    case object(SchemaObject)
    /// Any value.
    case any
    /// An object whose members another field decides.
    case members
    /// One of several objects.
    case oneOf([SchemaShape])
}

/// The JSON object of a type.
struct SchemaObject: Equatable {
    /// A name that no other type has: `ListPlansOutput`.
    var name: String
    /// Its members in the order in which they are declared.
    var fields: [SchemaField]
    /// Whether a nil member is left out of an answer, in place of null.
    var omitsNil = false
    /// A description in words; nil where there is none.
    var summary: String?
}

/// A member of an object.
struct SchemaField: Equatable {
    /// Its name.
    var name: String
    /// Its value.
    var shape: SchemaShape
    /// Whether it may be left out of an input.
    var isOptional: Bool
    /// Whether it may be null.
    var isNullable: Bool
    /// Its rule beyond its type.
    var rule: FieldRule
    /// A description in words; nil where there is none.
    var summary: String?
}
