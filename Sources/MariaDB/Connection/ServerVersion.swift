/// Which server it is.
public struct ServerVersion: Sendable, Hashable, CustomStringConvertible {
    /// As the server said it.
    public let description: String
    /// Whether it is MariaDB rather than MySQL.
    public let isMariaDB: Bool
    /// 10 in 10.11.6.
    public let major: Int
    /// 11 in 10.11.6.
    public let minor: Int
    /// 6 in 10.11.6.
    public let patch: Int

    /// Reads `10.11.6-MariaDB-0+deb12u1`, `5.5.5-10.6.4-MariaDB` (an old client's prefix) or `9.7.0`.
    public init(_ text: String) {
        description = text
        isMariaDB = text.contains("MariaDB")
        var rest = text[...]
        if isMariaDB, rest.hasPrefix("5.5.5-") { rest = rest.dropFirst(6) }
        let numbers = rest.prefix { $0.isNumber || $0 == "." }.split(separator: ".").map { Int($0) ?? 0 }
        major = numbers.first ?? 0
        minor = numbers.count > 1 ? numbers[1] : 0
        patch = numbers.count > 2 ? numbers[2] : 0
    }

    /// Whether the server is at least that version of its own kind.
    public func isAtLeast(_ major: Int, _ minor: Int = 0, _ patch: Int = 0) -> Bool {
        (self.major, self.minor, self.patch) >= (major, minor, patch)
    }
}
