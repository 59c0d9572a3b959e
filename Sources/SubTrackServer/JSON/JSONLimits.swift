/// Bounds of the shape of a JSON text. They keep the cost of reading it in proportion to its size.
///
/// A push of 100 mutations that each set all fields and a plan has 3,300 values, a row with all of its parts 1,300. The largest
/// object, a list of 50 parts by their ids that are all replaced, has 100 names.
struct JSONLimits: Sendable, Equatable {
    /// How deep arrays and objects may be nested.
    var depth = 32
    /// How many names an object may have.
    var names: Int
    /// How long a name may be, in bytes.
    var nameLength: Int
    /// How many elements an array may have.
    var elements: Int
    /// How many values there may be in all, objects and arrays included.
    var values: Int

    /// The limits of input that clients send.
    static let request = JSONLimits(names: 128, nameLength: 256, elements: 1_000, values: 20_000)
    /// The limits of files that operators name.
    static let file = JSONLimits(names: .max, nameLength: .max, elements: .max, values: .max)

    /// How many characters a number may have.
    static let numberLength = 64
    /// The largest whole number that every reader of JSON holds exactly (RFC 8259 §6).
    static let maximumInteger: Int64 = 1 << 53
}
