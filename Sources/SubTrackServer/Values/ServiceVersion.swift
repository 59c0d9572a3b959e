/// A version of the service as it is released: `1.2.3` (semver.org, without pre-releases).
public struct ServiceVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let numbers: [Int]

    /// The version of this program, as it is released.
    public static let text = "0.1.0"
    /// The version of this program.
    public static let current = ServiceVersion(text) ?? .zero
    /// Older than all others: the version before versions were noted.
    static let zero = ServiceVersion(numbers: [0, 0, 0])

    private init(numbers: [Int]) { self.numbers = numbers }

    /// Reads three numbers with points between them; nil when it is anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        self.numbers = numbers
    }

    /// Compares number by number.
    public static func < (left: Self, right: Self) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }

    public var description: String { numbers.map(String.init).joined(separator: ".") }
}
