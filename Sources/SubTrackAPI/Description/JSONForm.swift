/// A type whose JSON is that of one of several others, which its coding does not show.
public protocol OneOfTypes {
    /// The types that it may be.
    static var alternatives: [any Codable.Type] { get }
}

/// A type that writes the members of other types beside its own, in one object.
public protocol FlattensTypes {
    /// The other types.
    static var flattened: [any Codable.Type] { get }
}

/// A type whose fields that are nil are left out of its JSON. Others are written as `null`, so that an answer always has
/// the same members.
public protocol OmitsNilFields {}
