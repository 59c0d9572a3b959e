/// The name of a database, table or column, checked so that it can stand in a statement's text.
///
/// Allowed are 1 to 64 ASCII letters, digits, `_` and `$`: what both MariaDB and MySQL take unquoted
/// (MariaDB manual, “Identifier Names”). It is quoted all the same, so that a reserved word can be a name.
public struct Identifier: Sendable, Hashable, CustomStringConvertible {
    /// The name as it was given.
    public let name: String

    /// - Throws: ``MariaDBError`` of kind `.invalidStatement` when the name has any other character or length.
    public init(_ name: String) throws {
        let bytes = name.utf8
        let isAllowed = bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
                true
            default: false
            }
        }
        guard isAllowed, (1...64).contains(bytes.count) else {
            throw MariaDBError.invalidStatement("a name must be 1 to 64 letters, digits, _ or $")
        }
        self.name = name
    }

    /// The name in back quotes.
    public var quoted: String { "`\(name)`" }

    /// The name.
    public var description: String { name }
}
