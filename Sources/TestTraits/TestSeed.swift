import Foundation

/// The seed where the random cases of a test begin.
///
/// It is the same in each run and in a repetition. `SUBTRACKIT_TEST_SEED` names another one, which `script/test --nightly` draws.
public enum TestSeed {
    /// The seed that the environment names; nil: each test has its own.
    private static let named = ProcessInfo.processInfo.environment["SUBTRACKIT_TEST_SEED"].flatMap { UInt64($0) }

    /// The first seed of a test, which is printed.
    /// - Parameters:
    ///   - test: the drawn cases, in words.
    ///   - standard: the seed where the environment says nothing.
    public static func first(of test: String, or standard: UInt64 = 1) -> UInt64 {
        let seed = named ?? standard
        print("\(test): SUBTRACKIT_TEST_SEED=\(seed)")
        return seed
    }

    /// So many seeds of a test, one after the other.
    public static func some(_ count: UInt64, of test: String) -> [UInt64] {
        let first = first(of: test)
        return (0..<count).map { first &+ $0 }
    }
}
